"""Questions for sentences that state a number, by forms that read like a person's question; all other sentences are left.

Replace the inlet filter (FH-5102-C) every 12 months.     How often should I replace the inlet filter of the AQ-220?
An account can hold 5 connections at the same time.       How many connections can an account hold at the same time?
"""

import re
from collections.abc import Iterator

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.material import IDENTIFIER, Material, Source, according, lowered

_NUMBER = r"(?:about |at least |at most |up to |over )?(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_TIME = rf"(?P<answer>{_NUMBER} (?:working )?(?:second|minute|hour|day|week|month|year)s?)\b"
_EVERY = rf"(?P<answer>every {_NUMBER} (?:second|minute|hour|day|week|month|year)s?)"
_SUBJECT = r"(?P<subject>(?:The|A|An|Each|Every|One|All|No|[A-Z][a-z]+)(?: [\w'-]+){0,5}?)"
_END = r"(?=[,.;]| and | or | while | but |$)"
_UNCLEAR = re.compile(
    r"^((?:The|A|An) (?:value|work|field|part|device|text|rest|other|same|former|latter)|It|They|This|That|These|Those|He|She"
    r"|We|You|I|Its|Their|There|If|When|After|Before|For|In|With|Such|On|At|By|From|To|As|Since|While|Outside|Inside|Until)\b"
)
_ORDERS = "Replace|Renew|Clean|Check|Change|Grease|Lubricate|Inspect|Test|Refill|Recharge|Calibrate|Rinse|Swap|Empty|Update"
_CAN = "have|hold|accept|send|store|carry|use|keep|contain|make|span|share"
_STATE = "valid|available|covered|kept|stored|free|held|locked|blocked|ready|guaranteed"
_PERIOD = r"(?P<rest> at the same time| an? (?:minute|hour|day|week|month|year))?"
_THINGS = r"(?P<answer>\d+ (?P<things>(?:[a-z]+ ){0,2}?[a-z-]+s))"
_AMOUNT = r"(?P<answer>\d[\d.,]*(?: to \d[\d.,]*)?(?: (?:working days?|degrees C|[A-Za-z%/.0-9]+))?(?: DC| AC)?)"
_FORMS = tuple(
    (name, re.compile(pattern), question)
    for name, pattern, question in (
        (
            "order",
            rf"(?P<verb>{_ORDERS}) (?P<things>the [\w' -]+?)(?: \({IDENTIFIER.pattern}\))? {_EVERY}",
            "How often should I {verb} {things}{of}?",
        ),
        ("repeated", rf"(?P<subject>(?:The|A|An) \w+) (?P<base>\w+s)(?P<rest> a \w+)? {_EVERY}", "How often does {subject}{of} {base}{rest}?"),
        ("up to", r"Up to (?P<answer>\d+) (?P<things>(?:[a-z-]+ )?[a-z-]+s)(?P<rest>(?: of [\w ]+?)? can [^.,;]+)\.", "How many {things}{rest}{of}?"),
        (
            "capacity",
            rf"{_SUBJECT} (?:can|may) (?P<base>{_CAN}) (?:up to |at most )?{_THINGS}{_PERIOD}{_END}",
            "How many {things} can {subject}{of} {base}{rest}?",
        ),
        ("keeps", rf"{_SUBJECT} (?P<base>accepts|holds|keeps|stores|supports|permits) up to {_THINGS}{_END}", "How many {things} can {subject}{of} {base}?"),
        ("value", rf"The (?P<things>(?:[\w-]+ ){{0,4}}[\w-]+) is {_AMOUNT}(?: by default)?{_END}", "What is the {things}{of}?"),
        ("cost", rf"{_SUBJECT} costs (?P<answer>\d[\d.]* (?:EUR|USD|GBP|CHF)(?: an? \w+)?){_END}", "How much does {subject} cost?"),
        ("lasting", rf"{_SUBJECT} (?P<verb>is|are) (?P<rest>(?:{_STATE})(?: \w+){{0,4}}?) for {_TIME}", "For how long {verb} {subject}{of} {rest}?"),
        ("takes", rf"{_SUBJECT} (?P<base>takes|lasts|needs) {_TIME}(?! at)", "How long does {subject}{of} {base}?"),
        ("within", rf"{_SUBJECT} must be (?P<rest>\w+) within {_TIME}", "Within what time must {subject} be {rest}{of}?"),
        ("within", rf"{_SUBJECT} (?P<verb>are|is) (?P<rest>\w+) within {_TIME}", "Within what time {verb} {subject} {rest}{of}?"),
    )
)  # fmt: skip
"""Name, pattern and question of each form; {of} is where the thing goes that the document describes."""


def facts(material: Material) -> Iterator[Candidate]:
    """A candidate per sentence that has one of the forms, under the first that fits."""
    for source in material.english:
        doc_id = source.document.doc_id
        for span, text in source.sentences:
            found = ((name, question, pattern.match(text)) for name, pattern, question in _FORMS)
            form = next(((name, question, match) for name, question, match in found if match), None)
            if form and not _UNCLEAR.match(text):
                name, question, match = form
                asked, why = _named(source, _filled(question, match)), f"rule facts, form {name!r} in {doc_id}"
                answers = (match["answer"].rstrip("."),)
                yield Candidate("facts", doc_id, asked, "factoid", why, name, ((span,),), answers, text, source.persona)


def _filled(question: str, match: re.Match[str]) -> str:
    """A question with the parts of a sentence: the subject and verb in small letters, `base` without the s of the third person."""
    parts = {name: value or "" for name, value in match.groupdict().items()}
    parts |= {"subject": lowered(parts.get("subject", "")), "base": _base(parts.get("base", ""))}
    return question.format_map({**parts, "verb": parts.get("verb", "").lower(), "of": "{of}"})


def _named(source: Source, question: str) -> str:
    """The question about what its document describes, or with the document in front."""
    if not source.name:
        return according(source, question.replace("{of}", ""))
    thing = next(reversed([word for word in re.findall(r"[a-z]+", source.document.title.split(":")[0]) if len(word) > 3]), "")
    if thing:
        question = re.sub(rf"\b(?:the|a|one|each) {thing}\b(?:{{of}})?", f"the {source.name}", question, count=1)
    question = question.replace("this model", f"the {source.name}")
    version = " " in source.name and source.name[-1].isdigit()
    of = "" if source.name in question else f" with {source.name}" if version else f" of the {source.name}"
    return question.replace("{of}", of)


def _base(verb: str) -> str:
    if verb.endswith(("ches", "shes", "sses", "xes")):
        return verb[:-2]
    return "have" if verb == "has" else verb.removesuffix("s")
