"""The question as it stands."""

from collections.abc import Sequence

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.types import Query, Question


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Plain:
    """One query: the question's text."""

    def transform(self, question: Question) -> Sequence[Query]:
        """The question's text as the only query."""
        return [Query(question.text)]
