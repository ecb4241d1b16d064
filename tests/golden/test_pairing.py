"""Which place of evidence became which."""

import time
from itertools import permutations
from typing import Any

import pytest

from harness.golden.pairing import paired_places

A, B, C, D = ({"doc": f"{name}.md", "quote": name.upper()} for name in "abcd")
MOVED_A, MOVED_B = ({**place, "doc": "z.md"} for place in (A, B))
LATER_A, LATER_MOVED_A = ({**place, "start": 90} for place in (A, MOVED_A))


def unequal(old: Any, new: Any, field: str = "evidence") -> list[tuple[str, Any, Any]]:
    """The pairs whose two sides differ."""
    return [pair for pair in paired_places(old, new, field) if pair[1] != pair[2]]


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ([[A], [B], [C]], [[A], [B], [C]], []),
        ([[A], [B], [C]], [[B], [C]], [("evidence[0][0]", A, None)]),
        ([[A], [B], [C]], [[A], [C]], [("evidence[1][0]", B, None)]),
        ([[B], [C]], [[A], [B], [C]], [("evidence[0][0]", None, A)]),
        ([[A], [B], [C]], [[C], [A], [B]], []),
        ([[A, B]], [[B, A]], []),
        ([[A, B, C]], [[C, A]], [("evidence[0][1]", B, None)]),
        ([[A, B]], [[C, B, A]], [("evidence[0][0]", None, C)]),
        ([[A, B]], [[B, C]], [("evidence[0][1]", A, C)]),
        ([[A], [B]], [[A, B]], [("evidence[0][1]", None, B), ("evidence[1][0]", B, None)]),
        ([[A, B]], [[A], [B]], [("evidence[0][1]", B, None), ("evidence[1][0]", None, B)]),
        ([[A, B], [C]], [[C, B], [A]], [("evidence[0][1]", B, None), ("evidence[0][1]", None, B)]),
        ([[B], [A]], [[MOVED_A], [B]], [("evidence[0][0]", A, MOVED_A)]),
        ([[A, B]], [[B, MOVED_A]], [("evidence[0][1]", A, MOVED_A)]),
        ([[A, B]], [[MOVED_B, MOVED_A]], [("evidence[0][1]", A, MOVED_A), ("evidence[0][0]", B, MOVED_B)]),
        ([[A, MOVED_A]], [[LATER_MOVED_A, LATER_A]], [("evidence[0][1]", A, LATER_A), ("evidence[0][0]", MOVED_A, LATER_MOVED_A)]),
        ([[A], [MOVED_A]], [[MOVED_A, B], [A, B]], [("evidence[0][1]", None, B), ("evidence[1][1]", None, B)]),
        ([[A], [B]], [[MOVED_B, C], [MOVED_A]], [("evidence[1][0]", A, MOVED_A), ("evidence[0][0]", B, MOVED_B), ("evidence[0][1]", None, C)]),
        ([[A], [B]], [[B], [D]], [("evidence[1][0]", A, D)]),
        ([[A], [A]], [[A]], [("evidence[1][0]", A, None)]),
        (None, [[A]], [("evidence[0][0]", None, A)]),
        ([[A]], None, [("evidence[0][0]", A, None)]),
        (None, None, []),
    ],
)  # fmt: skip
def test_only_what_changed_is_told(old: Any, new: Any, pairs: list[tuple[str, Any, Any]]) -> None:
    assert sorted(unequal(old, new), key=str) == sorted(pairs, key=str)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_no_order_of_groups_or_of_alternatives_is_an_edit(order: tuple[int, ...]) -> None:
    groups = [[A, B, C], [B, D, MOVED_A], [{"doc": "whole.md"}, A, D]]
    mixed = [[groups[group][place] for place in order] for group in order]
    assert unequal(groups, mixed) == []
    assert unequal(groups[0], [groups[0][place] for place in order], "forbid") == []


def test_two_occurrences_of_a_quote_are_told_apart_by_their_hints() -> None:
    first, second = {**A, "start": 3}, {**A, "start": 90}
    assert unequal([[first, second]], [[second, first]]) == []
    assert unequal([[first, second]], [[{**A, "start": 91}, first]]) == [("evidence[0][0]", second, {**A, "start": 91})]


def test_forbidden_places_are_one_list_in_any_order() -> None:
    assert unequal([A, B, C], [C, D, B], "forbid") == [("forbid[1]", A, D)]
    assert unequal([A, B], [B], "forbid") == [("forbid[0]", A, None)]


@pytest.mark.parametrize("value", ["words", 7, {"doc": 3}, [3], [["aq.md"]], [[[A]]], [[{"quote": ["x"]}]], [A]])
def test_values_of_a_wrong_shape_are_places_too(value: Any) -> None:
    assert unequal(value, value) == []
    assert all(new is None for _, _, new in unequal(value, None))
    assert unequal(value, None) != []


def test_many_groups_are_paired_in_no_time() -> None:
    old = [[{"doc": "a.md", "quote": f"old {number}"}, A] for number in range(5_000)]
    new = [[{"doc": "a.md", "quote": f"new {number}"}, A] for number in range(5_000)]
    started = time.process_time()
    found = unequal(old, new)
    assert time.process_time() - started < 10
    assert len(found) == 5_000
    assert found[7] == ("evidence[7][0]", old[7][0], new[7][0])
