"""Text of PPTX decks."""

import random
import time
from copy import deepcopy
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from harness.corpus import cleaned, office
from harness.corpus.cleaned import Dropped
from harness.corpus.loader import load_corpus
from harness.corpus.slides import extract as read
from harness.errors import CorpusError

BOX = (Inches(1), Inches(1), Inches(4), Inches(1))
TITLE_AND_TEXT, TITLE_ONLY, BLANK = 1, 5, 6


def extract(data: bytes) -> str:
    return read(data).text


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


def chart(slide: Any, data: Any, kind: Any = XL_CHART_TYPE.COLUMN_CLUSTERED) -> Any:
    return slide.shapes.add_chart(kind, *BOX, data).chart


def categories(names: list[str], **series: list[float | None]) -> CategoryChartData:
    data = CategoryChartData()
    data.categories = names
    for name, values in series.items():
        data.add_series(name, values)
    return data


def test_a_chart_is_a_table_of_its_series() -> None:
    presentation = deck()
    drawn = chart(add(presentation, title="Sales"), categories(["North", "South|West"], Lamps=[3, 4.5], Probes=[None, 7]))
    drawn.has_title = True
    drawn.chart_title.text_frame.text = "Sold in\n2025"
    assert extract(saved(presentation)) == (
        "## Sales\n\n- Sold in 2025\n\n|  | Lamps | Probes |\n| --- | --- | --- |\n| North | 3 |  |\n| South\\|West | 4.5 | 7 |\n"
    )


def test_a_pie_inside_a_group_is_read_too() -> None:
    presentation = deck()
    slide = add(presentation, title="Share")
    frame = slide.shapes.add_chart(XL_CHART_TYPE.PIE, *BOX, categories(["Uptime 99.2 %"], Battery=[3]))
    slide.shapes.add_group_shape().shapes._spTree.append(frame._element)
    assert extract(saved(presentation)) == "## Share\n\n|  | Battery |\n| --- | --- |\n| Uptime 99.2 % | 3 |\n"


def test_levels_of_categories_are_joined() -> None:
    data = CategoryChartData()
    for year in ("2024", "2025"):
        place = data.add_category(year)
        for half in ("H1", "H2"):
            place.add_sub_category(half)
    data.add_series("Sold", [1, 2, 3, 4])
    presentation = deck()
    chart(add(presentation, title="Sales"), data)
    lines = extract(saved(presentation)).splitlines()
    assert lines[4:] == ["| 2024 H1 | 1 |", "| 2024 H2 | 2 |", "| 2025 H1 | 3 |", "| 2025 H2 | 4 |"]


def test_points_of_each_series_stand_with_their_own_x() -> None:
    data = BubbleChartData()
    for name, points in (("Dry", [(1, 10, 5), (2, 20, 6)]), ("Wet", [(7, 70, 8)])):
        series = data.add_series(name)
        for point in points:
            series.add_data_point(*point)
    presentation = deck()
    chart(add(presentation, title="Soil"), data, XL_CHART_TYPE.BUBBLE)
    assert extract(saved(presentation)) == (
        "## Soil\n\n|  | Dry | Dry |\n| --- | --- | --- |\n| 1 | 10 | 5 |\n| 2 | 20 | 6 |\n\n"
        "|  | Wet | Wet |\n| --- | --- | --- |\n| 7 | 70 | 8 |\n"
    )


@pytest.mark.parametrize("mark", ["0", "false"])
def test_a_hidden_slide_is_left_out_and_the_others_keep_their_numbers(mark: str) -> None:
    presentation = deck()
    add(presentation, title="Hidden").element.set("show", mark)
    add(presentation, BLANK).shapes.add_textbox(*BOX).text_frame.text = "Shown"
    assert extract(saved(presentation)) == "## Slide 2\n\n- Shown\n"


def test_what_a_slide_hides_is_told() -> None:
    presentation = deck()
    hidden = add(presentation, TITLE_AND_TEXT, title="Hidden")
    hidden.placeholders[1].text_frame.text = "words"
    hidden.element.set("show", "0")
    add(presentation, title="Shown")
    assert read(saved(presentation)).dropped == (Dropped("hidden slide 1", 13),)


