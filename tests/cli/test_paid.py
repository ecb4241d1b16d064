"""The budget of every command that may ask a model, against a server that counts."""

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli import paid
from harness.cli.paid import budget_of, within_budget
from harness.errors import ConfigError
from harness.spending import Budget, ExhaustedError, ledger
from harness.types import Usage
from tests.cli.project import DOCUMENTS
from tests.fake_openai import FakeOpenAI, embedded, ok, reranked

Harness = Callable[..., tuple[int, str]]
CLI = Path(paid.__file__).parent
BUILDERS = {"build", "build_pipeline", "for_building", "for_asking", "chosen_judge", "_experiment"}
"""What gives a command stages that may ask a model."""


@pytest.fixture
def words(project: Path, harness: Harness, fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """A command line for each command, with a model behind the server in it."""
    monkeypatch.setenv("CANARY_KEY", "sk-CANARY-0123456789abcdef")
    fake_openai.script("e", embedded(8))
    fake_openai.script("r", reranked())
    fake_openai.script("m", ok(json.dumps({"questions": [], "claims": ["one"], "propositions": ["one"]})))
    fake_openai.script("c", ok(json.dumps({"propositions": ["one"]})))
    server = {"api_base": fake_openai.url, "api_key_env": "CANARY_KEY", "attempts": 1}

    def at(place: str, **more: object) -> list[str]:
        return [f"{place}.{name}={value}" for name, value in {**server, **more}.items()]

    embedder = ["embedder=openai", *at("embedder", model="openai/e", dimension=8, shorten="false", batch=1)]
    reranker = ["reranker=cohere", *at("reranker", model="cohere/r")]
    judge = " ".join(["llm", *at("judge.splitter.llm", model="openai/m"), "judge.metrics=[faithfulness]"])
    (project / "docs").mkdir()
    for name, text in DOCUMENTS.items():
        (project / "docs" / name).write_text(text)
    rows = [{"id": f"q{place}", "contexts": ["It is so."], "answer": "It is so.", "label": 1} for place in range(60)]
    (project / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    event = {"date": "2026-06-25", "action": "edit", "doc": "range.md"}
    (project / "golden_sets" / "tiny" / "timeline.jsonl").write_text(json.dumps({**event, "action": "add"}) + "\n")
    assert harness("index", "sync", "docs", "--index", "old", "embedder=hashing", "reranker=none")[0] == 0
    return {
        "run": ["run", "+experiment=light", "gate=none", *embedder],
        "sync": ["index", "sync", "docs", *embedder],
        "reembed": ["index", "reembed", "--index", "old", *embedder],
        "search": ["index", "search", "How far?", "--index", "old", *reranker],
        "freshness": ["index", "freshness", "tiny", *embedder],
        "chunk": ["chunk", "docs", "chunker=proposition_llm", *at("chunker.llm", model="openai/c")],
        "judge": ["calibrate", "judge", "mine.jsonl", "--judge", judge],
        "draft": [
            *("golden", "draft", "tiny", "--model", "openai/m", "--api-base", fake_openai.url, "--api-key-env", "CANARY_KEY")
        ],
    }


def limited(words: list[str], limit: str) -> list[str]:
    """The command line with a budget."""
    if words[:2] == ["calibrate", "judge"]:
        return [*words[:-1], f"{words[-1]} {limit}"]
    return [*words, limit]


COMMANDS = ["run", "sync", "reembed", "search", "freshness", "chunk", "judge", "draft"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_sends_nothing_that_its_budget_does_not_cover(
    words: dict[str, list[str]], harness: Harness, fake_openai: FakeOpenAI, command: str
) -> None:
    code, text = harness(*limited(words[command], "budget.tokens=1"))
    assert (code, fake_openai.requests) == (4, []), text
    assert "R004" in text or "were not sent for the budget" in text
    harness(*words[command])
    assert fake_openai.requests, "without a budget it asks"


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "search"])
def test_a_command_sends_as_many_requests_as_its_budget_has_calls_and_says_so(
    words: dict[str, list[str]], harness: Harness, fake_openai: FakeOpenAI, command: str
) -> None:
    code, text = harness(*limited(words[command], "budget.calls=1"))
    assert (code, len(fake_openai.requests)) == (4, 1), text
    assert "models: 1 calls sent" in text


def test_an_unfinished_sync_goes_on_where_the_budget_ended_it(
    words: dict[str, list[str]], harness: Harness, fake_openai: FakeOpenAI
) -> None:
    codes = [harness(*words["sync"], "budget.calls=2")[0] for _ in range(3)]
    assert codes == [4, 4, 0]
    assert len(fake_openai.requests) == 5


def test_every_command_that_builds_stages_runs_them_within_its_budget() -> None:
    """A new command that forgets it shows here."""
    asking = {"settings.py", "asking.py"}
    for path in sorted(CLI.rglob("*.py")):
        called = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        builds = called & (BUILDERS | {"CachedLLM"})
        assert not builds or path.name in asking or "within_budget" in called, f"{path}: {sorted(builds)}"


def test_the_budget_of_a_command_without_an_experiment_is_that_of_the_config_and_the_words(project: Path) -> None:
    assert budget_of([]) == Budget()
    assert budget_of(["budget.calls=3", "budget.cost=0.5"]) == Budget(calls=3, cost=0.5)


@pytest.mark.parametrize(
    "wrong", [["embedder=hashing"], ["+budget.money=3"], ["budget.calls=-1"], ["budget.calls=x"], ["nonsense"]]
)
def test_what_is_no_budget_is_refused(project: Path, wrong: list[str]) -> None:
    with pytest.raises(ConfigError):
        budget_of(wrong)


def test_drafts_without_a_model_have_no_budget(project: Path, harness: Harness) -> None:
    code, text = harness("golden", "draft", "tiny", "budget.calls=3")
    assert code == 2 and "belong to --model" in " ".join(text.split())


def test_what_was_sent_is_said_also_when_the_command_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ExhaustedError), within_budget(Budget(calls=1)):
        for _ in range(2):
            with ledger().request("model 'm'", Usage(3, 1)):
                pass
    assert "models: 1 calls sent, 0 answered from the cache" in capsys.readouterr().err
    with within_budget(Budget()):
        pass
    assert capsys.readouterr().err == ""
