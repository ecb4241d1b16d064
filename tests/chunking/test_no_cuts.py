"""Random documents of which it is known what belongs together: no chunk cuts it where it fits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from docutils.utils import column_width
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.markdown import Markdown
from harness.text import count_tokens, words
from harness.types import Chunk
from tests.builders import document
from tests.contracts.chunker import quick

WORDS = ["filter", "Inlet", "FH-4410", "фильтр", "замена", "مرشح", "تسعة", "水槽", "交換", "필터", "교체", "🙂", "naïve", "x1"]
SIZES = (12, 24, 60, 128)

phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
sentences = st.lists(phrases.map(lambda phrase: f"The {phrase} ends."), min_size=1, max_size=5).map(" ".join)
lines = st.lists(phrases, min_size=1, max_size=7)


@dataclass(frozen=True)
class Part:
    """A piece of a document."""

    text: str
    whole: tuple[str, ...]
    """What must stay whole where it fits, each found in the text."""


def _fence(rows: list[str]) -> Part:
    text = "```py\n" + "\n\n".join(rows) + "\n```"
    return Part(text, (text, *rows))


def _table(rows: list[str]) -> Part:
    table = ["| name | value |", "| --- | --- |", *(f"| {row} | {number} |" for number, row in enumerate(rows))]
    return Part("\n".join(table), ("\n".join(table), *table, "\n".join(table[:3])))


def _list(rows: list[str]) -> Part:
    items = [f"- {row}\n\n  ```\n  {row}\n  ```\n  - deeper {row}" for row in rows]
    return Part("\n".join(items), (*items, *(f"```\n  {row}\n  ```" for row in rows), *(f"- deeper {row}" for row in rows)))


def _container(rows: list[str]) -> Part:
    text = ":::note Care\n\n" + "\n\n".join(rows) + "\n:::"
    return Part(text, (text, *rows))


def _myst(rows: list[str]) -> Part:
    text = "```{warning}\n" + "\n".join(rows) + "\n```"
    return Part(text, (text, *rows))


def _rst_listing(rows: list[str]) -> Part:
    listing = "\n\n".join(f"    {row}" for row in rows)
    return Part(f"Run this::\n\n{listing}", (listing.strip(), *rows))


def _rst_table(rows: list[str]) -> Part:
    rule = "===== ====="
    table = [rule, "name  value", rule, *(f"{number:<5} {row}" for number, row in enumerate(rows)), rule]
    return Part("\n".join(table), ("\n".join(table), *table, "\n".join(table[:4])))


def _rst_grid(rows: list[str]) -> Part:
    """A row whose number is odd has a second line; each is written with the border below it."""
    width = max(map(column_width, ["value", *rows]))
    border = f"+-------+{'-' * (width + 2)}+"

    def row(name: str, *texts: str) -> str:
        return "\n".join(
            f"| {'' if line else name:<5} | {text}{' ' * (width - column_width(text))} |" for line, text in enumerate(texts)
        )

    head = f"{border}\n{row('name', 'value')}\n{border.replace('-', '=')}"
    table = [row(f"{number}", *([text, text] if number % 2 else [text])) for number, text in enumerate(rows)]
    text = "\n".join([head, *(f"{line}\n{border}" for line in table)])
    return Part(
        text,
        (text, head, row("name", "value"), *table, *(f"{line}\n{border}" for line in table), f"{head}\n{table[0]}\n{border}"),
    )


def _rst_list(rows: list[str]) -> Part:
    items = [f"* {row}\n\n  Run::\n\n    {row}\n\n  * deeper {row}" for row in rows]
    return Part("\n".join(items), (*items, *(f"* deeper {row}" for row in rows)))


def _rst_directive(rows: list[str]) -> Part:
    text = ".. note:: Care\n   of it\n\n" + "\n\n".join(f"   {row}" for row in rows)
    return Part(text, (text, *rows))


def _documents(*structures: Callable[[list[str]], Part], heading: Callable[[str], str]) -> st.SearchStrategy[list[Part]]:
    plain = st.one_of(sentences, phrases.map(heading)).map(lambda text: Part(text, ()))
    whole = st.one_of(*(lines.map(structure) for structure in structures))
    return st.lists(st.one_of(plain, whole), min_size=1, max_size=8)


def _underlined(title: str) -> str:
    return f"{title}\n{'=' * 60}"


CASES = [
    pytest.param("text/markdown", lambda title: f"## {title}", (_fence, _table, _list, _container, _myst), id="markdown"),
    pytest.param("text/x-rst", _underlined, (_rst_listing, _rst_table, _rst_grid, _rst_list, _rst_directive), id="rst"),
]
chunkers = st.builds(Markdown, size=st.sampled_from(SIZES), overlap=st.sampled_from([0.0, 0.15, 0.5]))


def _chunks(chunker: Markdown, parts: list[Part], mime_type: str) -> tuple[str, tuple[Chunk, ...]]:
    text = "\n\n".join(part.text for part in parts)
    return text, tuple(chunker.chunk(document(text=text, mime_type=mime_type)))


def _places(parts: list[Part]) -> Iterator[tuple[str, int, int]]:
    """What must stay whole, and where it stands in the document."""
    begin = 0
    for part in parts:
        for whole in part.whole:
            start = begin + part.text.index(whole)
            yield whole, start, start + len(whole)
        begin += len(part.text) + len("\n\n")


@pytest.mark.parametrize(("mime_type", "heading", "structures"), CASES)
@quick
@given(data=st.data(), chunker=chunkers)
def test_what_fits_into_a_chunk_is_never_cut(
    mime_type: str,
    heading: Callable[[str], str],
    structures: tuple[Callable[[list[str]], Part], ...],
    data: st.DataObject,
    chunker: Markdown,
) -> None:
    parts = data.draw(_documents(*structures, heading=heading))
    _, chunks = _chunks(chunker, parts, mime_type)
    spans = [(chunk.span.start, chunk.span.end) for chunk in chunks]
    wanted = [place for place in _places(parts) if count_tokens(place[0]) <= chunker.size]
    assert [place for place in wanted if not any(begin <= place[1] and place[2] <= end for begin, end in spans)] == []


@pytest.mark.parametrize(("mime_type", "heading", "structures"), CASES)
@quick
@given(data=st.data(), chunker=chunkers)
def test_nothing_is_lost_or_made_up_and_the_same_document_gives_the_same_chunks(
    mime_type: str,
    heading: Callable[[str], str],
    structures: tuple[Callable[[list[str]], Part], ...],
    data: st.DataObject,
    chunker: Markdown,
) -> None:
    parts = data.draw(_documents(*structures, heading=heading))
    text, chunks = _chunks(chunker, parts, mime_type)
    covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
    assert all(letter.isspace() or place in covered for place, letter in enumerate(text))
    assert all(chunk.text == text[chunk.span.start : chunk.span.end] for chunk in chunks)
    assert all(words(chunk.text) for chunk in chunks) or not words(text)
    assert _chunks(chunker, parts, mime_type)[1] == chunks


@pytest.mark.parametrize(("mime_type", "heading", "structures"), CASES)
@quick
@given(data=st.data(), size=st.sampled_from(SIZES))
def test_without_overlap_no_character_is_in_two_chunks(
    mime_type: str,
    heading: Callable[[str], str],
    structures: tuple[Callable[[list[str]], Part], ...],
    data: st.DataObject,
    size: int,
) -> None:
    parts = data.draw(_documents(*structures, heading=heading))
    _, chunks = _chunks(Markdown(size=size, overlap=0), parts, mime_type)
    assert all(before.span.end <= after.span.start for before, after in pairwise(chunks))
