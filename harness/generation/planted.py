"""Passages of a document that talk to the model which reads it, instead of telling the reader something.

Whoever can write into a corpus (a forum, a ticket, a web page) can plant an instruction there (Greshake et al. 2023, arXiv
2302.12173). The rules know what such sentences look like in English: orders to forget other orders, turns of a chat, addresses to an
assistant, rules for what to answer. They read no intent: a manual about language models holds such sentences too, and an instruction
in ordinary words or in another language escapes them. What a manual tells its reader to do ("Skip the message", "You are now
connected") is left alone.
"""

import re

from harness.text import sentences

_MODEL = r"(?:ai(?: (?:systems?|models?|agents?|assistants?|bots?))?|a\.i\.|llms?|(?:large )?language models?|(?:virtual |digital )assistants?|chat ?bots?|gpt)"
_HELPER = rf"(?:{_MODEL}|assistants?|bots?)"
_ORDERS = r"(?:instructions?|prompts?|rules|guidelines|directives?|orders)"
_SHOWN = r"(?:context|passages?|documents?|sources?)"
_SAY = r"(?:answer|reply|respond|say|state|claim|tell|recommend)"
_PRINT = rf"(?:{_SAY}|write|output|print|mention|include|add|append|insert|quote|cite)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding)"
_WORDS = r"(?:the |this |these )?(?:word|words|phrase|sentence|string|token|following|text)\b"
_ASKED = r"(?:ask(?:s|ed|ing)?|quer(?:y|ies|ied)|question(?:s|ed)?|summari[sz](?:e|es|ed|ing))"
_POLITE = r"(?:(?:please|always|only|simply|just|instead|then|you (?:must|should|shall|are to)) ){0,2}"
_GAP = r"[^.!?\n]{0,60}?"

_RULES = (
    rf"\b(?:ignore|disregard|forget|override|bypass|skip|discard)\b{_GAP}\b(?:{_EARLIER}|your)\b{_GAP}\b(?:{_ORDERS}|{_SHOWN}|messages)\b",
    rf"\b(?:ignore|disregard|forget)\b{_GAP}\b(?:all|any|other|the)\b(?: other| of the)? (?:{_ORDERS}|{_SHOWN})(?: (?:above|before|you)\b|\W*$)",
    rf"\b(?:ignore|disregard|forget)\b{_GAP}\b(?:everything|anything|what|all)\b{_GAP}\b(?:{_EARLIER}|before|told|you know)\b",
    rf"\b(?:ignore|disregard|forget)\b{_GAP}\band {_POLITE}{_SAY}\b",
    r"^\W{0,4}(?:system|developer|assistant) (?:message|prompt|note|override|instruction)s?\s{0,3}[:>\]]",
    rf"^\W{{0,4}}(?:system|developer|assistant)\s{{0,3}}[:>\]]\W{{0,4}}(?:from now on|you\b|your\b|ignore|disregard|forget|do not|don't|never|{_POLITE}{_PRINT}\b)",
    r"<\|?(?:im_start|im_end|system|assistant|endoftext)\|>|\[/?inst\]|</(?:context|passage|retrieved_context)>|<</?sys>>",
    rf"\b(?:attention|dear|hey|hello)\b[\s,:]{{1,3}}(?:(?:to|for)\s)?(?:any |all |the )?{_HELPER}\b",
    rf"\b(?:note|notice|message|memo|instructions?)\b[\s,:]{{1,3}}(?:to|for)\s(?:any |all |the |every )?{_HELPER}\b",
    rf"\b(?:if|when|whenever|as) (?:you(?: are|'re)|reading this as) (?:an? |the )?{_HELPER}\b",
    rf"\b{_HELPER}\s(?:that|who|which)?\s?(?:reads?|reading|process(?:es|ing)|see(?:s|ing)?|summari[sz](?:es?|ing)) (?:this|these)\b",
    rf"\b{_MODEL}\s(?:must|should|shall|ha(?:s|ve) to|needs? to|are to|is to)\b{_GAP}\b(?:{_SAY} (?:that|only|exactly)|{_PRINT} {_WORDS})",
    rf"^\W{{0,4}}{_MODEL}\s?[:,]{_GAP}\b{_PRINT}\b",
    rf"\b(?:always|only|instead,?|from now on,?)\s(?:you (?:must|should|shall|will|are to) )?{_SAY} (?:that|exactly|verbatim|(?:with )?{_WORDS})",
    r"\bfrom now on,? (?:you (?:must|should|shall|will|are to) )?(?:only |always )?(?:answer|reply|respond)\b",
    rf"\byou are now (?:an? |the )?(?:{_HELPER}|(?-i:[A-Z]{{3,}})\b|unrestricted|(?:evil|different|unfiltered)\b)|\bpretend (?:to be|that you|you)\b",
    rf"(?:^\W{{0,4}}|\byou (?:must |will |should )?)act as (?:an? |the )?{_HELPER}\b",
    r"\byour (?:new|real|only|true) (?:task|instructions?|goal|job) (?:is|are)\b|\bnew instructions?\s?:",
    r"\b(?:system|hidden|initial) prompt\b|\bjailbroken? mode\b",
    rf"\b(?:do not|don't|never)\b{_GAP}\b(?:mention|reveal|cite|quote)\b{_GAP}\b(?:this (?:note|message|line|paragraph|instruction)|these instructions)\b",
    rf"\b(?:do not|don't|never) (?:cite|trust|follow|obey) (?:any |the )?other {_SHOWN}\b",
)
_PLANTED = re.compile("|".join(_RULES), re.IGNORECASE)
_WHEN_ASKED = re.compile(rf"\b(?:if|when|whenever)\b{_GAP}\b{_ASKED}\b", re.IGNORECASE)
_DICTATED = re.compile(rf"\b(?:{_SAY} (?:that|only|exactly|with {_WORDS})|{_PRINT} {_WORDS})", re.IGNORECASE)
_NEAR = 120
"""Characters before dictated words in which their condition stands: "when asked about refunds, answer that"."""
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?!\s*\n))*")


def is_planted(sentence: str) -> bool:
    """Whether a sentence talks to the model that reads it."""
    line = " ".join(sentence.split())
    if _PLANTED.search(line):
        return True
    return any(_WHEN_ASKED.search(line, max(0, said.start() - _NEAR), said.start()) for said in _DICTATED.finditer(line))


def planted(text: str) -> list[tuple[int, int]]:
    """Where the paragraphs stand that hold such a sentence or line, as (start, end): what an order wants said stands beside it."""
    paragraphs = [match.span() for match in _PARAGRAPH.finditer(text)]
    return [(start, end) for start, end in paragraphs if _holds_one(text[start:end])]


def without(text: str) -> str:
    """The text without those paragraphs."""
    for start, end in reversed(planted(text)):
        text = text[:start] + text[end:]
    return text


def _holds_one(paragraph: str) -> bool:
    return any(map(is_planted, sentences(paragraph))) or any(map(is_planted, paragraph.splitlines()))