def test_a_deck_says_author_and_date_of_itself() -> None:
    presentation = deck()
    add(presentation, title="Care")
    presentation.core_properties.author = " Ann  Bee"
    presentation.core_properties.modified = datetime(2025, 3, 1, 12)
    presentation.core_properties.title = "PowerPoint Presentation"
    assert read(saved(presentation)).fields == {"author": "Ann Bee", "updated_at": "2025-03-01"}


def test_a_deck_of_hidden_slides_holds_no_text() -> None:
    presentation = deck()
    add(presentation, title="Hidden").element.set("show", "0")
    with pytest.raises(ValueError, match="holds no text"):
        extract(saved(presentation))


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
    """A whole deck with some of its members changed, new ones last."""
    out = BytesIO()
    with ZipFile(BytesIO(whole())) as was, ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for name in was.namelist():
            packed.writestr(name, change.get(name, was.read(name)))
        for name in change.keys() - was.namelist():
            packed.writestr(name, change[name])
    return out.getvalue()


def test_broken_xml_inside_is_said_in_words() -> None:
    with pytest.raises(ValueError, match="cannot be read as PPTX"):
        extract(repacked({"ppt/slides/slide1.xml": b"<p:sld"}))


def test_a_deck_that_unpacks_to_too_much_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_UNPACKED", 2_000_000)
    with pytest.raises(ValueError, match="unpacks to more than 2,000,000 bytes"):
        extract(repacked({"docProps/thumbnail.jpeg": b"\0" * 3_000_000}))


SLIDE = "ppt/slides/slide1.xml"


def grown(more: bytes, name: str = SLIDE, renamed: str = SLIDE, encoding: str = "utf-8") -> bytes:
    """A whole deck with `more` inside its slide, which may be given another name and encoding."""
    out = BytesIO()
    with ZipFile(BytesIO(whole())) as was, ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for member in was.namelist():
            data = was.read(member)
            if member == name:
                text = data.replace(b"</p:spTree>", more + b"</p:spTree>").decode()
                data = text[text.index("<p:sld") :].encode(encoding)
            packed.writestr(member.replace(SLIDE, renamed), data.replace(Path(SLIDE).name.encode(), Path(renamed).name.encode()))
    return out.getvalue()


ENTITIES = b"<!DOCTYPE a [<!ENTITY x '" + b"x" * 1000 + b"'>]><p:sld xmlns:p='p'>" + b"&x;" * 1000 + b"</p:sld>"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (grown(b"<a:x/>" * 10_000_000), r"'ppt/slides/slide1.xml' of 60,\d{3},\d{3} bytes \(limit for XML 20,000,000\)"),
        (grown(b"<a:x/>" * 3_200_000), "more than 60,000,000 bytes or 3,000,000 tags"),
        (grown(b"<a:x/>" * 10_000_000, renamed="ppt/slides/slide1.png"), "limit for XML"),
        (grown(b"<a:x/>" * 3_200_000, renamed="ppt/slides/slide1.jpeg", encoding="utf-16"), "limit for XML"),
        (grown(b"<a:x/>" * 1_600_000, renamed="ppt/slides/slide1.jpeg", encoding="utf-16"), ""),
        (repacked({SLIDE: ENTITIES}), "declares entities in 'ppt/slides/slide1.xml'"),
        (repacked({SLIDE: ENTITIES.decode().encode("utf-16")}), "declares entities"),
    ],
    ids=["part", "tags", "named as a picture", "as a picture, UTF-16", "within the limits", "entities", "entities, UTF-16"],
)
def test_a_small_deck_that_would_take_all_memory_is_refused_unread(data: bytes, says: str) -> None:
    assert len(data) < 1_000_000
    started = time.process_time()
    if says:
        with pytest.raises(ValueError, match=says):
            extract(data)
    else:
        assert "| Item | Euro |" in extract(data)
    assert time.process_time() - started < 15


