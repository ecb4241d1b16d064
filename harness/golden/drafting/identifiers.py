"""Questions about identifiers: part numbers, error codes, endpoints, abbreviations, constants and defaults of code."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.grid import Grid, Line
from harness.golden.drafting.material import Material, Source
from harness.golden.drafting.tables import according, answer_of, answers, asked_columns, is_code, on, row_evidence
from harness.golden.drafting.wording import ask
from harness.text import sentence_spans
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
_FUNCTION = re.compile(r"^([ \t]*)def ([a-z]\w*)\(([^()\n]*)\).*:$", re.MULTILINE)
_CLASS = re.compile(r"^class ([A-Z]\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"\b([a-z]\w*)(?:: [\w. |\[\]]+)? ?= ?([-+]?\d[\w.]*|\"[^\"]+\"|'[^']+')")
_EXCEPTION = re.compile(r"^class (\w+)\((?:\w*(?:Error|Exception))\):\n[ \t]+\"\"\"([^\"\n]+)\"\"\"", re.MULTILINE)


def identifiers(material: Material) -> Iterator[Candidate]:
    """A candidate per row that an identifier names and column, per named part, abbreviation, constant and default."""
    named = named_parts(material)
    for source in material.english:
        for grid in source.grids:
            yield from _rows(source, grid)
        yield from (_part(source, identifier, found) for identifier, (owner, found) in named.items() if owner is source)
        yield from _abbreviations(source)
        if source.document.mime_type.startswith("text/x-"):
            yield from _code(material, source)


def coded_column(grid: Grid) -> int | None:
    """The first column of identifiers, each once, among the first two."""
    for place in range(min(2, len(grid.header) - 1)):
        cells = grid.column(place)
        if len(set(cells)) == len(cells) and all(map(is_code, cells)):
            return place
    return None


def _rows(source: Source, grid: Grid) -> Iterator[Candidate]:
    place = coded_column(grid)
    for row in grid.rows if place is not None else ():
        for column in asked_columns(grid, place or 0):
            if answer := answer_of(grid, row, column):
                yield from _row(source, grid, row, row.cells[place or 0], column, answer)


def _row(source: Source, grid: Grid, row: Line, label: str, column: int, answer: str) -> Iterator[Candidate]:
    wording = ask(grid.header[column], label, "" if grid.records else on(source))
    general = ask(grid.header[column], label)
    if wording and general:
        special = not general.question.startswith("What is the ")
        wording = general if special else wording
        alone = grid.records or special or bool(source.name)
        question = wording.question if alone else according(source, wording.question)
        accepted = answers(answer, wording.unit)
        reference = wording.statement.replace("{answer}", accepted[0])
        evidence = row_evidence(grid, row, column)
        yield _candidate(source, question, evidence, accepted, reference, label, grid.header[column])


def _candidate(
    source: Source,
    question: str,
    evidence: tuple[tuple[Span, ...], ...],
    accepted: tuple[str, ...],
    reference: str,
    identifier: str,
    topic: str,
    kind: str = "exact_identifier",
) -> Candidate:
    doc_id = source.document.doc_id
    why = f"rule identifiers, {identifier} in {doc_id}"
    return Candidate("identifiers", (doc_id,), question, kind, why, topic, evidence, accepted, reference, source.persona)


Names = Mapping[str, tuple[Source, dict[str, list[Span]]]]


def named_parts(material: Material) -> Names:
    """By identifier that one noun phrase names: the first source that does, and the sentences by phrase."""
    places: dict[str, dict[str, list[Span]]] = defaultdict(lambda: defaultdict(list))
    owners: dict[str, Source] = {}
    for source in (source for source in material.english if not source.persona):
        for begin, end in prose_sentences(source):
            for match in _NAMED.finditer(source.document.text, begin, end):
                phrase = match[1].strip()
                if not _NOT_NAMES.search(phrase):
                    places[match[2]][phrase].append(Span(source.document.doc_id, begin, end))
                    owners.setdefault(match[2], source)
    return {name: (owners[name], dict(found)) for name, found in places.items() if len(found) == 1}


def _part(source: Source, identifier: str, found: Mapping[str, list[Span]]) -> Candidate:
    ((phrase, spans),) = found.items()
    article = "" if phrase.endswith("s") else "an " if phrase[0].lower() in "aeio" else "a "
    question = f"What kind of part is {identifier}?"
    reference = f"{identifier} is {article}{phrase}."
    return _candidate(source, question, (tuple(dict.fromkeys(spans)),), (phrase,), reference, identifier, "part")


def _abbreviations(source: Source) -> Iterator[Candidate]:
    for block in source.blocks:
        text = source.document.text[block.start : block.end]
        if block.kind == "list" and (found := _ABBREVIATION.match(text)):
            span = Span(source.document.doc_id, block.start, block.end)
            reference = f"{found[1]} stands for {found[2].strip()}."
            question = f"What does {found[1]} stand for?"
            yield _candidate(source, question, ((span,),), (found[2].strip(),), reference, found[1], "abbreviation")


def _code(material: Material, source: Source) -> Iterator[Candidate]:
    text, doc_id = source.document.text, source.document.doc_id
    for found in _CONSTANT.finditer(text):
        value = found[2].strip("\"'")
        shared = sum(found[1] in document.text for document in material.documents.values()) > 1
        question = f"What is the value of {found[1]}{f' in {PurePosixPath(doc_id).name}' if shared else ''}?"
        span = Span(doc_id, found.start(), found.start() + len(found[0].rstrip()))
        yield _candidate(source, question, ((span,),), (value,), f"{found[1]} is {value}.", found[1], "constant", "code")
    for found in _EXCEPTION.finditer(text):
        question = f"What does the exception {found[1]} mean?"
        meaning = found[2].strip()
        span = Span(doc_id, *found.span())
        yield _candidate(source, question, ((span,),), (meaning,), f"{found[1]}: {meaning}", found[1], "exception", "code")
    yield from _defaults(source)


def _defaults(source: Source) -> Iterator[Candidate]:
    text = source.document.text
    for function in _FUNCTION.finditer(text):
        if function[2].startswith("_"):
            continue
        owners = [found[1] for found in _CLASS.finditer(text, 0, function.start())] if function[1] else []
        name = f"{owners[-1]}.{function[2]}()" if owners else f"{function[2]}()"
        start = function.start() + len(function[1])
        for found in _DEFAULT.finditer(function[3]):
            value = found[2].strip("\"'")
            question = f"Which default does {name} use for {found[1]}?"
            reference = f"The default of {found[1]} in {name} is {value}."
            span = Span(source.document.doc_id, start, function.end())
            yield _candidate(source, question, ((span,),), (value,), reference, name, "default", "code")


def prose_sentences(source: Source) -> Iterator[tuple[int, int]]:
    """Offsets of the sentences of paragraphs and list items."""
    text = source.document.text
    for block in source.blocks:
        if block.kind in ("prose", "list"):
            piece = text[block.start : block.end]
            yield from ((block.start + begin, block.start + end) for begin, end in sentence_spans(piece))
