"""HyDE without a language model: the question turned into the start of the sentence that would answer it.

A passage says `The range of the AQ-210 is 5 m`, not `What is the range of the AQ-210?`; dense retrieval is a little
closer to the former. The idea of a hypothetical passage is that of Gao et al. 2023 (arXiv 2212.10496); the rules are ours.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.types import Query, Question

_BE = r"(?P<be>is|are|was|were)"
_AUX = r"(?:do|does|did)"
_MODALS = "can|could|may|might|must|should|shall|will|would|has|have|had"
_MODAL = rf"(?P<modal>{_MODALS})"
_WHO = r"(?P<who>i|we|you|one|they|he|she|it)"
_VERBS = "need|require|use|mean|cost|take|have|support|accept|weigh|last|run|return|give|get|cover|contain|hold|offer|send|show"
_VERB = rf"(?P<verb>{_VERBS})"
_WHEN = r"(?P<when>when|whenever|if|once|while|after|before|until|unless|during)"
_ACTS = "happens?|happened|occurs?|occurred|causes|caused|makes|made|goes|went|comes|came|keeps|kept|leads|led|prevents|triggers"
_NOUN = (
    rf"(?P<noun>(?!(?:{_MODALS}|{_AUX})\b|(?:{_ACTS}) (?!(?:is|are|was|were|{_MODALS}|{_AUX})\b))"
    r"(?:(?! (?:when|whenever|if|while|unless|because)\b).)+?)"
)
_DETERMINER = "the|an?|my|our|your|his|her|its|their|this|that|these|those|each|every|one|all|both|some|any|another"
_PREPOSITION = "for|with|without|on|in|at|to|from|into|onto|by|over|per|about|during|via|through|as|when|if|while|after|before|of"
_PRONOUN = r"(?P<who>i|we|you|they|he|she|it)"
_SUBJECT = rf"(?P<who>one|(?:{_DETERMINER}) .+?|\S*\d\S*|(?!always |sometimes )\w*[^\Wsui]s)"
_ACTION = rf"(?P<tail>(?:be|{_VERBS})\b.*|(?!(?:{_PREPOSITION}|{_DETERMINER})\b)[\w-]+(?: (?!of )(?:{_PREPOSITION}|{_DETERMINER})\b.*)?)"
_CLOCK = {
    "how often": "every",
    "how long": "for",
    "when": "on",
    "where": "in",
    "why": "because",
    "how soon": "within",
    "how fast": "at",
    "how far": "up to",
}
_CLOCK_WORDS = "|".join(_CLOCK)

_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (rf"how (?:{_AUX}|can|could|should|must|may|would) (?:i|we|you|one|users?|customers?) (?P<rest>.+)", "to {rest},"),
        (r"how to (?P<rest>.+)", "to {rest},"),
        (rf"how much {_AUX} (?P<rest>.+?) (?P<verb>cost|weigh|take|need|use)(?P<tail>.*)", "{rest} {verb}s{tail}"),
        (rf"how (?:many|much) (?P<rest>.+?) {_AUX} (?P<who>.+?) {_VERB}(?P<tail>.*)", "{who} {verb}s{tail} {rest}"),
        (rf"how (?:many|much) (?P<rest>.+?) {_BE} (?:there )?(?P<tail>.+)", "the number of {rest} {tail} {be}"),
        (
            rf"how (?:many|much) (?P<rest>.+?) {_MODAL} {_PRONOUN} (?P<tail>.+)",
            "the number of {rest} that {who} {modal} {tail} is",
        ),
        (rf"how (?:many|much) (?P<rest>.+?) {_MODAL} {_SUBJECT} {_ACTION}", "the number of {rest} that {who} {modal} {tail} is"),
        (rf"how (?:many|much) (?P<rest>.+?) {_MODAL} (?P<tail>.+)", "the number of {rest} that {modal} {tail} is"),
        (r"how (?:many|much) (?P<rest>.+)", "the number of {rest} is"),
        (rf"(?P<clock>{_CLOCK_WORDS}) {_BE} (?P<rest>.+?) (?P<tail>\w+ed)", "{rest} {be} {tail} {clock}"),
        (rf"(?P<clock>{_CLOCK_WORDS}) {_BE} (?P<rest>.+)", "{rest} {be} {clock}"),
        (rf"(?P<clock>{_CLOCK_WORDS}) {_MODAL} {_WHO} (?P<rest>.+)", "{who} {modal} {rest} {clock}"),
        (rf"(?P<clock>{_CLOCK_WORDS}) {_MODAL} (?P<rest>.+?) be (?P<tail>.+)", "{rest} {modal} be {tail} {clock}"),
        (rf"(?P<clock>{_CLOCK_WORDS}) (?:{_AUX}|{_MODAL}) (?P<rest>.+)", "{rest} {clock}"),
        (rf"how (?P<degree>\w+) {_BE} (?P<rest>.+)", "{rest} {be} {degree} to"),
        (rf"what (?:(?:{_MODALS}) )?happen(?:s|ed)? to (?P<rest>.+?) {_WHEN} (?P<tail>.+)", "{when} {tail}, {rest}"),
        (rf"what (?:(?:{_MODALS}) )?(?:happen|occur)(?:s|red|ed)? {_WHEN} (?P<rest>.+)", "{when} {rest},"),
        (rf"what {_MODAL} {_WHO} do {_WHEN} (?P<rest>.+)", "{when} {rest}, {who} {modal}"),
        (rf"what {_AUX} (?P<rest>.+?) do {_WHEN} (?P<tail>.+)", "{when} {tail}, {rest}"),
        (rf"(?:what|which|who) {_BE} (?P<rest>.+)", "{rest} {be}"),
        (rf"(?:what|which|who) {_MODAL} be (?P<rest>.+)", "{rest} {modal} be"),
        (rf"(?:what|which) {_AUX} (?P<rest>.+?) {_VERB}(?P<tail>.*)", "{rest} {verb}s{tail}"),
        (rf"(?:what|which) {_AUX} (?P<rest>.+)", "{rest}"),
        (rf"(?:what|which) {_NOUN} {_AUX} (?P<rest>.+?) {_VERB}(?P<tail>.*)", "the {noun} that {rest} {verb}s{tail} is"),
        (rf"(?:what|which) {_NOUN} {_BE} (?P<rest>.+)", "the {noun} that {be} {rest} is"),
        (rf"(?:what|which) {_NOUN} {_MODAL} {_PRONOUN} (?P<rest>.+)", "the {noun} that {who} {modal} {rest} is"),
        (rf"(?:what|which) {_NOUN} {_MODAL} {_SUBJECT} {_ACTION}", "the {noun} that {who} {modal} {tail} is"),
        (rf"(?:what|which) {_NOUN} {_MODAL} (?P<rest>.+)", "the {noun} that {modal} {rest} is"),
        (rf"who (?P<rest>(?!{_AUX}\b).+)", "the person who {rest} is"),
        (rf"{_MODAL} {_WHO} (?P<rest>.+)", "{who} {modal} {rest}"),
        (rf"{_BE} there (?P<rest>.+)", "there {be} {rest}"),
        (rf"{_BE} (?P<rest>.+)", "{rest}"),
        (rf"(?:{_AUX}|{_MODAL}) (?P<rest>.+)", "{rest}"),
        (r"(?:what|which|who|whom|whose|when|where|why|how) (?P<rest>.+)", "{rest}"),
    )
)
LONGEST = 400
"""Characters of a sentence that the rules look at; a longer one is no plain question and stays as it is."""
_LEAD_IN = re.compile(r"^(?:and|but|so|please|ok|hi|hello|hey)\b[\s,]*", re.IGNORECASE)
_OTHER_SIDE = {"i": "you", "we": "you"}


def declarative(question: str) -> str:
    """The question as the start of a statement; without its question word where no rule fits; never empty for a question.

    Only the last sentence that ends in a question mark is turned; what stands before it is kept in front.
    """
    text = " ".join(question.split())
    head, asked = _last_question(text)
    plain = _LEAD_IN.sub("", asked.rstrip(" ?!."), count=1) or asked
    for pattern, form in _RULES if len(plain) <= LONGEST else ():
        if match := pattern.fullmatch(plain):
            return " ".join(f"{head} {_capital(_fill(form, match))}".split())
    return " ".join(f"{head} {_capital(plain)}".split())


def _last_question(text: str) -> tuple[str, str]:
    parts = re.split(r"(?<=[.!?])\s+", text)
    return " ".join(parts[:-1]), parts[-1]


def _fill(form: str, match: re.Match[str]) -> str:
    found = {name: value or "" for name, value in match.groupdict().items()}
    found |= {name: found[name].lower() for name in ("be", "modal", "when") if name in found}
    who = found.get("who", "")
    found |= {"who": _OTHER_SIDE.get(who.lower(), who), "clock": _CLOCK.get(found.get("clock", "").lower(), "")}
    return form.format(**found)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class DeclarativeHyde:
    """Gives each query a hypothetical passage: the query turned into a statement by rules; offline."""

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries, each with its statement for dense retrieval."""
        return [replace(query, hypothetical=declarative(query.text)) for query in queries]
