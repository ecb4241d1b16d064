"""What the steps around an answer did, in words: to one question, and to all questions of a run."""

import re
from collections.abc import Iterable, Iterator, Sequence

from harness.pipeline import QUERY_STEPS
from harness.reporting.escape import one_line
from harness.reporting.names import count
from harness.types import Query, Trace

Told = tuple[tuple[str, tuple[str, ...]], ...]
"""What was done and its lines; the text is not escaped."""

_MOST = 6
_TEXT, _PASSAGE, _NOTES, _REASON = 160, 100, 200, 300
_STEP = re.compile(rf"(?:^([\w-]+)|; ({'|'.join(('history', *QUERY_STEPS))})): ")
_CLAIM, _STRIPPED = "left out ", "stripped "


def told(trace: Trace, asked: str) -> Told:
    """What the query steps, the reranking model and verification did to a question; nothing where they left all as it was."""
    actions = trace.answer.actions if trace.answer else ()
    rows = (
        ("Searched for", _few([_searched(query, asked) for query in trace.queries] if _moved(trace.queries, asked) else ())),
        ("Left out", _few(dict.fromkeys(query.fallback for query in trace.queries if query.fallback))),
        ("Order mended", _mended(trace.reranked.faults)),
        ("Claims left out", _few(action.removeprefix(_CLAIM) for action in actions if action.startswith(_CLAIM))),
        ("Verification", _few(_in_words(action) for action in actions if not action.startswith(_CLAIM))),
    )
    return tuple((label, lines) for label, lines in rows if lines)


def remarks(traces: Sequence[Trace]) -> tuple[str, ...]:
    """Steps that were left out and orders that were mended, each with the number of questions; empty where there was none."""
    first: dict[str, str] = {}
    failed: dict[str, int] = {}
    for trace in traces:
        found = [part for query in trace.queries for part in _failures(query.fallback)]
        for step, error in found:
            first.setdefault(step, error)
        for step in dict.fromkeys(step for step, _ in found):
            failed[step] = failed.get(step, 0) + 1
    of = f"of {count(traces, 'question')}"
    left_out = [
        f"{step} failed for {number:,} {of} and was left out; first: {one_line(first[step], _REASON)}"
        for step, number in failed.items()
    ]
    faults = [trace.reranked.faults for trace in traces if trace.reranked.faults]
    mended = [f"the model's order was mended for {len(faults):,} {of}, {count(sum(faults), 'place')}"] if faults else []
    return (*left_out, *mended)


def _failures(fallback: str) -> Iterator[tuple[str, str]]:
    """Step and error of each part of `hyde: R007 ...; rewrite: R003 ...`."""
    found = [*_STEP.finditer(fallback)]
    ends = [*(match.start() for match in found[1:]), *([len(fallback)] if found else [])]
    yield from ((match[1] or match[2], fallback[match.end() : end]) for match, end in zip(found, ends, strict=True))


def _moved(queries: Sequence[Query], asked: str) -> bool:
    """Whether something else was searched for than the question, or otherwise."""
    return any(
        query.text != asked or query.hypothetical or query.notes or query.retrievers is not None or query.kinds is not None
        for query in queries
    )


def _searched(query: Query, asked: str) -> str:
    """`“a query”, by bm25 alone, with the made-up passage “...” (its notes)`."""
    parts = [
        "the question as it was asked" if query.text == asked else f"“{one_line(query.text, _TEXT)}”",
        _among("by", query.retrievers),
        _among("in chunks of kind", query.kinds),
        f"with the made-up passage “{one_line(query.hypothetical, _PASSAGE)}”" if query.hypothetical else "",
    ]
    said = "; ".join(query.notes)
    said = said.replace(repr(asked), "the question as asked") if asked else said
    notes = f" ({one_line(said, _NOTES)})" if said else ""
    return ", ".join(filter(None, parts)) + notes


def _among(words: str, names: frozenset[str] | None) -> str:
    """`by bm25 alone`; empty where nothing is chosen."""
    if names is None:
        return ""
    return f"{words} {', '.join(sorted(names)) or 'none'}{' alone' if len(names) == 1 else ''}"


def _mended(faults: int) -> tuple[str, ...]:
    if not faults:
        return ()
    verb = "was" if faults == 1 else "were"
    return (f"{count(faults, 'place')} in the model's order {verb} wrong, repeated or missing",)


def _in_words(action: str) -> str:
    """An action of verification, whose shortest two are told by one word."""
    if action.startswith(_STRIPPED):
        return f"took out the citation {action.removeprefix(_STRIPPED)}, which names no passage shown"
    return "refused in place of the answer" if action == "refused" else action


def _few(lines: Iterable[str]) -> tuple[str, ...]:
    """The first lines, cut, and how many more there are."""
    known = [one_line(line, _TEXT + _PASSAGE + _NOTES) for line in lines]
    more = [f"and {len(known) - _MOST:,} more"] if len(known) > _MOST else []
    return (*known[:_MOST], *more)
