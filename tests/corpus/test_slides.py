"""Text of PPTX decks."""

import random
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from pptx import Presentation
from pptx.util import Inches

from harness.corpus import slides
from harness.corpus.loader import load_corpus
from harness.corpus.slides import extract
from harness.errors import CorpusError

BOX = (Inches(1), Inches(1), Inches(4), Inches(1))
TITLE_AND_TEXT, TITLE_ONLY, BLANK = 1, 5, 6


def deck() -> Any:
    return Presentation()


def add(presentation: Any, layout: int = TITLE_ONLY, title: str = "") -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def saved(presentation: Any) -> bytes:
    out = BytesIO()
    presentation.save(out)
    return out.getvalue()


def table(slide: Any, rows: list[list[str]]) -> None:
    cells = slide.shapes.add_table(len(rows), len(rows[0]), *BOX).table
    for number, row in enumerate(rows):
        for place, text in enumerate(row):
            cells.cell(number, place).text = text


def test_each_slide_is_a_section_in_the_order_of_the_deck() -> None:
    presentation = deck()
    add(presentation, title="Care")
    add(presentation, title="Prices")
    assert extract(saved(presentation)) == "## Care\n\n## Prices\n"


def test_paragraphs_are_a_list_by_their_levels() -> None:
    presentation = deck()
    frame = add(presentation, TITLE_AND_TEXT, "Care").placeholders[1].text_frame
    frame.text = "Filter"
    for text, level in (("Lasts 6\vmonths", 1), ("", 0), ("Probe", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    assert extract(saved(presentation)) == "## Care\n\n- Filter\n  - Lasts 6 months\n- Probe\n"


def test_a_table_is_a_markdown_table() -> None:
    presentation = deck()
    table(add(presentation, title="Prices"), [["Item", "Euro"], ["A|B\nfilter", "19"]])
    assert extract(saved(presentation)) == "## Prices\n\n| Item | Euro |\n| --- | --- |\n| A\\|B filter | 19 |\n"


def test_a_table_of_empty_cells_says_nothing() -> None:
    presentation = deck()
    table(add(presentation, title="Prices"), [["", ""]])
    assert extract(saved(presentation)) == "## Prices\n"


def test_speaker_notes_follow_the_slide() -> None:
    presentation = deck()
    add(presentation, title="Care").notes_slide.notes_text_frame.text = "Tell them of the filter."
    assert extract(saved(presentation)) == "## Care\n\n- Tell them of the filter.\n"


@pytest.mark.parametrize("layout", [TITLE_ONLY, BLANK], ids=["an empty title", "no title"])
def test_a_slide_without_a_title_is_called_by_its_number(layout: int) -> None:
    presentation = deck()
    add(presentation, title="Care")
    add(presentation, layout).shapes.add_textbox(*BOX).text_frame.text = "Loose"
    assert extract(saved(presentation)) == "## Care\n\n## Slide 2\n\n- Loose\n"


def test_text_inside_groups_is_read() -> None:
    presentation = deck()
    outer = add(presentation, title="Care").shapes.add_group_shape()
    outer.shapes.add_textbox(*BOX).text_frame.text = "Outer"
    outer.shapes.add_group_shape().shapes.add_textbox(*BOX).text_frame.text = "Inner"
    assert extract(saved(presentation)) == "## Care\n\n- Outer\n\n- Inner\n"


def without_text() -> bytes:
    presentation = deck()
    add(presentation, BLANK)
    return saved(presentation)


def without_slides() -> bytes:
    return saved(deck())


def another_zip() -> bytes:
    out = BytesIO()
    with ZipFile(out, "w") as packed:
        packed.writestr("a.txt", "x")
    return out.getvalue()


def whole() -> bytes:
    presentation = deck()
    table(add(presentation, title="Prices"), [["Item", "Euro"]])
    return saved(presentation)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cannot be read as PPTX"),
        (b"%PDF-1.4", "cannot be read as PPTX"),
        (another_zip(), "cannot be read as PPTX"),
        (whole()[:5000], "cannot be read as PPTX"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "is encrypted, or an old .ppt"),
        (without_text(), "holds no text"),
        (without_slides(), "holds no text"),
    ],
    ids=["empty", "a PDF", "another zip", "cut off", "encrypted", "pictures only", "no slides"],
)
def test_what_cannot_be_read_is_said_in_words(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        extract(data)


def repacked(change: dict[str, bytes]) -> bytes:
    """A whole deck with some of its members changed."""
    out = BytesIO()
    with ZipFile(BytesIO(whole())) as was, ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for name in was.namelist():
            packed.writestr(name, change.get(name, was.read(name)))
    return out.getvalue()


def test_broken_xml_inside_is_said_in_words() -> None:
    with pytest.raises(ValueError, match="cannot be read as PPTX"):
        extract(repacked({"ppt/slides/slide1.xml": b"<p:sld"}))


def test_a_deck_that_unpacks_to_too_much_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slides, "MAX_UNPACKED", 2_000_000)
    with pytest.raises(ValueError, match="unpacks to more than 2,000,000 bytes"):
        extract(repacked({"docProps/thumbnail.jpeg": b"\0" * 3_000_000}))


def test_damage_anywhere_is_read_around_or_said_in_words() -> None:
    chance, sound, refused = random.Random(7), whole(), 0
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 30)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            extract(bytes(data))
        except ValueError:
            refused += 1
    assert 10 < refused <= 60


def test_a_deck_is_a_document_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "talk.pptx").write_bytes(whole())
    (document,) = load_corpus(tmp_path)
    assert (document.doc_id, document.title, document.text[:9]) == ("talk.pptx", "talk", "## Prices")
    (tmp_path / "broken.pptx").write_bytes(b"PK")
    with pytest.raises(CorpusError) as caught:
        load_corpus(tmp_path)
    assert [f"{problem.code} {problem.where}" for problem in caught.value.problems] == ["C010 broken.pptx"]
