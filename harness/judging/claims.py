"""An answer split into claims by rules: offline, the same every time.

A claim is a sentence or a list item that states something. Headings, code, table rules, questions, greetings and
refusals state nothing.
"""

import re

from harness.generation.statements import statements
from harness.text import REFUSAL, words

_BULLET = re.compile(r"^(?:[-*+•]|\d{1,3}[.)])\s+")
_HEADING = re.compile(r"^#{1,6}\s|^\*\*[^*]+\*\*:?$|[:：]$")
_TALK = re.compile(
    r"^(?:hi|hello|hey|dear|sure|certainly|of course|great question|thanks?|thank you|you(?:'|’)?re welcome|good (?:morning|day|evening)"
    r"|i hope (?:this|that)|let me know|feel free|please (?:let|feel)|if you (?:have|need) (?:any )?(?:more|further|other|questions)"
    r"|here(?:'|’)?s|here (?:is|are) (?:the|your|a|what)\b.*:|based on the (?:passages|context|documents?)[,:]?$)(?!\w)",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:can(?:not|'t|’t| not)|could(?: not|n't|n’t)|was unable to|am unable to) (?:find|answer|determine|locate|confirm)\b"
    r"|\b(?:i|we) (?:do not|don't|don’t) (?:know|have)\b"
    r"|\b(?:passages?|context|documents?|sources?|knowledge base) (?:provided |given |above )?(?:do(?:es)?) ?(?:not|n't|n’t) "
    r"(?:contain|mention|say|state|include|provide|specify|cover)\b",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^ {0,3}(```|~~~)[^\n]*\n(?:(?! {0,3}\1)[^\n]*\n)*(?: {0,3}\1[^\n]*)?", re.MULTILINE)


def claims(text: str) -> list[str]:
    """The claims of an answer in order, without citations and list marks; empty for a refusal."""
    bare = (_BULLET.sub("", found.text).strip() for found in statements(_FENCED.sub("\n\n", text + "\n")))
    return [claim for claim in bare if _states(claim)]


def _states(sentence: str) -> bool:
    if not any(letter.isalpha() for word in words(sentence) for letter in word):
        return False
    if sentence.rstrip("\"'”’)").endswith(("?", "？")) or sentence == REFUSAL:
        return False
    return not (_HEADING.search(sentence) or _TALK.match(sentence) or _REFUSES.search(sentence))
