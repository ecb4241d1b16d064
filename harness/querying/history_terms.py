"""The terms of a conversation that a later turn may leave out: which there are, and which weigh most."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.querying.history_words import FUNCTION_WORDS
from harness.terms import stems
from harness.text import CJK, fold
from harness.types import Turn

TURNS = 8
"""User turns that are looked at; what is older weighs less than a two hundredth."""
_DECAY = 0.5
"""Weight of a turn against the one after it."""
_ASSISTANT = 0.5
"""Weight of the last assistant turn against the last user turn."""
_NAME = 1.5
"""Weight of a name or a code against another word."""
_LONGEST = 40
"""Characters of a term; a longer run of letters is no word."""
_NUMBER = 3
"""Digits of a number that may name something."""
_RUNS = "々〇\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_TERM = re.compile(rf"[^\W{CJK}]+(?:[-.'’][^\W{CJK}]+)*|[{_RUNS}]+")
_AMOUNT = re.compile(r"[\d.,]+")
_COUNTED = re.compile(r"(?:^|[^\w-])\d[\d.,]* ?$")
_ENGLISH_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Term:
    """A word, or a run of Chinese, Japanese or Korean characters, of a text."""

    text: str
    """As it is written."""
    key: str
    """The same for all forms of a word."""
    name: bool
    """Whether it is written like a name or a code: a capital inside a sentence, several capitals, letters with digits."""
    start: int
    """First character in the text."""
    end: int
    """One past the last character."""


def is_english(texts: Sequence[str]) -> bool:
    """Whether a quarter of the words are English function words."""
    found = [fold(match.group()) for text in texts for match in _TERM.finditer(text)]
    return sum(word in FUNCTION_WORDS for word in found) >= _ENGLISH_SHARE * len(found) > 0


def terms(text: str, english: bool) -> list[Term]:
    """The words that may name a topic, in order; of other languages those of four letters and more, names and codes."""
    matches = [match for match in _TERM.finditer(text) if _tells(match.group(), english)]
    keys = [found[0] if found else "" for found in stems([match.group() for match in matches])]
    return [
        Term(match.group(), key or fold(match.group()), _is_name(text, match), match.start(), match.end())
        for match, key in zip(matches, keys, strict=True)
    ]


def _tells(word: str, english: bool) -> bool:
    if len(word) > _LONGEST or fold(word).replace("’", "'") in FUNCTION_WORDS:
        return False
    if word.isdigit():
        return len(word) >= _NUMBER
    if re.match(f"[{CJK}]", word) or any(letter.isdigit() for letter in word):
        return True
    return len(word) >= (2 if english or word.isupper() else 4)


def _is_name(text: str, match: re.Match[str]) -> bool:
    word = match.group()
    if sum(letter.isupper() for letter in word) > 1 or (word.upper() != word.lower() and any(map(str.isdigit, word))):
        return True
    before = text[max(0, match.start() - 2) : match.start()]
    return word[0].isupper() and len(before) == 2 and before[1] == " " and (before[0].isalnum() or before[0] in ",;:")


def carried(history: Sequence[Turn], known: Sequence[Term], most: int, english: bool) -> str:
    """The heaviest terms of a conversation that are not known, in the order in which they were said; neighbours as a phrase.

    The weight of a term is added up over the user turns in which it stands, each half of the next one's, and over the last
    assistant turn. Ties go to the later turn, then to the earlier place.
    """
    turns = _read(history)
    weights: dict[str, float] = {}
    said: dict[str, tuple[int, Term]] = {}
    for place, (turn, weight) in enumerate(turns):
        found = {term.key: term for term in reversed(_topics(turn, english))}
        for key, term in found.items():
            weights[key] = weights.get(key, 0.0) + weight * (_NAME if term.name else 1.0)
            if turn.role == "user" or key not in said:
                said[key] = (place, term)
    new = sorted(
        weights.keys() - {term.key for term in known}, key=lambda key: (-weights[key], -said[key][0], said[key][1].start)
    )
    chosen = sorted((said[key] for key in new[:most]), key=lambda item: (item[0], item[1].start))
    return _phrases(chosen, [turn.content for turn, _ in turns])


def _topics(turn: Turn, english: bool) -> list[Term]:
    """The terms of a turn that may name a topic: of an answer no bare numbers, and no units behind them (`189 Euro`)."""
    found = terms(turn.content, english)
    if turn.role == "user":
        return found
    words = [term for term in found if not _AMOUNT.fullmatch(term.text)]
    return [term for term in words if not _COUNTED.search(turn.content[max(0, term.start - _LONGEST) : term.start])]


def _read(history: Sequence[Turn]) -> list[tuple[Turn, float]]:
    """The turns that count, oldest first, with their weights."""
    users = [place for place, turn in enumerate(history) if turn.role == "user"][-TURNS:]
    weights = {place: _DECAY**age for age, place in enumerate(reversed(users))}
    last = max((place for place, turn in enumerate(history) if turn.role == "assistant"), default=-1)
    if last >= 0:
        weights[last] = _ASSISTANT
    return [(history[place], weights[place]) for place in sorted(weights)]


def _phrases(chosen: Sequence[tuple[int, Term]], texts: Sequence[str]) -> str:
    """`Bruno Mars, song`: terms between which only a blank stood come together."""
    written = ""
    before: tuple[int, Term] | None = None
    for place, term in chosen:
        joined = before is not None and before[0] == place and texts[place][before[1].end : term.start] == " "
        written += f"{' ' if joined else ', '}{term.text}"
        before = (place, term)
    return written.removeprefix(", ")
