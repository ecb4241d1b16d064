"""What a glossary learned, found in a query: by the words of its terms, for whoever may see where they are defined."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from harness.querying.glossary_abbreviations import is_short
from harness.terms import STOP_WORDS
from harness.text import CJK, fold
from harness.types import Document, Query

_TOKEN = re.compile(rf"[^\W{CJK}]+(?:[-.'][^\W{CJK}]+)*|[{CJK}]")
_LETTERS = re.compile(r"[^\W\d_]+")
_COMMON_SHARE, _COMMON_LEAST = 0.1, 3
"""A word is common from this share of the documents that the asker may see on, and from so many documents on."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Two wordings of the same thing, of which the second is put beside the first."""

    term: str
    """What stands in a question."""
    other: str
    """What is put beside it."""
    doc_ids: frozenset[str] | None
    """Documents that say so; None is the user's own file, which holds for everybody."""

    def sources(self, allowed: frozenset[str] | None) -> frozenset[str]:
        """The documents among those that the asker may see that say so; None is all."""
        held = self.doc_ids or frozenset()
        return held if allowed is None else held & allowed


class Book:
    """Entries by the folded words of their terms.

    An abbreviation is met as it is spelled; in other spellings only where no document that the asker may see uses it as an ordinary
    word. A single ordinary word is met only where few of these documents hold it. Each counts for who may see it alone.
    """

    def __init__(self, entries: Sequence[Entry], documents: Sequence[Document]) -> None:
        self._entries: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
        for entry in entries:
            self._entries[tuple(word for word, _, _ in _tokens(entry.term))].append(entry)
        self._longest = max(map(len, self._entries), default=0)
        self._doc_ids = frozenset(document.doc_id for document in documents)
        spellings = {spelling for entry in entries if _LETTERS.fullmatch(entry.term) for spelling in _as_a_word(entry)}
        self._ordinary: dict[str, set[str]] = defaultdict(set)
        for document in documents if spellings else ():
            for spelling in spellings & set(_LETTERS.findall(document.text)):
                self._ordinary[spelling].add(document.doc_id)

    def found(self, query: Query, most: int) -> list[tuple[int, list[Entry]]]:
        """Where terms of a query end, with their entries, from left to right; of overlapping terms the longest first one."""
        tokens = _tokens(query.text)
        whole = f" {' '.join(word for word, _, _ in tokens)} "
        found: list[tuple[int, list[Entry]]] = []
        place, left, known = 0, most, set[str]()
        while place < len(tokens) and left:
            size, entries = self._at(query, tokens, place)
            fresh = [item for item in entries if _key(item.other) not in known and f" {_key(item.other)} " not in whole][:left]
            known |= {_key(entry.other) for entry in entries}
            place, left = place + size, left - len(fresh)
            if fresh:
                found.append((tokens[place - 1][2], fresh))
        return found

    def _at(self, query: Query, tokens: Sequence[tuple[str, int, int]], place: int) -> tuple[int, list[Entry]]:
        """How many tokens the longest term that starts here has, and its entries; 1 and none where there is none."""
        for size in range(min(self._longest, len(tokens) - place), 0, -1):
            seen = query.text[tokens[place][1] : tokens[place + size - 1][2]]
            key = tuple(word for word, _, _ in tokens[place : place + size])
            if entries := self._usable(key, seen, query.allowed):
                return size, entries
        seen = query.text[tokens[place][1] : tokens[place][2]]
        if seen.endswith("s") and seen[:-1].isupper():
            return 1, self._usable((fold(seen[:-1]),), seen[:-1], query.allowed)
        return 1, []

    def _usable(self, key: tuple[str, ...], seen: str, allowed: frozenset[str] | None) -> list[Entry]:
        """The user's own entries of a term, then the meaning that most documents which the asker may see give, as most of these spell it."""
        entries = [entry for entry in self._entries.get(key, ()) if entry.doc_ids is None or entry.sources(allowed)]
        own = [
            entry for entry in entries if entry.doc_ids is None and (not is_short(entry.term) or self._met(entry, seen, allowed))
        ]
        learned = [entry for entry in entries if entry.doc_ids is not None and self._met(entry, seen, allowed)]
        said: dict[str, set[str]] = defaultdict(set)
        for entry in learned:
            said[_key(entry.other)] |= entry.sources(allowed)

        def rank(entry: Entry) -> tuple[int, str, int, str, str]:
            other = _key(entry.other)
            return -len(said[other]), other, -len(entry.sources(allowed)), entry.other, entry.term

        return own + sorted(learned, key=rank)[:1]

    def _met(self, entry: Entry, seen: str, allowed: frozenset[str] | None) -> bool:
        """Whether the words of a query are meant as the entry's term."""
        if is_short(entry.term):
            return seen == entry.term or (fold(entry.term) not in STOP_WORDS and not self._users(entry, allowed))
        seeing = self._doc_ids if allowed is None else self._doc_ids & allowed
        return self._users(entry, allowed) < max(_COMMON_LEAST, _COMMON_SHARE * len(seeing))

    def _users(self, entry: Entry, allowed: frozenset[str] | None) -> int:
        """How many documents that the asker may see use the term as an ordinary word."""
        users = set[str]().union(*(self._ordinary.get(spelling, ()) for spelling in _as_a_word(entry)))
        return len(users if allowed is None else users & allowed)


def _as_a_word(entry: Entry) -> set[str]:
    """Spellings of a term as an ordinary word, small and at the start of a sentence; not that of the abbreviation itself."""
    word = fold(entry.term)
    return {word, word.capitalize()} - ({entry.term} if is_short(entry.term) else set())


def is_word(text: str) -> bool:
    """Whether it is one word of letters."""
    return bool(_LETTERS.fullmatch(text)) and len(_tokens(text)) == 1


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Folded words with where they stand."""
    return [(fold(match.group()), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _key(text: str) -> str:
    return " ".join(word for word, _, _ in _tokens(text))
