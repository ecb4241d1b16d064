"""How a column of a table is asked for: `What does E-17 mean?` rather than `What is the meaning of E-17?`."""

import re
from dataclasses import dataclass

from harness.golden.drafting.material import is_code, lowered
from harness.text import words

_UNITS = {
    "eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF", "days": "days", "hours": "hours", "h": "hours", "weeks": "weeks",
    "months": "months", "years": "years", "minutes": "minutes", "min": "minutes", "seconds": "seconds", "s": "seconds",
    "ms": "milliseconds", "kg": "kg", "g": "g", "mm": "mm", "cm": "cm", "m": "m", "km": "km", "percent": "per cent",
    "w": "W", "v": "V", "mb": "MB", "gb": "GB",
}  # fmt: skip
_NAME = re.compile(r"part|product|article|item|name|description|title|package|service|job")
"""What a thing is called: asked for only of identifiers."""
_VERB = r"fits|needs|requires|supports|includes|contains|replaces|covers|allows|costs|weighs|holds"
_PASSIVE = r"\w+ed (?:by|with|from|at|in|on|to)"
_FORMS = (
    (r"meaning|means|definition|state", "What does {label} mean?", "{label} means: {answer}."),
    (r"what to do|remedy|action|solution|fix|countermeasure", "What should I do about {label}?", "For {label}: {answer}."),
    (r"reason|cause", "What is the reason for {label}?", "The reason for {label}: {answer}."),
    (r"scope|permission|role", "Which {column} does {label} require?", "{label} requires the {column} {answer}."),
    (r"purpose|use|usage", "What is {label} for?", "{label}: {answer}."),
    (r"contents?", "What does {label} contain?", "{label} contains: {answer}."),
    (_NAME.pattern, "What is {label}?", "{label}: {answer}."),
    (_VERB, "What does {label} {base}?", "{label} {column} {answer}."),
    (_PASSIVE, "What is {label} {column}?", "{label} is {column} {answer}."),
    (r"(?:.*\b)?(?:site|location|warehouse|city|country)", "Which {column} does {label} have?", "The {column} of {label} is {answer}."),
    (r".* of .*", "What is the {column} for {label}?", "The {column} for {label} is {answer}."),
    (r".*", "What is the {column} of {label}{unit}?", "The {column} of {label} is {answer}."),
)  # fmt: skip
"""Name of the column, question and statement; the first that fits."""
_DULL = frozenset((
    "unit", "category", "group", "type", "class", "kind", "id", "no", "number", "people",
    "nr", "note", "notes", "comment", "remark", "remarks", "status", "code", "currency", "device",
))  # fmt: skip
_LOOSE = frozenset((
    "what", "where", "when", "who", "which", "how", "why", "is", "are", "has", "can", "may", "be", "to", "on", "at", "only", "every",
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
    if not _is_noun(name) or name in words(label) or (_NAME.fullmatch(name) and not is_code(label)):
        return None
    if name in _VALUES:
        whole = f"the {label}{subject if ' of ' in label else subject.replace(' on ', ' of ', 1)}"
        return Wording(f"What is {whole}?", f"{_upper(whole)} is {{answer}}.", unit)
    parts = {"label": label + subject, "column": name, "base": name.removesuffix("s"), "unit": f" in {unit}" if unit else ""}
    question, statement = next(form for pattern, *form in _FORMS if re.fullmatch(pattern, name))
    return Wording(_fill(question, parts), _fill(statement, parts), unit)


def _is_noun(name: str) -> bool:
    """Whether a column can be asked for: not dull, no plural, no clause such as `kept in store` or `passed when`."""
    if not re.search(r"[a-z]{2}", name) or name in _DULL:
        return False
    if name in ("means", "contents", "what to do") or re.fullmatch(f"{_VERB}|{_PASSIVE}", name):
        return True
    return not (re.fullmatch(r".*[^s]s|\w*[^e]ed", name) or set(name.split()) & _LOOSE)


def _fill(template: str, parts: dict[str, str]) -> str:
    """The template with its parts, {answer} left for later."""
    return _upper(re.sub(r"\{(label|column|base|unit)\}", lambda found: parts[found[1]], template))


def _split(column: str) -> tuple[str, str]:
    """The column's name as words and the unit at its end: `list_price_eur` gives `list price`, `EUR`."""
    parts = re.sub(r"[_\s]+", " ", column).strip()
    if bracketed := re.fullmatch(r"(.+?) [(\[](.+?)[)\]]", parts):
        return lowered(bracketed[1]), bracketed[2]
    head, _, last = parts.rpartition(" ")
    return (lowered(head), _UNITS[last.lower()]) if head and last.lower() in _UNITS else (lowered(parts), "")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
