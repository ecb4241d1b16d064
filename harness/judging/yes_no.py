"""Support as one word: a language model says yes or no to each claim, and how sure it was is read off its first token.

The probability is P(yes) / (P(yes) + P(no)) over the candidates of that token, as Kadavath et al. 2022 (arXiv 2207.05221)
read P(True). It needs a model that reports log-probabilities; a small one on this machine will do.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Annotated

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fence import DATA, fenced, mark_of
from harness.fingerprint import fingerprint
from harness.judging.replies import check_length
from harness.protocols import LLM
from harness.types import Request, Support, Turn

CANDIDATES = 20
"""Candidates of the first token to look at: as many as OpenAI's interface gives."""
_MARK = 16
"""Hex digits of the fence's mark: a small model reads each of them as a token."""
RULES = """\
Read the passages. Then say of each claim whether the passages support it: yes when they state all of it, in these words or \
others; no when a number, name, date or negation differs, or when they do not state a part of it.

{data}

{passages}"""
READ = "I have read the passages."
ASK = "{claim}\n\nDo the passages support the claim? Answer with one word, Yes or No."
"""The prompt: the passages come first, so that a client may read them once for all claims."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class YesNoSupport:
    """Asks once per claim whether the passages support it; supported from a probability of .5."""

    llm: SkipValidation[LLM]
    """Who reads; it must report log-probabilities."""
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")] = "local_llm"
    """What people see beside every score."""
    max_input_tokens: Annotated[int, Field(ge=256)] = 3500
    """Longest prompt by this project's own count; a longer one is an error, never cut."""

    @property
    def identity(self) -> str:
        """The name, the prompt's digest and the model."""
        prompt = fingerprint(DATA, RULES, READ, ASK, CANDIDATES)[:12]
        return f"{self.name} yes-no v1 prompt={prompt} by {self.llm.identity}"

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim; without a passage nothing is supported and nobody is asked.

        Raises:
            StageError: when the model failed, the prompt does not fit, or the first token is neither yes nor no.
        """
        if not passages:
            return [Support(0.0, False, "no passage to read") for _ in claims]
        return [self._verdict(claim, passages) for claim in claims]

    def _verdict(self, claim: str, passages: Sequence[str]) -> Support:
        asked = turns(claim, passages)
        check_length(asked, self.max_input_tokens)
        completion = self.llm.complete(Request(asked, max_tokens=1, top_logprobs=CANDIDATES))
        probability = yes_share(completion.logprobs, completion.text)
        return Support(probability, probability >= 0.5, f"P(yes) = {probability:.2f}")


def turns(claim: str, passages: Sequence[str]) -> tuple[Turn, Turn, Turn]:
    """The prompt: passages and claim each inside its fence. All turns but the last are the same for every claim about them."""
    mark = mark_of(list(passages))[:_MARK]
    texts = "\n\n".join(fenced(f"passage {place}", text, mark) for place, text in enumerate(passages, 1))
    first = RULES.format(data=DATA.format(mark=mark), passages=texts)
    return Turn("user", first), Turn("assistant", READ), Turn("user", ASK.format(claim=fenced("claim", claim, mark)))


def yes_share(logprobs: Mapping[str, float], text: str) -> float:
    """P(yes) / (P(yes) + P(no)) over the candidates, whatever their case and the blanks around them.

    Raises:
        StageError: when neither is among them, or there are none; names `text`, what the model wrote.
    """
    if not logprobs:
        raise StageError("J001 the judge's model reports no log-probabilities; choose one that does, or another judge")
    shares = {
        word: sum(exp(value) for token, value in logprobs.items() if token.strip().lower() == word) for word in ("yes", "no")
    }
    total = sum(shares.values())
    if not total:
        raise StageError(f"J001 the judge's first word is neither yes nor no but {text!r}. Counted as an error, not as a score")
    return shares["yes"] / total
