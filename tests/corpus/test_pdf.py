"""Text of PDF files."""

import random
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from harness.corpus.loader import load_corpus
from harness.corpus.pdf import extract
from harness.errors import CorpusError


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


LINES = ["Care of the filter", "Hold the button of the gateway for ten", "seconds to reset it to its settings.", "Then wait."]
WHOLE = pdf(LINES, ["Never wash it."])


def test_pages_are_apart_by_a_blank_line() -> None:
    assert extract(pdf(["One."], ["Two."])) == "One.\n\nTwo.\n"


def test_a_long_line_that_ends_no_sentence_goes_on_in_the_next() -> None:
    assert extract(WHOLE) == (
        "Care of the filter\nHold the button of the gateway for ten seconds to reset it to its settings.\nThen wait.\n"
        "\nNever wash it.\n"
    )


def test_words_cut_at_a_lines_end_are_joined_and_names_are_not() -> None:
    assert extract(pdf(["The fil-", "ter of FH-", "4410."])) == "The filter of FH- 4410.\n"
    assert extract(pdf(["Ask Fern-", "Hill."])) == "Ask Fern- Hill.\n"


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
