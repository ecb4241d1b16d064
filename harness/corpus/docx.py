"""DOCX as Markdown, read by python-docx: headings, paragraphs, lists and tables in the order of the document.

Left out are headers and footers, footnotes, comments, pictures, embedded files, and what the document itself hides or has
struck out as a tracked change; so are the numbers that Word counts before headings, which are no text. Nothing outside of the
file is followed, and no macro is run.
"""

from collections.abc import Iterator
from io import BytesIO

from harness.corpus.cleaned import Cleaned
from harness.corpus.docx_blocks import Block, Reader
from harness.corpus.docx_dropped import dropped
from harness.corpus.office import core_fields, opened
from harness.corpus.traced import EMPTY, Traced, around, between, places


def extract(data: bytes) -> Cleaned:
    """The text; title, author and date of change. Places count the paragraphs of the document, those in tables included.

    Raises:
        ValueError: for bytes that are no DOCX, an encrypted one, or one without text.
    """
    from docx.exceptions import PythonDocxError
    from docx.opc.exceptions import OpcError

    return opened(data, (".doc", ".docx"), (PythonDocxError, OpcError), _read)


def _read(data: BytesIO) -> Cleaned:
    from docx import Document

    document = Document(data)
    blocks = list(Reader(document).blocks())
    fields = core_fields(document, titled=True)
    if heading := next((block.text[0].partition(" ")[2] for block in blocks if block.kind == "heading"), ""):
        fields.setdefault("title", heading)
    text = between("", _joined(blocks))
    return Cleaned(text[0], fields, "paragraph", places(text, "paragraph"), tuple(dropped(document)))


def _joined(blocks: list[Block]) -> Iterator[Traced]:
    for before, block in zip([None, *blocks], blocks, strict=False):
        if before is not None:
            yield around("\n" if before.kind == block.kind == "list" else "\n\n", EMPTY)
        yield block.text
    if blocks:
        yield around("\n", EMPTY)
