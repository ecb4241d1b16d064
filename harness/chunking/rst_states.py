"""docutils' state machine of reStructuredText, listening only: it finds blocks and makes nothing of them.

docutils decides what a line opens and how far it reaches. Nothing is included, no directive or role is run, text inside
a paragraph is not read, and nothing is registered: the states below note which lines docutils took for what.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from docutils import nodes
from docutils.parsers.rst import states, tableparser
from docutils.statemachine import StringList, TransitionCorrection
from docutils.utils import new_document

from harness.chunking.repeating import BORDER

_DEEPEST = 12
"""Lists in lists; what is nested deeper is not looked into."""
_WIDEST, _LARGEST = 500, 100_000
"""Width in characters, and width times lines, of a table whose rows are looked for: the time that docutils takes grows with
their square."""


@dataclass(slots=True)
class Note:
    """Lines that docutils took for one thing."""

    first: int
    """Number of the first line, from 0."""
    after: int
    """Number of the line after the last."""
    kind: str
    """heading, code, table, list, directive, prose; target, the name of a place in the text."""
    level: int = 0
    """Of a heading, from 1."""
    title: str = ""
    """Of a heading."""
    parts: list["Note"] = field(default_factory=list)
    """What docutils found inside."""


def notes(texts: list[str]) -> list[Note]:
    """The outermost things of a text, given as lines, in order."""
    document = new_document("text", _settings())
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    listener = _Listener()
    machine.run(StringList(texts, "text"), document, inliner=listener)
    return listener.notes


def _settings() -> Any:
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser

    settings = get_default_settings(Parser)
    settings.report_level = settings.halt_level = 5
    settings.warning_stream = False
    settings.file_insertion_enabled = settings.raw_enabled = False
    return settings


class _Listener:
    """Stands where docutils keeps its reader of text in a line, which every state can reach; collects notes."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.depth = 0

    def init_customizations(self, settings: Any) -> None:
        """docutils calls it; there is nothing to set."""

    def parse(self, text: str, lineno: int, memo: Any, parent: Any) -> tuple[list[Any], list[Any]]:
        """No nodes and no messages."""
        return [], []

    def inside(self, parse: Callable[[], object]) -> list[Note]:
        """What is noted while parsing what stands inside something."""
        if self.depth >= _DEEPEST:
            return []
        outer, self.notes = self.notes, []
        self.depth += 1
        parse()
        self.depth -= 1
        inner, self.notes = self.notes, outer
        return inner


class _Noting(states.RSTState):  # type: ignore[misc]
    """What all states below share."""

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def here(self) -> int:
        """Number of the current line."""
        return int(self.state_machine.abs_line_offset())

    def note(self, first: int, kind: str, parts: list[Note] | None = None) -> None:
        """Everything from a line to the current one."""
        self.inliner.notes.append(Note(first, self.here() + 1, kind, parts=parts or []))

    def nested(self, indented: StringList, offset: int) -> list[Note]:
        """What stands in indented lines, of which the first is line `offset`; one line holds nothing to tell apart."""
        if len(indented) < 2:
            return []
        kwargs = self.nested_sm_kwargs
        return self.inliner.inside(  # type: ignore[no-any-return]
            lambda: self.nested_parse(indented, offset, self.parent, state_machine_kwargs=kwargs)
        )

    def section(self, title: str, source: str, style: Any, lineno: int, messages: Any) -> None:
        """A heading; its level is the place of its adornment among those seen so far, as in docutils."""
        styles = self.memo.title_styles
        if style not in styles:
            styles.append(style)
        first, level = self.here() - source.count("\n"), styles.index(style) + 1
        self.inliner.notes.append(Note(first, self.here() + 1, "heading", level, title))


