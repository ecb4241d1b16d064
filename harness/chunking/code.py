"""Cuts source code where its author did: at functions, classes and statements of the syntax tree."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, assemble
from harness.chunking.packing import Tokens, Unit, pack, split
from harness.chunking.recursive import Recursive
from harness.chunking.syntax import GRAMMARS, Part, grammar_parser, parts
from harness.chunking.wordless import with_words
from harness.errors import ConfigError, StageError
from harness.types import Chunk, Document

_TINY = 8


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Code:
    """One chunk per function or class that fits into `size` tokens; other types of document go to `Recursive`.

    Decorators and the comments right above stay with a definition. A larger class is cut between its methods, a larger
    function between statements, then lines. Statements outside of definitions are put together, and so are neighbours
    of fewer than size/8 tokens.
    """

    size: Annotated[int, Field(ge=1)] = 256
    """Tokens in a chunk, its overlap not counted."""
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    """Up to this share of `size`, whole statements are repeated in the next chunk of a definition that was cut."""
    heading: bool = True
    """Put title and section (`class Pump > def start`) before the text that is indexed."""

    def ready(self) -> None:
        """Looks for the grammars before anything is cut; a router only does so for a document of source code.

        Raises:
            ConfigError: when the extra `code` is not installed.
        """
        grammar_parser("text/x-python")

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Chunks of kind code, with the definitions around them as section path.

        Raises:
            StageError: when the document is source code and the extra `code` is not installed.
        """
        if document.mime_type not in GRAMMARS:
            return Recursive(self.size, self.overlap, self.heading).chunk(document)
        tokens = Tokens(document.text)
        try:
            found = parts(tokens, document.mime_type, self.size)
        except ConfigError as error:
            raise StageError(f"{document.doc_id!r}: {error}") from error
        pieces = self._pieces(tokens, _tiled(document.text, found))
        return assemble(document, with_words(document.text, pieces), self.heading)

    def _pieces(self, tokens: Tokens, found: Sequence[Part]) -> Iterator[Piece]:
        groups = list(_groups(tokens, found, self.size))
        for place, group in enumerate(groups):
            start, end, section = group[0].start, group[-1].end, _section(group)
            if tokens.count(start, end) > self.size:
                lines = pack(tokens, split(tokens, start, end, self.size, "code", by_line=True), self.size)
                yield from (Piece(*_stretch(tokens.text, line), "code", section) for line in lines)
            else:
                start = self._repeated(tokens, groups[place - 1], group) if place else start
                yield Piece(_indented(tokens.text, start), end, "code", section)

    def _repeated(self, tokens: Tokens, before: Sequence[Part], group: Sequence[Part]) -> int:
        """Where a chunk starts that goes on with the definition of the one before; never all of that one is repeated."""
        start = group[0].start
        if before[-1].section != group[0].section or before[-1].name or group[0].name:
            return start
        for part in reversed(before[1:]):
            if tokens.count(part.start, before[-1].end) > self.size * self.overlap:
                break
            start = part.start
        return start


def _tiled(text: str, found: Sequence[Part]) -> list[Part]:
    """The parts with what stands between them, which no node of a broken tree may hold."""
    first = len(text) - len(text.lstrip())
    begins = [first, *(part.start for part in found[1:])]
    ends = [*begins[1:], len(text)]
    return [
        Part(begin, begin + len(text[begin:end].rstrip()), part.section, part.name)
        for part, begin, end in zip(found or [Part(0, 0)], begins, ends, strict=True)
    ]


def _groups(tokens: Tokens, found: Sequence[Part], size: int) -> Iterator[list[Part]]:
    """Statements of one section together, as many as fit, with definitions that are tiny."""
    group: list[Part] = []
    for part in found:
        light = not part.name or tokens.count(part.start, part.end) < size / _TINY
        joins = group and light and part.section == group[-1].section
        if joins and tokens.count(group[0].start, part.end) <= size:
            group.append(part)
            continue
        if group:
            yield group
        group = [part]
        if not light:
            yield group
            group = []
    if group:
        yield group


def _section(group: Sequence[Part]) -> tuple[str, ...]:
    first = group[0]
    return (*first.section, first.name) if len(group) == 1 and first.name else first.section


def _stretch(text: str, units: Sequence[Unit]) -> tuple[int, int]:
    return _indented(text, units[0].start), units[-1].end


def _indented(text: str, start: int) -> int:
    """The start of the line, where only blanks stand before: source keeps its indentation."""
    line = text.rfind("\n", 0, start) + 1
    return start if text[line:start].strip() else line
