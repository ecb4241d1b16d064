"""An answer split into claims by rules: offline, the same every time.

A claim is a sentence or a list item that states something. Headings, code, table rules, questions, greetings, refusals
and sentences of stop words alone (`It is.`) state nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.generation.refusals import refusing_sentence
from harness.generation.statements import Statement, statements
from harness.judging.lexical import content, numbers
from harness.text import words

_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"^#{1,6}\s|^\*\*[^*]+\*\*:?$|[:：]$")
_TALK = re.compile(
    r"^(?:hi|hello|hey|dear|sure|certainly|of course|great question|thanks?|thank you|you(?:'|’)?re welcome|good (?:morning|day|evening)"
    r"|i hope (?:this|that)|let me know|feel free|please (?:let|feel)|if you (?:have|need) (?:any )?(?:more|further|other|questions)"
    r"|here(?:'|’)?s|here (?:is|are) (?:the|your|a|what)\b.*:|based on the (?:passages|context|documents?)[,:]?$)(?!\w)",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^ {0,3}(```|~~~)[^\n]*\n(?:(?! {0,3}\1)[^\n]*\n)*(?: {0,3}\1[^\n]*)?", re.MULTILINE)


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class RuleSplitter:
    """Claims are the sentences and list items that state something, as they stand."""

    @property
    def identity(self) -> str:
        """Name and version of the rules."""
        return "rules v3"

    def split(self, text: str) -> Sequence[str]:
        """The claims in order, without citations and list marks."""
        return claims(text)


def claims(text: str) -> list[str]:
    """The claims of an answer in order, without citations and list marks; empty for a refusal."""
    return [found.text for found in stating(text)]


def stating(text: str) -> list[Statement]:
    """The sentences that state something, without list marks, each with the ids it cites; offsets count code fences out."""
    found = statements(_FENCED.sub("\n\n", text + "\n"))
    bare = (replace(sentence, text=_BULLET.sub("", sentence.text).strip()) for sentence in found)
    return [sentence for sentence in bare if _states(sentence.text)]


def _states(sentence: str) -> bool:
    if not any(letter.isalpha() for word in words(sentence) for letter in word):
        return False
    if not (content(sentence) or numbers(sentence)):
        return False
    if sentence.rstrip("\"'”’)").endswith(("?", "？")):
        return False
    return not (_HEADING.search(sentence) or _TALK.match(sentence) or refusing_sentence(sentence))
