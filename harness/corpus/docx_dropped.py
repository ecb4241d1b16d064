"""What the text of a DOCX leaves out."""

from collections.abc import Iterable, Iterator
from typing import Any

from harness.corpus.cleaned import Dropped
from harness.corpus.docx_blocks import FALLBACK, is_hidden
from harness.corpus.docx_styles import W
from harness.corpus.office import BROKEN, parsed

_PARTS = ("header", "footer", "footnotes", "endnotes", "comments")
"""Parts beside the body that hold text, as their relations are named."""
_OBJECTS = {"picture": "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic", "embedded file": f"{W}altChunk"}


def dropped(document: Any) -> Iterator[Dropped]:
    """Each kind of thing that is left out, with its characters; pictures and embedded files have none."""
    body = document.element.body
    for name in _PARTS:
        if size := sum(map(_size, _related(document, name))):
            yield Dropped(name, size)
    if deleted := sum(len(found.text or "") for found in body.iter(f"{W}delText")):
        yield Dropped("deleted text (tracked changes)", deleted)
    if hidden := sum(len(text.text or "") for run in body.iter(f"{W}r") if is_hidden(run) for text in run.iter(f"{W}t")):
        yield Dropped("hidden text", hidden)
    for what, tag in _OBJECTS.items():
        number = sum(not any(found.iterancestors(FALLBACK)) for found in body.iter(tag))
        if number:
            yield Dropped(f"{number} {what}{'s' if number > 1 else ''}", 0)


def _related(document: Any, name: str) -> Iterable[bytes]:
    """The parts that these relations name, each once: several sections of a document share a header."""
    related = (relation for relation in document.part.rels.values() if not relation.is_external)
    parts = (relation.target_part for relation in related if relation.reltype.endswith(f"/{name}"))
    return (part.blob for part in {part.partname: part for part in parts}.values())


def _size(blob: bytes) -> int:
    """Characters of the text of a part; 0 for one that is damaged."""
    try:
        return sum(len(found.text or "") for found in parsed(blob).iter(f"{W}t"))
    except BROKEN:
        return 0