class Body(_Noting, states.Body):  # type: ignore[misc]
    """The first line of a block."""

    def indent(self, match: Any, context: Any, next_state: Any) -> Any:
        """A block quote."""
        indented, _, offset, _ = self.state_machine.get_indented()
        self.note(offset, "prose", self.nested(indented, offset))
        return context, next_state, []

    def bullet(self, match: Any, context: Any, next_state: Any) -> Any:
        """An item of a list."""
        first = self.here()
        if self.state_machine.line[match.end() :]:
            indented, offset, _ = self.state_machine.get_known_indented(match.end())
        else:
            indented, _, offset, _ = self.state_machine.get_first_known_indented(match.end())
        self.note(first, "list", self.nested(indented, offset))
        return [], next_state, []

    def enumerator(self, match: Any, context: Any, next_state: Any) -> Any:
        """An item of a numbered list."""
        style, sequence, _, ordinal = self.parse_enumerator(match)
        if not self.is_enumerated_list_item(ordinal, sequence, style):
            raise TransitionCorrection("text")
        return self.bullet(match, context, next_state)

    def field_marker(self, match: Any, context: Any, next_state: Any) -> Any:
        """A field with its body."""
        first = self.here()
        indented, _, offset, _ = self.state_machine.get_first_known_indented(match.end())
        self.note(first, "list", self.nested(indented, offset))
        return [], next_state, []

    def option_marker(self, match: Any, context: Any, next_state: Any) -> Any:
        """An option of a command with its description; without one it is text."""
        if not self._described(match):
            raise TransitionCorrection("text")
        return self.field_marker(match, context, next_state)

    def _described(self, match: Any) -> bool:
        here = self.here()
        indented = self.state_machine.get_first_known_indented(match.end())[0]
        self.goto_line(here)
        return bool(indented)

    def doctest(self, match: Any, context: Any, next_state: Any) -> Any:
        """An interactive session."""
        first = self.here()
        self.state_machine.get_text_block()
        self.note(first, "code")
        return [], next_state, []

    def line_block(self, match: Any, context: Any, next_state: Any) -> Any:
        """Verses, as far as the next blank line."""
        first = self.here()
        self.state_machine.get_text_block()
        self.note(first, "prose")
        return [], next_state, []

    def table_top(self, match: Any, context: Any, next_state: Any, isolate_function: Any, parser_class: Any) -> Any:
        """A table; one that is malformed is text."""
        first = self.here()
        lines, _, _ = isolate_function()
        if not lines:
            self.goto_line(first)
            raise TransitionCorrection("text")
        self.note(first, "table", list(_rows(parser_class(), lines, first)))
        return [], next_state, []

    def explicit_markup(self, match: Any, context: Any, next_state: Any) -> Any:
        """A directive, target, footnote, citation, substitution or comment, with everything indented below it."""
        first = self.here()
        found = (method.__name__ for method, pattern in self.explicit.constructs if pattern.match(match.string))
        construct = next(found, "comment")
        bare = construct == "comment" and not match.string[match.end() :].strip()
        if not (bare and self.state_machine.is_next_line_blank()):
            self.state_machine.get_first_known_indented(match.end(), until_blank=construct == "hyperlink_target")
        leads = construct == "hyperlink_target" and match.string.endswith(":")
        self.note(first, "target" if leads else "directive" if construct == "directive" else "prose")
        return [], next_state, []

    def anonymous(self, match: Any, context: Any, next_state: Any) -> Any:
        """A target without a name."""
        first = self.here()
        self.state_machine.get_first_known_indented(match.end(), until_blank=True)
        self.note(first, "target")
        return [], next_state, []


class Text(_Noting, states.Text):  # type: ignore[misc]
    """The second line of a block that opened with text."""

    def paragraph(self, lines: Any, lineno: int) -> Any:
        """A paragraph; `::` alone belongs to the listing below it."""
        made, literal = super().paragraph(lines, lineno)
        self.opening = None if made else lineno - 1
        if made:
            self.inliner.notes.append(Note(lineno - 1, lineno - 1 + len(lines), "prose"))
        return [], literal

    def literal_block(self) -> list[Any]:
        """A listing, indented or quoted."""
        first = self.here() if self.opening is None else self.opening
        super().literal_block()
        if self.here() >= first:
            self.note(first, "code")
        return []

    def quoted_literal_block(self) -> list[Any]:
        """A listing that is not indented, as in docutils, but parsed as far as it can reach instead of to the end of the text."""
        lines, first = self.state_machine.input_lines, self.state_machine.line_offset
        after = first
        while after < len(lines) and not lines[after]:
            after += 1
        while after < len(lines) and lines[after]:
            after += 1
        kwargs = {"state_classes": (states.QuotedLiteralBlock,), "initial_state": "QuotedLiteralBlock"}
        reached = self.nested_parse(lines[first:after], self.here(), nodes.Element(), state_machine_kwargs=kwargs)
        self.goto_line(reached)
        return []

    def indent(self, match: Any, context: Any, next_state: Any) -> Any:
        """A term with its definition."""
        first = self.here() - 1
        indented, _, offset, _ = self.state_machine.get_indented()
        self.note(first, "list", self.nested(indented, offset))
        return [], "Body", []


class Line(_Noting, states.Line):  # type: ignore[misc]
    """The second line of a block that opened with punctuation: a heading with an overline, or a rule."""


_STATES = (Body, Text, Line)


def _rows(parser: Any, lines: StringList, first: int) -> Iterator[Note]:
    """The rows of a table, none of one that is too large; the first comes with all that stands above it.

    Parts of the first are the header and the row itself; parts of a row are its lines and its borders.
    """
    width = max(map(len, lines))
    if width > _WIDEST or width * len(lines) > _LARGEST:
        return
    try:
        _, _, rows = parser.parse(lines)
    except tableparser.TableMarkupError:
        return
    begins = sorted({min(cell[2] for cell in row if cell) for row in rows if any(row)})
    header, *below = (_row(lines, first, begin, after) for begin, after in pairwise([0, *begins, len(lines)]))
    yield Note(first, below[0].after if below else header.after, "table", parts=[header, *below[:1]])
    yield from below[1:]


def _row(lines: StringList, first: int, begin: int, after: int) -> Note:
    """Lines `begin` to `after` - 1 of a table that starts at line `first` of the text."""
    row = Note(first + begin, first + after, "table")
    for _, same in groupby(range(begin, after), key=lambda number: bool(BORDER.fullmatch(lines[number]))):
        numbers = list(same)
        row.parts.append(Note(first + numbers[0], first + numbers[-1] + 1, "table"))
    return row
