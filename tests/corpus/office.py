"""Small DOCX and PPTX files for tests."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from docx import Document
from docx.oxml import parse_xml

WORDS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def saved(document: Any) -> bytes:
    """The bytes of a python-docx or python-pptx file."""
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def words(*blocks: str, **properties: Any) -> bytes:
    """A DOCX of these blocks: `Style: text`, or WordprocessingML."""
    document = Document()
    for name, value in properties.items():
        setattr(document.core_properties, name, value)
    for block in blocks:
        if block.startswith("<"):
            document.element.body.insert(-1, parse_xml(block.replace(">", f" {WORDS}>", 1)))
        else:
            style, _, text = block.partition(": ")
            document.add_paragraph(text, style=style)
    return saved(document)


def with_parts(data: bytes, change: Mapping[str, bytes]) -> bytes:
    """The file with some of its members changed, new ones last."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as was, ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for name in was.namelist():
            packed.writestr(name, change.get(name, was.read(name)))
        for name in sorted(change.keys() - was.namelist()):
            packed.writestr(name, change[name])
    return out.getvalue()
