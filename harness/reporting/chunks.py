"""Chunks for a reader at the terminal: where each begins and ends, what it repeats, and what the models read with it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from harness.corpus.cleaned import Dropped
from harness.corpus.formats import ROWS_TYPE
from harness.reporting.chunk_facts import WINDOW, Cut, totals, written
from harness.reporting.escape import clean, one_line
from harness.reporting.names import count
from harness.text import count_tokens
from harness.types import Chunk, Document

COLOURS = {"prose": "cyan", "table": "magenta", "code": "green", "list": "yellow"}
"""Of a chunk's kind; children are blue."""
OWN, REPEATED, BEFORE, SEARCHED, ASKED = "│", "┊", "»", "≈", "?"
LEGEND = (
    (OWN, "text of the chunk"),
    (REPEATED, "repeated from the chunk before"),
    (BEFORE, "read before the text, never evidence"),
    (SEARCHED, "searched in place of the text"),
    (ASKED, "question that it answers (doc2query)"),
)
"""Marks in the margin; a listing names those that it uses."""


class Marked:
    """Text with a mark in the margin of every line, those that the terminal's width breaks included."""

    def __init__(self, text: Text, mark: str, style: str, indent: int = 1) -> None:
        self.text, self.mark, self.style, self.indent = text, mark, style, indent

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """One line after another."""
        margin = f"{' ' * self.indent}{self.mark} "
        inside = options.update(width=max(20, options.max_width - len(margin)))
        for line in console.render_lines(self.text, inside, pad=False):
            yield Segment(margin, console.get_style(self.style))
            yield from line
            yield Segment.line()


def listing(cut: Cut, dropped: Sequence[Dropped] = ()) -> Iterator[RenderableType]:
    """A document: its header, its chunks in order, loudly what is in none of them, and what cleaning dropped of it."""
    yield _header(cut)
    for number, chunk in enumerate(cut.outer, 1):
        yield Text()
        yield from _chunk(cut, chunk, number)
    for gap in cut.gaps:
        place = cut.document.place(gap.start, gap.end)
        head = f"\n ✗ LOST: {written(cut.document, gap):,} characters in no chunk, {place}, {gap.start:,}–{gap.end:,}"
        yield Text(head, "bold white on red")
        yield Marked(_text(cut.document.text[gap.start : gap.end], "red"), OWN, "red")
    if dropped:
        yield Text()
        yield Marked(Text(f"left out by cleaning: {'; '.join(map(_words, dropped))}", "dim"), "✗", "dim")
    yield Text()


def _header(cut: Cut) -> RenderableType:
    document = cut.document
    name = Text.assemble(("━━ ", "bold blue"), (clean(document.doc_id), "bold"), (f"  {clean(document.title)}", "bold blue"))
    lines = (_about(cut), _standing(document), _unknown(document.metadata), _data(document))
    return Group(name, *(Marked(Text(clean(line), "dim"), "", "dim") for line in lines if line))


def _about(cut: Cut) -> str:
    tokens = count_tokens(cut.document.text)
    sizes = (count(cut.outer, "chunk"), count(tokens, "token"), count(len(cut.document.text), "character"))
    return f"{cut.document.mime_type} · {', '.join(sizes)}"


def _standing(document: Document) -> str:
    """Version, validity, who may see it and what repeats it."""
    known = {
        "version": document.version,
        "series": document.series,
        "holds from": document.valid_from,
        "holds until": document.valid_to,
        "deleted from": document.deleted_at,
        "tenant": document.tenant,
        "only for": ", ".join(document.acl),
        "author": document.author,
        "updated": document.updated_at,
        "copy of": document.copy_of,
        "copies": ", ".join(document.copies),
    }
    return " · ".join(f"{name} {one_line(value)}" for name, value in known.items() if value)


def _unknown(metadata: Mapping[str, Any]) -> str:
    """Fields that the harness does not know; a misspelt one is among them."""
    said = [f"{one_line(name)}: {one_line(_plain(value))}" for name, value in metadata.items()]
    return f"also says: {' · '.join(said)}" if said else ""


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _data(document: Document) -> str:
    """That a file of JSON lines is one document, where its rows could have been meant as documents."""
    of_rows = document.mime_type == ROWS_TYPE and document.unit != "row"
    return "taken as data rows: no _id with a text" if of_rows else ""


def _chunk(cut: Cut, chunk: Chunk, number: int) -> Iterator[RenderableType]:
    children, style = cut.children.get(chunk.chunk_id, []), COLOURS.get(chunk.kind, "blue")
    yield _line(chunk, f"{number:>3} ", style, children)
    if chunk.heading:
        yield Marked(_text(chunk.heading, "dim italic"), BEFORE, "dim")
    yield from _body(chunk, cut.repeated[chunk.chunk_id], style, 1)
    if broken := _broken(cut.document.text, chunk.span.end):
        yield Text(f" ✂ cut inside {broken}", "red")
    for child in children:
        yield _line(child, "   └ ", "blue", ())
        yield from _body(child, 0, "blue", 5)


