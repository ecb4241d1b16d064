"""Chunks as a reader at the terminal sees them."""

from io import StringIO

import pytest
from rich.console import Console, Group

from harness.chunking.fixed import Fixed
from harness.chunking.recursive import Recursive
from harness.corpus.cleaned import Dropped
from harness.reporting.chunk_facts import WINDOW, Cut, as_row, totals, written
from harness.reporting.chunks import legend, listing, summary
from harness.types import Chunk, Document, Span
from tests.builders import document

TEXT = "Open the valve. Wait.\nThen close it.\n"


def piece(start: int, end: int, where: Document | None = None, **fields: object) -> Chunk:
    """A chunk of a document."""
    where = where or document(text=TEXT)
    place = where.place(start, end)
    return Chunk(Span(where.doc_id, start, end), where.text[start:end], place=place, **fields)  # type: ignore[arg-type]


def cut(*chunks: Chunk, where: Document | None = None) -> Cut:
    return Cut(where or document(text=TEXT), chunks)


def shown(*parts: object, width: int = 90, colour: bool = False) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(Group(*parts))  # type: ignore[arg-type]
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]


def test_a_document_is_listed_with_its_chunks_and_what_they_repeat() -> None:
    where = document("valve.md", TEXT, title="Valve", mime_type="text/markdown", version="2", tenant="acme")
    chunks = [piece(0, 21, where, title="Valve"), piece(16, 36, where, title="Valve", section_path=("Care",))]
    assert (
        shown(*listing(Cut(where, tuple(chunks))))
        == f"""\
━━ valve.md  Valve
  text/markdown · 2 chunks, 10 tokens, 37 characters
  version 2 · tenant acme

  1 prose  line 1  6 tokens, 7 read  0–21  {chunks[0].chunk_id}
 » Valve
 │ Open the valve. Wait.

  2 prose  lines 1-2  6 tokens, 9 read  16–36  {chunks[1].chunk_id}
 » Valve > Care
 ┊ Wait.
 │ Then close it.
"""
    )


def test_children_stand_under_what_they_lead_to_with_the_words_that_are_searched() -> None:
    parent = piece(0, 21, searched=False)
    summed = piece(0, 15, kind="summary", parent=parent.chunk_id, search_text="About valves.")
    said = piece(16, 21, kind="sentence", parent=parent.chunk_id)
    lines = shown(*listing(cut(parent, summed, said, piece(22, 36)))).splitlines()
    assert lines[3].endswith(f"{parent.chunk_id}  found only through the 2 below")
    assert lines[4:9] == [
        " │ Open the valve. Wait.",
        f"   └ summary  line 1  4 tokens, 3 read  0–15  {summed.chunk_id}",
        "     ≈ About valves.",
        f"   └ sentence  line 1  2 tokens  16–21  {said.chunk_id}",
        "     │ Wait.",
    ]


def test_a_chunk_that_is_searched_beside_its_child_is_found_also_through_it() -> None:
    parent = piece(0, 36)
    text = shown(*listing(cut(parent, piece(0, 15, parent=parent.chunk_id))))
    assert "found also through the one below" in text


def test_a_parent_that_nothing_leads_to_is_told() -> None:
    assert "✗ in no index, and nothing leads here" in shown(*listing(cut(piece(0, 36, searched=False))))


def test_a_child_whose_parent_is_missing_is_not_lost_from_the_listing() -> None:
    orphan = piece(0, 36, parent="000000000000")
    assert orphan.chunk_id in shown(*listing(cut(orphan)))


def test_preface_and_questions_are_marked_as_what_they_are() -> None:
    lines = shown(*listing(cut(piece(0, 36, preface="part,price", questions=("Who opens it?",))))).splitlines()
    assert lines[4] == " » part,price"
    assert lines[-1] == " ? Who opens it?"
    words = shown(legend([cut(piece(0, 36, preface="part,price", questions=("Who opens it?",)))]), width=200).strip()
    assert words.split("   ") == [
        "│ text of the chunk",
        "» read before the text, never evidence",
        "? question that it answers (doc2query)",
    ]


@pytest.mark.parametrize(
    ("text", "size", "broken"),
    [
        ("Open the valve.", 6, "✂ cut inside a word"),
        ("| part | price |\n| --- | --- |\n| pump | 12 |\n", 7, "✂ cut inside a table row"),
        ("Open. Wait.", 5, ""),
        ("Open it now", 7, ""),
    ],
)
def test_a_chunk_that_ends_inside_a_word_or_a_row_is_marked(text: str, size: int, broken: str) -> None:
    where = document(text=text)
    lines = shown(*listing(Cut(where, Fixed(size).chunk(where)))).splitlines()
    assert [line.strip() for line in lines if "✂" in line][:1] == ([broken] if broken else [])


def test_what_no_chunk_holds_is_said_loudly_with_its_place_and_words() -> None:
    lost = cut(piece(0, 21))
    assert lost.gaps == (Span("a.md", 21, 37),)
    assert " ✗ LOST: 12 characters in no chunk, lines 1-2, 21–37\n │ Then close it." in shown(*listing(lost))
    assert "✗ LOST: 12 characters are in no chunk" in shown(summary([lost], (), ()))


def test_blanks_between_chunks_are_no_gap() -> None:
    assert cut(piece(0, 15), piece(16, 21), piece(22, 36)).gaps == ()


def test_gaps_are_what_a_set_of_covered_characters_leaves() -> None:
    chunks = (piece(3, 9), piece(5, 7), piece(16, 24))
    covered = {place for chunk in chunks for place in range(chunk.span.start, chunk.span.end)}
    expected = [letter for place, letter in enumerate(TEXT) if place not in covered and not letter.isspace()]
    found = cut(*chunks)
    assert [letter for gap in found.gaps for letter in TEXT[gap.start : gap.end] if not letter.isspace()] == expected
    assert sum(written(found.document, gap) for gap in found.gaps) == len(expected)


