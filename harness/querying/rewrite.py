"""Rewording by a language model: a short or ambiguous question becomes one that says what is looked for.

`what about refunds?` names no thing that a passage would name; the rewording does, and takes the question's place in the search.
The reader of the passages is still asked the question itself. A conversation is not shown to the model: making its last turn stand
alone is the slot history's. The question stands in the prompt as it is: whatever it makes the model write is only searched for,
among what the asker may see.
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
    "Reword the question for a search in a collection of documents. Spell out what is short, vague or only hinted at, and keep every "
    "name, number and identifier exactly as it stands. Add no facts and do not answer. Keep the language of the question. A question "
    "that is clear stays as it is. Write the reworded question alone, on one line."
)
"""What the model is told."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Rewrite:
    """Each query in a language model's words, at temperature 0."""

    llm: SkipValidation[LLM]
    """Who rewords."""
    max_tokens: Annotated[int, Field(ge=16, le=1024)] = 96
    """Longest rewording; one that is cut off is a failure."""
    on_failure: OnFailure = "error"
    """error: the question fails. skip: its own words are searched for, and the run counts it."""

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one query; a question in parts has several."""
        return 1

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries reworded; the notes keep what they were.

        Raises:
            StageError: under `on_failure: error`, when the model fails, writes nothing or is cut off.
        """
        return [
            done
            for query in queries
            for done in tried("rewrite", self.on_failure, [query], lambda given: [self._reworded(item) for item in given])
        ]

    def _reworded(self, query: Query) -> Query:
        text = ask_text(self.llm, (Turn("system", RULES), Turn("user", query.text)), self.max_tokens, "rewrite")
        note = "rewrite: unchanged" if text == query.text else f"rewrite: was {query.text!r}"
        return replace(query, text=text, notes=(*query.notes, note))
