"""What `harness compare` was given: a run folder, an accepted baseline or an MLflow run, found by its name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from harness.comparison.sides import LOGGED, Side, of_baseline, of_run
from harness.errors import ConfigError, Problem
from harness.gates import baseline
from harness.judging.calibration import FOLDER as CALIBRATIONS
from harness.resources import roots

_MLFLOW_ID = re.compile(r"[0-9a-f]{32}")
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Places:
    """Where sides are looked for."""

    runs_dir: Path
    """Run folders."""
    reports_dir: Path
    """The user's accepted baselines; the shipped ones come after."""
    uri: str
    """MLflow tracking store."""

    def find(self, wanted: Sequence[str]) -> list[Side]:
        """One side for each of the words; an experiment accepted on several golden sets is meant on that of the other side.

        Raises:
            ConfigError: with a problem for every word that names nothing, or more than one thing.
            StoreError, GateError: when what it names cannot be read.
        """
        chosen = [self._choose(word) for word in wanted]
        clear = [(word, item) for word, item in zip(wanted, chosen, strict=True) if isinstance(item, Path | str)]
        if len(clear) == 1 and any(len(self._called(word)) > 1 for word in wanted):
            golden_set = self._read(*clear[0]).record.golden_set
            chosen = [self._choose(word, golden_set) for word in wanted]
        problems = [item for item in chosen if isinstance(item, Problem)]
        if problems:
            raise ConfigError("There is nothing to compare under that name.", problems)
        return [self._read(word, item) for word, item in zip(wanted, chosen, strict=True) if isinstance(item, Path | str)]

    def _choose(self, word: str, golden_set: str = "") -> Path | str | Problem:
        """A run's folder, a baseline's file or an MLflow id; of several baselines that of the golden set."""
        for folder in (Path(word).absolute(), self.runs_dir / word) if word else ():
            if _is_run(folder):
                return folder
        if _MLFLOW_ID.fullmatch(word):
            return word
        known, found = self._baselines(), self._called(word)
        found = [f"{golden_set}/{word}"] if f"{golden_set}/{word}" in found else found
        if len(found) == 1:
            return known[found[0]]
        if found:
            what = f"{word!r} is accepted on {len(found)} golden sets"
            return Problem("C002", word, what, fix=f"name one: {', '.join(found)}.")
        return self._unknown(word, list(known))

    def _called(self, word: str) -> list[str]:
        """The baselines of this name, as GOLDEN_SET/EXPERIMENT."""
        return [name for name in self._baselines() if word in (name, name.partition("/")[2])]

    def _baselines(self) -> dict[str, Path]:
        """GOLDEN_SET/EXPERIMENT to file; the user's before the shipped ones."""
        found: dict[str, Path] = {}
        for reports in dict.fromkeys([self.reports_dir, *(root / "reports" for root in roots())]):
            for path in sorted(reports.glob("*/*.json")):
                if path.parent != self.runs_dir and path.parent.name != CALIBRATIONS:
                    found.setdefault(f"{path.parent.name}/{path.stem}", path)
        return dict(sorted(found.items()))

    def _unknown(self, word: str, baselines: Sequence[str]) -> Problem:
        runs = sorted(path.parent.name for path in self.runs_dir.glob("*/run.json"))
        short = {name.partition("/")[2]: name for name in reversed(baselines)}
        near = get_close_matches(word, [*runs, *baselines, *short], n=_NEAR, cutoff=0.5)
        names = list(dict.fromkeys(short.get(name, name) for name in near))
        known = [*baselines, *reversed(runs)][:10]
        fix = f"did you mean {' or '.join(map(repr, names))}?" if names else f"known: {', '.join(known) or 'none'}."
        what = f"{word!r} is no run in {str(self.runs_dir)!r}, no accepted baseline and no MLflow run id"
        return Problem("C002", word or "(empty)", what, fix=fix)

    def _read(self, word: str, chosen: Path | str) -> Side:
        if isinstance(chosen, str):
            return self._logged(chosen)
        return of_run(word, chosen) if chosen.is_dir() else of_baseline(word, baseline.load(chosen))

    def _logged(self, mlflow_id: str) -> Side:
        from harness.tracking.read_back import read_back

        record = read_back(self.uri, mlflow_id)
        if record is None:
            problem = Problem(
                "C002", mlflow_id, f"the MLflow store {self.uri!r} has no such run", fix="name its store with --uri."
            )
            raise ConfigError("There is nothing to compare under that name.", [problem])
        return Side(mlflow_id, LOGGED, record)


def _is_run(folder: Path) -> bool:
    try:
        return any((folder / name).is_file() for name in ("run.json", "results.json"))
    except (OSError, ValueError):
        return False
