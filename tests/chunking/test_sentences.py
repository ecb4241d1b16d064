"""The smallest stretches that mean something."""

import json
from functools import cache

import pytest

from harness.chunking.outline import Block, outline
from harness.chunking.packing import Tokens, Unit, kind_of
from harness.chunking.propositions import Propositions
from harness.chunking.semantic import Semantic
from harness.chunking.sentence_window import SentenceWindow
from harness.chunking.sentences import blocks_of, parts_between, sections_of, units_of
from harness.chunking.two_tier import TwoTier
from harness.embedding.hashing import Hashing
from harness.types import Document
from tests.builders import document
from tests.contracts.chunker import own
from tests.golden.public import public

CHUNKERS = [TwoTier(), SentenceWindow(), Propositions(), Semantic(Hashing(), threshold=0.1)]


def _units(text: str, size: int = 100, mime_type: str = "text/markdown") -> list[str]:
    found = units_of(Tokens(text), blocks_of(document(text=text, mime_type=mime_type)), size)
    return [text[unit.start : unit.end] for unit in found]


def test_prose_is_taken_by_sentence_and_every_other_block_whole() -> None:
    text = "One. Two.\n\n- item. One\n- two\n\n```\na. B\n```\n\n| a. B | c |\n| --- | --- |\n| 1 | 2 |"
    assert _units(text) == [
        "One.",
        "Two.",
        "- item. One",
        "- two",
        "```\na. B\n```",
        "| a. B | c |\n| --- | --- |\n| 1 | 2 |",
    ]


def test_a_heading_joins_what_follows_it() -> None:
    assert _units("# A\n\n## B\n\nOne. Two.") == ["# A\n\n## B\n\nOne.", "Two."]


@pytest.mark.parametrize(("size", "units"), [(5, ["# A b c\n\nOne"]), (4, ["# A b c", "One"])])
def test_a_heading_stands_alone_where_both_do_not_fit(size: int, units: list[str]) -> None:
    assert _units("# A b c\n\nOne", size) == units


def test_what_is_too_long_is_cut_at_its_lines_or_words() -> None:
    assert _units("```\none two\nsix ten\n```", 5) == ["```", "one two", "six ten", "```"]
    assert _units("one two six ten", 2) == ["one", "two", "six", "ten"]


def test_sections_are_never_merged() -> None:
    given = document(text="#### A\n\nOne.\n\n#### B\n\nTwo.", mime_type="text/markdown")
    assert [section.path for section in sections_of(given, Tokens(given.text))] == [("A",), ("B",)]


@pytest.mark.parametrize(("mime_type", "kind"), [("text/plain", "prose"), ("text/csv", "table"), ("application/json", "table")])
def test_a_text_without_an_outline_is_one_block_of_one_section(mime_type: str, kind: str) -> None:
    given = document(text=" # One.\n\nTwo. ", mime_type=mime_type)
    assert blocks_of(given) == (Block(1, 13, kind),)
    (section,) = sections_of(given, Tokens(given.text))
    assert (section.path, section.blocks) == ((), blocks_of(given))


def test_a_blank_text_has_no_section() -> None:
    assert sections_of(document(text=" \n"), Tokens(" \n")) == []


@pytest.mark.parametrize(
    ("start", "end", "parts"),
    [
        (0, 30, [(0, 10), (12, 20), (22, 30)]),
        (5, 15, [(5, 10), (12, 15)]),
        (10, 12, []),
        (20, 22, []),
        (13, 14, [(13, 14)]),
    ],
)
def test_parts_are_what_a_stretch_holds_of_each_block(start: int, end: int, parts: list[tuple[int, int]]) -> None:
    blocks = [Block(0, 10, "prose"), Block(12, 20, "prose"), Block(22, 30, "prose")]
    assert [(part.start, part.end) for part in parts_between(blocks, start, end)] == parts


@pytest.mark.parametrize(
    ("kinds", "kind"),
    [("heading list list", "list"), ("list prose", "prose"), ("heading", "prose"), ("directive", "prose"), ("code", "code")],
)
def test_several_units_are_of_the_kind_that_they_all_are(kinds: str, kind: str) -> None:
    assert kind_of([Unit(place, place + 1, name) for place, name in enumerate(kinds.split())]) == kind


@cache
def _real() -> list[Document]:
    rows = [json.loads(line) for line in (public("real_docs") / "corpus.jsonl").read_text().splitlines()]
    types = {"rst": "text/x-rst", "md": "text/markdown", "mdx": "text/markdown"}
    return [document(row["_id"], row["text"], mime_type=types[row["_id"].rpartition(".")[2]]) for row in rows]


@pytest.mark.public_data
@pytest.mark.parametrize("chunker", CHUNKERS, ids=lambda chunker: type(chunker).__name__)
def test_no_fence_table_list_item_or_directive_of_real_documents_is_cut(chunker: TwoTier) -> None:
    cut, lost = [], []
    for given in _real():
        shown, tokens = own(chunker.chunk(given)), Tokens(given.text)
        for block in outline(given).blocks:
            whole = any(chunk.span.start <= block.start and block.end <= chunk.span.end for chunk in shown)
            if block.kind not in ("prose", "heading") and tokens.count(block.start, block.end) <= chunker.size and not whole:
                cut.append((given.doc_id, given.text[block.start : block.end]))
        covered = {place for chunk in shown for place in range(chunk.span.start, chunk.span.end)}
        lost += [place for place, letter in enumerate(given.text) if not letter.isspace() and place not in covered]
    assert (cut, lost) == ([], [])
