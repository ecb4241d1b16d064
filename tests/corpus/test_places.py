"""From a place in the cleaned text back to the original: whatever the format, the place named holds the word."""

import json
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pypdf import PdfReader

from harness.corpus.html import clean as clean_html
from harness.corpus.loader import load_file
from harness.types import Document
from tests.corpus.office import saved, words
from tests.corpus.test_pdf import pdf

_WORD = re.compile(r"w\d+x")


def load(folder: Path, name: str, data: str | bytes) -> Document:
    """One document of a file that holds words such as w1x, each once."""
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    loaded = load_file(folder / name)
    assert not loaded.problems
    (document,) = loaded.documents
    return document


def numbers(document: Document) -> dict[str, int]:
    """The place of each word, which is one line, page, ..."""
    found = {}
    for word in _WORD.finditer(document.text):
        unit, number = document.place(*word.span()).split()
        assert unit == document.unit
        found[word[0]] = int(number)
    assert found
    return found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# w1x\n\nw2x\nw3x\n"),
        ("a.md", "---\ntitle: T\nauthor: A\n---\nw1x\n\n- w2x\n"),
        ("a.md", "---\r\ntitle: T\r\n---\r\nw1x\r\nw2x"),
        ("a.txt", "\ufeffw1x\rw2x\n\n\nw3x"),
        ("a.rst", "T\n=\n:Author: A\n\nw1x\nw2x\n"),
        ("a.py", "import os\n\n\ndef w1x():\n    return w2x\n"),
        ("a.csv", "a,b\nw1x,1\nw2x,2\n"),
        ("a.json", '{"a":\n "w1x",\n "b": "w2x"}\n'),
        ("a.jsonl", '{"a": "w1x"}\n\n{"a": "w2x"}\n'),
        ("a.yaml", "a: w1x\nb:\n  - w2x\n"),
    ],
)
def test_text_names_its_line(tmp_path: Path, name: str, text: str) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    for word, number in numbers(load(tmp_path, name, text)).items():
        assert word in lines[number - 1]


PAGE = """<html><head>
<title>T</title>
</head><body>
<nav>
 gone
</nav>
<h1
 class="x">w1x
w2x</h1>
<p>w3x <b>w4x</b><br>w5x<!-- a
comment -->w6x
 w7x</p><ul><li>w8x
<ul><li>w9x</li></ul></li></ul>
<table><caption>w10x
w11x</caption>
<tr><th>w12x</th>
<th>w13x
 w14x</th></tr>
<tr><td><p>w15x</p>
<p>w16x</p></td></tr></table>
<pre>
w17x
w18x</pre>w19x</body></html>
"""


def test_a_page_names_the_line_of_its_source(tmp_path: Path) -> None:
    found = numbers(load(tmp_path, "a.html", PAGE))
    assert len(found) == 19
    assert {word: number for word, number in found.items() if word not in PAGE.split("\n")[number - 1]} == {}


_PIECES = ["<p>", "</p>", "<div\n id=x>", "</div>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</table>", "<br>", "<pre>",
           "</pre>", "<h2>", "</h2>", "<nav>", "</nav>", "<!--\n-->", "&amp;", "e\u0301", "\n", "  ", "<b>", "</b>", "<script>\n</script>"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*_PIECES, "WORD", "WORD\n", " WORD"]), max_size=40))
def test_any_markup_names_the_line_of_its_source(pieces: list[str]) -> None:
    raw = "".join(piece.replace("WORD", f"w{number}x") for number, piece in enumerate(pieces))
    cleaned = clean_html(raw)
    document = Document("a", cleaned.text, places=cleaned.places)
    for word in _WORD.finditer(cleaned.text):
        _, number = document.place(*word.span()).split()
        assert word[0] in raw.split("\n")[int(number) - 1]


def test_places_move_with_characters_that_normalising_joins(tmp_path: Path) -> None:
    document = load(tmp_path, "a.html", "<p>e&#769;e&#769;e&#769;</p>\n\n<p>w1x</p>\n<p>e&#769; w2x</p>\n")
    assert document.text == "\u00e9\u00e9\u00e9\n\nw1x\n\n\u00e9 w2x\n"
    assert numbers(document) == {"w1x": 3, "w2x": 4}


def test_a_pdf_names_its_page(tmp_path: Path) -> None:
    data = pdf(["w1x", "w2x."], [], ["w3x-", "y w4x."])
    document = load(tmp_path, "a.pdf", data)
    pages = [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    for word, number in numbers(document).items():
        assert word in pages[number - 1]
    assert document.place(0, len(document.text)) == "pages 1-3"


def test_a_deck_names_its_slide(tmp_path: Path) -> None:
    presentation = Presentation()
    for number in range(1, 5):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"w{number}x"
        slide.placeholders[1].text_frame.text = f"w{number + 10}x"
    presentation.slides[1].element.set("show", "0")
    found = numbers(load(tmp_path, "a.pptx", saved(presentation)))
    assert found == {"w1x": 1, "w11x": 1, "w3x": 3, "w13x": 3, "w4x": 4, "w14x": 4}


def test_a_word_file_names_its_paragraph(tmp_path: Path) -> None:
    document = docx.Document(BytesIO(words("Heading 1: w1x", "Normal: ", "List Bullet: w2x", "Normal: w3x\nw4x")))
    table = document.add_table(2, 2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"w{number + 10}x\nw{number + 20}x"
        cell.add_paragraph(f"w{number + 30}x")
    document.add_paragraph("w5x")
    data = saved(document)
    paragraphs: list[Any] = list(docx.Document(BytesIO(data)).element.body.iter(qn("w:p")))
    found = numbers(load(tmp_path, "a.docx", data))
    assert len(found) == 17
    for word, number in found.items():
        assert word in "".join(text.text for text in paragraphs[number - 1].iter(qn("w:t")))


def test_a_row_names_its_line(tmp_path: Path) -> None:
    rows = [json.dumps({"_id": f"d{number}", "text": f"w{number}x\nmore"}) for number in range(3)]
    (tmp_path / "a.jsonl").write_text("\n\n".join(rows))
    places = [document.place(0, len(document.text)) for document in load_file(tmp_path / "a.jsonl").documents]
    assert places == ["row 1", "row 3", "row 5"]
