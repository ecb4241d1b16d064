"""The user's earlier turns put before the last one: the baseline that other ways with a history are measured against."""

from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.types import Query, Question


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Concatenate:
    """Puts the newest user turns before the question, a line each; what the assistant said is left out."""

    turns: Annotated[int, Field(ge=1, le=1000)] = 1
    """User turns that are put before it, the newest ones."""

    def standalone(self, question: Question) -> tuple[Question, Query]:
        """The question behind the turns; a note says how many there are."""
        said = [turn.content for turn in question.history if turn.role == "user" and turn.content.strip()][-self.turns :]
        if not said:
            return question, Query(question.text)
        text = "\n".join([*said, question.text])
        return replace(question, text=text), Query(text, notes=(f"history: behind {len(said)} user turns",))
