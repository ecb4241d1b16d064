"""`harness golden split` through the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.golden.difference import read_version
from harness.golden.golden_set import load
from harness.golden.writing import renew_card
from tests.cli.project import write_golden_set

Harness = Callable[..., tuple[int, str]]


@pytest.fixture
def tiny(project: Path) -> Path:
    """The project's golden set: seven lots that must stay together (six in four wordings) and three refusals."""
    return project / "golden_sets" / "tiny"


def test_a_division_is_shown_and_nothing_written(tiny: Path, harness: Harness) -> None:
    before = (tiny / "questions.jsonl").read_bytes()
    code, printed = harness("golden", "split", "tiny")
    assert code == 0
    assert "tiny v1: 27 questions in" in printed
    assert "change side; test gets" in printed
    assert "Nothing is written; --write does it." in printed
    assert (tiny / "questions.jsonl").read_bytes() == before


def test_a_table_shows_every_kind_and_reason_before_and_after(tiny: Path, harness: Harness) -> None:
    _, printed = harness("golden", "split", "tiny")
    rows = {" ".join(line.split()[:-5]): line.split()[-5:] for line in printed.splitlines() if line.strip()}
    assert rows["factoid"][:3] == ["24", "–", "24"]
    assert rows["unanswerable: out_of_corpus"][:3] == ["3", "–", "3"]
    n, _, _, tune, test = rows["all"]
    assert int(tune) + int(test) == int(n) == 27


def test_a_division_is_written_into_the_split_fields_alone_and_raises_the_version(tiny: Path, harness: Harness) -> None:
    before = read_version(tiny).rows
    code, printed = harness("golden", "split", "tiny", "--write")
    assert code == 0
    assert "version: 1 -> 2" in printed
    assert "accepted baselines of this set no longer compare" in printed
    golden, after = load(tiny), read_version(tiny).rows
    assert golden.version == 2
    assert {question.split for question in golden.questions} == {"tune", "test"}
    assert {name: {**row, "split": ""} for name, row in after.items()} == {
        name: {**row, "split": ""} for name, row in before.items()
    }


def test_what_is_written_stays_as_it_is_the_next_time(tiny: Path, harness: Harness) -> None:
    harness("golden", "split", "tiny", "--write")
    written = (tiny / "questions.jsonl").read_bytes()
    code, printed = harness("golden", "split", "tiny", "--write")
    assert code == 0
    assert "The present division stays" in printed
    assert "Nothing to write." in printed
    assert (tiny / "questions.jsonl").read_bytes() == written
    assert load(tiny).version == 2


def test_retired_questions_keep_their_line_as_it_is(project: Path, harness: Harness) -> None:
    folder = project / "golden_sets" / "more"
    lines = (project / "golden_sets" / "tiny" / "questions.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    rows[3] = {**rows[3], "retired": True}
    write_golden_set(folder, rows)
    assert harness("golden", "split", "more", "--write")[0] == 0
    assert json.loads((folder / "questions.jsonl").read_text().splitlines()[3]) == rows[3]


def test_lines_of_questions_that_do_not_change_side_keep_their_bytes(project: Path, harness: Harness) -> None:
    folder = write_golden_set(project / "golden_sets" / "odd")
    path = folder / "questions.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    rows = [{name: value for name, value in reversed(row.items()) if name != "split"} for row in rows]
    path.write_bytes(b"\n".join(json.dumps(row, separators=(", ", " :  ")).encode() + b" " for row in rows))
    renew_card(folder)
    before = path.read_bytes().split(b"\n")
    assert harness("golden", "split", "odd", "--write")[0] == 0
    sides = {question.question_id: question.split for question in load(folder).questions}
    kept = [old == new for old, new in zip(before, path.read_bytes().split(b"\n"), strict=True)]
    assert kept == [sides[row["id"]] == "test" for row in rows]
    assert 0 < sum(kept) < len(kept)


@pytest.mark.parametrize("name", ["questions.jsonl", "golden_set.yaml"])
def test_a_read_only_file_is_named_and_nothing_is_written(tiny: Path, harness: Harness, name: str) -> None:
    before = {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()}
    (tiny / name).chmod(0o444)
    code, printed = harness("golden", "split", "tiny", "--write")
    assert code == 4
    assert f"{name}' is read-only; nothing is written" in " ".join(printed.replace("│", " ").split())
    assert {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()} == before


def test_a_card_that_cannot_be_renewed_leaves_the_questions_as_they_were(tiny: Path, harness: Harness) -> None:
    card = tiny / "golden_set.yaml"
    card.write_text(card.read_text().replace("version: 1\n", "") + "? version\n: 1\n")
    before = {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()}
    code, printed = harness("golden", "split", "tiny", "--write")
    assert code == 2
    assert "has a form that cannot be renewed" in " ".join(printed.replace("│", " ").split())
    assert {path: path.read_bytes() for path in tiny.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("share", ["0", "1", "-1", "nan"])
def test_a_share_outside_0_and_1_is_refused(tiny: Path, harness: Harness, share: str) -> None:
    code, printed = harness("golden", "split", "tiny", f"--test-share={share}")
    assert code == 2
    assert "must lie between 0 and 1" in printed


def test_the_share_asked_for_is_met_as_nearly_as_groups_allow(tiny: Path, harness: Harness) -> None:
    _, printed = harness("golden", "split", "tiny", "--test-share", "0.3")
    assert "asked for 0.3" in printed
    share = float(printed.partition("questions (")[2].partition(",")[0])
    assert share == pytest.approx(0.3, abs=0.1)


def test_a_set_of_one_group_cannot_be_divided(project: Path, harness: Harness) -> None:
    rows = [json.loads(line) for line in (project / "golden_sets" / "tiny" / "questions.jsonl").read_text().splitlines()]
    write_golden_set(project / "golden_sets" / "one", [{**row, "group": "story"} for row in rows])
    code, printed = harness("golden", "split", "one", "--write")
    assert code == 2
    assert "in 1 group cannot be divided" in " ".join(printed.split())


def test_questions_that_share_evidence_are_brought_to_one_side_and_then_no_tool_tells_of_a_leak(
    project: Path, harness: Harness
) -> None:
    rows = [json.loads(line) for line in (project / "golden_sets" / "tiny" / "questions.jsonl").read_text().splitlines()]
    asked = [{**row, "group": f"g{number}", "split": "tune" if number % 5 < 2 else "test"} for number, row in enumerate(rows)]
    asked = [
        {**row, "question": f"{row['question']} {'abcdefghijklmnopqrstuvwxyz'[n] * 4} {n} {n}{n} {n}x?"}
        for n, row in enumerate(asked[:24])
    ]
    asked[1]["evidence"] = asked[2]["evidence"]
    write_golden_set(project / "golden_sets" / "shared", asked)

    def told() -> list[bool]:
        check, stats = (harness("golden", *words)[1] for words in (("check", "shared"), ("stats", "shared", "--quick")))
        return ["quoted as evidence in tune and test" in check, "tune and test share" in stats]

    assert told() == [True, True]
    assert harness("golden", "split", "shared", "--write")[0] == 0
    assert told() == [False, False]
    assert "Nothing to write." in harness("golden", "split", "shared", "--write")[1]
