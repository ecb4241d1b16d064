"""Markdown: the body is kept as it is, front matter becomes metadata."""

import re

from harness.corpus.cleaned import Cleaned, Dropped
from harness.corpus.metadata import read_mapping

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING_OR_FENCE = re.compile(r"^ {0,3}(?:(`{3}|~{3})|#[ \t]+(\S.*))", re.MULTILINE)


def clean(raw: str) -> Cleaned:
    """The text after the front matter, and the front matter; the first `#` heading is the title for want of another.

    Raises:
        ValueError: when the front matter is not a YAML mapping of plain values.
    """
    found = _FRONT_MATTER.match(raw)
    fields = read_mapping(found.group(1)) if found else {}
    body = raw[found.end() :] if found else raw
    named = {"title": title} | fields if (title := _first_heading(body)) else fields
    if not found:
        return Cleaned(body, named)
    lines = found.group().count("\n")
    return Cleaned(body, named, places=((0, lines + 1),), dropped=(Dropped("front matter", len(found.group()), 1),))


def _first_heading(body: str) -> str:
    fenced = False
    for found in _HEADING_OR_FENCE.finditer(body):
        fenced ^= bool(found[1])
        if not fenced and found[2]:
            return re.sub(r"[ \t]#+$", "", found[2].strip()).strip()
    return ""
