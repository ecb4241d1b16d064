"""Text of PDF files."""

import random
import time
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from harness.corpus.cleaned import Dropped
from harness.corpus.loader import load_corpus
from harness.corpus.pdf import extract as read
from harness.errors import CorpusError


def extract(data: bytes) -> str:
    return read(data).text


def pdf(*pages: list[str]) -> bytes:
    """A minimal PDF: a page a list of lines in Helvetica; a page of no lines has no text."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
        stream = f"BT /F1 12 Tf 72 720 Td {shown} ET".encode("latin-1") if lines else b"0 0 m"
        kids.append(len(objects) + 1)
        content = len(objects) + 2
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
    return assembled(objects)


def assembled(objects: Sequence[bytes]) -> bytes:
    """A PDF of these objects, the first one its catalog."""
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return data + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()


def encrypted() -> bytes:
    writer = PdfWriter()
    writer.append(PdfReader(BytesIO(pdf(["Alpha"]))))
    writer.encrypt("secret", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def informed(**information: str) -> bytes:
    writer = PdfWriter()
    writer.append(PdfReader(BytesIO(pdf(["Alpha"]))))
    writer.add_metadata({f"/{name}": text for name, text in information.items()})
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


LINES = ["Care of the filter", "Hold the button of the gateway for ten", "seconds to reset it to its settings.", "Then wait."]
WHOLE = pdf(LINES, ["Never wash it."])


def test_pages_are_apart_by_a_blank_line() -> None:
    assert extract(pdf(["One."], ["Two."])) == "One.\n\nTwo.\n"


@pytest.mark.parametrize(
    ("information", "fields"),
    [
        ({"Author": "Ann  Bee", "ModDate": "D:20250301120000+01'00'"}, {"author": "Ann Bee", "updated_at": "2025-03-01"}),
        ({"Author": "\x00\x07", "ModDate": "yesterday"}, {}),
        ({"ModDate": "D:20251399"}, {}),
        ({"Title": "Microsoft Word - draft.doc"}, {}),
    ],
)
def test_a_file_says_author_and_date_of_itself(information: dict[str, str], fields: dict[str, str]) -> None:
    assert read(informed(**information)).fields == fields


def test_a_page_without_text_is_told() -> None:
    assert read(pdf(["One."], [], ["Two."])).dropped == (Dropped("page 2, which holds no text", 0),)


def test_a_long_line_that_ends_no_sentence_goes_on_in_the_next() -> None:
    assert extract(WHOLE) == (
        "Care of the filter\nHold the button of the gateway for ten seconds to reset it to its settings.\nThen wait.\n"
        "\nNever wash it.\n"
    )


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["The fil-", "ter.", "A filter."], "The filter.\nA filter.\n"),
        (["The fil-", "ter.", "Filter it."], "The filter.\nFilter it.\n"),
        (["A battery-", "powered probe."], "A battery-powered probe.\n"),
        (["A long-", "term test.", "It is longterm.", "Or long-term."], "A long-term test.\nIt is longterm.\nOr long-term.\n"),
        (["Order FH-", "4410."], "Order FH-4410.\n"),
        (["Ask Fern-", "Hill."], "Ask Fern-Hill.\n"),
        (["10 -", "20 V."], "10 -\n20 V.\n"),
    ],
    ids=["known", "known by another case", "unknown", "known in both forms", "part number", "name", "dash"],
)
def test_a_hyphen_at_a_lines_end_goes_only_if_the_document_has_the_word_without_it(lines: list[str], text: str) -> None:
    assert extract(pdf(lines)) == text


def test_the_word_may_stand_on_another_page() -> None:
    assert extract(pdf(["The fil-", "ter."], ["A filter."])) == "The filter.\n\nA filter.\n"


def test_a_word_of_any_length_before_the_hyphen_takes_no_time() -> None:
    started = time.process_time()
    assert len(extract(pdf(["x" * 200_000 + "-", "y."]))) == 200_004
    assert time.process_time() - started < 15


NUMBERS = [
    "AQ-110 Air sensor, indoor use 119.00 EUR 24 months",
    "AQ-210 Air sensor, outdoor use 189.00 EUR 36 months",
    "AQ-310 Air sensor, cold store 249.00 EUR 36 months",
]
WORDS = ["Dark with power on Lamp switched off in the settings", "Slow green blink Waiting for a device", "Red Broken"]
PROSE = ["We measured 2.6 km at spreading factor 10, and 7.5", "km from a hill with 3 trees, 240 m in the garage."]


def test_rows_of_a_table_stay_lines() -> None:
    assert extract(pdf(NUMBERS)) == "\n".join([*NUMBERS, ""])
    assert extract(pdf(WORDS[1:] + WORDS[:1])) == "\n".join([*WORDS[1:], WORDS[0], ""])


def test_prose_with_some_numbers_is_joined() -> None:
    assert extract(pdf(PROSE)) == " ".join(PROSE) + "\n"


def form(content: bytes, resources: bytes = b"<< >>") -> bytes:
    """A stream that pages draw with `/X Do`."""
    return packed(content, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources " + resources)


def packed(content: bytes, more: bytes = b"") -> bytes:
    data = zlib.compress(content, 9)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(data), more, data)


def drawn(content: bytes, kids: int = 1, contents: bytes = b"4 0 R", *objects: bytes) -> bytes:
    """A PDF of one page, named `kids` times, that draws `content`; further objects are 6, 7 and so on."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents %s /Resources %s >>" % (contents, RESOURCES)
    pages = b"<< /Type /Pages /Count 1 /Kids [%s] >>" % (b"3 0 R " * kids)
    return assembled([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, packed(content), FONT, *objects])


