"""Questions from statements: what a sentence defines, how long, how much, when."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from harness.doc2query.english import DETERMINERS, action, inside
from harness.text import sentences

_NUMBER = (
    r"(?:[$€£]\s?)?(?:\d[\d.,]*|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\b)"
)
_NEARLY = r"(?:(?:about|around|up to|at least|at most|over|under|roughly|approximately|only|exactly|between|no more than) )?"
_AMOUNT = rf"{_NEARLY}{_NUMBER}"
_DURATION = rf"{_AMOUNT}(?:[ -](?:business|working|calendar))?[ -]?(?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
_DISTANCE = rf"{_AMOUNT}[ -]?(?:mm|cm|m|km|metres?|meters?|kilometres?|kilometers?|miles?|feet|inches)\b"
_DATE = (
    r"(?:the )?(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d|noon|midnight|(?:\d{1,2}(?:st|nd|rd|th)? )?(?:of )?"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|(?:19|20)\d\d\b"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b)"
)
_DONE = r"(?P<done>(?:\w+ly )?(?:\w+ed|paid|sent|made|kept|held|sold|given|taken|written|built|done|run|set|due|valid|available|open))"
_WORD = r"[^\s,;:!?()\[\]{}|<>=\"]+"
_ADVERB = r"(?: (?:also|now|always|usually|normally|still|then|only|typically|currently|therefore))?"
_SUBJECT = rf"^(?P<subject>{_WORD}(?: {_WORD}){{0,7}}?){_ADVERB}"
_WHEN = rf"(?:{_DATE}|{_DURATION})"
_BE = "is are was were"

_RULES: tuple[tuple[frozenset[str], re.Pattern[str], str], ...] = tuple(
    (frozenset(verbs.split()), re.compile(rf"{_SUBJECT} (?P<verb>{verbs.replace(' ', '|')}) {rest}"), question)
    for verbs, rest, question in (
        ("lasts last", rf"(?:for )?{_DURATION}", "How long {do} {subject} last?"),
        ("takes take", _DURATION, "How long {do} {subject} take?"),
        ("costs cost", _AMOUNT, "How much {do} {subject} cost?"),
        ("weighs weigh", _AMOUNT, "How much {do} {subject} weigh?"),
        ("holds hold stores store", _AMOUNT, "How much {do} {subject} hold?"),
        ("reaches reach extends extend", rf"(?:{_WORD} ){{0,3}}?{_DISTANCE}", "How far {do} {subject} reach?"),
        ("runs run listens listen", rf"on port {_NUMBER}", "On which port {do} {subject} run?"),
        ("expires expire", rf"(?:on|after|in|at) {_WHEN}", "When {do} {subject} expire?"),
        ("starts start begins begin", rf"(?:on|after|in|at) {_WHEN}", "When {do} {subject} start?"),
        ("ends end", rf"(?:on|after|in|at) {_WHEN}", "When {do} {subject} end?"),
        (_BE, rf"{_DONE} every (?:day|week|month|year|{_WHEN})", "How often {verb} {subject} {done}?"),
        (_BE, rf"{_DONE} for {_DURATION}", "How long {verb} {subject} {done}?"),
        (_BE, rf"{_DONE} (?:on|by|within|in|after|until|before|from|at) {_WHEN}", "When {verb} {subject} {done}?"),
        ("can must", rf"be {_DONE} (?:with|via|using|through) ", "How can {subject} be {done}?"),
        ("must may", "(?:not|never) exceed ", "What is the limit for {subject}?"),
        (_BE, _AMOUNT, "What {verb} {subject}?"),
        (_BE, "(?:a|an|the|any|each) ", "What {verb} {subject}?"),
        ("requires require", "", "What {do} {subject} require?"),
        ("needs need", "", "What {do} {subject} need?"),
        ("supports support", "", "What {do} {subject} support?"),
        ("includes include", "", "What {do} {subject} include?"),
        ("contains contain", "", "What {do} {subject} contain?"),
        ("covers cover", "", "What {do} {subject} cover?"),
        ("returns return", "", "What {do} {subject} return?"),
        ("runs run", "on (?!the |every |each )", "What {do} {subject} run on?"),
        ("depends depend", "on ", "What {do} {subject} depend on?"),
        ("consists consist", "of ", "What {do} {subject} consist of?"),
    )
)
"""The verbs, what follows them, and the question; of a sentence's matches the first counts."""

