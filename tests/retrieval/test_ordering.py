"""Which rows an index may look at."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from harness.errors import StageError
from harness.retrieval.filters import finds
from harness.retrieval.ordering import Admission, Catalogue
from harness.types import Chunk, Filter, Origin
from tests.builders import chunk


def entry(doc_id: str, tenant: str = "", acl: tuple[str, ...] = (), kind: str = "prose") -> Chunk:
    return chunk(doc_id, kind=kind, origin=Origin(tenant, acl))


ENTRIES = [
    entry("a"),
    entry("b", tenant="acme"),
    entry("c", acl=("ann",)),
    entry("d", kind="table"),
    entry("e", tenant="acme", acl=("acme",), kind="summary"),
]


@pytest.mark.parametrize(
    ("wanted", "rows"),
    [
        (Filter(), "abcde"),
        (Filter(persona=""), "ad"),
        (Filter(persona="acme"), "abde"),
        (Filter(persona="ann"), "acd"),
        (Filter(allowed=frozenset("bcx")), "bc"),
        (Filter(allowed=frozenset()), ""),
        (Filter(kinds=frozenset({"table", "summary"})), "de"),
        (Filter(kinds=frozenset()), ""),
        (Filter("acme", frozenset("abe"), frozenset({"summary"})), "e"),
    ],
)
def test_persona_documents_and_kinds_must_all_admit_a_row(wanted: Filter, rows: str) -> None:
    assert "".join(ENTRIES[row].span.doc_id for row in np.flatnonzero(Catalogue(ENTRIES).admitted(wanted))) == rows


def test_a_repeated_chunk_has_one_row() -> None:
    assert Catalogue([*ENTRIES, *ENTRIES]).admitted(Filter()).tolist() == [True] * 5


def test_chunks_alike_are_looked_at_once_and_the_answer_is_that_of_each() -> None:
    """Parts of one document may still differ in kind."""
    many = [
        chunk(f"d{row % 7}", row, row + 1, kind=("prose", "table")[row % 3 == 0], origin=Origin("acme" * (row % 7 == 5)))
        for row in range(500)
    ]
    for wanted in (Filter(persona="ann"), Filter("acme", frozenset({"d5", "d6"})), Filter(kinds=frozenset({"table"}))):
        assert Admission(many).mask(wanted).tolist() == [finds(wanted, item) for item in many]


def test_the_same_filter_made_again_is_looked_up() -> None:
    admission = Admission(ENTRIES)
    first, second = (admission.mask(Filter("ann", frozenset({"a", "c"}))) for _ in range(2))
    assert first is second
    assert admission.mask(Filter("ann", frozenset({"a"}))).tolist() == [True, False, False, False, False]


def test_no_chunk_is_an_error() -> None:
    with pytest.raises(StageError, match="there is no chunk to index"):
        Catalogue([])


@pytest.mark.parametrize("holder", [Catalogue(ENTRIES).admitted, Admission(ENTRIES).mask], ids=["catalogue", "admission"])
def test_a_remembered_mask_cannot_be_written_to(holder: Callable[[Filter], NDArray[np.bool_]]) -> None:
    """One asker's rows are given to the next one with the same filter."""
    mask = holder(Filter(persona="acme"))
    with pytest.raises(ValueError, match="read-only"):
        mask[:] = True
    assert holder(Filter(persona="acme")).tolist() == [True, True, False, True, True]
