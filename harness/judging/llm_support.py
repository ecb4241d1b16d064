"""Support read by a language model: one request for all claims of an answer against all passages."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fence import DATA, fenced, mark_of
from harness.fingerprint import fingerprint
from harness.judging.replies import REFORMAT, ask
from harness.protocols import LLM
from harness.types import Support, Turn

DEGREES = {"full": 1.0, "partial": 0.5, "none": 0.0}
"""Probability of support by verdict."""
RULES = """\
You check claims against passages.

Decide for each claim by the passages alone, read together:
- full: the passages state all of it, in these words or others, or it follows from them without any other knowledge.
- partial: they state a part of it and contradict nothing in it.
- none: they do not state it, or they contradict any part of it.
Your own knowledge is no source. A different number, name, date, unit, condition or negation is a contradiction. The style, \
length and certainty of a claim do not matter.

Reply with one JSON object: `verdicts` holds one entry per claim, in the order of the claims, each with the number of the \
claim, the reason in at most 20 words, and the verdict."""
"""What is decided and how."""


class ClaimVerdict(BaseModel):
    """The verdict on one claim."""

    model_config = ConfigDict(extra="forbid")

    claim: int
    reason: str
    verdict: Literal["full", "partial", "none"]


class ClaimVerdicts(BaseModel):
    """The verdicts on all claims, in order."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[ClaimVerdict]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMSupport:
    """Asks a language model for full, partial or no support; only full is supported, partial is a probability of .5."""

    llm: SkipValidation[LLM]
    """Who reads."""
    max_tokens: Annotated[int, Field(ge=64)] = 4096
    """Longest reply; a longer one is an error, never a verdict."""
    max_input_tokens: Annotated[int, Field(ge=256)] = 100_000
    """Longest prompt by this project's own count; a longer one is an error, never cut."""

    @property
    def identity(self) -> str:
        """The word llm, the prompt's digest and the model."""
        return f"llm v1 prompt={fingerprint(DATA, RULES, REFORMAT)[:12]} by {self.llm.identity}"

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim.

        Raises:
            StageError: when the model failed, the prompt does not fit, or the reply is unreadable, cut or not one verdict per
                claim.
        """
        if not claims:
            return []
        reply = ask(self.llm, turns(claims, passages), ClaimVerdicts, self.max_tokens, self.max_input_tokens)
        numbers = [item.claim for item in reply.verdicts]
        if numbers != list(range(1, len(claims) + 1)):
            raise StageError(f"J001 the judge was asked for verdicts on claims 1 to {len(claims)} and gave them on {numbers!r}")
        return [
            Support(DEGREES[item.verdict], item.verdict == "full", f"{item.verdict}: {item.reason}") for item in reply.verdicts
        ]


def turns(claims: Sequence[str], passages: Sequence[str]) -> tuple[Turn, Turn]:
    """The prompt: rules, then every passage and claim inside its fence."""
    mark = mark_of(list(claims), list(passages))
    texts = [fenced(f"passage {place}", text, mark) for place, text in enumerate(passages, 1)]
    texts += [fenced(f"claim {place}", text, mark) for place, text in enumerate(claims, 1)]
    asked = f"Give the verdicts on claims 1 to {len(claims)}."
    return Turn("system", f"{RULES}\n\n{DATA.format(mark=mark)}"), Turn("user", "\n\n".join([*texts, asked]))
