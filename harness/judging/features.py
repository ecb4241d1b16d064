"""What can be read off a claim and passages without a language model: shared words, shared phrases, contradictions.

Words and phrases count in every language that `harness.text` cuts into words. Negations and antonyms are English.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from harness.judging.lexical import KEPT, numbers
from harness.terms import STOP_WORDS, compound_words
from harness.text import sentences, words

NEAR = 0.75
"""Share of a claim's stems from which a sentence is about the same thing, so that a contradiction means something."""
_SCOPE = 2
_PRONOUNS = frozenset(("i", "you", "he", "she", "we", "me", "him", "her", "us", "them", "my", "your", "his", "our"))
_CLAUSE = re.compile(r"[,;:.!?()\n]|\bbut\b|\bnot only\b", re.IGNORECASE)
_NEGATIONS = frozenset(("not", "no", "never", "none", "nor", "neither", "without", "cannot"))
# fmt: off
_HEDGES = frozenset((
    "avoid", "unless", "fail", "fails", "failed", "failure", "unable", "difficult", "except", "until", "instead", "rather",
    "refuse", "refuses", "refused", "deny", "denies", "denied", "lack", "lacks", "hardly", "rarely", "non", "if",
))
_ANTONYMS = (
    ("open", "close"), ("on", "off"), ("increase", "decrease"), ("increase", "reduce"), ("raise", "lower"), ("rise", "fall"),
    ("above", "below"), ("before", "after"), ("more", "less"), ("more", "fewer"), ("higher", "lower"), ("high", "low"),
    ("larger", "smaller"), ("large", "small"), ("longer", "shorter"), ("long", "short"), ("maximum", "minimum"),
    ("most", "least"), ("first", "last"), ("early", "late"), ("earlier", "later"), ("always", "never"), ("all", "none"),
    ("allow", "forbid"), ("allow", "prohibit"), ("allowed", "banned"), ("accept", "reject"), ("accept", "refuse"),
    ("include", "exclude"), ("enable", "disable"), ("start", "stop"), ("begin", "end"), ("win", "lose"), ("won", "lost"),
    ("pass", "fail"), ("succeed", "fail"), ("buy", "sell"), ("bought", "sold"), ("true", "false"), ("hot", "cold"),
    ("warm", "cold"), ("wet", "dry"), ("left", "right"), ("inside", "outside"), ("internal", "external"),
    ("public", "private"), ("mandatory", "optional"), ("required", "optional"), ("free", "paid"), ("legal", "illegal"),
    ("safe", "dangerous"), ("possible", "impossible"), ("positive", "negative"), ("gain", "loss"), ("profit", "loss"),
    ("import", "export"), ("male", "female"), ("north", "south"), ("east", "west"), ("old", "new"), ("fast", "slow"),
    ("faster", "slower"), ("cheap", "expensive"), ("weak", "strong"), ("present", "absent"), ("same", "different"),
)
# fmt: on
"""English words that exclude each other where they are said of the same thing."""


@dataclass(frozen=True, slots=True)
class Window:
    """A sentence, or two that follow one another, of one passage."""

    text: str
    """Its text."""
    stems: frozenset[str]
    """Its content stems."""
    sentences: int
    """One or two."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages as a claim is held against them."""

    windows: tuple[Window, ...]
    """All distinct windows in order."""
    stems: frozenset[str]
    """Content stems of all passages together."""
    triples: frozenset[tuple[str, ...]]
    """Three stems in a row, stop words included."""
    numbers: frozenset[str]
    """Normalised numbers."""

    @classmethod
    def read(cls, passages: Sequence[str]) -> "Passages":
        """Reads passages whole."""
        found = dict[str, Window]()
        for passage in passages:
            cut = sentences(passage)
            for text in cut:
                found.setdefault(text, Window(text, content(text), 1))
            for text in map(" ".join, pairwise(cut)):
                found.setdefault(text, Window(text, content(text), 2))
        together = "\n".join(passages)
        return cls(
            tuple(found.values()),
            frozenset().union(*(window.stems for window in found.values())),
            frozenset(triple for passage in passages for triple in triples(passage)),
            numbers(together),
        )


