"""Leaks: what stands in tune and test at once, so that choosing on one fits the other."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from harness.errors import Problem
from harness.golden.duplicates import near_copies
from harness.jsonl import Row
from harness.types import Question

Asked = Sequence[tuple[Row, Question]]
"""Questions with the lines on which they stand."""

_WHY = "What is chosen on tune then fits test, and the claim is too good."
_FIX = "put them into one split; `harness golden split SET --write` divides anew."


def line(row: Row) -> str:
    """The number of a row's line."""
    return row.where.rpartition(":")[2]


def leaks(asked: Asked, stated: bool) -> list[Problem]:
    """G034: near-copies and groups in both splits, and with `stated=False` documents that stand for a group nobody named."""
    if stated:
        return [*_copies(asked), *_groups([pair for pair in asked if pair[0].fields.get("group")])]
    return list(_implied([pair for pair in asked if not pair[0].fields.get("group")]))


def _copies(asked: Asked) -> Iterator[Problem]:
    rows = {question.question_id: row for row, question in asked}
    for first, second in near_copies([question for _, question in asked]):
        if first.split != second.split:
            other = f"line {line(rows[first.question_id])} ({first.question_id}, split {first.split})"
            what = f"{second.question_id} in split {second.split} is a near-copy of {other}."
            yield Problem("G034", f"{rows[second.question_id].where} split", what, _WHY, _FIX)


def _groups(asked: Asked) -> Iterator[Problem]:
    for group, splits in _by_group(asked).items():
        if len(splits) > 1:
            (one, rows), (other, others) = splits.items()
            lines = f"in {one} (line {_lines(rows)}) and in {other} (line {_lines(others)})"
            yield Problem("G034", f"{others[0].where} group", f"group {group!r} is {lines}.", _WHY, _FIX)


def _implied(asked: Asked) -> Iterator[Problem]:
    both = {group: splits for group, splits in _by_group(asked).items() if len(splits) > 1}
    if both:
        names = ", ".join(map(repr, list(both)[:5])) + (", ..." if len(both) > 5 else "")
        what = f"{len(both)} documents are asked about in tune and test by questions without a group: {names}."
        first = next(iter(next(iter(both.values())).values()))[0]
        yield Problem("G034", f"{first.where} group", what, _WHY, f"name groups, or {_FIX}")


def _by_group(asked: Asked) -> dict[str, dict[str, list[Row]]]:
    found: dict[str, dict[str, list[Row]]] = defaultdict(dict)
    for row, question in asked:
        found[question.group].setdefault(question.split, []).append(row)
    return found


def _lines(rows: Sequence[Row]) -> str:
    return ", ".join(map(line, rows[:5])) + (", ..." if len(rows) > 5 else "")
