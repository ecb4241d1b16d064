"""`harness golden stats` through the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import runs
from harness.cli.golden.difficulty import smallest_difference
from harness.gates import baseline
from harness.golden.golden_set import load
from harness.golden.writing import renew_card
from harness.resources import shipped_root
from harness.statistics.power import minimum_detectable_effect
from tests.cli.project import questions, write_golden_set

Harness = Callable[..., tuple[int, str]]

DENSE = """# Meaning only, by a hashing embedder.
defaults:
  - override /chunker: {chunker}
  - override /embedder: hashing
  - override /retrievers: dense
  - override /reranker: none
  - override /answerability: never
"""


@pytest.fixture
def light(project: Path) -> Path:
    """The project, in which dense_only needs no model."""
    (project / "experiments" / "dense_only.yaml").write_text(DENSE.format(chunker="markdown"))
    return project


def as_json(harness: Harness, *words: str) -> dict[str, Any]:
    """What --json prints, parsed."""
    code, printed = harness("golden", "stats", *words, "--json")
    assert code == 0
    found: dict[str, Any] = json.JSONDecoder().raw_decode(printed)[0]
    return found


def words(printed: str) -> str:
    """The text on one line."""
    return " ".join(printed.split())


def test_a_quick_report_counts_and_asks_nothing(project: Path, harness: Harness) -> None:
    code, printed = harness("golden", "stats", "tiny", "--quick")
    assert code == 0
    text = words(printed)
    for part in (
        "tiny v1: 27 questions, 5 documents",
        "factoid 24 – 24",
        "unanswerable 3 – 3 ≥ 0.368 ≥ 0.368",
        "answerable 24 – 24 ≥ 0.883 ≥ 0.883",
        "out_of_corpus 3 – 3",
        "Groups, all 27, worth 27.0 of equal size",
        "24 pieces in 24 places; 0 questions need several",
        "Tune and test there is only one side",
        "Never asked of no document is left out",
        "! no question is for tuning",
    ):
        assert part in text
    assert "Neither solves" not in text
    assert not (project / "cache").exists()


def test_difficulty_is_told_by_kind_and_every_question_counted_once(light: Path, harness: Harness) -> None:
    code, printed = harness("golden", "stats", "tiny")
    assert code == 0
    text = words(printed)
    assert "bm25_only solves 1.000 (24 of 24 answerable questions)" in text
    assert "! bm25_only solves 1.000 of the answerable questions (more than 0.95): the set measures nothing" in text
    assert "Chunker markdown 0 of 24 pieces need more than one chunk; all of it can be retrieved" in text
    found = as_json(harness, "tiny")["difficulty"]
    parts = [name for part in found["parts"].values() for name in part["questions"]]
    assert sorted(parts) == sorted(str(row["id"]) for row in questions() if row["answerable"])


def test_no_run_folder_is_written(light: Path, harness: Harness) -> None:
    harness("golden", "stats", "tiny")
    assert not (light / "reports").exists()
    assert not (light / "mlflow.db").exists()


def test_the_shares_are_those_of_a_run(light: Path, harness: Harness) -> None:
    found = as_json(harness, "tiny")["difficulty"]
    for name in ("bm25_only", "dense_only"):
        harness("run", f"+experiment={name}", "golden_set=tiny", "generator=none", "judge=none", "gate=none", "tracking=none")
        (folder,) = (light / "reports" / "runs").glob(f"*{name}*")
        assert runs.load(folder).aggregates["complete_at_5"].value == pytest.approx(found["solved"][name]["share"])


def test_questions_that_neither_solves_are_named(light: Path, harness: Harness) -> None:
    documents = light / "golden_sets" / "hard"
    rows = [*questions()[:6]]
    rows[1] = {**rows[1], "id": "hard-1", "question": "Zebra quagga okapi?"}
    write_golden_set(documents, rows)
    for number in range(30):
        (documents / "corpus" / f"other{number}.md").write_text(f"# Zebra {number}\n\nZebra, quagga and okapi number {number}.\n")
    renew_card(documents)
    found = as_json(harness, "hard")
    assert found["difficulty"]["parts"]["neither"]["questions"] == ["hard-1"]
    assert len(found["unasked"]) == 30
    _, printed = harness("golden", "stats", "hard")
    assert "Neither solves 1: hard-1" in words(printed)
    assert "Never asked of 30 of 35 documents: other0.md" in words(printed)
    assert "and 20 more" in words(printed)


def test_the_smallest_drop_is_that_of_the_statistics_at_the_gates_alpha(light: Path, harness: Harness) -> None:
    found = as_json(harness, "tiny")
    assert found["shows"]["alpha"] == 0.01
    golden = load(light / "golden_sets" / "tiny")
    differences = {item.question_id: float(place % 3 - 1) for place, item in enumerate(golden.questions) if item.answerable}
    groups = [item.group for item in golden.questions if item.answerable]
    expected = minimum_detectable_effect(list(differences.values()), groups, 0.01)
    assert smallest_difference(golden, differences, "all", 0.01) == pytest.approx(expected)
    assert smallest_difference(golden, differences, "tune", 0.01) is None


def test_json_is_sorted_and_the_same_every_time(light: Path, harness: Harness) -> None:
    printed = [harness("golden", "stats", "tiny", "--json")[1] for _ in range(2)]
    assert printed[0] == printed[1]
    found = json.loads(printed[0])
    assert printed[0] == json.dumps(found, sort_keys=True, indent=2) + "\n"
    assert found["questions"] == {"n": 27, "test": 27, "tune": 0}
    assert found["shows"]["if_all_right"]["unanswerable"]["all"] == pytest.approx(0.05 ** (1 / 3))


def test_json_keeps_words_that_look_like_markup_or_emoji(project: Path, harness: Harness) -> None:
    rows = [{**row, "group": f"[bold]:smile:{row['id']}"} for row in questions()]
    write_golden_set(project / "golden_sets" / "odd", rows)
    assert as_json(harness, "odd", "--quick")["groups"]["all"]["largest"] == "[bold]:smile:q0"
    assert "[bold]:smile:q0" in harness("golden", "stats", "odd", "--quick")[1]


def test_leaks_and_split_evidence_are_told(light: Path, harness: Harness) -> None:
    rows = [{**row, "split": "tune" if number % 2 else "test", "group": "g"} for number, row in enumerate(questions()[:12])]
    write_golden_set(light / "golden_sets" / "leaky", rows)
    text = words(harness("golden", "stats", "leaky", "--quick")[1])
    assert "share 1 group (g)" in text
    assert "! tune and test share 1 group: g" in text


def test_evidence_that_no_chunk_holds_alone_is_counted(light: Path, harness: Harness) -> None:
    text = DENSE.format(chunker="fixed") + "chunker: {size: 16, overlap: 0}\n"
    (light / "experiments" / "dense_only.yaml").write_text(text)
    found = as_json(harness, "tiny")["difficulty"]
    assert found["chunker"] == "fixed"
    assert len(found["cut"]["split"]) > 0
    assert found["cut"]["unreachable"] == []


def test_a_set_of_refusals_has_no_difficulty(light: Path, harness: Harness) -> None:
    rows = [row for row in questions() if not row["answerable"]]
    write_golden_set(light / "golden_sets" / "refusals", rows)
    found = as_json(harness, "refusals")
    assert found["difficulty"] is None
    assert found["shows"]["recall_at_5"] == {}
    code, printed = harness("golden", "stats", "refusals")
    assert code == 0
    assert "Right refusals, a fall from 0.90 by" in printed


def test_a_set_that_does_not_load_is_refused_with_its_faults(project: Path, harness: Harness) -> None:
    (project / "golden_sets" / "tiny" / "corpus" / "price.md").unlink()
    code, printed = harness("golden", "stats", "tiny", "--quick")
    assert code == 2
    assert "G013" in printed


@pytest.mark.parametrize("columns", ["80", "120"])
def test_the_report_fits_the_terminal(light: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    _, printed = harness("golden", "stats", "tiny")
    assert max(len(line) for line in printed.splitlines()) <= int(columns)


@pytest.mark.models
def test_the_shares_of_a_shipped_set_are_those_of_its_accepted_baselines(project: Path, harness: Harness) -> None:
    found = as_json(harness, "smoke")["difficulty"]
    for name in ("bm25_only", "dense_only"):
        accepted = baseline.load(shipped_root() / "reports" / "smoke" / f"{name}.json")
        assert found["solved"][name]["share"] == pytest.approx(accepted.aggregates["complete_at_5"].value, abs=1e-6)
    assert sum(part["n"] for part in found["parts"].values()) == found["n"] == accepted.aggregates["complete_at_5"].n
