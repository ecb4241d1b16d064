"""Several wordings of a question, so that one of them meets the words of the passage (as in RAG-Fusion, Raudaschl 2023)."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.protocols import LLM
from harness.querying.asking import OnFailure, listed, tried
from harness.types import Query, Question

RULES = """\
You write other wordings of a question for a search in documents.

- {count} wordings, each of which asks for the same in other words: terms that a manual, a contract or a price list would use, \
synonyms, the short form and the long form of a name.
- Keep names, numbers and conditions as they are. Add nothing that the question does not say. Do not answer.
- Keep the language of the question.

Reply with one JSON object: `queries` holds the wordings."""
"""What the model is told."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class MultiQuery:
    """Asks a language model to reword the first query; the rankings of all wordings are fused. One call a question."""

    llm: SkipValidation[LLM]
    """Who rewords."""
    count: Annotated[int, Field(ge=1, le=20)] = 3
    """Wordings beside the question's own."""
    max_tokens: Annotated[int, Field(ge=16)] = 512
    """Longest reply; a longer one is a failure."""
    on_failure: OnFailure = "error"
    """error: the question fails. skip: it is searched for in its own words, and the trace says why."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one question; a reply that cannot be read takes another."""
        return 1

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The first query, its other wordings, then the others; fewer than asked for are noted.

        Raises:
            StageError: under on_failure=error, when the model failed, gave no other wording, or its reply is cut or unreadable.
        """
        return tried("subqueries", self.on_failure, queries, self._reworded)

    def _reworded(self, queries: Sequence[Query]) -> Sequence[Query]:
        rules = RULES.format(count=self.count)
        found = listed(self.llm, rules, queries[0], self.count, self.max_tokens, "subqueries")
        if len(found) == 1:
            raise StageError(f"subqueries: the model gave no other wording: {'; '.join(found[0].notes)}")
        return [*found, *queries[1:]]
