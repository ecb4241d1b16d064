"""Questions for cells of tables: `What is the accuracy of PM10 on the AQ-210?`, `What does E-17 mean?`."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.grid import Grid, Line
from harness.golden.drafting.material import Material, Source, according, is_code, is_empty, lowered
from harness.golden.drafting.wording import Wording, ask
from harness.types import Span

_LONGEST = 90
_NUMBER = re.compile(r"[-+]?[\d.,]+")
_PROPERTIES = frozenset(["quantity", "property", "parameter", "measurement", "characteristic", "feature", "attribute"])
_TRUTH = frozenset(("yes", "no", "true", "false", "x"))


def tables(material: Material) -> Iterator[Candidate]:
    """A candidate per cell whose row has a name, an identifier or words, and whose column tells something.

    Those of identifiers take turns with the rule `identifiers`.
    """
    for source in material.english:
        for grid in source.grids:
            for place, coded in ((coded_column(grid), True), (_worded_column(grid), False)):
                if place is not None:
                    yield from _of_column(source, grid, place, coded)


def _of_column(source: Source, grid: Grid, place: int, coded: bool) -> Iterator[Candidate]:
    columns = asked_columns(grid, place)
    for row in grid.rows:
        label = row.cells[place]
        for column in columns if coded or (_sound_label(label) and not is_code(label)) else ():
            asked = _asked(source, grid, grid.header[column], label, coded)
            answer = row.cells[column].removeprefix(f"{row.cells[0]}: ")
            if asked and not is_empty(answer) and len(answer) <= _LONGEST and answer.lower() not in _TRUTH:
                yield _candidate(source, grid, row, column, asked, answer, label if coded else "")


def _asked(source: Source, grid: Grid, header: str, label: str, coded: bool) -> Wording | None:
    """The question for a cell, with the product or the document that its row belongs to unless it is clear by itself."""
    on = f" on the {source.name}" if source.name and not grid.records else ""
    wording = ask(header, label if coded else _spoken(label, grid), on)
    if wording and coded and not wording.question.startswith("What is the "):
        return ask(header, label)
    if wording and not grid.records and not source.name:
        return Wording(according(source, wording.question), wording.statement, wording.unit)
    return wording


def _candidate(source: Source, grid: Grid, row: Line, column: int, asked: Wording, answer: str, code: str) -> Candidate:
    header, doc_id = grid.header[column], source.document.doc_id
    accepted = answers(answer, asked.unit)
    return Candidate(
        rule="identifiers" if code else "tables",
        doc_id=doc_id,
        question=asked.question,
        kind="exact_identifier" if code else "table",
        why=f"rule tables, column {header!r}{f' of {code}' if code else ''} in {doc_id}",
        topic=header,
        evidence=_evidence(grid, row, column),
        answers=accepted,
        reference=asked.statement.replace("{answer}", accepted[0]),
        persona=source.persona,
    )


def coded_column(grid: Grid) -> int | None:
    """The first column of identifiers, each once, among the first two."""
    return _naming(grid, lambda cells: all(map(is_code, cells)))


def _worded_column(grid: Grid) -> int | None:
    """The first column that names rows in words, each once, among the first two; in a text it must be the first of all."""
    place = _naming(grid, lambda cells: sum(map(_sound_label, cells)) * 2 > len(cells) and not all(map(is_code, cells)))
    if place is None or grid.records:
        return place
    return None if place > 0 or any(map(is_code, grid.column(place))) else place


def _naming(grid: Grid, fits: Callable[[list[str]], bool]) -> int | None:
    columns = ((place, grid.column(place)) for place in range(min(2, len(grid.header) - 1)))
    return next((place for place, cells in columns if len(set(cells)) == len(cells) and fits(cells)), None)


def asked_columns(grid: Grid, label: int) -> list[int]:
    """Columns right of the label whose cells are mostly filled and differ from row to row."""
    return [place for place in range(label + 1, len(grid.header)) if _telling(grid.column(place))]


def _telling(cells: list[str]) -> bool:
    filled = [cell for cell in cells if not is_empty(cell)]
    if len(filled) * 2 < len(cells) or {cell.lower() for cell in filled} <= _TRUTH:
        return False
    return len(cells) < 3 or max(Counter(filled).values()) * 2 <= len(cells)


def _evidence(grid: Grid, row: Line, column: int) -> tuple[tuple[Span, ...], ...]:
    """The row, and the header too where a bare number stands beside another one, so that only the header says which is which."""
    bare = [cell for cell in row.cells if _NUMBER.fullmatch(cell)]
    needs_header = _NUMBER.fullmatch(row.cells[column]) and len(bare) > 1
    return ((row.span,), (grid.top,)) if needs_header else ((row.span,),)


def answers(answer: str, unit: str) -> tuple[str, ...]:
    """The answer, with its unit first where a bare number has one, then without trailing zeros."""
    if not _NUMBER.fullmatch(answer):
        return (answer,)
    short = re.sub(r"\.0+$", "", answer)
    forms = [f"{answer} {unit}".strip(), f"{short} {unit}".strip(), answer, short]
    return tuple(dict.fromkeys(forms))


def _sound_label(text: str) -> bool:
    """Whether a label names something by itself: it has letters, is no list and no measure, and is not long."""
    letters = re.search(r"[A-Za-z]{2}|[A-Za-z]\d|[A-Z]-\d", text)
    return bool(letters) and not text[:1].isdigit() and "," not in text and len(text) <= 60 and len(text.split()) <= 6


def _spoken(label: str, grid: Grid) -> str:
    """A label inside a sentence: records take an article, properties none, other labels of several words are quoted."""
    if grid.records or grid.header[0].lower() in _PROPERTIES:
        return f"the {lowered(label)}" if grid.records and " " in label else lowered(label)
    return f'"{label}"' if " " in label or label.islower() else label
