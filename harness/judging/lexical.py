"""Support by words and numbers: offline, deterministic, blind to negation and paraphrase.

It stands in where no model is at hand, and it never lets a new number pass. It is a judge like any other: its scores
are advisory until calibrated against human labels.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass as record
from functools import lru_cache
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.terms import STOP_WORDS, compound_words
from harness.text import sentences
from harness.types import Support

KEPT = frozenset(("no", "not"))
"""Stop words that carry meaning in a claim."""
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![,.]?\d)|\d+(?:\.\d+)*")
_SIGNED = re.compile(
    rf"((?<![\w)\]%\u00b0.,\u2013\u2212-])(?<!\d\s)[\u2013\u2212-][$\u20ac\u00a3]?(?=\d)|\bminus\s+(?=\d))?({_NUMBER.pattern})",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LexicalSupport:
    """Reads support off the words.

    The probability is the mean of two shares of a claim's distinct content stems: those that stand anywhere in the passages
    and those that stand together in one sentence; 0 when the claim has a number that no passage has. The claim is supported
    when the first share is at least `minimum` and no number is new. A number with a minus is another number than the one
    without. A claim with neither content stems nor numbers says nothing that could be supported: 0.
    """

    minimum: Annotated[float, Field(ge=0, le=1)] = 0.6
    """Share of a claim's content words that the passages must hold."""

    @property
    def identity(self) -> str:
        """Name, version of the rules and threshold."""
        return f"lexical v3 minimum={self.minimum:g}"

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim; the passages are read as one text."""
        shown = Shown.of(passages)
        return [self._verdict(claim, shown) for claim in claims]

    def _verdict(self, claim: str, shown: "Shown") -> Support:
        stems, told = content(claim), signed_numbers(claim)
        if new := sorted(told - shown.numbers):
            return Support(0.0, False, f"no passage has {', '.join(new)}")
        if not stems and not told:
            return Support(0.0, False, "the claim has neither content words nor numbers")
        known = _share(stems, shown.stems)
        together = max((_share(stems, sentence) for sentence in shown.sentences), default=0.0)
        said = f"{known:.2f} of its words are in the passages, {together:.2f} in one sentence"
        return Support((known + together) / 2, known >= self.minimum, said)


@record(frozen=True, slots=True)
class Shown:
    """What can be read off passages."""

    numbers: frozenset[str]
    """Normalised numbers with their signs."""
    stems: frozenset[str]
    """Stems of all words but stop words."""
    sentences: tuple[frozenset[str], ...]
    """The same by sentence."""

    @classmethod
    def of(cls, passages: Sequence[str]) -> "Shown":
        """Reads passages as one text."""
        read = [_read(passage) for passage in passages]
        return cls(
            frozenset[str]().union(*(part.numbers for part in read)),
            frozenset[str]().union(*(part.stems for part in read)),
            tuple(sentence for part in read for sentence in part.sentences),
        )


@lru_cache(maxsize=1_024)
def _read(passage: str) -> Shown:
    parts = tuple(content(sentence) for sentence in sentences(passage))
    return Shown(signed_numbers(passage), frozenset[str]().union(*parts), parts)


def _share(stems: frozenset[str], known: frozenset[str]) -> float:
    return len(stems & known) / len(stems) if stems else 1.0


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text without thousands separators and idle zeros: 1,000.50 and 1000.5 are one."""
    return frozenset(_plain(match.group()) for match in _NUMBER.finditer(text))


def signed_numbers(text: str) -> frozenset[str]:
    """The same with a minus where one stands: -5, −5 and minus 5 are one, the 10 of 5-10 and the 2 of CO-2 have none."""
    return frozenset(f"{'-' if match[1] else ''}{_plain(match[2])}" for match in _SIGNED.finditer(text))


def _plain(number: str) -> str:
    joined = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
    whole, point, rest = joined.partition(".")
    rest = rest.rstrip("0") if "." not in rest and "," not in rest else rest
    return f"{whole.lstrip('0') or '0'}{point if rest else ''}{rest}"


def content(text: str) -> frozenset[str]:
    """Stems of all words but stop words; `no` and `not` stay."""
    import Stemmer

    kept = [word for word in compound_words(text) if word not in STOP_WORDS or word in KEPT]
    return frozenset(Stemmer.Stemmer("english").stemWords(kept))
