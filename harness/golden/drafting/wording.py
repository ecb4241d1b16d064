"""How a column of a table is asked for: `What does E-17 mean?` rather than `What is the meaning of E-17?`."""

import re
from dataclasses import dataclass

from harness.golden.drafting.material import lowered
from harness.text import words

_UNITS = {
    "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF", "days": "days", "hours": "hours", "h": "hours", "weeks": "weeks",
    "months": "months", "years": "years", "minutes": "minutes", "min": "minutes", "seconds": "seconds", "s": "seconds",
    "ms": "milliseconds", "kg": "kg", "g": "g", "mm": "mm", "cm": "cm", "m": "m", "km": "km", "percent": "per cent",
    "w": "W", "v": "V", "mb": "MB", "gb": "GB",
}  # fmt: skip
_SPECIAL = (
    (r"meaning|means|definition|state", "What does {label} mean?", "{label} means: {answer}."),
    (r"what to do|remedy|action|solution|fix|countermeasure", "What should I do about {label}?", "For {label}: {answer}."),
    (r"reason|cause", "What is the reason for {label}?", "The reason for {label}: {answer}."),
    (r"scope|permission|role", "Which {column} does {label} require?", "{label} requires the {column} {answer}."),
    (r"purpose|use|usage", "What is {label} for?", "{label}: {answer}."),
    (r"content|contents", "What does {label} contain?", "{label} contains: {answer}."),
    (r"part|product|article|item|name|description|title|package|service|job", "What is {label}?", "{label}: {answer}."),
)
_VERB = re.compile(r"(fits|needs|requires|supports|includes|contains|replaces|covers|allows|costs|weighs|holds)")
_PASSIVE = re.compile(r"\w+ed (by|with|from|at|in|on|to)")
_SITE = re.compile(r"(.*\b)?(site|location|warehouse|city|country)")
_DULL = frozenset((
    "unit", "category", "group", "type", "class", "kind", "id", "no", "number",
    "nr", "note", "notes", "comment", "remark", "remarks", "status", "code", "currency", "device",
))  # fmt: skip
_LOOSE = frozenset((
    "what", "where", "when", "who", "which", "how", "why", "is", "are", "has", "can", "may", "be", "to", "on", "at", "only",
    "open", "fully", "done", "due", "kept", "passed", "meant", "ahead", "least", "most", "you", "we", "yes", "if", "not", "no",
))  # fmt: skip
"""Words of column names that are clauses rather than nouns."""
_VALUES = frozenset(["value", "setting", "specification", "spec", "default", "rating", "figure", "data"])


@dataclass(frozen=True, slots=True)
class Wording:
    """A question for one cell, and how to state its answer."""

    question: str
    """With a question mark."""
    statement: str
    """A sentence with {answer} still to be filled in."""
    unit: str
    """Unit of the column, to be written after a bare number."""


def ask(column: str, label: str, subject: str = "") -> Wording | None:
    """The question for `column` of the thing `label`, which belongs to `subject` (` on the AQ-210`); None for dull columns."""
    name, unit = _split(column)
    if not _is_noun(name) or name in words(label):
        return None
    if name in _VALUES:
        whole = f"the {label}{subject if ' of ' in label else subject.replace(' on ', ' of ', 1)}"
        return Wording(f"What is {whole}?", f"{_upper(whole)} is {{answer}}.", unit)
    for pattern, question, statement in _SPECIAL:
        if re.fullmatch(pattern, name):
            parts = {"label": label + subject, "column": name}
            return Wording(_fill(question, parts), _fill(statement, parts), unit)
    return _by_form(name, label + subject, unit)


def _by_form(name: str, label: str, unit: str) -> Wording:
    if _VERB.fullmatch(name):
        return Wording(f"What does {label} {_base(name)}?", f"{_upper(label)} {name} {{answer}}.", unit)
    if _PASSIVE.fullmatch(name):
        return Wording(f"What is {label} {name}?", f"{_upper(label)} is {name} {{answer}}.", unit)
    if _SITE.fullmatch(name):
        return Wording(f"Which {name} does {label} have?", f"The {name} of {label} is {{answer}}.", unit)
    of = "" if not unit else f" in {unit}"
    if " of " in name:
        return Wording(f"What is the {name} for {label}{of}?", f"The {name} for {label} is {{answer}}.", unit)
    return Wording(f"What is the {name} of {label}{of}?", f"The {name} of {label} is {{answer}}.", unit)


def _is_noun(name: str) -> bool:
    """Whether a column can be asked for: not dull, no plural, no clause such as `kept in store` or `passed when`."""
    parts = set(name.split())
    plural = bool(re.search(r"[^s]s$", name)) and not _VERB.fullmatch(name) and name not in ("means", "contents")
    clause = bool(parts & _LOOSE) and name != "what to do" and not _PASSIVE.fullmatch(name)
    clause = clause or bool(re.fullmatch(r"\w*[^e]ed", name))
    return bool(re.search(r"[a-z]{2}", name)) and not (name in _DULL or name == "people" or plural or clause)


def _fill(template: str, parts: dict[str, str]) -> str:
    """The template with label and column filled in, {answer} left for later."""
    return _upper(re.sub(r"\{(label|column)\}", lambda found: parts[found[1]], template))


def _split(column: str) -> tuple[str, str]:
    """The column's name as words and the unit at its end: `list_price_eur` gives `list price`, `EUR`."""
    parts = re.sub(r"[_\s]+", " ", column).strip()
    bracketed = re.fullmatch(r"(.+?) [(\[](.+?)[)\]]", parts)
    if bracketed:
        return lowered(bracketed[1]), bracketed[2]
    head, _, last = parts.rpartition(" ")
    return (lowered(head), _UNITS[last.lower()]) if head and last.lower() in _UNITS else (lowered(parts), "")


def _base(verb: str) -> str:
    return verb.removesuffix("s")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
