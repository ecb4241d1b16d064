"""Faithfulness by words and numbers: offline, deterministic, blind to negation and paraphrase.

It stands in where no model is at hand, and it never lets a new number pass. It is a judge like any other: its scores
are advisory until calibrated against human labels.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass as record
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.judging.claims import claims
from harness.terms import STOP_WORDS, compound_words
from harness.types import Question, Score, State, Trace

METRIC = "faithfulness"
KEPT = frozenset(("no", "not"))
"""Stop words that carry meaning in a claim."""
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![,.]?\d)|\d+(?:\.\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@record(frozen=True, slots=True)
class Shown:
    """What can be read off a text: its numbers and its content stems."""

    numbers: frozenset[str]
    """Normalised numbers."""
    stems: frozenset[str]
    """Stems of all words but stop words."""

    @classmethod
    def of(cls, text: str) -> "Shown":
        """Reads a text."""
        return cls(numbers(text), _content(text))

    def against(self, claim: str, minimum: float) -> str:
        """What speaks against a claim: a number this text lacks or too few known words; nothing when it is supported."""
        read = Shown.of(claim)
        if new := sorted(read.numbers - self.numbers):
            return f"no passage has {', '.join(new)}"
        share = len(read.stems & self.stems) / len(read.stems) if read.stems else 1.0
        return "" if share >= minimum else f"{share:.2f} of its words are in the passages"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LexicalJudge:
    """Faithfulness = supported claims / claims (Es et al. 2023, arXiv 2309.15217), with support read off the words.

    A claim is supported when at least `minimum` of its distinct content stems, and all of its numbers, stand in the
    passages shown.
    """

    minimum: Annotated[float, Field(ge=0, le=1)] = 0.6
    """Share of a claim's content words that the passages must hold."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Faithfulness alone."""
        return ("faithfulness",)

    @property
    def identity(self) -> str:
        """Name, version of the rules and threshold."""
        return f"lexical v1 minimum={self.minimum:g}"

    def judge(self, question: Question, trace: Trace) -> Sequence[Score]:
        """One score; not applicable without an answer, for a refusal and for an answer without claims."""
        if reason := not_judged(trace):
            return [self._score(question, None, State.NOT_APPLICABLE, reason)]
        stated = claims(trace.answer.text if trace.answer else "")
        if not stated:
            return [self._score(question, None, State.NOT_APPLICABLE, "the answer states no claim")]
        shown = Shown.of("\n".join(hit.chunk.indexed_text for hit in trace.context.hits))
        faults = [f"{claim!r}: {fault}" for claim in stated if (fault := shown.against(claim, self.minimum))]
        said = "; ".join([f"{len(stated) - len(faults)} of {len(stated)} claims supported", *faults])
        return [self._score(question, 1 - len(faults) / len(stated), State.SCORED, said)]

    def _score(self, question: Question, value: float | None, state: State, reason: str) -> Score:
        return Score(METRIC, question.question_id, value, state, f"{reason} [{self.identity}]")


def not_judged(trace: Trace) -> str:
    """Why a trace has no faithfulness, or nothing."""
    if trace.answer is None:
        return "no answer was generated"
    return "the answer is a refusal" if trace.answer.refused else ""


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text without thousands separators and idle zeros: 1,000.50 and 1000.5 are one."""
    return frozenset(_plain(match.group()) for match in _NUMBER.finditer(text))


def _plain(number: str) -> str:
    joined = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
    whole, point, rest = joined.partition(".")
    rest = rest.rstrip("0") if "." not in rest and "," not in rest else rest
    return f"{whole.lstrip('0') or '0'}{point if rest else ''}{rest}"


def _content(text: str) -> frozenset[str]:
    import Stemmer

    kept = [word for word in compound_words(text) if word not in STOP_WORDS or word in KEPT]
    return frozenset(Stemmer.Stemmer("english").stemWords(kept))
