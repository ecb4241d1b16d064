"""Real documentation: what its authors wrote as one thing is found whole in a chunk, counted without the outline."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate

import pytest

from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.protocols import Chunker
from harness.text import count_tokens, words
from harness.types import Document, Span
from tests.builders import document
from tests.golden.public import public

pytestmark = pytest.mark.public_data

Extents = Iterator[tuple[int, int]]
"""First line and the line after the last."""

_MARKER = re.compile(r"( *)([-*+]|\d{1,9}[.)])( +)(?=\S)")
_RST_MARKER = re.compile(r"( *)([-*+]|#\.|\d+\.)( +)(?=\S)")


@cache
def _documents(rst: bool) -> tuple[Document, ...]:
    rows = [json.loads(line) for line in (public("real_docs") / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    kind = "text/x-rst" if rst else "text/markdown"
    return tuple(document(row["_id"], row["text"], mime_type=kind) for row in rows if row["_id"].endswith(".rst") == rst)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _opening(line: str) -> str:
    found = re.match(r"(?: *(?:[-*+>]|\d+[.)]) +)* *(`{3,}(?=[^`]*$)|~{3,})", line)
    return found[1] if found else ""


def _fences(lines: Sequence[str]) -> Extents:
    first, mark = -1, ""
    for number, line in enumerate(lines):
        bare = line.strip().removeprefix(">").strip()
        if mark and len(bare) >= len(mark) and set(bare) == {mark[0]}:
            yield first, number + 1
            mark = ""
        elif not mark and (mark := _opening(line)):
            first = number


def _outside_fences(lines: Sequence[str]) -> list[int]:
    inside = {number for first, after in _fences(lines) for number in range(first, after)}
    return [number for number in range(len(lines)) if number not in inside]


def _rows(lines: Sequence[str]) -> Extents:
    yield from ((number, number + 1) for number in _outside_fences(lines) if lines[number].startswith("|"))


def _items(lines: Sequence[str], marker: re.Pattern[str] = _MARKER) -> Extents:
    for number in _outside_fences(lines):
        if found := marker.match(lines[number]):
            yield number, _after_deeper(lines, number, len(found.group()))


def _after_deeper(lines: Sequence[str], first: int, least: int) -> int:
    """Past the lines that are blank or indented by at least so much."""
    after = first + 1
    while after < len(lines) and (not lines[after].strip() or _indent(lines[after]) >= least):
        after += 1
    return after


def _containers(lines: Sequence[str]) -> Extents:
    opened: list[int] = []
    for number in _outside_fences(lines):
        if re.match(r" *:::+ *$", lines[number]) and opened:
            yield opened.pop(), number + 1
        elif re.match(r" *:::+ *\S", lines[number]):
            opened.append(number)


def _rst_directives(lines: Sequence[str]) -> Extents:
    for number, line in enumerate(lines):
        if re.match(r" *\.\. [\w:-]+::(?: |$)", line):
            yield number, _after_deeper(lines, number, _indent(line) + 1)


def _rst_literals(lines: Sequence[str]) -> Extents:
    for number, line in enumerate(lines[:-2]):
        opens = line.rstrip().endswith("::") and ".. " not in line and not lines[number + 1].strip()
        if opens and _indent(lines[number + 2]) > _indent(line):
            yield number + 2, _after_deeper(lines, number + 2, _indent(lines[number + 2]))


def _rst_items(lines: Sequence[str]) -> Extents:
    hidden = {number for find in (_rst_literals, _rst_directives) for span in find(lines) for number in range(*span)}
    yield from (span for span in _items(lines, _RST_MARKER) if span[0] not in hidden)


WHOLE: dict[str, tuple[bool, int, Callable[[Sequence[str]], Extents]]] = {
    "fences": (False, 600, _fences),
    "table rows": (False, 300, _rows),
    "list items": (False, 900, _items),
    "containers": (False, 20, _containers),
    "rst directives": (True, 60, _rst_directives),
    "rst literal blocks": (True, 100, _rst_literals),
    "rst list items": (True, 30, _rst_items),
}
"""Whether reStructuredText, how many of them fit into the smallest chunk at least, and where they stand."""


def _spans(text: str, find: Callable[[Sequence[str]], Extents]) -> Iterator[tuple[int, int]]:
    """From the first character to the last that is not blank."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for first, after in find(lines):
        whole = text[starts[first] : starts[after]]
        yield starts[first] + len(whole) - len(whole.lstrip()), starts[first] + len(whole.rstrip())


@cache
def _chunks(chunker: Chunker, rst: bool) -> tuple[tuple[Document, list[Span]], ...]:
    return tuple((real, [chunk.span for chunk in chunker.chunk(real)]) for real in _documents(rst))


def _count(chunker: Chunker, what: str, size: int) -> tuple[int, list[tuple[str, str]]]:
    """How many of a thing are no longer than `size` tokens, and those of them that no chunk holds whole."""
    rst, _, find = WHOLE[what]
    seen, cut = 0, []
    for real, chunks in _chunks(chunker, rst):
        for start, end in _spans(real.text, find):
            if count_tokens(real.text[start:end]) <= size:
                seen += 1
                if not any(span.start <= start and end <= span.end for span in chunks):
                    cut.append((real.doc_id, real.text[start:end][:200]))
    return seen, cut


@pytest.mark.parametrize("what", WHOLE)
@pytest.mark.parametrize("size", [128, 256, 512])
def test_nothing_that_fits_into_a_chunk_is_cut(what: str, size: int) -> None:
    seen, cut = _count(Markdown(size=size), what, size)
    assert (seen >= WHOLE[what][1], cut) == (True, [])


@pytest.mark.parametrize("what", WHOLE)
def test_equal_lengths_do_cut_them(what: str) -> None:
    assert len(_count(Fixed(size=500), what, 128)[1]) >= 4


@pytest.mark.parametrize("size", [128, 512])
@pytest.mark.parametrize("rst", [False, True], ids=["markdown", "rst"])
def test_nothing_is_lost_and_every_chunk_has_a_word(rst: bool, size: int) -> None:
    for real in _documents(rst):
        chunks = Markdown(size=size).chunk(real)
        covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
        assert all(letter.isspace() or place in covered for place, letter in enumerate(real.text)), real.doc_id
        assert all(words(chunk.text) and chunk.text == real.text[chunk.span.start : chunk.span.end] for chunk in chunks)


def test_the_headings_of_real_documents_lead_to_their_sections() -> None:
    (quickstart,) = (real for real in _documents(True) if real.doc_id.endswith("user/quickstart.rst"))
    sections = {chunk.section_path for chunk in Markdown(size=256).chunk(quickstart)}
    assert {("Quickstart", "Make a Request"), ("Quickstart", "Response Content")} <= sections