@dataclass(frozen=True, slots=True)
class Words:
    """What words say of a claim beside passages."""

    coverage: float
    """Share of the claim's distinct content stems that stand in the passages, in [0, 1]."""
    closest: float
    """The same share of the one window that holds most of them."""
    phrases: float
    """Share of the claim's three words in a row that stand so in a passage."""
    new_numbers: tuple[str, ...]
    """Numbers that no passage has."""
    contradiction: str
    """What the nearest sentence denies, or nothing."""
    nearest: tuple[str, ...]
    """Windows that hold most of the claim's stems, best first, short before long."""

    @classmethod
    def of(cls, claim: str, passages: Passages, kept: int) -> "Words":
        """Reads a claim beside passages and names the `kept` nearest windows."""
        stems, phrases = content(claim), triples(claim)
        ordered = sorted(passages.windows, key=lambda window: (-share(stems, window.stems), len(window.text), window.text))
        return cls(
            share(stems, passages.stems),
            share(stems, ordered[0].stems) if ordered else 0.0,
            share(phrases, passages.triples) if phrases else share(stems, passages.stems),
            tuple(sorted(numbers(claim) - passages.numbers)),
            contradiction(claim, [window for window in ordered if window.sentences == 1]),
            tuple(window.text for window in ordered[:kept]),
        )


def share(wanted: frozenset[object], held: frozenset[object]) -> float:
    """Share of what is wanted that is held; 1 when nothing is wanted."""
    return len(wanted & held) / len(wanted) if wanted else 1.0


def content(text: str) -> frozenset[str]:
    """Stems of all words but stop words; `no` and `not` stay."""
    return frozenset(_stemmed(word for word in compound_words(text) if word not in STOP_WORDS or word in KEPT))


def triples(text: str) -> frozenset[tuple[str, ...]]:
    """Three stems in a row, stop words included."""
    stems = _stemmed(words(text))
    return frozenset(zip(stems, stems[1:], stems[2:], strict=False))


def contradiction(claim: str, nearest: Sequence[Window]) -> str:
    """What speaks against a claim in the sentences about the same thing, best first; nothing when one of them agrees.

    A negation counts for the two content words after it in its clause, so that `does not support Bluetooth` denies
    `supports Bluetooth` and leaves the rest of the sentence alone; and only where the other side has no negation and no
    word such as `unless` or `avoid` that may stand for one. `Not open` and `closed` agree.
    """
    stems = content(claim)
    about = [window for window in nearest if share(_bare(stems), window.stems) >= NEAR]
    found = [_denied(claim, stems, window) for window in about]
    return found[0] if found and all(found) else ""


def _denied(claim: str, stems: frozenset[str], window: Window) -> str:
    ours, theirs = negated(claim), negated(window.text)
    if any((one in ours and other in window.stems) or (one in theirs and other in stems) for one, other in _pairs()):
        return ""
    other_side = window.text if ours else claim
    if not (ours and theirs) and not hedged(other_side) and (flipped := sorted((ours | theirs) & stems & window.stems)):
        return f"one of claim and passage denies {flipped[0]!r}"
    for one, other in _pairs():
        if one in stems - window.stems and other in window.stems - stems:
            return f"{one!r} against {other!r}"
    return ""


def negated(text: str) -> frozenset[str]:
    """Stems of the two content words after each negation, within its clause."""
    found = set[str]()
    for clause in _CLAUSE.split(text):
        told = words(clause)
        for place, word in enumerate(told):
            if word in _NEGATIONS or word.endswith("n't"):
                after = [item for item in told[place + 1 :] if item not in STOP_WORDS | _NEGATIONS | _PRONOUNS]
                found.update(_stemmed(after[:_SCOPE]))
    return frozenset(found)


def hedged(text: str) -> bool:
    """Whether a text has a negation, or a word that may stand for one."""
    return any(word in _NEGATIONS or word in _HEDGES or word.endswith("n't") or word.startswith("non-") for word in words(text))


def _bare(stems: frozenset[str]) -> frozenset[str]:
    """Without negations and antonyms, which a contradicting sentence does not share."""
    return stems - _NEGATIONS - {word for pair in _pairs() for word in pair}


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    """Stemmed antonyms, both ways round."""
    stemmed = [_stemmed(pair) for pair in _ANTONYMS]
    return tuple((one, other) for pair in stemmed for one, other in (pair, pair[::-1]))


def _stemmed(told: Iterable[str]) -> list[str]:
    import Stemmer

    found: list[str] = Stemmer.Stemmer("english").stemWords(list(told))
    return found