def test_a_mark_stands_before_every_line_that_the_terminal_breaks() -> None:
    where = document(text=("valve " * 30).strip())
    lines = shown(*listing(cut(piece(0, 179, where), where=where)), width=60).splitlines()[4:]
    assert len(lines) > 2
    assert all(line.startswith(" │ valve") for line in lines)
    assert sum(line.count("valve") for line in lines) == 30


def test_nothing_of_a_long_document_is_left_out() -> None:
    where = document(text="\n\n".join(f"Step {number} follows." for number in range(2_000)))
    text = shown(*listing(Cut(where, Recursive(64, 0.0).chunk(where))))
    assert all(f"│ Step {number} follows." in text for number in range(2_000))


def test_what_a_document_says_beyond_what_is_known_stands_in_its_header() -> None:
    where = Document("a.md", TEXT, tenant="acme", metadata={"reigon": "eu", "pages": 3, "for": ["x", "é"]})
    lines = shown(*listing(cut(piece(0, 36, where), where=where))).splitlines()
    assert lines[2:4] == ["  tenant acme", '  also says: reigon: eu · pages: 3 · for: ["x", "é"]']


HOSTILE = "\x1b[31mred\x1b[0m \x1b]0;title\x07 [bold]not markup[/bold] \u202eover \x9b1m"


def test_what_a_terminal_would_obey_is_taken_out_wherever_a_document_can_put_it() -> None:
    where = Document("a\x1b[2J.md", HOSTILE, title=HOSTILE, author=HOSTILE, copies=(HOSTILE,), metadata={HOSTILE: HOSTILE})
    chunk = piece(0, len(HOSTILE), where, title=HOSTILE, preface=HOSTILE, questions=(HOSTILE,))
    child = piece(0, 5, where, parent=chunk.chunk_id, search_text=HOSTILE, kind="summary")
    whole = Cut(where, (chunk, child))
    dropped = Dropped(HOSTILE, 3, 1, where.doc_id)
    text = shown(*listing(whole, [dropped]), legend([whole]), summary([whole], [dropped], [where]))
    assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(text)
    assert text.count("[bold]not markup[/bold]") >= 6


def test_colour_is_for_terminals_only() -> None:
    parts = list(listing(cut(piece(0, 36, kind="table"))))
    assert "\x1b[" in shown(*parts, colour=True)
    assert "\x1b[" not in shown(*parts)


def test_the_summary_counts_what_was_cut_and_what_was_left_out() -> None:
    parent = piece(0, 21)
    chunks = (parent, piece(0, 15, kind="summary", parent=parent.chunk_id), piece(16, 36, kind="table", questions=("a?", "b?")))
    dropped = [Dropped("front matter", 40, 1, "a.md"), Dropped("<nav>", 0, 9, "a.md"), Dropped("front matter", 2, 1, "b.md")]
    assert (
        shown(summary([cut(*chunks)], dropped, [document("old.md")]))
        == f"""\
━━ All
Documents    1
Chunks       2 (1 prose, 1 table)
Lead to them 1 (1 summary)
Questions    2
In the index 3 chunks
Tokens       6 / 6 / 6: shortest, median, longest chunk
Over {WINDOW}     0 chunks as read (bge_small reads {WINDOW} word pieces at once)
Repeated     12.2% of the characters stand in an earlier chunk too
Copy         old.md is not searched
Left out     front matter (2×, 42 characters)
Left out     <nav> (1×)
✓ every character that is not blank is in a chunk"""
    )


def test_a_document_without_a_chunk_is_wholly_lost() -> None:
    text = shown(*listing(cut()), summary([cut()], (), ()))
    assert "✗ LOST: 30 characters in no chunk" in text
    assert "Chunks       0" in text


def test_that_cleaning_left_out_nothing_is_said_too() -> None:
    assert "Left out     nothing, by cleaning" in shown(summary([cut(piece(0, 36))], (), ()))


def test_a_document_names_what_was_left_out_of_it() -> None:
    text = shown(*listing(cut(piece(0, 36)), [Dropped("front matter", 1, 1), Dropped("hidden slide 3", 0)]))
    assert " ✗ left out by cleaning: front matter, 1 character, line 1; hidden slide 3" in text


@pytest.mark.parametrize(("words", "beyond"), [(WINDOW - 1, 0), (WINDOW, 1)])
def test_a_chunk_longer_than_the_models_window_with_its_heading_is_counted(words: int, beyond: int) -> None:
    where = document(text="a " * words)
    found = cut(piece(0, 2 * words, where, title="Valve"), where=where)
    assert totals([found]).beyond == beyond
    assert (f"over {WINDOW}" in shown(*listing(found))) == bool(beyond)


def test_a_row_holds_what_the_chunk_has_and_nothing_empty() -> None:
    plain = as_row(piece(16, 36, section_path=("Care",)))
    assert plain == {
        "id": piece(16, 36).chunk_id,
        "doc": "a.md",
        "start": 16,
        "end": 36,
        "kind": "prose",
        "section_path": ["Care"],
        "place": "lines 1-2",
        "tokens": 6,
        "text": "Wait.\nThen close it.",
    }
    full = as_row(piece(0, 15, parent="p", preface="x", search_text="s", questions=("q?",)))
    assert {name: full[name] for name in full.keys() - plain.keys()} == {
        "parent": "p",
        "preface": "x",
        "search_text": "s",
        "questions": ["q?"],
    }
