"""reStructuredText: kept as it is; docutils reads its title and the fields that follow it (docinfo).

No directive is run and so nothing is substituted: those that are nested grow without bound, and some give today's date or define
roles for the files read afterwards. A title keeps `|name|` as it was written.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.corpus.cleaned import Cleaned, single_line
from harness.corpus.metadata import TEXTS, is_date

if TYPE_CHECKING:
    from docutils import nodes

HEAD = 20_000
"""Characters that docutils reads: titles and fields stand at the start."""

_SETTINGS: dict[str, Any] = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "halt_level": 6,
    "report_level": 6,
    "traceback": True,
    "warning_stream": False,
    "syntax_highlight": "none",
}
"""No file is read, no markup of other languages kept, nothing written, and no message stops the reading."""
_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What docutils raises beside its own errors where it does not expect a markup."""
_COLON = "\ufdd0"
"""Stands for a colon while docutils reads; it is no character of any text."""
_DIRECTIVE = re.compile(r"(?<=\w)( ?):(?=:(?:\s|$))")
"""The first colon of `::` after a name, without which docutils sees no directive, in whatever block, case or language."""
_RENAMED = {"authors": "author", "date": "updated_at"}


def clean(raw: str) -> Cleaned:
    """The text itself; title, author, date (of change), version and the other fields of its docinfo, if docutils can read them."""
    from docutils import ApplicationError, DataError
    from docutils.core import publish_doctree

    head = raw if len(raw) <= HEAD else raw[: raw.rfind("\n", 0, HEAD) + 1]
    try:
        tree = publish_doctree(_DIRECTIVE.sub(rf"\1{_COLON}", head), settings_overrides=_SETTINGS)
    except (ApplicationError, DataError, *_BROKEN):
        return Cleaned(raw)
    return Cleaned(raw, dict(_fields(tree)))


def _fields(tree: "nodes.document") -> Iterator[tuple[str, Any]]:
    from docutils import nodes

    for message in list(tree.findall(nodes.system_message)):
        message.parent.remove(message)
    titles = (title for title in tree.findall(nodes.title) if isinstance(title.parent, nodes.document | nodes.section))
    if title := next(filter(None, (_line(title.astext()) for title in titles)), ""):
        yield "title", title
    for info in tree.findall(nodes.docinfo):
        for child in info.children:
            yield from _field(child)


def _field(node: Any) -> Iterator[tuple[str, Any]]:
    name, text = type(node).__name__, _line(node.astext())
    if name == "field":
        name, text = _line(node[0].astext()).lower(), _line(node[1].astext())
    elif name == "authors":
        text = ", ".join(_line(author.astext()) for author in node.children)
    name = _RENAMED.get(name, name)
    if name == "acl":
        yield name, [group.strip() for group in text.split(",") if group.strip()]
    elif name == "updated_at" and not is_date(text):
        yield "date", text
    elif text or name not in TEXTS:
        yield name, text


def _line(text: str) -> str:
    return single_line(text.replace(_COLON, ":"))
