"""Questions for sentences that state a number, by forms that read like a person's question; all other sentences are left.

Replace the inlet filter (FH-5102-C) every 12 months.     How often should I replace the inlet filter of the AQ-220?
An account can hold 5 connections at the same time.       How many connections can an account hold at the same time?
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.identifiers import prose_sentences
from harness.golden.drafting.material import IDENTIFIER, Material, Source, lowered
from harness.types import Span

_NUMBER = r"(?:about |at least |at most |up to |over )?(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_TIME = r"(?:working )?(?:second|minute|hour|day|week|month|year)s?"
_UNIT = r"(?:working days?|degrees C|[A-Za-z%/.0-9]+)"
_SUBJECT = r"((?:The|A|An|Each|Every|One|All|No|[A-Z][a-z]+)(?: [\w'-]+){0,5}?)"
_END = r"(?=[,.;]| and | or | while | but |$)"
_UNCLEAR = re.compile(
    r"^((?:The|A|An) (?:value|work|field|part|device|text|rest|other|same|former|latter)|It|They|This|That|These|Those|He|She"
    r"|We|You|I|Its|Their|There|If|When|After|Before|For|In|With|Such|On|At|By|From|To|As|Since|While|Outside|Inside|Until)\b"
)
ORDER = "order"
"""Form of sentences that tell how often to do something."""
_ORDERS = "Replace|Renew|Clean|Check|Change|Grease|Lubricate|Inspect|Test|Refill|Recharge|Calibrate|Rinse|Swap|Empty|Update"


Parts = tuple[str, str, str]
"""Question, answer and what is asked about."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence that answers a question of one form."""

    form: str
    """Name of the form."""
    question: str
    """The question without the thing it is about; {of} marks where that goes."""
    answer: str
    """The number with its unit."""
    topic: str
    """What is asked about, in words."""
    span: Span
    """The sentence."""


def _order(verb: str, thing: str, every: str) -> Parts:
    return f"How often should I {verb.lower()} {thing}{{of}}?", every, thing


def _repeated(subject: str, verb: str, thing: str, every: str) -> Parts:
    return f"How often does {lowered(subject)}{{of}} {_bare(verb)}{thing}?", every, f"{verb}{thing}"


def _many(number: str, things: str, rest: str) -> Parts:
    return f"How many {things}{rest}{{of}}?", number, things


def _capacity(subject: str, verb: str, number: str, things: str, rest: str) -> Parts:
    return f"How many {things} can {lowered(subject)}{{of}} {verb}{rest}?", f"{number} {things}", things


def _keeps(subject: str, verb: str, number: str, things: str) -> Parts:
    return f"How many {things} can {lowered(subject)}{{of}} {_bare(verb)}?", f"{number} {things}", things


def _value(thing: str, value: str) -> Parts:
    return f"What is the {thing}{{of}}?", value.rstrip("."), thing


def _cost(thing: str, price: str) -> Parts:
    return f"How much does {lowered(thing)} cost?", price, thing


def _lasting(subject: str, verb: str, state: str, time: str) -> Parts:
    return f"For how long {verb} {lowered(subject)}{{of}} {state}?", time, f"{subject} {state}"


def _takes(subject: str, verb: str, time: str) -> Parts:
    return f"How long does {lowered(subject)}{{of}} {_bare(verb)}?", time, f"{subject} {verb}"


def _within(subject: str, verb: str, state: str, time: str) -> Parts:
    asked = f"must {lowered(subject)} be {state}" if verb == "must be" else f"{verb} {lowered(subject)} {state}"
    return f"Within what time {asked}{{of}}?", time, f"{subject} {state}"


