"""How `harness golden stats` looks in a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.cli.golden.difficulty import DEPTH, TOO_EASY, Difficulty
from harness.golden.summary import Count, EvidenceFacts, Reach, Summary
from harness.reporting.escape import clean, one_line
from harness.reporting.names import count, number

LISTED = 10
"""Names listed before `and n more`; --json lists all."""
_NAMED = 200
_SHORT_EVIDENCE = 6
_PARTS = ("BM25 only", "dense only", "both", "neither")


@dataclass(frozen=True, slots=True)
class Shown:
    """What results on the set could show."""

    alpha: float
    """Error rate of the default gate."""
    power: float
    """Chance of seeing an effect of the size told."""
    recall_at_5: Mapping[str, float | None]
    """Smallest drop of Recall@5 by split; empty when nothing was asked, None where it cannot be known."""
    refusal_rate: Mapping[str, float | None]
    """Smallest fall of the rate of right refusals by split; None when not even a fall to 0 could be seen."""
    refusal_rate_from: float
    """The rate from which it falls."""
    if_all_right: Mapping[str, Mapping[str, float]]
    """Lower bound (one-sided, 95 %) of a rate when all are right: by answerable, unanswerable or reason, then by split."""


def report(summary: Summary, difficulty: Difficulty | None, shown: Shown, texts: Mapping[str, str]) -> RenderableType:
    """The whole report; `texts` are the questions by id."""
    head = f"{summary.name} v{summary.version}: {count(summary.questions.n, 'question')}, {count(summary.documents, 'document')}"
    warned = list(warnings(summary, difficulty))
    parts: list[RenderableType] = [Text(clean(head), "bold"), Text(), _kinds(summary, difficulty), *_legend(difficulty), Text()]
    parts += [_refusals(summary, shown), Text("Shows: the rate that is certain (95 %) when all are right.", "dim"), Text()]
    parts += [_facts("Contents", _contents(summary, texts)), Text()]
    if difficulty:
        parts += [_facts("Difficulty", _difficulty(difficulty)), Text()]
    parts += [_facts("Smallest effect that runs on this set can show", _effects(summary, difficulty, shown))]
    parts += [Text(_basis(shown, difficulty), "dim")]
    if warned:
        parts += [Text(), *(Text(clean(f"! {line}"), "yellow") for line in warned)]
    return Group(*parts)


def warnings(summary: Summary, difficulty: Difficulty | None) -> Iterator[str]:
    """What keeps the set from measuring what it should."""
    if difficulty:
        for name in difficulty.too_easy:
            share = number(len(difficulty.solved[name]) / difficulty.n)
            yield f"{name} solves {share} of the answerable questions (more than {TOO_EASY:g}): the set measures nothing"
        if gone := difficulty.cut.unreachable:
            yield f"chunker {difficulty.chunker} loses {count(gone, 'piece')} of evidence, which no retriever can find: {_listed(gone)}"
    if (leaks := summary.leaks).groups:
        yield f"tune and test share {count(leaks.groups, 'group')}: {_listed(leaks.groups)}"
    if leaks.copies:
        yield f"tune and test share {count(leaks.copies, 'lot')} of near-copies"
    if leaks.evidence:
        yield f"tune and test share {count(leaks.evidence, 'quote')}: what is tuned has seen what test asks for"
    if not leaks.tight:
        yield f"python -m harness golden split {summary.name} divides so that nothing leaks"
    if not summary.questions.tune:
        yield "no question is for tuning: whatever is chosen is chosen on test"
    if not summary.questions.test:
        yield "no question is for testing: a gate has nothing to read"
    lacking = [name for name, kind in [*summary.kinds.items(), *summary.reasons.items()] if kind.tune and not kind.test]
    if lacking and summary.questions.test:
        yield f"all questions of {_listed(lacking)} are in tune: a gate reads test and cannot see them get worse"


def _kinds(summary: Summary, difficulty: Difficulty | None) -> Table:
    heads = ["Kind", "n", "tune", "test", "Overlap", *(_PARTS if difficulty else ())]
    table = _table("Questions by kind", heads)
    for kind, counted in summary.kinds.items():
        overlap = summary.overlap_by_kind.get(kind)
        table.add_row(*_row(kind, counted), number(overlap.median, "") if overlap else "", *_solved(difficulty, kind))
    table.add_section()
    table.add_row(*_row("all", summary.questions), number(summary.overlap.median, ""), *_solved(difficulty))
    if difficulty:
        parts = difficulty.parts.values()
        table.add_row("share of answerable", "", "", "", "", *(number(len(ids) / difficulty.n) for ids in parts))
    return table


def _solved(difficulty: Difficulty | None, kind: str | None = None) -> list[str]:
    if difficulty is None:
        return []
    if kind is None:
        return [str(len(ids)) for ids in difficulty.parts.values()]
    here = [sum(difficulty.kinds[name] == kind for name in ids) for ids in difficulty.parts.values()]
    return [str(found) for found in here] if sum(here) else [""] * len(here)


def _legend(difficulty: Difficulty | None) -> list[Text]:
    lines = ["Overlap: median share of a question's content words that stand in its evidence."]
    if difficulty:
        lines.append(f"Last columns, who solves it: all evidence within the first {DEPTH} passages (complete@{DEPTH}).")
    else:
        lines.append("How many BM25 and dense retrieval solve is told without --quick, where a question has an answer.")
    return [Text(line, "dim") for line in lines]


def _refusals(summary: Summary, shown: Shown) -> Table:
    table = _table("Answers and refusals", ["", "n", "tune", "test", "Shows", "on test"])
    rows = {"answerable": summary.answerable, "unanswerable": summary.unanswerable}
    for name, counted in [*rows.items(), *summary.reasons.items()]:
        label = name if name in rows else f"  {name}"
        bounds = shown.if_all_right[name]
        table.add_row(
            *_row(label, counted), *(f"≥ {number(bounds[split])}" if bounds[split] else "" for split in ("all", "test"))
        )
    return table


def _contents(summary: Summary, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for split, groups in summary.groups.items():
        clusters = f"{groups.n:,}, worth {groups.effective:.1f} of equal size"
        yield f"Groups, {split}", f"{clusters}; the largest, {groups.largest}, has {count(groups.size, 'question')}"
    yield "Evidence", _evidence(summary.evidence)
    if summary.evidence.characters and summary.evidence.tokens:
        characters, tokens = summary.evidence.characters, summary.evidence.tokens
        yield "Its length", f"{_reach(characters, 'characters')}; {_reach(tokens, 'tokens')}"
    yield "Overlap", _overlap(summary)
    if summary.languages:
        named = ", ".join(f"{name} {n:,}" if n else name for name, n in summary.languages.items())
        yield "Languages", named if any(summary.languages.values()) else f"{named} (by the card; no question is tagged)"
    yield "Near-copies", _copies(summary, texts)
    yield "Tune and test", _leaks(summary)
    asked = f"{len(summary.unasked)} of {count(summary.documents, 'document')}"
    yield "Never asked of", f"{asked}: {_listed(summary.unasked)}" if summary.unasked else "no document is left out"


def _evidence(facts: EvidenceFacts) -> str:
    pieces = f"{count(facts.pieces, 'piece')} in {count(facts.places, 'place')}"
    several = f"{count(facts.several, 'question')} need several, {f'{facts.documents:,}' if facts.documents else 'none'} of them several documents"
    return f"{pieces}; {several}; {count(facts.whole, 'place') if facts.whole else 'none'} made of a whole document"


def _overlap(summary: Summary) -> str:
    overlap, tokens = summary.overlap, summary.evidence.tokens
    if not overlap.n:
        return "no question has evidence"
    text = f"median {number(overlap.median)}; {len(overlap.none):,} of {overlap.n:,} ({number(overlap.none_share)}) share no word"
    short = tokens is not None and tokens.median < _SHORT_EVIDENCE
    return f"{text}. Evidence is short, so this says little" if short else text


def _copies(summary: Summary, texts: Mapping[str, str]) -> str:
    if not summary.near_copies:
        return "none"
    one, other, *_ = summary.near_copies[0]
    lots = f"{count(summary.near_copies, 'lot')}: {_listed(_lots(summary.near_copies), 3)}"
    return f"{lots}. First: {one_line(texts[one], 80)!r}, {one_line(texts[other], 80)!r}"


def _lots(lots: Iterable[Sequence[str]]) -> list[str]:
    return [" = ".join([*lot[:3], *(["..."] if len(lot) > 3 else [])]) for lot in lots]


def _leaks(summary: Summary) -> str:
    leaks = summary.leaks
    if not (summary.questions.tune and summary.questions.test):
        return "there is only one side"
    if leaks.tight:
        return "share no group, no near-copy and no quote"
    places = [f"{span.doc_id} {span.start}-{span.end}" for span in leaks.evidence]
    shared = (("group", "", leaks.groups), ("lot", " of near-copies", _lots(leaks.copies)), ("quote", "", places))
    return "share " + "; ".join(f"{count(items, noun)}{what} ({_listed(items, 3)})" for noun, what, items in shared if items)


def _difficulty(found: Difficulty) -> Iterator[tuple[str, str]]:
    for name, ids in found.solved.items():
        yield name, f"solves {number(len(ids) / found.n)} ({len(ids):,} of {found.n:,} answerable questions)"
    neither = found.parts["neither"]
    yield "Neither solves", f"{len(neither):,}: {_listed(neither, _NAMED)}" if neither else "none"
    if found.failed:
        yield "Failed", f"{count(found.failed, 'question')}, counted as not solved: {_listed(found.failed)}"
    cut = found.cut
    split = f": {_listed(cut.split, 5)}" if cut.split else ""
    gone = f"{len(cut.unreachable):,} cannot be retrieved at all" if cut.unreachable else "all of it can be retrieved"
    yield (
        f"Chunker {found.chunker}",
        f"{len(cut.split):,} of {count(cut.pieces, 'piece')} need more than one chunk{split}; {gone}",
    )


def _effects(summary: Summary, difficulty: Difficulty | None, shown: Shown) -> Iterator[tuple[str, str]]:
    answerable = {"test": summary.answerable.test, "all": summary.answerable.n}
    refused = {"test": summary.unanswerable.test, "all": summary.unanswerable.n}
    if difficulty:
        drops = {split: number(effect) if effect is not None else "unknown" for split, effect in shown.recall_at_5.items()}
        yield "Recall@5, a drop of", _by_split(drops, answerable)
    falls = {split: number(fall) if fall is not None else "cannot be seen" for split, fall in shown.refusal_rate.items()}
    yield f"Right refusals, a fall from {shown.refusal_rate_from:.2f} by", _by_split(falls, refused)


def _by_split(texts: Mapping[str, str], sizes: Mapping[str, int]) -> str:
    asked = {split: count(sizes[split], "question") for split in ("test", "all")}
    return "; ".join(f"{texts[split]} on {split} ({asked[split]})" if sizes[split] else f"{split} has none" for split in asked)


def _basis(shown: Shown, difficulty: Difficulty | None) -> str:
    text = (
        f"{100 * shown.power:g} % power, one-sided at alpha {shown.alpha:g} of the default gate. Refusals: for unpaired "
        "runs, which is the most that the gate, which pairs questions, needs."
    )
    return f"{text} Recall varies as between BM25 and dense, clustered by group." if difficulty else text


def _facts(title: str, lines: Iterator[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.title, table.title_justify, table.title_style = Text(title, "bold"), "left", ""
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in lines:
        table.add_row(Text(clean(label)), Text(clean(text)))
    return table


def _table(title: str, heads: Sequence[str]) -> Table:
    table = Table(title=Text(title, "bold"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, head in enumerate(heads):
        table.add_column(Text(head.replace(" ", "\n")), justify="right" if place else "left", no_wrap=True, vertical="bottom")
    return table


def _row(label: str, counted: Count) -> list[str]:
    return [clean(label), *(f"{n:,}" if n else "–" for n in (counted.n, counted.tune, counted.test))]


def _reach(lengths: Reach, unit: str) -> str:
    return f"{lengths.least:,} to {lengths.most:,} {unit}, median {lengths.median:,g}"


def _listed(names: Sequence[str], limit: int = LISTED) -> str:
    more = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"
