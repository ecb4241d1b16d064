"""What the styles of a DOCX make of a paragraph: a heading, an item of a list."""

import re
from collections import defaultdict
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""Namespace of the elements of a DOCX."""

_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_LIST_LEVEL = re.compile(r"list (?:bullet|number) (\d)", re.IGNORECASE)
_DEEPEST = 6
"""Level of Markdown's smallest heading."""
_MOST = 50
"""Styles that one style may be based on."""


class Styles:
    """Reads the styles and the numbering of one document, and counts the items of its lists."""

    def __init__(self, document: Any) -> None:
        self._styles = {style.get(f"{W}styleId"): style for style in document.styles.element.iter(f"{W}style")}
        self._formats = _formats(document)
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._widths: dict[int, int] = {}

    def heading(self, paragraph: Any) -> int:
        """1 to 6, or 0 for a paragraph that is no heading."""
        properties = self._properties(paragraph)
        for holder in properties:
            outline = holder.find(f"{W}outlineLvl")
            if outline is not None:
                level = int(outline.get(f"{W}val") or 9)
                return min(level + 1, _DEEPEST) if 0 <= level < 9 else 0
        for name in self._names(paragraph):
            if name.lower() == "title":
                return 1
            if found := _HEADING.fullmatch(name):
                return min(max(int(found[1]), 1), _DEEPEST)
        return 0

    def marker(self, paragraph: Any) -> str:
        """What stands before the text of a list's item, with its indent: `- `, `  - `, `3. `; empty for no item."""
        number, level = self._numbering(paragraph)
        start, kind = self._formats.get(number, {}).get(level, (1, ""))
        if not kind or kind == "none":
            return ""
        if named := next((found for name in self._names(paragraph) if (found := _LIST_LEVEL.fullmatch(name))), None):
            level = max(level, int(named[1]) - 1)
        counts = self._counts[number]
        for deeper in [deeper for deeper in counts if deeper > level]:
            del counts[deeper]
        counts[level] = counts.get(level, start - 1) + 1
        sign = "- " if kind == "bullet" else f"{counts[level]}. "
        self._widths[level] = len(sign)
        return " " * sum(self._widths.get(outer, 2) for outer in range(level)) + sign

    def _numbering(self, paragraph: Any) -> tuple[str, int]:
        """Id of the list and level; an id of 0 takes a paragraph out of the list of its style."""
        number, level = "", -1
        for holder in self._properties(paragraph):
            found, depth = holder.find(f"{W}numPr/{W}numId"), holder.find(f"{W}numPr/{W}ilvl")
            level = int(depth.get(f"{W}val") or 0) if level < 0 and depth is not None else level
            if found is not None:
                number = found.get(f"{W}val") or ""
                break
        return ("" if number == "0" else number), min(max(level, 0), 8)

    def _properties(self, paragraph: Any) -> list[Any]:
        """Its own properties, then those of its style and of the styles below that."""
        own = paragraph.find(f"{W}pPr")
        of_styles = [style.find(f"{W}pPr") for style in self._chain(paragraph)]
        return [holder for holder in (own, *of_styles) if holder is not None]

    def _names(self, paragraph: Any) -> list[str]:
        names = (style.find(f"{W}name") for style in self._chain(paragraph))
        return [name.get(f"{W}val") or "" for name in names if name is not None]

    def _chain(self, paragraph: Any) -> list[Any]:
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        chain = list[Any]()
        while named is not None and len(chain) < _MOST:
            style = self._styles.get(named.get(f"{W}val"))
            if style is None:
                break
            chain.append(style)
            named = style.find(f"{W}basedOn")
        return chain


def _formats(document: Any) -> dict[str, dict[int, tuple[int, str]]]:
    """By list and level the first number and the kind of number (bullet, decimal, ...)."""
    from docx.opc.constants import RELATIONSHIP_TYPE

    related = [found for found in document.part.rels.values() if found.reltype == RELATIONSHIP_TYPE.NUMBERING]
    if not related or related[0].is_external:
        return {}
    root = related[0].target_part.element
    abstract = {found.get(f"{W}abstractNumId"): _levels(found) for found in root.iter(f"{W}abstractNum")}
    named = ((number.get(f"{W}numId"), number.find(f"{W}abstractNumId")) for number in root.iter(f"{W}num"))
    return {number: abstract.get(name.get(f"{W}val"), {}) for number, name in named if name is not None}


def _levels(abstract: Any) -> dict[int, tuple[int, str]]:
    levels = {}
    for level in abstract.iter(f"{W}lvl"):
        start, kind = level.find(f"{W}start"), level.find(f"{W}numFmt")
        first = int(start.get(f"{W}val") or 1) if start is not None else 1
        levels[int(level.get(f"{W}ilvl") or 0)] = first, (kind.get(f"{W}val") or "") if kind is not None else "decimal"
    return levels
