"""Evidence that no chunk holds."""

from pathlib import Path

import pytest

from harness.chunking.fixed import Fixed
from harness.golden.golden_set import GoldenSet, load
from harness.golden.unreachable import unreachable
from tests.builders import chunk
from tests.golden.folders import FILTER, row, write


@pytest.fixture
def golden(tmp_path: Path) -> GoldenSet:
    """One question whose evidence is aq.md 6-32 or aq.md 49-58."""
    return load(write(tmp_path, [row(evidence=[[FILTER, {"doc": "aq.md", "quote": "The probe"}]])]))


@pytest.mark.parametrize(
    ("spans", "coverage", "lost"),
    [
        ([], 0.9, True),
        ([(0, 40)], 0.9, False),
        ([(0, 20), (20, 40)], 1.0, False),
        ([(0, 20), (10, 25)], 0.9, True),
        ([(0, 20), (10, 25)], 0.7, False),
        ([(49, 58)], 1.0, False),
        ([(50, 58)], 0.9, True),
    ],
)
def test_evidence_is_lost_when_all_chunks_together_do_not_cover_it(
    golden: GoldenSet, spans: list[tuple[int, int]], coverage: float, lost: bool
) -> None:
    problems = unreachable(golden, [chunk("aq.md", *span) for span in spans], coverage)
    assert [problem.code for problem in problems] == ["G033"] * lost


def test_chunks_of_another_document_do_not_count(golden: GoldenSet) -> None:
    assert unreachable(golden, [chunk("north.md", 0, 100)], 0.9)


def test_the_warning_names_question_and_place(golden: GoldenSet) -> None:
    (problem,) = unreachable(golden, [], 0.9)
    assert problem.where == "q1 evidence[0]"
    assert "'aq.md' 6-32 or 'aq.md' 49-58" in problem.what


def test_a_chunker_that_cuts_anywhere_still_loses_nothing(golden: GoldenSet) -> None:
    chunks = [made for document in golden.documents for made in Fixed(size=7).chunk(document)]
    assert unreachable(golden, chunks, 1.0) == []


@pytest.mark.parametrize(
    ("held", "what", "fix"),
    [
        (None, "no set of chunks covers", "use another chunker."),
        ({"aq.md": ""}, "no set of chunks covers", "use another chunker."),
        ({"north.md": ""}, "the index does not hold 'aq.md'.", "sync the index with the golden corpus"),
        ({}, "the index does not hold 'aq.md'.", "sync the index with the golden corpus"),
    ],
    ids=["in memory", "index holds it", "index holds another", "index holds none"],
)
def test_no_other_chunker_is_advised_where_the_index_does_not_hold_the_document(
    golden: GoldenSet, held: dict[str, str] | None, what: str, fix: str
) -> None:
    (problem,) = unreachable(golden, [], 0.9, held)
    assert (problem.what.startswith(what), problem.fix.startswith(fix)) == (True, True)