def _line(chunk: Chunk, lead: str, style: str, children: Sequence[Chunk]) -> Text:
    """Kind, place, tokens and span; then what is odd about the chunk."""
    tokens, read = count_tokens(chunk.text), count_tokens(chunk.indexed_text)
    extra = f", {read:,} read" if read != tokens else ""
    found = Text.assemble(
        (lead, f"bold {style}"),
        (chunk.kind, f"bold {style}"),
        f"  {clean(chunk.place)}  {count(tokens, 'token')}{extra}",
        (f"  {chunk.span.start:,}–{chunk.span.end:,}  {chunk.chunk_id}", "dim"),
    )
    if children:
        below = "the one below" if len(children) == 1 else f"the {len(children)} below"
        found.append(f"  found {'also' if chunk.searched else 'only'} through {below}", "blue")
    elif not chunk.searched:
        found.append("  ✗ in no index, and nothing leads here", "bold red")
    if chunk.searched and read > WINDOW:
        found.append(f"  over {WINDOW}", "bold yellow")
    return found


def _body(chunk: Chunk, repeated: int, style: str, indent: int) -> Iterator[RenderableType]:
    if chunk.preface:
        yield Marked(_text(chunk.preface, "dim italic"), BEFORE, "dim", indent)
    if chunk.search_text:
        yield Marked(_text(chunk.search_text), SEARCHED, style, indent)
    if repeated:
        yield Marked(_text(chunk.text[:repeated], "dim"), REPEATED, "dim", indent)
    own = chunk.text[repeated:]
    if own.strip() and not chunk.search_text:
        yield Marked(_text(own.lstrip(" ") if repeated else own), OWN, style, indent)
    for question in chunk.questions:
        yield Marked(_text(one_line(question, 500), "blue"), ASKED, "blue", indent)


def _broken(text: str, end: int) -> str:
    """What the end of a chunk goes through, if it is something that no reader would cut."""
    if text[end - 1 : end].isalnum() and text[end : end + 1].isalnum():
        return "a word"
    line = text[text.rfind("\n", 0, end) + 1 : end]
    inside = line.strip() and text[end : end + 1] not in ("", "\n")
    return "a table row" if inside and line.lstrip().startswith("|") else ""


def _text(text: str, style: str = "") -> Text:
    """A document's words, as they stand but for line ends around them and what a terminal would obey."""
    return Text(clean(text).strip("\n"), style)


def legend(cuts: Sequence[Cut]) -> Text:
    """The marks that occur, in words."""
    chunks = [chunk for cut in cuts for chunk in cut.chunks]
    used = {
        OWN: True,
        REPEATED: any(any(cut.repeated.values()) for cut in cuts),
        BEFORE: any(chunk.heading or chunk.preface for chunk in chunks),
        SEARCHED: any(chunk.search_text for chunk in chunks),
        ASKED: any(chunk.questions for chunk in chunks),
    }
    return Text("   ".join(f"{mark} {meaning}" for mark, meaning in LEGEND if used[mark]) + "\n", "dim")


def summary(cuts: Sequence[Cut], dropped: Sequence[Dropped], copies: Sequence[Document]) -> RenderableType:
    """What cleaning and the policy for copies left out, then counts; what is lost is said loudly.

    Args:
        cuts: all documents that are searched.
        dropped: by cleaning.
        copies: documents left out because others say the same.
    """
    found = totals(cuts)
    size = f"{found.shortest:,} / {found.middle:,.0f} / {found.longest:,}"
    lines = [
        ("Documents", f"{found.documents:,}"),
        ("Chunks", _kinds(found.kinds) or "0"),
        ("Lead to them", _kinds(found.children)),
        ("Questions", f"{found.questions:,}" if found.questions else ""),
        ("In the index", count(found.entries, "chunk") if found.children else ""),
        ("Tokens", f"{size}: shortest, median, longest chunk"),
        (f"Over {WINDOW}", f"{count(found.beyond, 'chunk')} as read (bge_small reads {WINDOW} word pieces at once)"),
        ("Repeated", f"{found.repeated:.1%} of the characters stand in an earlier chunk too"),
        *(("Copy", f"{clean(item.doc_id)} is not searched") for item in copies),
        *(("Left out", line) for line in _left_out(dropped)),
    ]
    names = [Text.assemble((f"{name:<13}", "bold"), text) for name, text in lines if text]
    return Group(Text("━━ All", "bold blue"), *names, _coverage(found.gaps))


def _left_out(dropped: Sequence[Dropped]) -> Iterator[str]:
    """A line per kind of thing that cleaning dropped."""
    kinds: dict[str, list[Dropped]] = {}
    for item in dropped:
        kinds.setdefault(one_line(item.what), []).append(item)
    for what, items in kinds.items():
        size = sum(item.characters for item in items)
        yield f"{what} ({len(items):,}×{f', {size:,} characters' if size else ''})"
    if not dropped:
        yield "nothing, by cleaning"


def _words(item: Dropped) -> str:
    size = f", {count(item.characters, 'character')}" if item.characters else ""
    return f"{one_line(item.what)}{size}{f', line {item.line}' if item.line else ''}"


def _kinds(kinds: Mapping[str, int]) -> str:
    parts = ", ".join(f"{number:,} {kind}" for kind, number in kinds.items())
    return f"{sum(kinds.values()):,} ({parts})" if kinds else ""


def _coverage(lost: int) -> Text:
    if lost:
        return Text(f"✗ LOST: {lost:,} characters are in no chunk, so no question can find them", "bold white on red")
    return Text("✓ every character that is not blank is in a chunk", "green")