_CAN = "have|hold|accept|send|store|carry|use|keep|contain|make|span|share"
_STATE = "valid|available|covered|kept|stored|free|held|locked|blocked|ready|guaranteed"
_PERIOD = r" at the same time| an? (?:minute|hour|day|week|month|year)"
_AMOUNT = rf"\d[\d.,]*(?: to \d[\d.,]*)?(?: {_UNIT})?(?: DC| AC)?"
_FORMS: tuple[tuple[str, str, Callable[..., Parts]], ...] = (
    (ORDER, rf"^({_ORDERS}) (the [\w' -]+?)(?: \({IDENTIFIER.pattern}\))? (every {_NUMBER} {_TIME})", _order),
    ("repeated", rf"^((?:The|A|An) \w+) (\w+s)( a \w+)? (every {_NUMBER} {_TIME})", _repeated),
    ("up to", r"^Up to (\d+) ((?:[a-z-]+ )?[a-z-]+s)( of [\w ]+? can [^.,;]+| can [^.,;]+)\.", _many),
    (
        "capacity",
        rf"^{_SUBJECT} (?:can|may) ({_CAN}) (?:up to |at most )?(\d+) ((?:[a-z]+ ){{0,2}}?[a-z-]+s)({_PERIOD})?{_END}",
        _capacity,
    ),
    ("keeps", rf"^{_SUBJECT} (accepts|holds|keeps|stores|supports|permits) up to (\d+) ((?:[a-z]+ )?[a-z-]+s){_END}", _keeps),
    ("value", rf"^The ((?:[\w-]+ ){{0,4}}[\w-]+) is ({_AMOUNT})(?: by default)?{_END}", _value),
    ("cost", rf"^{_SUBJECT} costs (\d[\d.]* (?:EUR|USD|GBP|CHF)(?: an? \w+)?){_END}", _cost),
    ("lasting", rf"^{_SUBJECT} (is|are) ((?:{_STATE})(?: \w+){{0,4}}?) for ({_NUMBER} {_TIME})\b", _lasting),
    ("takes", rf"^{_SUBJECT} (takes|lasts|needs) ({_NUMBER} {_TIME})\b(?! at)", _takes),
    ("within", rf"^{_SUBJECT} (must be|are|is) (\w+) within ({_NUMBER} {_TIME})\b", _within),
)
"""Name, pattern and writer of each form."""


def facts(material: Material) -> Iterator[Candidate]:
    """A candidate per sentence that has one of the forms."""
    for source in material.english:
        yield from (candidate_of(source, fact) for fact in facts_of(source))


def facts_of(source: Source) -> Iterator[Fact]:
    """Sentences of one of the forms, each under the first that fits."""
    for begin, end in prose_sentences(source):
        text = " ".join(source.document.text[begin:end].removeprefix("- ").split())
        if _UNCLEAR.match(text):
            continue
        for form, pattern, write in _FORMS:
            if found := re.match(pattern, text):
                question, answer, topic = write(*found.groups(default=""))
                yield Fact(form, question, answer, topic, Span(source.document.doc_id, begin, end))
                break


def candidate_of(source: Source, fact: Fact) -> Candidate:
    """The fact's question, named after what its document describes, or with the document in front."""
    doc_id = source.document.doc_id
    text = " ".join(source.document.text[fact.span.start : fact.span.end].removeprefix("- ").split())
    return Candidate(
        rule="facts",
        documents=(doc_id,),
        question=about(source, fact),
        kind="factoid",
        why=f"rule facts, form {fact.form!r} in {doc_id}",
        topic=fact.form,
        evidence=((fact.span,),),
        answers=(fact.answer,),
        reference=text,
        persona=source.persona,
    )


def about(source: Source, fact: Fact) -> str:
    """The question of a fact asked of a source."""
    if not source.name:
        text = fact.question.replace("{of}", "")
        return f"According to {source.cited}, {lowered(text)}"
    generic = _generic(source)
    named = re.sub(
        rf"\b(?:the|a|one|each) (?:{generic})\b(?:{{of}})?" if generic else "(?!)", f"the {source.name}", fact.question, count=1
    )
    named = named.replace("this model", f"the {source.name}")
    return named.replace("{of}", "" if source.name in named else source.of)


def _generic(source: Source) -> str:
    """The words of the title that stand for the thing itself: sensor, probe, gateway."""
    head = source.document.title.split(":")[0]
    nouns = [word for word in re.findall(r"[a-z]+", head) if len(word) > 3]
    return "|".join(nouns[-1:])


def _bare(verb: str) -> str:
    """The verb without the s of the third person."""
    if verb.endswith(("ches", "shes", "sses", "xes")):
        return verb[:-2]
    return "have" if verb == "has" else verb.removesuffix("s")
