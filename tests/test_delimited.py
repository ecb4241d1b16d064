"""Delimited text: the rule by which everything that reads CSV reads it."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.delimited import cells, row_spans, separator_of
from tests.contracts.chunker import quick

CELLS = st.text(alphabet="ab1,;\"\n\t' |水é🙂", max_size=6)
GRIDS = st.integers(2, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8))


def _written(grid: list[list[str]], separator: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(grid)
    return file.getvalue()


@quick
@given(grid=GRIDS, separator=st.sampled_from(",;\t|"))
def test_what_the_csv_module_wrote_is_read_back(grid: list[list[str]], separator: str) -> None:
    text = _written([["head"] * len(grid[0]), *grid], separator)
    assert separator_of(text) == separator
    read = [cells(text[start:end], separator) for start, end in row_spans(text, separator)]
    assert read[1:] == [[cell.strip() for cell in row] for row in grid]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1;2;3;4", ","),
        ("a;b\n1,5;2,5", ";"),
        ("a\tb, c\td", "\t"),
        ("a|b|c", "|"),
        ('"a;b;c",d', ","),
        ('"x\ny";b', ";"),
        ("\n\na;b", ";"),
        ("alone", ","),
        ("", ","),
        ('"never closed' * 30_000, ","),
    ],
)
def test_the_separator_is_what_gives_the_first_row_most_cells(text: str, separator: str) -> None:
    assert separator_of(text) == separator


def test_a_known_separator_stands() -> None:
    assert separator_of("a,b,c", "\t") == "\t"


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ('1, "x" ,2', ["1", '"x"', "2"]),
        ('1,"pump, big",20', ["1", "pump, big", "20"]),
        ('1,"two\nlines"', ["1", "two\nlines"]),
        ('1,"not closed', ["1", "not closed"]),
        ("1,2\n3,4", ["1,2\n3,4"]),
        ("", [""]),
        ("x" * 200_000, ["x" * 200_000]),
    ],
)
def test_a_row_is_its_cells_and_anything_else_stays_as_it_is(row: str, found: list[str]) -> None:
    assert cells(row, ",") == found
