"""HyDE: a language model writes the passage that would answer the question (Gao et al. 2023, arXiv 2212.10496)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import LLM
from harness.types import Query, Question, Request, Turn

INSTRUCTION = (
    "Write one short paragraph as it would stand in a manual, a contract or a help page that answers the question. "
    "Invent plausible details where you know none; the paragraph only serves as a search query. Write the paragraph alone."
)
"""System turn of the request."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Hyde:
    """The question, and a hypothetical passage that dense retrieval embeds in its place."""

    llm: SkipValidation[LLM]
    """Who writes the passage."""
    max_tokens: Annotated[int, Field(ge=16)] = 128
    """Longest passage; a longer one is cut, which a search query survives."""

    def transform(self, question: Question) -> Sequence[Query]:
        """One query with its hypothetical passage.

        Raises:
            StageError: when the model fails or writes nothing; the plain question never steps in unseen.
        """
        turns = (Turn("system", INSTRUCTION), *question.history, Turn("user", question.text))
        passage = " ".join(self.llm.complete(Request(turns, max_tokens=self.max_tokens)).text.split())
        if not passage:
            raise StageError(
                f"the model wrote no hypothetical passage for {question.question_id!r}: reply empty. Raise query.max_tokens or use Plain"
            )
        return [Query(question.text, hypothetical=passage)]
