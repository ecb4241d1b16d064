"""Questions for cells of tables: `What is the accuracy of PM10 on the AQ-210?`."""

import re
from collections import Counter
from collections.abc import Iterator

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.grid import Grid, Line
from harness.golden.drafting.material import IDENTIFIER, Material, Source, is_empty, lowered
from harness.golden.drafting.wording import Wording, ask
from harness.types import Span

_LONGEST = 90
_NUMBER = re.compile(r"[-+]?[\d.,]+")
_PROPERTIES = frozenset(["quantity", "property", "parameter", "measurement", "characteristic", "feature", "attribute"])
_TRUTH = frozenset(("yes", "no", "true", "false", "x"))


def tables(material: Material) -> Iterator[Candidate]:
    """A candidate per cell that has a name of its own: its row's label is words, its column tells something."""
    for source in material.english:
        for grid in source.grids:
            yield from _of_grid(source, grid)


def _of_grid(source: Source, grid: Grid) -> Iterator[Candidate]:
    place = label_column(grid)
    if place is None or (not grid.records and (place > 0 or any(map(is_code, grid.column(place))))):
        return
    for row in grid.rows:
        if not sound_label(row.cells[place]) or is_code(row.cells[place]):
            continue
        for column in asked_columns(grid, place):
            wording = ask(grid.header[column], spoken(row.cells[place], grid), on(source))
            if wording and (answer := answer_of(grid, row, column)):
                yield _candidate(source, grid, row, column, wording, answer)


def _candidate(source: Source, grid: Grid, row: Line, column: int, wording: Wording, answer: str) -> Candidate:
    question = wording.question if grid.records or source.name else according(source, wording.question)
    return Candidate(
        rule="tables",
        documents=(source.document.doc_id,),
        question=question,
        kind="table",
        why=f"rule tables, column {grid.header[column]!r} of {source.document.doc_id}",
        topic=grid.header[column],
        evidence=row_evidence(grid, row, column),
        answers=answers(answer, wording.unit),
        reference=wording.statement.replace("{answer}", answers(answer, wording.unit)[0]),
        persona=source.persona,
    )


def label_column(grid: Grid) -> int | None:
    """The first column that names rows in words, each once; None when there is none among the first two."""
    for place in range(min(2, len(grid.header) - 1)):
        cells = grid.column(place)
        if len(set(cells)) == len(cells) and sum(map(sound_label, cells)) * 2 > len(cells) and not all(map(is_code, cells)):
            return place
    return None


def asked_columns(grid: Grid, label: int) -> list[int]:
    """Columns right of the label whose cells are mostly filled and differ from row to row."""
    return [place for place in range(label + 1, len(grid.header)) if _telling(grid.column(place))]


def _telling(cells: list[str]) -> bool:
    filled = [cell for cell in cells if not is_empty(cell)]
    if len(filled) * 2 < len(cells) or {cell.lower() for cell in filled} <= _TRUTH:
        return False
    return len(cells) < 3 or max(Counter(filled).values()) * 2 <= len(cells)


def answer_of(grid: Grid, row: Line, column: int) -> str:
    """The cell when it can be an answer, otherwise nothing."""
    cell = row.cells[column].removeprefix(f"{row.cells[0]}: ")
    return "" if is_empty(cell) or len(cell) > _LONGEST or cell.lower() in _TRUTH else cell


def row_evidence(grid: Grid, row: Line, column: int) -> tuple[tuple[Span, ...], ...]:
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


def sound_label(text: str) -> bool:
    """Whether a label names something by itself: it has letters, is no list and no measure, and is not long."""
    letters = re.search(r"[A-Za-z]{2}|[A-Za-z]\d|[A-Z]-\d", text)
    return bool(letters) and not text[:1].isdigit() and "," not in text and len(text) <= 60 and len(text.split()) <= 6


def is_code(text: str) -> bool:
    """Whether a label is an identifier rather than words: E-17, FH-4410-B, bad_span, GET /devices."""
    return bool(
        IDENTIFIER.fullmatch(text) or re.fullmatch(r"[a-z0-9]+(?:_[a-z0-9]+)+", text) or re.fullmatch(r"[A-Z]+ /\S*", text)
    )


def spoken(label: str, grid: Grid) -> str:
    """A label inside a sentence: records take an article, properties none, other labels of several words are quoted."""
    if grid.records or grid.header[0].lower() in _PROPERTIES:
        return f"the {lowered(label)}" if grid.records and " " in label else lowered(label)
    return f'"{label}"' if " " in label or label.islower() else label


def on(source: Source) -> str:
    """` on the AQ-210`, or nothing."""
    return f" on the {source.name}" if source.name else ""


def according(source: Source, question: str) -> str:
    """The question with the name of its document in front."""
    return f"According to {source.cited}, {question[:1].lower()}{question[1:]}"