RESOURCES = b"<< /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >>"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
HELLO = b"BT /F1 12 Tf (hello) Tj ET\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (drawn(HELLO, 10_001), r"has 10,001 pages \(limit 10,000\)"),
        (drawn(HELLO, 200_000), "cannot be read as PDF"),
        (drawn(b"0 0 m\n" * 4_000_000), "draws more than 20,000,000 bytes"),
        (drawn(b" " * 200_000_000), "cannot be read as PDF"),
        (drawn(HELLO * 10_000, 90), "draws more than"),
        (drawn(HELLO * 10_000, 1, b"[ " + b"4 0 R " * 90 + b"]"), "draws more than"),
        (drawn(b"/X Do\n" * 4000, 1, b"4 0 R", form(HELLO * 200)), "draws more than"),
        (drawn(b"/#58 Do\n" * 4000, 1, b"4 0 R", form(HELLO * 200)), "draws more than"),
        (
            drawn(b"/X Do\n" * 200, 1, b"4 0 R", form(b"/Y Do\n" * 200, b"<< /XObject << /Y 7 0 R >> >>"), form(HELLO * 20)),
            "draws more than",
        ),
    ],
    ids=[
        "pages",
        "many pages",
        "stream",
        "large stream",
        "pages together",
        "list of streams",
        "form",
        "escaped",
        "forms in forms",
    ],
)
def test_a_small_file_that_would_take_all_memory_or_time_is_refused_at_once(data: bytes, says: str) -> None:
    assert len(data) < 2_000_000
    started = time.process_time()
    with pytest.raises(ValueError, match=says):
        extract(data)
    assert time.process_time() - started < 15


def test_forms_of_a_page_are_read_and_one_that_draws_itself_ends() -> None:
    inner = form(HELLO + b"/X Do\n", RESOURCES)
    assert extract(drawn(b"/X Do\n/X Do\n", 1, b"4 0 R", inner)) == "hello hello\n"


def test_a_page_without_contents_or_resources_does_no_harm() -> None:
    bare = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    with pytest.raises(ValueError, match="holds no text"):
        extract(assembled([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>", bare]))


def test_a_bomb_in_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "bomb.pdf").write_bytes(drawn(HELLO, 10_001))
    with pytest.raises(CorpusError) as caught:
        load_corpus(tmp_path)
    assert [f"{problem.code} {problem.where}" for problem in caught.value.problems] == ["C010 bomb.pdf"]


def test_runs_of_blanks_are_one() -> None:
    assert extract(pdf(["a   b.  ", "  c"])) == "a b.\nc\n"


def test_a_page_without_text_is_left_out() -> None:
    assert extract(pdf(["One"], [], ["Three"])) == "One\n\nThree\n"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is no PDF"),
        (b"PK\x03\x04 a zip", "is no PDF"),
        (b"%PDF-1.4\n%%EOF\n", "cannot be read as PDF"),
        (WHOLE[: len(WHOLE) // 2], "is cut off"),
        (WHOLE[:-10], "is cut off"),
        (pdf([]), "holds no text; a scan"),
        (pdf(), "holds no text; a scan"),
        (encrypted(), "^is encrypted"),
    ],
    ids=["empty", "a zip", "nothing inside", "half", "no end", "a scan", "no pages", "encrypted"],
)
def test_what_cannot_be_read_is_said_in_words(data: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        extract(data)


def test_damage_anywhere_is_read_around_or_said_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(7)
    refused = 0
    for _ in range(300):
        data = bytearray(WHOLE)
        for _ in range(chance.randint(1, 12)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            extract(bytes(data))
        except ValueError:
            refused += 1
    assert 20 < refused < 300
    assert capfd.readouterr().err == ""


def test_a_folder_names_every_pdf_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "manual.pdf").write_bytes(WHOLE)
    (tmp_path / "scan.pdf").write_bytes(pdf([]))
    (tmp_path / "locked.PDF").write_bytes(encrypted())
    with pytest.raises(CorpusError) as caught:
        load_corpus(tmp_path)
    assert [f"{problem.code} {problem.where}" for problem in caught.value.problems] == ["C010 locked.PDF", "C010 scan.pdf"]


def test_a_pdf_is_a_document_like_others(tmp_path: Path) -> None:
    (tmp_path / "manual.pdf").write_bytes(WHOLE)
    (tmp_path / "metadata.yaml").write_text("manual.pdf: {tenant: north}")
    (document,) = load_corpus(tmp_path)
    assert (document.doc_id, document.title, document.mime_type, document.tenant) == (
        "manual.pdf",
        "manual",
        "application/pdf",
        "north",
    )
