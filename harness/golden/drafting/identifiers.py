"""Questions about identifiers outside of tables: part numbers, abbreviations, constants and exceptions of code."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.material import Material, Source
from harness.types import Span

PART = re.compile(r"(?<![\w-])[A-Z]{1,5}-\d{1,6}-[A-Z0-9]{1,3}(?![\w-])")
"""Part numbers, which end in a variant: FH-4410-B."""
_NAMED = re.compile(
    rf"\b(?:the|a|an|one|its|this)(?: new)? ((?:[A-Za-z][\w-]*[a-z][\w-]* ){{1,3}})(?:with the part number )?\(?({PART.pattern})"
)
_NOT_NAMES = re.compile(
    r"\b(reports|shows|raises|with|from|for|of|in|on|to|by|and|or|that|which|number|code|error|service|type|model|use|part)\b"
)
_ABBREVIATION = re.compile(r"- ([A-Z][A-Z0-9]{1,7}): ([^.;,\n]{4,80})")
_CONSTANT = re.compile(r"^([A-Z][A-Z0-9_]{2,}) = ([-+]?\d[\w.]*|\"[^\"\n]+\"|'[^'\n]+')[ \t]*$", re.MULTILINE)
_EXCEPTION = re.compile(r"^class (\w+)\((?:\w*(?:Error|Exception))\):\n[ \t]+\"\"\"([^\"\n]+)\"\"\"", re.MULTILINE)

Names = Mapping[str, tuple[Source, str, tuple[Span, ...]]]
"""By identifier the first source that names it, the noun phrase, and the sentences."""


def identifiers(material: Material) -> Iterator[Candidate]:
    """A candidate per part that sentences name alike, abbreviation, constant and exception."""
    for name, (source, phrase, spans) in named_parts(material).items():
        article = "" if phrase.endswith("s") else "an " if phrase[0].lower() in "aeio" else "a "
        yield _candidate(source, f"What kind of part is {name}?", spans, phrase, f"{name} is {article}{phrase}.", name, "part")
    code = [source for source in material.english if _is_code(source.document.mime_type)]
    constants = Counter(name for source in code for name in {found[1] for found in _CONSTANT.finditer(source.document.text)})
    for source in material.english:
        yield from _abbreviations(source)
    for source in code:
        yield from _code(source, constants)


def _is_code(mime_type: str) -> bool:
    return mime_type == "text/javascript" or (mime_type.startswith("text/x-") and mime_type != "text/x-rst")


def _candidate(
    source: Source,
    question: str,
    spans: tuple[Span, ...],
    answer: str,
    reference: str,
    identifier: str,
    topic: str,
    kind: str = "exact_identifier",
) -> Candidate:
    doc_id = source.document.doc_id
    why = f"rule identifiers, {identifier} in {doc_id}"
    return Candidate("identifiers", doc_id, question, kind, why, topic, (spans,), (answer,), reference, source.persona)


def named_parts(material: Material) -> Names:
    """Part numbers that one noun phrase names, always the same, in documents that anybody may see."""
    places: dict[str, list[tuple[Source, str, Span]]] = defaultdict(list)
    for source in (source for source in material.english if not source.persona):
        for span, _ in source.sentences:
            for match in _NAMED.finditer(source.document.text, span.start, span.end):
                if not _NOT_NAMES.search(match[1]):
                    places[match[2]].append((source, match[1].strip(), span))
    return {
        name: (*found[0][:2], tuple(dict.fromkeys(span for _, _, span in found)))
        for name, found in places.items()
        if len({phrase for _, phrase, _ in found}) == 1
    }


def _abbreviations(source: Source) -> Iterator[Candidate]:
    for span, _ in source.sentences:
        if found := _ABBREVIATION.match(source.document.text, span.start, span.end):
            short, meaning = found[1], found[2].strip()
            reference = f"{short} stands for {meaning}."
            yield _candidate(source, f"What does {short} stand for?", (span,), meaning, reference, short, "abbreviation")


def _code(source: Source, constants: Mapping[str, int]) -> Iterator[Candidate]:
    text, doc_id = source.document.text, source.document.doc_id
    for found in _CONSTANT.finditer(text):
        name, value = found[1], found[2].strip("\"'")
        question = f"What is the value of {name}{f' in {PurePosixPath(doc_id).name}' if constants[name] > 1 else ''}?"
        spans = (Span(doc_id, found.start(), found.start() + len(found[0].rstrip())),)
        yield _candidate(source, question, spans, value, f"{name} is {value}.", name, "constant", "code")
    for found in _EXCEPTION.finditer(text):
        name, meaning = found[1], found[2].strip()
        spans = (Span(doc_id, *found.span()),)
        question = f"What does the exception {name} mean?"
        yield _candidate(source, question, spans, meaning, f"{name}: {meaning}", name, "exception", "code")
