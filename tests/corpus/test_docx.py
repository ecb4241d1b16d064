"""Text of DOCX files."""

import random
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from docx import Document

from harness.corpus import cleaned, docx_styles, office
from harness.corpus.cleaned import Dropped
from harness.corpus.docx import extract
from harness.corpus.loader import load_corpus, load_file
from tests.corpus.office import saved, with_parts, words

BODY = "word/document.xml"


def text(*blocks: str) -> str:
    return extract(words(*blocks)).text


def table(*rows: list[str]) -> Any:
    document = Document()
    drawn = document.add_table(len(rows), len(rows[0]))
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            drawn.cell(number, place).text = cell
    return document


@pytest.mark.parametrize(
    ("blocks", "read"),
    [
        (["Normal: Alpha.", "Normal: Beta."], "Alpha.\n\nBeta.\n"),
        (["Title: Pump", "Heading 1: Care", "Heading 3: Filter"], "# Pump\n\n# Care\n\n### Filter\n"),
        (["Heading 9: Deep"], "###### Deep\n"),
        (["Heading 1: Two\nlines"], "# Two lines\n"),
        (["Normal: One\n two\tthree "], "One\ntwo\tthree\n"),
        (["Normal: ", "Normal: Alpha."], "Alpha.\n"),
        (["List Bullet: a", "List Bullet: b", "Normal: c"], "- a\n- b\n\nc\n"),
        (["List Bullet: a", "List Bullet 2: b", "List Bullet: c"], "- a\n  - b\n- c\n"),
        (["List Number: a", "List Number: b"], "1. a\n2. b\n"),
        (["List Number: a", "List Number 2: b", "List Number: c"], "1. a\n   1. b\n2. c\n"),
        (["List Number: a", "Normal: x", "List Number: b"], "1. a\n\nx\n\n2. b\n"),
    ],
    ids=[
        "paragraphs",
        "headings",
        "depth",
        "broken heading",
        "breaks",
        "blank",
        "bullets",
        "nested",
        "numbers",
        "mixed",
        "goes on",
    ],
)
def test_blocks_become_markdown(blocks: list[str], read: str) -> None:
    assert text(*blocks) == read


@pytest.mark.parametrize(
    ("xml", "read"),
    [
        ("<w:p><w:r><w:t>a</w:t></w:r><w:ins><w:r><w:t>b</w:t></w:r></w:ins></w:p>", "ab"),
        ("<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del></w:p>", "a"),
        ("<w:p><w:hyperlink><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>", "a link"),
        ("<w:p><w:r><w:t>FH</w:t><w:noBreakHyphen/><w:t>44</w:t></w:r></w:p>", "FH-44"),
        ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>", "seen"),
        ("<w:p><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>seen</w:t></w:r></w:p>", "seen"),
        ("<w:sdt><w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent></w:sdt>", "in a control"),
        ("<w:p><w:pPr><w:outlineLvl w:val='1'/></w:pPr><w:r><w:t>Own level</w:t></w:r></w:p>", "## Own level"),
        ("<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>7</w:t></w:r></w:p>", "7"),
        (
            "<w:p><w:r><w:t>out</w:t></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>"
            "</w:pict></w:r></w:p>",
            "out\n\nboxed",
        ),
    ],
    ids=["inserted", "deleted", "link", "hyphen", "hidden", "shown", "control", "outline", "field", "box"],
)  # fmt: skip
def test_a_paragraph_reads_as_a_person_sees_it(xml: str, read: str) -> None:
    assert text(xml) == f"{read}\n"


def test_a_table_is_a_pipe_table_where_it_stands() -> None:
    document = table(["Item", "Euro"], ["A|B\nfilter", "19"])
    document.add_paragraph("After.")
    assert extract(saved(document)).text == "| Item | Euro |\n| --- | --- |\n| A\\|B filter | 19 |\n\nAfter.\n"


def test_a_merged_cell_is_written_once_and_keeps_the_columns() -> None:
    document = table(["a", "b"], ["c", "d"])
    drawn = document.tables[0]
    drawn.cell(0, 1).text = ""
    drawn.cell(0, 0).merge(drawn.cell(0, 1))
    assert extract(saved(document)).text == "| a |  |\n| --- | --- |\n| c | d |\n"


def test_a_table_in_a_cell_is_part_of_the_cell() -> None:
    document = table(["outer"])
    document.tables[0].cell(0, 0).add_table(1, 1).cell(0, 0).text = "inner"
    assert extract(saved(document)).text == "| outer inner |\n| --- |\n"


def test_the_file_says_title_author_and_date_of_itself() -> None:
    data = words("Normal: a", title="Pump\x09manual", author="Ann Bee", modified=datetime(2025, 3, 1, 12))
    assert extract(data).fields == {"title": "Pump manual", "author": "Ann Bee", "updated_at": "2025-03-01"}


def test_without_a_title_the_first_heading_is_one() -> None:
    assert extract(words("Normal: x", "Heading 2: Care")).fields["title"] == "Care"


