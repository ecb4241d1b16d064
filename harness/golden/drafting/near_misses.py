"""Questions that look answerable and are not: a gap in what tables list, looked up in the whole corpus.

Two gaps are looked for: an identifier beside existing ones (E-17 and E-19 exist, E-18 does not), and a named part that a
list of such parts leaves out. What is asked must stand nowhere, hidden and outdated documents included; words are compared,
not meanings, so a person still has to look.
"""

import re
from collections.abc import Iterator

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.grid import Grid
from harness.golden.drafting.identifiers import Names, named_parts
from harness.golden.drafting.material import IDENTIFIER, Material, Source
from harness.golden.drafting.selection import INVENTED
from harness.golden.drafting.tables import asked_columns, coded_column
from harness.golden.drafting.wording import ask

_SERIES = re.compile(r"([A-Z]{1,5}-)(\d+)|([A-Z]{1,5}-\d+-)([A-X])")
_ENDPOINT = re.compile(r"[A-Z]+ (/\S*\{\S*)")


def near_misses(material: Material) -> Iterator[Candidate]:
    """Refusals (`not_in_document`): no row or paragraph of the corpus names what they ask for."""
    named = named_parts(material)
    for source in material.english:
        for grid in source.grids if not source.persona else ():
            place = coded_column(grid)
            columns = asked_columns(grid, place) if place is not None else []
            if place is not None and columns:
                yield from _neighbours(material, source, grid, place, columns)
                if grid.records:
                    yield from _left_out(material, source, grid, place, named)


def _refusal(source: Source, question: str, reference: str, why: str, topic: str) -> Candidate:
    made = f"rule near_misses, {why}; no row or paragraph of the corpus names it"
    doc_id = source.document.doc_id
    return Candidate("near_misses", doc_id, question, "unanswerable", made, topic, reference=reference, tags=("near-miss",))


def _neighbours(material: Material, source: Source, grid: Grid, place: int, columns: list[int]) -> Iterator[Candidate]:
    """Identifiers that would stand between or right after those of a table, and endpoints with another method."""
    doc_id, codes = source.document.doc_id, grid.column(place)
    for name in codes:
        for identifier in _gaps(name, set(codes)):
            wording = ask(grid.header[columns[-1] if " " in identifier else columns[0]], identifier)
            if wording and not material.known(identifier):
                reference = f"{identifier} stands in no document; {doc_id} lists {name}."
                yield _refusal(source, wording.question, reference, f"{identifier} beside {name} of {doc_id}", INVENTED)


def _gaps(name: str, known: set[str]) -> list[str]:
    """What is missing after an identifier that has another before it or two after it."""
    if endpoint := _ENDPOINT.fullmatch(name):
        return [f"{method} {endpoint[1]}" for method in ("PUT", "DELETE")]
    found = _SERIES.fullmatch(name)
    if not found:
        return []
    if found[1]:
        before, after, beyond = (f"{found[1]}{int(found[2]) + step:0{len(found[2])}}" for step in (-1, 1, 2))
    else:
        before, after, beyond = (f"{found[3]}{chr(ord(found[4]) + step)}" for step in (-1, 1, 2))
    return [after] if after not in known and {before, beyond} & known else []


def _left_out(material: Material, source: Source, grid: Grid, place: int, named: Names) -> Iterator[Candidate]:
    """Named parts of other documents that a list of such parts does not hold, asked for in its columns of numbers.

    What a thing fits or is called is said elsewhere in too many ways.
    """
    doc_id, codes = source.document.doc_id, grid.column(place)
    kinds = {_kind(code) for code in codes}
    measured = [
        column for column in asked_columns(grid, place) if all(re.fullmatch(r"[\d.,]+", cell) for cell in grid.column(column))
    ]
    for identifier, (owner, phrase, _) in named.items():
        if _kind(identifier) not in kinds or identifier in codes:
            continue
        for header in (grid.header[column] for column in measured):
            wording = ask(header, f"the {phrase} {identifier}")
            if wording and not any(material.stated(name, header.replace("_", " ")) for name in _names(owner, identifier)):
                reference = f"{identifier} is named in {owner.document.doc_id} but has no row in {doc_id}."
                why = f"{identifier} of {owner.document.doc_id} without a row in {doc_id}"
                yield _refusal(source, wording.question, reference, why, "left out")


def _kind(identifier: str) -> str:
    """The letters and the form of an identifier: FH-4410-B gives FH-9999-A."""
    head, _, rest = identifier.partition("-")
    return f"{head}-{re.sub(r'[A-Z]', 'A', re.sub(r'[0-9]', '9', rest))}"


def _names(owner: Source, identifier: str) -> list[str]:
    """Names under which a table may list a part: its own, and that of the document that says it is its part number."""
    said = re.search(rf"part number {re.escape(identifier)}(?![\w-])", owner.document.text)
    return [identifier, *(IDENTIFIER.findall(owner.document.title) if said else [])]
