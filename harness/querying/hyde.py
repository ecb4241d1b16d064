"""HyDE: a language model writes the passage that would answer the question (Gao et al. 2023, arXiv 2212.10496).

The paper averages the vectors of several passages and of the question; here a query has one passage, and dense retrieval embeds
that in the question's place. The question and the conversation before it stand in the prompt as they are: whatever they make the
model write is only searched with, among what the asker may see.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.protocols import LLM
from harness.querying.asking import OnFailure, ask_text, tried
from harness.types import Query, Question, Turn

RULES = (
    "Write one short paragraph as it would stand in a manual, a contract or a help page that answers the question. "
    "Invent plausible details where you know none; the paragraph only serves as a search query. Write the paragraph alone."
)
"""What the model is told."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Hyde:
    """Gives each query a hypothetical passage of its own, which dense retrieval embeds in the query's place."""

    llm: SkipValidation[LLM]
    """Who writes the passages."""
    max_tokens: Annotated[int, Field(ge=16, le=1024)] = 128
    """Longest passage; a longer one is cut, which a search query survives."""
    on_failure: OnFailure = "error"
    """error: the question fails. skip: it is searched for without a passage, and the run counts it."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one query; a question in parts has several."""
        return 1

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries, each with its hypothetical passage.

        Raises:
            StageError: under `on_failure: error`, when the model fails or writes nothing.
        """
        return [
            done
            for query in queries
            for done in tried("hyde", self.on_failure, [query], lambda given: [self._imagined(question, item) for item in given])
        ]

    def _imagined(self, question: Question, query: Query) -> Query:
        turns = (Turn("system", RULES), *question.history, Turn("user", query.text))
        return replace(query, hypothetical=ask_text(self.llm, turns, self.max_tokens, "hyde", cut=True))
