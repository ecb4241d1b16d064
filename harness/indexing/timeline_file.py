"""Reads timeline.jsonl, the dated history of a corpus, or reports everything that is wrong with it at once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from harness.corpus.metadata import is_date
from harness.errors import GoldenSetError, Problem
from harness.indexing.timeline import ACTIONS, Event, Standing, Timeline, edits_of, undone
from harness.jsonl import Row, read_rows
from harness.shapes import Fault, mismatches, suggestion, unknown_word
from harness.text import normalise
from harness.types import Document

TIMELINE = "timeline.jsonl"
"""The file's name in a golden set's folder."""

_SHAPE = {"date": str, "action": str, "doc": str, "was?": dict}
_AFTER = {("absent", "add"): "there", ("there", "change"): "there", ("there", "withdraw"): "gone", ("gone", "restore"): "there"}
"""What a document is after an action; whatever is not listed cannot happen."""


def load_timeline(path: Path, documents: Sequence[Document]) -> Timeline:
    """Reads the history of a corpus and goes back through all of it.

    Raises:
        GoldenSetError: with every problem: G codes of lines and fields; H001 unknown document, H002 a date that is none or out of
            order, H003 words for what is no change, or a change without, H004 words that do not stand exactly once in the
            document as it stood after the change, H005 an action that the one before it does not allow.
    """
    rows, problems = read_rows(path)
    known = {document.doc_id: document for document in documents}
    problems += [fault.at(row.where) for row in rows for fault in _faults(row, known)]
    if not problems:
        timeline = Timeline(tuple(map(_event, rows)))
        problems = [*_disordered(timeline), *_impossible(timeline)]
        problems = problems or list(_unplaced(timeline, known))
    if problems:
        raise GoldenSetError(f"the history {str(path)!r} has {len(problems)} problem(s):", problems)
    return timeline


def _event(row: Row) -> Event:
    was = {normalise(now): normalise(before) for now, before in row.fields.get("was", {}).items()}
    return Event(row.fields["date"], row.fields["action"], row.fields["doc"], was, row.where)


def _faults(row: Row, known: Mapping[str, Document]) -> Iterator[Fault]:
    """Everything wrong with one line by itself."""
    wrong = list(mismatches(row.fields, _SHAPE))
    yield from wrong
    if wrong:
        return
    if not is_date(row.fields["date"]):
        yield Fault("H002", "date", f"{row.fields['date']!r} is not a date.", fix="write it as YYYY-MM-DD.")
    if row.fields["doc"] not in known:
        what = f"document {row.fields['doc']!r} is not in the corpus{suggestion(row.fields['doc'], tuple(known))}"
        yield Fault("H001", "doc", what, fix="give its path relative to corpus/.")
    yield from unknown_word("action", row.fields["action"], ACTIONS)
    yield from _wording(row.fields["action"], row.fields.get("was", {}))


def _wording(action: str, was: Mapping[str, object]) -> Iterator[Fault]:
    if action != "change" and was:
        yield Fault("H003", "was", f"means nothing for {action!r}.", fix="drop it, or write another line with a change.")
    if action == "change" and not was:
        yield Fault("H003", "was", "is missing.", "A change says what stood there before.", 'write {"new words": "old words"}.')
    for now, before in was.items():
        if not isinstance(before, str) or not now.strip() or now == before:
            fix = "write the words as they are now, and what stood there before."
            yield Fault("H003", "was", f"{now!r}: {before!r} is no change of words.", fix=fix)


def _disordered(timeline: Timeline) -> Iterator[Problem]:
    for before, event in pairwise(timeline.events):
        if event.date < before.date:
            what = f"{event.date} comes after {before.date} of the line before."
            yield Problem("H002", f"{event.where} date", what, fix="write the events in the order of their dates.")


def _impossible(timeline: Timeline) -> Iterator[Problem]:
    for doc_id, events in timeline.by_document.items():
        state = "absent" if events[0].action == "add" else "there"
        for event in events:
            if (state, event.action) not in _AFTER:
                what = f"{doc_id!r} cannot be the object of {event.action!r} on {event.date}: it is {state} then."
                yield Problem("H005", f"{event.where} action", what, fix="mend this line or the one before it.")
            state = _AFTER.get((state, event.action), state)
        if state == "gone":
            what = f"{doc_id!r} is withdrawn in the end, but it stands in the corpus."
            yield Problem("H005", f"{events[-1].where} action", what, fix="restore it, or take it out of corpus/.")


def _unplaced(timeline: Timeline, known: Mapping[str, Document]) -> Iterator[Problem]:
    """Words that cannot be put back; a document's earlier changes are looked at only when the later ones hold."""
    for doc_id, events in timeline.by_document.items():
        standing = Standing(known[doc_id])
        for event in reversed(events):
            if problems := list(_misplaced(standing.document.text, event)):
                yield from problems
                break
            standing = undone(standing, event)


def _misplaced(text: str, event: Event) -> Iterator[Problem]:
    counts = {now: text.count(now) for now in event.was}
    for now, count in counts.items():
        if count != 1:
            what = f"{now!r} stands {count} times in {event.doc_id!r} as it stood after {event.date}."
            yield Problem("H004", f"{event.where} was", what, "It has to stand there once.", "copy more, or other, words.")
    if all(count == 1 for count in counts.values()):
        edits = edits_of(text, event)
        if any(one.end > two.start for one, two in pairwise(edits)):
            yield Problem("H004", f"{event.where} was", "its words overlap.", fix="join them to one.")
