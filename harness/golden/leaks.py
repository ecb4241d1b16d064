"""G034: what stands in tune and test at once, so that choosing on one fits the other, told by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from harness.errors import Problem
from harness.golden.golden_set import QUESTIONS
from harness.golden.ties import Lot, Ties
from harness.jsonl import Row
from harness.types import Question

Asked = Sequence[tuple[Row, Question]]
"""Questions with the lines on which they stand."""

TOLD = 20
"""Lots told one by one; of those beyond it only the number."""
_NAMED = 5
_WHY = "What is chosen on tune then fits test, and the claim is too good."
_FIX = "put them into one split; `harness golden split SET --write` divides anew."


def line(row: Row) -> str:
    """The number of a row's line."""
    return row.where.rpartition(":")[2]


def errors(asked: Asked, leaks: Ties) -> Iterator[Problem]:
    """Near-copies and groups that lines name, in both splits; `leaks` are the straddling ties of the questions asked."""
    rows = rows_of(asked)
    named = ((name, _naming(lot, rows)) for name, lot in leaks.groups.items())
    groups = [(f"group {name!r} is", lot) for name, lot in named if len({question.split for question in lot}) > 1]
    yield from _each([("near-copies are", lot) for lot in leaks.copies], rows, "split", "lots of near-copies are")
    yield from _each(groups, rows, "group", "groups are")


def warnings(asked: Asked, leaks: Ties) -> Iterator[Problem]:
    """Documents that stand for a group nobody named, and text that evidence of both splits quotes: once for all of a sort."""
    rows = rows_of(asked)
    implied = {name: lot for name, lot in leaks.groups.items() if len({question.split for question in _naming(lot, rows)}) < 2}
    if implied:
        first = next(question for question in next(iter(implied.values())) if not rows[question.question_id].fields.get("group"))
        documents = "1 document is" if len(implied) == 1 else f"{len(implied)} documents are"
        what = f"{documents} asked about in tune and test by questions without a group: {_few(implied)}."
        yield Problem("G034", f"{rows[first.question_id].where} group", what, _WHY, f"name groups, or {_FIX}")
    if leaks.evidence:
        places = [f"{span.doc_id!r} {span.start}-{span.end} {_sides(lot, rows)}" for span, lot in leaks.evidence.items()]
        first = next(iter(leaks.evidence.values()))[0]
        more = f"; and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
        what = f"{len(places):,} places are quoted as evidence in tune and test: {'; '.join(places[:_NAMED])}{more}."
        yield Problem("G034", f"{rows[first.question_id].where} evidence", what, _WHY, _FIX)


def rows_of(asked: Asked) -> dict[str, Row]:
    """question_id to its line."""
    return {question.question_id: row for row, question in asked}


def _each(found: Sequence[tuple[str, Lot]], rows: Mapping[str, Row], field: str, all_: str) -> Iterator[Problem]:
    """A problem per lot, at the first line on the side that comes second; from `TOLD` on one for the rest."""
    for subject, lot in found[:TOLD]:
        yield Problem("G034", f"{_second(lot, rows).where} {field}", f"{subject} {_sides(lot, rows)}.", _WHY, _FIX)
    if len(found) > TOLD:
        yield Problem("G034", f"{QUESTIONS} {field}", f"{len(found) - TOLD:,} more {all_} in both splits.", _WHY, _FIX)


def _second(lot: Lot, rows: Mapping[str, Row]) -> Row:
    return rows[next(question for question in lot if question.split != lot[0].split).question_id]


def _sides(lot: Lot, rows: Mapping[str, Row]) -> str:
    """in tune (line 1, 2) and in test (line 5)."""
    sides = {split: [question for question in lot if question.split == split] for split in dict.fromkeys(q.split for q in lot)}
    return " and ".join(f"in {split} (line {lines(members, rows)})" for split, members in sides.items())


def lines(questions: Sequence[Question], rows: Mapping[str, Row]) -> str:
    """The numbers of the first few lines."""
    shown = ", ".join(line(rows[question.question_id]) for question in questions[:_NAMED])
    return f"{shown}, and {len(questions) - _NAMED:,} more" if len(questions) > _NAMED else shown


def _naming(lot: Lot, rows: Mapping[str, Row]) -> Lot:
    """The questions whose line names the group."""
    return tuple(question for question in lot if rows[question.question_id].fields.get("group"))


def _few(names: Mapping[str, Lot]) -> str:
    more = f", and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, islice(names, _NAMED))) + more
