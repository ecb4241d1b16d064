"""What a table of refusals holds, and the helpers to write one; the tables stand in refusals_<language>.

Written in plain spelling and folded like the text they are matched with, so no pattern may use an upper-case escape. A gap
is a bounded number of words (or characters, where no blanks are set), which keeps every search linear.
"""

from dataclasses import dataclass

from harness.text import fold


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language, each field a regular expression; they are large, so whoever uses one compiles it then."""

    cue: str
    """A negative word; a sentence without one refuses nothing."""
    lacks: str
    """The source or the speaker lacks the answer, or the speaker declines."""
    elided: str
    """How a later clause refuses whose subject stands in the first ("The passages describe it but do not state its weight")."""
    answers: str
    """Looks like it and states something: taken out of a clause first."""
    condition: str
    """A clause of condition: taken out of a sentence first."""
    turn: str
    """Where one clause can contradict another."""
    talk: str
    """How a clause begins that is courtesy, an offer or advice where to ask."""
    about: str
    """Says what the sources are about, which states nothing (unless it holds a figure)."""


def any_of(*patterns: str) -> str:
    """One pattern for all of them, folded."""
    return "|".join(f"(?:{fold(pattern)})" for pattern in patterns)


def gap(most: int) -> str:
    """Up to so many words."""
    return rf"(?:,? [^ ,;:]+){{0,{most}}}?,? "


def few(most: int) -> str:
    """Up to so many words, each with its blank, no comma."""
    return rf"(?:[^ ,;:]+ ){{0,{most}}}?"
