"""Evidence quoted in a document that is left out is found in the one that says the same."""

import pytest

from harness.corpus.duplicates import Duplicates
from harness.golden.copies import found_in_copies
from harness.golden.golden_set import GoldenSet
from harness.golden.unreachable import unreachable
from harness.metrics.recall import Recall
from harness.types import Document
from tests.builders import chunk, document, question, trace

TEXT = "The cells last 18 months at one reading an hour. Two cells are needed, both of one kind and of one age."
A, B = document("a", TEXT), document("b", TEXT)
ASKED = question("q1", evidence=[[("b", 0, 48)], [("c", 0, 5)]])
C = document("c", "Gamma delta.")


def spans(question_id: str, documents: list[Document], searched: list[Document]) -> list[list[str]]:
    (found,) = found_in_copies([question(question_id, evidence=[[("b", 0, 48)], [("c", 0, 5)]])], documents, searched)
    return [[span.doc_id for span in item.alternatives] for item in found.evidence]


@pytest.mark.parametrize(("policy", "looked_in"), [("keep", ["b"]), ("drop", ["b", "a"]), ("link", ["b", "a"])])
def test_the_copy_that_is_searched_will_do_where_the_quoted_one_is_not(policy: str, looked_in: list[str]) -> None:
    searched = list(Duplicates(policy, 1).apply([A, B, C]))  # type: ignore[arg-type]
    assert spans("q1", [A, B, C], searched) == [looked_in, ["c"]]


def test_the_same_characters_are_found_there() -> None:
    (asked,) = found_in_copies([ASKED], [A, B, C], [A, C])
    assert Recall(1).score(asked, trace("q1", chunk("a", 0, 60))).value == 0.5
    assert Recall(1).score(asked, trace("q1", chunk("a", 60, 90))).value == 0.0


def test_a_near_copy_is_no_stand_in_and_its_evidence_is_reported() -> None:
    near = document("b", TEXT.replace("18", "24"))
    searched = list(Duplicates("drop", 0.5).apply([A, near, C]))
    assert [item.doc_id for item in searched] == ["a", "c"]
    assert spans("q1", [A, near, C], searched) == [["b"], ["c"]]
    asked = found_in_copies([ASKED], [A, near, C], searched)
    golden = GoldenSet("tiny", 1, asked, (A, near, C), "", "")
    (told,) = unreachable(golden, [chunk("a", 0, len(TEXT)), chunk("c", 0, 12)], 0.9)
    assert "'b' 0-48" in told.what


def test_another_tenants_copy_is_no_stand_in() -> None:
    owned = document("a", TEXT, tenant="acme")
    assert spans("q1", [owned, B, C], [owned, C]) == [["b"], ["c"]]
