"""Small to big by statement: each proposition of a passage is searched on its own and leads to the passage.

After "Dense X Retrieval" (Chen et al. 2023, arXiv 2312.06648): a proposition is one fact that can be read alone.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.chunking.assemble import Piece, with_children
from harness.chunking.markdown import Markdown
from harness.chunking.named_rows import NamedRows
from harness.chunking.proposing import asked
from harness.chunking.sentences import blocks_of
from harness.chunking.stating import stated
from harness.protocols import LLM
from harness.types import Chunk, Document


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Propositions:
    """Passages as `Markdown` cuts them, without overlap, each found through its propositions alone; these are made by rules.

    The rules keep whatever they cannot take apart safely as it stands, so every sentence, list item, row and listing of
    a passage is searched. A passage without a proposition is searched itself.
    """

    size: Annotated[int, Field(ge=1)] = 256
    """Tokens in a passage."""
    heading: bool = True
    """Put title and section before the text that is indexed, that of a proposition too."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Passages, each followed by its propositions."""
        rows, blocks = NamedRows(document), blocks_of(document)
        return tuple(_led(document, self.size, self.heading, lambda passage: stated(rows, blocks, passage)))


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMPropositions:
    """The same passages, with the propositions that a language model states: one request a passage.

    A passage of which it states nothing is searched itself.
    """

    llm: SkipValidation[LLM]
    """Who states the propositions."""
    size: Annotated[int, Field(ge=1)] = 256
    """Tokens in a passage."""
    heading: bool = True
    """Put title and section before the text that is indexed and before the passage that the model reads."""
    max_tokens: Annotated[int, Field(ge=64)] = 2048
    """Longest reply of the model; a longer one is an error."""

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Passages, each followed by its propositions.

        Raises:
            StageError: when the model fails or its reply cannot be used; it names the document.
        """
        return tuple(_led(document, self.size, self.heading, self._stated))

    def _stated(self, passage: Chunk) -> Iterator[Piece]:
        """What a model states comes from anywhere in the passage."""
        for text in asked(self.llm, passage, self.max_tokens):
            yield Piece(passage.span.start, passage.span.end, "proposition", search_text=text)


def _led(document: Document, size: int, heading: bool, children: Callable[[Chunk], Iterable[Piece]]) -> Iterator[Chunk]:
    for passage in Markdown(size, 0.0, heading).chunk(document):
        yield from with_children(document, passage, children(passage), searched=False)
