"""Questions by rules: English, offline, the same ones every time."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.doc2query.english import is_english
from harness.doc2query.statements import Prose
from harness.doc2query.structure import from_code, from_heading, from_table, from_topic, prose
from harness.text import words
from harness.types import Chunk

_LONGEST = 200


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Rules:
    """Questions from headings, rows of tables, definitions in code, and statements of values, dates and needs.

    A chunk that is not English gives its heading where that is a question, and nothing else. A heading that is none is
    not asked about where fewer than five words stand below it.
    """

    most: Annotated[int, Field(ge=1, le=100)] = 6
    """Questions of a chunk at most: its heading's, its table's and code's, its sentences' in their order, its topic's."""

    @property
    def identity(self) -> str:
        """Version of the rules and their limit."""
        return f"rules v2, at most {self.most}"

    def questions(self, chunk: Chunk) -> tuple[str, ...]:
        """Distinct questions; none where no rule finds anything."""
        found: dict[tuple[str, ...], str] = {}
        fitting = (question for question in _all(chunk, self.most) if len(question) <= _LONGEST)
        return tuple(islice((question for question in fitting if _is_new(question, found)), self.most))


def _all(chunk: Chunk, most: int) -> Iterator[str]:
    english = is_english(f"{chunk.heading}\n{chunk.preface}\n{chunk.text}")
    yield from from_heading(chunk, english)
    if english:
        written = () if chunk.kind in ("code", "table") else Prose(prose(chunk.text)).questions()
        yield from chain(from_table(chunk, most), from_code(chunk), written, from_topic(chunk))


def _is_new(question: str, found: dict[tuple[str, ...], str]) -> bool:
    key = tuple(words(question))
    return bool(key) and found.setdefault(key, question) is question
