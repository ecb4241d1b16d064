"""Questions that look answerable and are not: a gap between siblings, looked up in the whole corpus.

Three gaps are looked for: an identifier beside existing ones (E-17 and E-19 exist, E-18 does not), a thing of the corpus
that a table of such things leaves out or leaves blank, and a row or fact that one of several alike documents has and
another lacks. What is asked must stand nowhere, hidden and outdated documents included;
words are compared, not meanings, so a person still has to look.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.facts import ORDER, about, facts_of
from harness.golden.drafting.grid import Grid
from harness.golden.drafting.identifiers import Names, coded_column, named_parts
from harness.golden.drafting.material import IDENTIFIER, Material, Source, is_empty
from harness.golden.drafting.selection import INVENTED
from harness.golden.drafting.tables import asked_columns, label_column, on, sound_label, spoken
from harness.golden.drafting.wording import ask
from harness.text import words

ALIKE = 0.5
"""Share of common headings (Jaccard), or of common row labels, from which documents and tables count as siblings."""
_ENDPOINT = re.compile(r"([A-Z]+) (/\S*)")


def near_misses(material: Material) -> Iterator[Candidate]:
    """Refusals (`not_in_document`), each no row or paragraph of the corpus names it."""
    public = [source for source in material.english if not source.persona]
    named = named_parts(material)
    for source in public:
        for grid in source.grids:
            yield from _neighbours(material, source, grid)
            yield from _blanks(material, source, grid)
            yield from _left_out(material, source, grid, named)
    yield from _missing_rows(material, public)
    yield from _missing_facts(material, public)


def _refusal(source: Source, question: str, reference: str, why: str, topic: str, *others: str) -> Candidate:
    documents = tuple(dict.fromkeys((source.document.doc_id, *others)))
    made = f"rule near_misses, {why}; no row or paragraph of the corpus names it"
    return Candidate("near_misses", documents, question, "unanswerable", made, topic, reference=reference, tags=("near-miss",))


def _neighbours(material: Material, source: Source, grid: Grid) -> Iterator[Candidate]:
    """Identifiers that would stand between or right after those of a table."""
    place = coded_column(grid)
    columns = asked_columns(grid, place) if place is not None else []
    if place is None or not columns:
        return
    for identifier, near in _gaps(grid.column(place)):
        if material.known(identifier):
            continue
        column = columns[-1] if " " in identifier else columns[0]
        if wording := ask(grid.header[column], identifier):
            doc_id = source.document.doc_id
            reference = f"{identifier} stands in no document; {doc_id} lists {near}."
            why = f"{identifier} beside {near} of {doc_id}"
            yield _refusal(source, wording.question, reference, why, INVENTED)


def _gaps(identifiers: list[str]) -> Iterator[tuple[str, str]]:
    """Identifiers that are missing between two others or follow two others, and the one before."""
    known = set(identifiers)
    for name in identifiers:
        if found := re.fullmatch(r"([A-Z]{1,5}-)(\d+)", name):
            follower = f"{found[1]}{int(found[2]) + 1:0{len(found[2])}}"
            beyond = {f"{found[1]}{int(found[2]) + step:0{len(found[2])}}" for step in (-1, 2)}
        elif found := re.fullmatch(r"([A-Z]{1,5}-\d+-)([A-X])", name):
            follower, beyond = f"{found[1]}{chr(ord(found[2]) + 1)}", {f"{found[1]}{chr(ord(found[2]) - 1)}"}
        elif endpoint := _ENDPOINT.fullmatch(name):
            yield from ((f"{method} {endpoint[2]}", name) for method in ("PUT", "DELETE") if "{" in endpoint[2])
            continue
        else:
            continue
        if follower not in known and beyond & known:
            yield follower, name


def _blanks(material: Material, source: Source, grid: Grid) -> Iterator[Candidate]:
    """Cells left empty in a column that is mostly filled."""
    place = coded_column(grid) if coded_column(grid) is not None else label_column(grid)
    for column in asked_columns(grid, place) if place is not None else ():
        for row in grid.rows:
            label = row.cells[place or 0]
            if not is_empty(row.cells[column]) or not sound_label(label) or _stated(material, source, label, grid.header[column]):
                continue
            if wording := ask(grid.header[column], spoken(label, grid), on(source)):
                reference = (
                    f"{source.document.doc_id} leaves {grid.header[column]!r} of {label} empty, and no other document gives it."
                )
                why = f"empty cell {grid.header[column]!r} of {label} in {source.document.doc_id}"
                yield _refusal(source, wording.question, reference, why, "blank")


def _stated(material: Material, source: Source, label: str, attribute: str) -> bool:
    return material.stated(f"{label} {source.name}", re.sub(r"[_-]", " ", attribute))


def _left_out(material: Material, source: Source, grid: Grid, named: Names) -> Iterator[Candidate]:
    """Named parts of other documents that a list of such parts does not hold."""
    place = coded_column(grid)
    if place is None or not grid.records:
        return
    kinds = {_kind(cell) for cell in grid.column(place)}
    for identifier, (owner, found) in named.items():
        if _kind(identifier) not in kinds or identifier in grid.column(place):
            continue
        (phrase,) = found
        for column in _measured_columns(grid, place):
            attribute = re.sub(r"_", " ", grid.header[column])
            wording = ask(grid.header[column], f"the {phrase} {identifier}")
            names = [identifier, *_aliases(owner, identifier)]
            if not wording or any(material.stated(name, attribute) for name in names):
                continue
            doc_id = source.document.doc_id
            reference = f"{identifier} is named in {owner.document.doc_id} but has no row in {doc_id}."
            why = f"{identifier} of {owner.document.doc_id} without a row in {doc_id}"
            yield _refusal(source, wording.question, reference, why, "left out", owner.document.doc_id)


def _measured_columns(grid: Grid, place: int) -> list[int]:
    """Columns of numbers: what a thing fits or is called is said elsewhere in too many ways."""
    return [
        column for column in asked_columns(grid, place) if all(re.fullmatch(r"[\d.,]+", cell) for cell in grid.column(column))
    ]


def _kind(identifier: str) -> str:
    """The letters and the form of an identifier: FH-4410-B gives FH-9999-A."""
    head, _, rest = identifier.partition("-")
    return f"{head}-{re.sub(r'[A-Z]', 'A', re.sub(r'[0-9]', '9', rest))}"


def _aliases(owner: Source, identifier: str) -> list[str]:
    """Names under which a table may list the identifier's thing: that of the document that says it is its part number."""
    said = re.search(rf"part number {re.escape(identifier)}(?![\w-])", owner.document.text)
    return IDENTIFIER.findall(owner.document.title) if said else []