_PLAIN = frozenset(verb for verbs, _, question in _RULES for verb in verbs if "{do}" in question and not verb.endswith("s"))
"""Verbs without -s: their subject must be several."""

# fmt: off
_NO_FIRST = frozenset((
    "it", "this", "that", "these", "those", "there", "here", "he", "she", "they", "we", "you", "i", "its", "their", "his", "her",
    "if", "when", "while", "where", "because", "although", "though", "since", "unless", "until", "once", "after", "before", "in",
    "on", "at", "for", "to", "from", "by", "with", "without", "as", "and", "or", "but", "so", "yet", "nor", "what", "which", "who",
    "whose", "how", "why", "no", "not", "none", "nothing", "then", "also", "however", "such", "another", "one", "do", "does",
    "is", "are", "was", "were", "can", "please", "note", "see", "both", "during", "under", "over", "than", "between",
))
_NO_PART = frozenset((
    "that", "which", "who", "is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "would", "can", "could",
    "must", "may", "should", "shall", "does", "do", "did", "not", "if", "when", "where", "because", "you", "it", "they", "we",
    "there", "then", "so", "but", "this",
))
_JOINTS = frozenset((
    "of", "in", "for", "to", "from", "with", "on", "at", "and", "or", "by", "than", "under", "over", "inside", "outside", "per",
))
# fmt: on
_PURPOSE = re.compile(
    rf"(?:^To (?P<before>{_WORD}(?: {_WORD}){{1,9}}), |^\w+ (?:{_WORD} ){{1,12}}?to (?P<after>\w+ (?:{_WORD} ?){{1,9}}))"
)
_MARKS = re.compile(r"^(?:[-*+•>\s]+|\d{1,3}[.)]\s+|#{1,6}\s+)+")
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")


@dataclass(frozen=True, slots=True)
class Prose:
    """The prose of a chunk: without fenced code, tables and headings."""

    text: str
    """What the sentences are taken from."""

    def questions(self) -> Iterator[str]:
        """What each sentence answers, in their order."""
        for sentence in sentences(self.text):
            plain = " ".join(_EMPHASIS.sub("", _MARKS.sub("", sentence)).split())
            yield from filter(None, (self._stated(plain), _purpose(plain)))

    def _stated(self, sentence: str) -> str:
        said = set(sentence.split())
        for verbs, rule, question in _RULES:
            found = None if verbs.isdisjoint(said) else rule.match(sentence)
            if found and _names(found["subject"], several=found["verb"] in _PLAIN):
                parts = {**found.groupdict(), "subject": inside(found["subject"], self.text)}
                return question.format(do="do" if found["verb"] in _PLAIN else "does", **parts)
        return ""


def _names(subject: str, several: bool) -> bool:
    """Whether words name a thing, or several, that can be asked about without the sentence around them."""
    parts = subject.lower().split()
    return (
        parts[0] not in _NO_FIRST
        and parts[-1] not in DETERMINERS | _JOINTS
        and not _NO_PART.intersection(parts)
        and all(before in _JOINTS for before, part in pairwise(parts) if part in DETERMINERS)
        and (not several or parts[-1].endswith("s"))
        and any(part[0].isalpha() for part in parts)
    )


def _purpose(sentence: str) -> str:
    """What the step of a sentence is for: `Hold the button to reset the gateway.` is how to reset the gateway."""
    found = _PURPOSE.match(sentence)
    if not found or not (found["before"] or action(sentence)):
        return ""
    done = action((found["before"] or found["after"]).strip().rstrip("."))
    return f"How do I {done}?" if done else ""