def test_metadata_yaml_goes_before_what_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(words("Normal: a", title="Old", author="Ann"))
    (tmp_path / "metadata.yaml").write_text("a.docx: {title: New}")
    (document,) = load_corpus(tmp_path)
    assert (document.title, document.author) == ("New", "Ann")


def test_what_is_left_out_is_told() -> None:
    document = Document()
    document.add_paragraph("seen ").add_run("hidden").font.hidden = True
    document.sections[0].header.paragraphs[0].text = "Confidential"
    assert extract(saved(document)).dropped == (Dropped("header", 12), Dropped("hidden text", 6))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cannot be read as DOCX"),
        (b"%PDF-1.4", "cannot be read as DOCX"),
        (words("Normal: a")[:3000], "cannot be read as DOCX"),
        (saved(__import__("pptx").Presentation()), "cannot be read as DOCX"),
        (with_parts(words("Normal: a"), {BODY: b"<w:document"}), "cannot be read as DOCX"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "is encrypted, or an old .doc"),
        (words(), "holds no text"),
        (with_parts(words("Normal: a"), {BODY: b"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"}), "declares entities"),
    ],
    ids=["empty", "a PDF", "cut off", "a deck", "broken XML", "encrypted", "no text", "entities"],
)
def test_what_cannot_be_read_is_said_in_words(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        extract(data)


@pytest.mark.parametrize(
    ("module", "limit", "says"),
    [
        (office, "MAX_UNPACKED", "unpacks to more than 1,000"),
        (office, "MAX_PART", "limit for XML 1,000"),
        (office, "MAX_PARTS", "more than 1,000 bytes"),
        (office, "MAX_MARKS", "or 1,000 tags"),
        (cleaned, "MAX_TEXT", "text of more than 1,000 characters"),
    ],
)
def test_a_file_beyond_a_limit_is_refused(monkeypatch: pytest.MonkeyPatch, module: Any, limit: str, says: str) -> None:
    data = words(f"Normal: {'x' * 2000}")
    monkeypatch.setattr(module, limit, 1000)
    with pytest.raises(ValueError, match=says):
        extract(data)


def test_a_picture_elsewhere_is_not_fetched() -> None:
    relation = (
        b'<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" '
        b'Target="http://127.0.0.1:9/x.png" TargetMode="External"/></Relationships>'
    )
    data = words("Normal: Alpha.")
    name = "word/_rels/document.xml.rels"
    with ZipFile(BytesIO(data)) as packed:
        changed = packed.read(name).replace(b"</Relationships>", relation)
    assert extract(with_parts(data, {name: changed})).text == "Alpha.\n"


def test_damage_anywhere_is_read_around_or_said_in_words() -> None:
    chance, sound, refused = random.Random(7), words("Heading 1: a", "List Bullet: b"), 0
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 30)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            extract(bytes(data))
        except ValueError:
            refused += 1
    assert 10 < refused <= 60


def test_the_same_bytes_give_the_same_document(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(words("Heading 1: Care", "List Number: a", "List Number: b"))
    assert load_file(tmp_path / "a.docx") == load_file(tmp_path / "a.docx")


def test_tables_of_too_many_cells_are_refused() -> None:
    cell = "<w:tc><w:tcPr><w:gridSpan w:val='{}'/></w:tcPr><w:p/></w:tc>"
    assert text("Normal: a", f"<w:tbl><w:tr>{cell.format(9)}</w:tr></w:tbl>") == "a\n"
    with pytest.raises(ValueError, match="tables and charts of more than 1,000,000 cells"):
        text("Normal: a", f"<w:tbl><w:tr>{cell.format(999_999_999)}</w:tr></w:tbl>")


def test_a_header_that_many_sections_name_is_counted_once() -> None:
    document = Document()
    document.add_paragraph("a")
    document.sections[0].header.paragraphs[0].text = "Fernhill"
    data, name = saved(document), "word/_rels/document.xml.rels"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/header"
    more = "".join(f'<Relationship Id="z{number}" Type="{kind}" Target="header1.xml"/>' for number in range(300))
    with ZipFile(BytesIO(data)) as packed:
        changed = packed.read(name).replace(b"</Relationships>", f"{more}</Relationships>".encode())
    assert Dropped("header", 8) in extract(with_parts(data, {name: changed})).dropped


def test_the_levels_of_a_numbering_are_read_once_for_all_lists_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    read, levels = list[Any](), docx_styles._levels

    def counted(kind: Any) -> Any:
        read.append(kind)
        return levels(kind)

    monkeypatch.setattr(docx_styles, "_levels", counted)
    data, name = words("List Number: a", "List Number: b"), "word/numbering.xml"
    with ZipFile(BytesIO(data)) as packed:
        numbering = packed.read(name)
    kinds = numbering.count(b"<w:abstractNum ")
    more = b"".join(b'<w:num w:numId="%d"><w:abstractNumId w:val="0"/></w:num>' % number for number in range(100, 400))
    assert (
        extract(with_parts(data, {name: numbering.replace(b"</w:numbering>", more + b"</w:numbering>")})).text == "1. a\n2. b\n"
    )
    assert len(read) == kinds