def _missing_rows(material: Material, sources: list[Source]) -> Iterator[Candidate]:
    """Rows that a table has and its sibling in a document alike lacks."""
    alike: dict[tuple[str, ...], list[tuple[Source, Grid]]] = defaultdict(list)
    for source in sources:
        for grid in source.grids if source.name else ():
            alike[tuple(cell.lower() for cell in grid.header)].append((source, grid))
    for (one, with_row), (other, without) in (pair for found in alike.values() for pair in permutations(found, 2)):
        place = label_column(with_row)
        if one is other or place is None or not _siblings(with_row.column(place), without.column(place)):
            continue
        for label in sorted(set(with_row.column(place)) - set(without.column(place))):
            wording = ask(with_row.header[place + 1], spoken(label, with_row), on(other))
            if wording and sound_label(label) and not material.stated(other.name, label):
                reference = f"{one.document.doc_id} states it for the {one.name}; no document does for the {other.name}."
                why = f"row {label!r} of {one.document.doc_id} that {other.document.doc_id} lacks"
                yield _refusal(other, wording.question, reference, why, "row", one.document.doc_id)


def _siblings(one: list[str], other: list[str]) -> bool:
    return _alike(frozenset(text.lower() for text in one), frozenset(text.lower() for text in other))


def _missing_facts(material: Material, sources: list[Source]) -> Iterator[Candidate]:
    """Facts of a document of which its sibling says nothing; not orders: to ask how often a part it lacks is replaced would
    be a false premise.
    """
    headings = [(source, _headings(source)) for source in sources if source.name and source.blocks]
    for (one, mine), (other, theirs) in permutations(headings, 2):
        if not _alike(mine, theirs):
            continue
        for fact in facts_of(one):
            telling = fact.form != ORDER and len(words(fact.topic)) > 1
            if telling and not material.stated(other.name, fact.topic) and about(other, fact) != about(one, fact):
                reference = f"{one.document.doc_id} states it for the {one.name}; no document does for the {other.name}."
                why = f"fact of {one.document.doc_id} that {other.document.doc_id} lacks"
                yield _refusal(other, about(other, fact), reference, why, "fact", one.document.doc_id)


def _alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two documents have many headings in common."""
    return len(mine & theirs) >= 2 and len(mine & theirs) / len(mine | theirs) >= ALIKE


def _headings(source: Source) -> frozenset[str]:
    return frozenset(block.title.lower() for block in source.blocks if block.kind == "heading" and block.level > 1)
