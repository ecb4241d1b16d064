"""What identifiers and summary questions look like. Bounded regular expressions over one query.

Dates, years, phone numbers, numbers of sections and names such as A380 are no identifiers: where the form alone does not tell them
apart, a word before them must (`error E404`, `version 2.4.1`).
"""

import re
from collections.abc import Iterator

_IDENTIFIERS = tuple(
    re.compile(rf"(?<![A-Za-z0-9_-])(?<!\d[./])(?:{pattern})(?![A-Za-z0-9_-])(?!\.\d)")
    for pattern in (
        r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",  # UUID
        r"[A-Z]{1,5}-\d{1,8}-[A-Z0-9]{1,6}",  # part number with a variant
        r"[A-Z]{1,5}-?\d{4,10}[A-Z]?",  # part number
        r"[A-Z]-\d{2,4}",  # error code
        r"(?:ERR|ERROR|CVE|ISO|RFC|HTTP)[-_ ]\d{1,5}(?:-\d{1,6})?",  # error code or standard by name
        r"\d{1,4}\.\d{1,4}\.\d{1,6}[-+]\w{1,12}|v\d{1,4}\.\d{1,4}(?:\.\d{1,6}(?:[-+.]\w{1,12})?)?",  # version
        r"[\w-]{1,60}\.(?:py|ts|js|java|go|rs|c|h|cpp|sh|md|rst|txt|json|ya?ml|toml|xml|csv|ini|cfg|conf|log|pdf|docx?|xlsx?|pptx?|html?)",
        r"(?=[a-z0-9-]{0,39}\d)[a-z]{1,8}-(?=[0-9a-f]{0,31}\d)[0-9a-f]{5,32}",  # generated id, such as dl-7f20c9
    )
)
_AFTER_A_WORD = (
    re.compile(
        r"(?i:\b(?:version|release|firmware|software|build|patch|versión|versione|ausgabe)\s{1,3})(\d{1,4}\.\d{1,4}\.\d{1,6})"
        r"(?![A-Za-z0-9_-])(?!\.\d)"
    ),
    re.compile(
        r"(?i:\b(?:error|fault|alarm|code|message|fehler(?:code)?|meldung|störung|erreur|código|ошибка|خطأ)s?\s{1,3})([A-Z]\d{2,4})"
        r"(?![A-Za-z0-9_-])(?!\.\d)"
    ),
)
"""What is an identifier behind the word that says so, and otherwise as often a section, a date, a road or a vitamin."""
_NONE = re.compile(
    r"[A-Z]{1,5}-?(?:19|20)\d{2}"  # a year: FY2024, EURO2024
    r"|(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]?-\d{1,2}-\d{2,4}"  # a date
    r"|(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d{2}|(?:19|20)\d{2}\.(?:0[1-9]|1[0-2])\.(?:0[1-9]|[12]\d|3[01])"
    r"|0\d{1,3}\.\d.*"  # a phone number
    r"|(?i:node|vue|next|nuxt|express|react|three|d3)\.js"  # products
)
"""What looks like an identifier and is none."""
_SUMMARY = re.compile(
    r"summar(?:y|ies|i[sz]e[ds]?|i[sz]ing)|overview|outline|main (?:points?|topics?|ideas?)"
    r"|key (?:points?|takeaways?)|in a nutshell|the gist|high[- ]level|big picture|tl;?dr"
    r"|what (?:is|are) .{1,80} about(?= ?\?| ?$)"
    r"|what (?:does|do) .{1,60} (?:cover|deal with)(?= ?\?| ?$)"
    r"|zusammenfass\w{0,8}|fass\w{0,3} .{1,80} zusammen|überblick|worum geht"
    r"|résum\w{0,4}|aperçu|vue d'ensemble|de quoi (?:parle|traite)"
    r"|resum\w{2,6}|visión general|de qué trata"
    r"|概述|概要|摘要|总结|總結|要約|まとめ|ملخص|لخص|نظرة عامة",
    re.IGNORECASE,
)
_LONGEST = 2_000
"""Characters of a query that are looked at."""


def identifiers_in(text: str) -> list[str]:
    """The identifiers that a text holds, in its order: part number, error code, version, file name, UUID; of overlapping ones the first."""
    found = sorted(set(_matches(text[:_LONGEST])), key=lambda item: (item[0], -item[1]))
    kept: list[str] = []
    end = 0
    for begin, stop, identifier in found:
        if begin >= end:
            kept.append(identifier)
            end = stop
    return kept


def _matches(text: str) -> Iterator[tuple[int, int, str]]:
    """Begin, end and text of each match that is not excluded."""
    for pattern in _IDENTIFIERS:
        yield from ((*match.span(), match.group()) for match in pattern.finditer(text) if not _NONE.fullmatch(match.group()))
    for pattern in _AFTER_A_WORD:
        yield from ((*match.span(1), match[1]) for match in pattern.finditer(text) if not _NONE.fullmatch(match[1]))


def asks_for_summary(text: str) -> str:
    """The words by which a text asks for a summary or an overview; empty if it does not."""
    for match in _SUMMARY.finditer(text[:_LONGEST]):
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        whole = not match.group()[0].isascii() or not (before.isalnum() or after.isalnum())
        if whole:
            return match.group()
    return ""
