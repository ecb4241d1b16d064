"""Ways to change a project between two commands, and stages that go wrong."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from harness.cli import job
from harness.cli.main import main
from harness.gates import baseline
from tests.cli.project import write_golden_set

PLUGIN = '''"""Stages that go wrong."""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from harness.types import Query, Score, State


@dataclass(frozen=True)
class Failing:
    """Fails on the first questions."""

    failing: int

    def transform(self, question, queries):
        if question.question_id in [f"q{number}" for number in range(self.failing)] or self.failing > 24:
            raise RuntimeError("the model went away")
        return [Query(question.text)]


@dataclass(frozen=True)
class Fickle:
    """Asks the first questions as they are once, and for something else every further time."""

    fickle: int
    asked: set = field(default_factory=set)

    def transform(self, question, queries):
        again = question.question_id in self.asked
        self.asked.add(question.question_id)
        few = [f"q{number}" for number in range(self.fickle)]
        return [Query("nothing of the kind" if again and question.question_id in few else question.text)]


@dataclass(frozen=True)
class Stopping:
    """Is interrupted at the call whose number stands in the file `stop`, if there is one."""

    calls: count = field(default_factory=count)

    def transform(self, question, queries):
        if Path("stop").exists() and next(self.calls) == int(Path("stop").read_text()):
            raise KeyboardInterrupt
        return [Query(question.text)]


@dataclass(frozen=True)
class Down:
    """A judge that cannot be reached."""

    metrics = ("faithfulness",)
    identity = "lexical v1 minimum=0.6"

    def judge(self, question, trace):
        raise ConnectionError("no route to the judge")


@dataclass(frozen=True)
class Choosy:
    """A judge that judges the first question only."""

    metrics = ("faithfulness",)
    identity = "lexical v1 minimum=0.6"

    def judge(self, question, trace):
        if question.question_id == "q0":
            return [Score("faithfulness", question.question_id, 1.0)]
        return [Score("faithfulness", question.question_id, None, State.SKIPPED, "no time")]
'''


def gate_file(*rules: dict[str, Any] | None, **fields: Any) -> Callable[[Path], None]:
    """A gate of the project's own, called `mine`."""
    node = {"_target_": "harness.gates.gate.Gate", "rules": list(rules), **fields}
    return lambda project: _write(project / "conf" / "gate" / "mine.yaml", yaml.safe_dump(node))


def asked(rows: list[dict[str, object]], then: Callable[[Path], None] = lambda _: None) -> Callable[[Path], None]:
    """Other questions in the golden set, under a card that says so."""

    def prepare(project: Path) -> None:
        write_golden_set(project / "golden_sets" / "tiny", rows)
        job._load.cache_clear()
        then(project)

    return prepare


def accepted(**changed: Any) -> Callable[[Path], None]:
    """A baseline that differs in some fields; `without=METRIC` lacks one."""

    def prepare(project: Path) -> None:
        path = project / "reports" / "tiny" / "light.json"
        kept = baseline.load(path)
        lacking = changed.pop("without", "")
        scores = {metric: row for metric, row in kept.scores.items() if metric != lacking}
        baseline.save(path, replace(kept, **{"scores": scores, **changed}))

    return prepare


def scored_before(metric: str, *names: str) -> Callable[[Path], None]:
    """A baseline that has the number 1 for these questions too."""

    def prepare(project: Path) -> None:
        scores = baseline.load(project / "reports" / "tiny" / "light.json").scores
        accepted(scores={**scores, metric: {**scores[metric], **dict.fromkeys(names, 1.0)}})(project)

    return prepare


def edited(pattern: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    """Another text in the file of that name."""

    def prepare(project: Path) -> None:
        (path,) = project.glob(pattern)
        path.write_text(change(path.read_text()))

    return prepare


def removed(pattern: str) -> Callable[[Path], None]:
    """One file less."""
    return lambda project: next(project.glob(pattern)).unlink()


def stage(slot: str, name: str, target: str, **fields: Any) -> Callable[[Path], None]:
    """An option that names a stage of the plugin."""
    node = {"_target_": f"going_wrong.{target}", **fields}
    return lambda project: _write(project / "conf" / slot / f"{name}.yaml", yaml.safe_dump(node))


def ran(*command: str) -> Callable[[Path], None]:
    """Another command first, whatever comes of it."""
    return lambda _: main([*command]) and None


def both(*parts: Callable[[Path], None]) -> Callable[[Path], None]:
    """One thing after the other."""
    return lambda project: [part(project) for part in parts] and None


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def nothing(_project: Path) -> None:
    """Nothing is prepared: the command alone is at fault."""