def test_parts_that_are_too_much_together_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 60,000,000 bytes"):
        extract(repacked({f"ppt/other{number}.xml": b"<a>" + b" " * 18_000_000 + b"</a>" for number in range(4)}))


def test_pictures_may_be_larger_than_text() -> None:
    assert "Item" in extract(repacked({"ppt/media/film.mp4": b"\0\0\0\x18ftyp" + b"x" * 70_000_000}))


def test_a_slide_that_is_named_twice_is_refused() -> None:
    presentation = deck()
    add(presentation, title="Care")
    (first,) = presentation.slides._sldIdLst
    presentation.slides._sldIdLst.append(deepcopy(first))
    with pytest.raises(ValueError, match="names a slide twice"):
        extract(saved(presentation))


def test_a_chart_that_says_it_has_endless_points_is_read_by_those_it_has() -> None:
    presentation = deck()
    drawn = chart(add(presentation, title="Sales"), categories(["North"], Lamps=[3]))
    for count in drawn.element.xpath(".//c:ptCount"):
        count.set("val", "4000000000")
    assert "| North | 3 |" in extract(saved(presentation))


def test_a_chart_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_CELLS", 100)
    presentation = deck()
    chart(add(presentation, title="S"), categories(list("abcdefghijklmnopqrst"), **{f"s{n}": [n] * 20 for n in range(20)}))
    with pytest.raises(ValueError, match="charts of more than 100 cells"):
        extract(saved(presentation))


def test_the_cells_of_all_tables_and_charts_of_a_deck_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    presentation = deck()
    for _ in range(3):
        table(add(presentation), [["a", "b"], ["c", "d"]])
    chart(add(presentation), categories(["North"], Lamps=[3]))  # 2 cells, the one over it and the name of the series
    monkeypatch.setattr(office, "MAX_CELLS", 14)
    assert "| North | 3 |" in extract(saved(presentation))
    monkeypatch.setattr(office, "MAX_CELLS", 13)
    with pytest.raises(ValueError, match="more than 13 cells"):
        extract(saved(presentation))


def test_an_outer_category_is_not_said_again_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = CategoryChartData()
    outer = data.add_category("x" * 200)
    for inner in "abc":
        outer.add_sub_category(inner)
    data.add_series("Lamps", [1, 2, 3])
    presentation = deck()
    chart(add(presentation), data)
    assert extract(saved(presentation)).count("x" * 200) == 3
    monkeypatch.setattr(cleaned, "MAX_TEXT", 500)
    with pytest.raises(ValueError, match="text of more than 500 characters"):
        extract(saved(presentation))


@pytest.mark.parametrize("encoding", ["utf-7", "cp037", "iso-8859-1", "utf-32"])
def test_another_encoding_than_unicode_in_one_or_two_bytes_is_refused(encoding: str) -> None:
    page = f"<?xml version='1.0' encoding='{encoding}'?><!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
    written = page.replace("!DOCTYPE", "+ACE-DOCTYPE").encode() if encoding == "utf-7" else page.encode(encoding)
    for name in (SLIDE, "ppt/media/image1.png"):
        with pytest.raises(ValueError, match=f"{name!r} in another encoding"):
            extract(repacked({name: written}))


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-8", "utf-16"])
def test_a_slide_may_say_that_it_is_unicode(encoding: str) -> None:
    with ZipFile(BytesIO(whole())) as packed:
        slide = packed.read(SLIDE).decode()
    page = f"<?xml version='1.0' encoding='{encoding}' standalone='yes'?>{slide[slide.index('<p:sld') :]}"
    assert "| Item | Euro |" in extract(repacked({SLIDE: page.encode(encoding)}))


def test_a_text_of_any_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaned, "MAX_TEXT", 100)
    presentation = deck()
    for number in range(3):
        add(presentation, title=str(number)).shapes.add_textbox(*BOX).text_frame.text = "x" * 40
    with pytest.raises(ValueError, match="text of more than 100 characters"):
        extract(saved(presentation))


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
