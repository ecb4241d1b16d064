"""`harness golden promote`, end to end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.project import write_golden_set
from tests.golden.folders import lines

Harness = Callable[..., tuple[int, str]]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


ASKED = "What does the soil probe run on?"
QUOTE = {"doc": "battery.md", "quote": "The soil probe runs on two AA cells."}


@pytest.fixture
def other(project: Path) -> Path:
    """A second set over the same documents that asks only one question of the first."""
    question = {"id": "o1", "question": ASKED, "answerable": True, "split": "test", "evidence": [[QUOTE]]}
    return write_golden_set(project / "golden_sets" / "other", [question])


@pytest.fixture
def finished(project: Path, harness: Harness) -> str:
    """The id of a run of the first set that refuses everything: 24 answerable questions fail, 3 others do not."""
    harness("run", "+experiment=light", "gate=none", "answerability.minimum=1.0")
    (folder,) = (project / "reports" / "runs").iterdir()
    return folder.name


def test_failed_questions_of_a_run_become_drafts_of_another_set(other: Path, finished: str, harness: Harness) -> None:
    before = (other / "questions.jsonl").read_bytes()
    code, printed = harness("golden", "promote", "other", "--run", finished)
    drafts = rows(other / "drafts.jsonl")
    assert code == 0
    assert (other / "questions.jsonl").read_bytes() == before
    assert len(drafts) == 23
    for draft in drafts:
        assert draft["tags"] == ["promoted", "answerability"]
        assert draft["provenance"].startswith(f"promoted from run {finished} of tiny, question q")
        assert "it was refused although it can be answered" in draft["provenance"]
        assert (draft["reviewed"], draft["answerable"]) == (False, True)
    assert {"doc": "reset.md", "quote": "Hold the button for ten seconds"} in [draft["evidence"][0][0] for draft in drafts]
    assert ASKED not in {draft["question"] for draft in drafts}
    assert f"skipped, the set asks it already: {ASKED}" in printed
    assert "23 drafts written" in printed


def test_promoting_twice_adds_nothing(other: Path, finished: str, harness: Harness) -> None:
    harness("golden", "promote", "other", "--run", finished)
    first = (other / "drafts.jsonl").read_bytes()
    code, printed = harness("golden", "promote", "other", "--run", f"reports/runs/{finished}")
    assert (code, (other / "drafts.jsonl").read_bytes()) == (0, first)
    assert "it waits in the review file already" in printed
    assert "nothing new to write" in printed


def test_questions_that_the_set_asks_are_taken_only_by_name(project: Path, finished: str, harness: Harness) -> None:
    review = project / "golden_sets" / "tiny" / "drafts.jsonl"
    code, printed = harness("golden", "promote", "tiny", "--run", "newest")
    assert (code, rows(review)) == (0, [])
    assert "name it with --questions ID" in printed
    assert harness("golden", "promote", "tiny", "--questions", "q1", "u0")[0] == 0
    one, other = rows(review)
    assert (one["question"], one["evidence"]) == (ASKED, [[QUOTE]])
    assert other["question"] == "Who founded the opera house?"
    assert finished in one["provenance"]


def test_a_log_and_queries_become_drafts_with_personal_data_masked(other: Path, harness: Harness) -> None:
    log = [
        {"question": "I am a@b.org, token=ab12. How far may sensors be from the gateway?", "answer": "1 km", "feedback": "wrong"},
        {"question": ASKED},
    ]
    Path("log.jsonl").write_bytes(lines(*log))
    code, printed = harness("golden", "promote", "other", "--log", "log.jsonl", "--query", "How do I reset the gateway?")
    first, second = rows(other / "drafts.jsonl")
    assert code == 0
    assert first["question"] == "I am [email], token=[secret]. How far may sensors be from the gateway?"
    assert "The gateway reaches sensors up to 400 metres away in open terrain." in [
        place["quote"] for place in first["evidence"][0]
    ]
    assert (first["answerable"], first["reviewed"], first["tags"]) == (True, False, ["promoted"])
    assert "the system answered '1 km'; feedback: 'wrong'" in first["provenance"]
    assert second["provenance"].startswith("promoted from a query on the command line")
    assert "masked 2 e-mail addresses, long numbers and secrets" in printed
    assert f"skipped, the set asks it already: {ASKED}" in printed


def test_many_skipped_questions_are_counted_not_listed(project: Path, harness: Harness) -> None:
    questions = rows(project / "golden_sets" / "tiny" / "questions.jsonl")
    Path("log.jsonl").write_bytes(lines(*({"question": row["question"]} for row in questions)))
    _, printed = harness("golden", "promote", "tiny", "--log", "log.jsonl")
    assert printed.count("\nskipped, ") == 6
    assert f"skipped, the set asks it already: {len(questions) - 5} more" in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to promote: give --run NAME (or newest), --log FILE or --query TEXT"),
        (("--run", "newest"), "no finished run of 'other'"),
        (("--run", "nope"), "no run folder 'nope'"),
        (("--query", " "), "--query is empty"),
        (("--log", "bad.jsonl"), "the log 'bad.jsonl' has 2 problem(s)"),
        (("--log", "none.jsonl"), "none.jsonl"),
    ],
)
def test_mistakes_are_explained(other: Path, harness: Harness, words: tuple[str, ...], said: str) -> None:
    Path("bad.jsonl").write_bytes(lines({"question": 1}, {"ask": "x"}))
    code, printed = harness("golden", "promote", "other", *words)
    assert code == 2
    assert said in " ".join(printed.replace("│", " ").split())
    assert not (other / "drafts.jsonl").exists()


def test_an_unknown_question_is_named_with_the_nearest(other: Path, finished: str, harness: Harness) -> None:
    code, printed = harness("golden", "promote", "other", "--run", finished, "--questions", "q100")
    assert code == 2
    assert "asked no question 'q100'; did you mean 'q10'?" in " ".join(printed.replace("│", " ").split())


def test_questions_that_changed_since_the_run_are_taken_as_they_are_and_it_is_told(
    project: Path, other: Path, finished: str, harness: Harness
) -> None:
    path = project / "golden_sets" / "tiny" / "questions.jsonl"
    kept = [line for line in path.read_text().splitlines() if '"q3"' not in line]
    path.write_text(
        "\n".join(kept).replace("Hello, What does the soil probe run on?", "Which cells does the soil probe run on?") + "\n"
    )
    _, printed = harness("golden", "promote", "other", "--run", finished)
    assert "changed since run" in printed
    assert "1 questions of run" in printed
    assert "Which cells does the soil probe run on?" in {draft["question"] for draft in rows(other / "drafts.jsonl")}
