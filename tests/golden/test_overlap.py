"""Words that questions share with their evidence."""

import pytest

from harness.golden.overlap import Overlap, shares, summarised
from tests.builders import document, question

TEXT = "Filters last six months. The probe runs on batteries."
DOCUMENT = document("a.md", TEXT)
FIRST, SECOND = ("a.md", 0, 24), ("a.md", 25, 53)


@pytest.mark.parametrize(
    ("asked", "evidence", "share"),
    [
        ("How long does a filter last?", [[FIRST]], 2 / 3),
        ("Which months do filters last?", [[FIRST]], 1.0),
        ("Can I eat soup?", [[FIRST]], 0.0),
        ("What does the probe's battery do to filters?", [[FIRST]], 1 / 3),
        ("What does the probe run on, and do filters last?", [[FIRST], [SECOND]], 1.0),
        ("What does the probe run on?", [[FIRST, SECOND]], 1.0),
    ],
)
def test_the_share_is_of_content_stems_found_in_any_of_the_evidence(
    asked: str, evidence: list[list[tuple[str, int, int]]], share: float
) -> None:
    assert shares([question("q", asked, evidence)], [DOCUMENT]) == {"q": pytest.approx(share)}


def test_questions_without_evidence_or_without_content_words_have_no_share() -> None:
    assert shares([question("q", "Filters?"), question("r", "What is it?", [[FIRST]])], [DOCUMENT]) == {}


def test_the_median_and_the_questions_without_a_shared_word_are_named() -> None:
    found = summarised({"c": 0.0, "a": 0.0, "b": 0.5, "d": 1.0})
    assert found == Overlap(4, 0.25, ("a", "c"))
    assert found.none_share == 0.5


def test_nothing_asked_has_no_median() -> None:
    assert summarised({}) == Overlap(0, None, ())
    assert summarised({}).none_share == 0.0
