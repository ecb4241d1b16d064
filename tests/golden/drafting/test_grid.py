"""Tables of documents with the place of each row."""

from harness.chunking.outline import outline
from harness.golden.drafting.grid import Grid, grids
from harness.types import Document
from tests.golden.drafting.documents import document


def tables_of(doc: Document) -> tuple[Grid, ...]:
    return grids(doc, outline(doc).blocks)


def test_a_pipe_table_has_a_header_and_rows_that_are_quoted_as_they_stand() -> None:
    doc = document("a.md", "Text.\n\n| Code | Meaning |\n| --- | :-: |\n| E-1 | `Hot` |\n| E-2 | a \\| b |\n")
    (grid,) = tables_of(doc)
    assert grid.header == ("Code", "Meaning")
    assert [row.cells for row in grid.rows] == [("E-1", "Hot"), ("E-2", "a | b")]
    assert [doc.text[row.span.start : row.span.end] for row in grid.rows] == ["| E-1 | `Hot` |", "| E-2 | a \\| b |"]
    assert doc.text[grid.top.start : grid.top.end] == "| Code | Meaning |"
    assert not grid.records


def test_a_csv_file_is_a_list_of_records_with_quoted_commas_kept() -> None:
    doc = document("p.csv", 'id,name\n1,"Filter, small"\n2,Lamp\n')
    (grid,) = tables_of(doc)
    assert grid.records
    assert grid.column(1) == ["Filter, small", "Lamp"]
    assert doc.text[grid.rows[0].span.start : grid.rows[0].span.end] == '1,"Filter, small"'


def test_semicolons_and_tabs_separate_cells_too() -> None:
    assert tables_of(document("p.csv", "id;name\n1;Lamp\n"))[0].header == ("id", "name")
    assert tables_of(document("p.tsv", "id\tname\n1\tLamp\n"))[0].column(1) == ["Lamp"]


def test_a_record_over_two_lines_and_rows_of_another_length_are_left_out() -> None:
    (grid,) = tables_of(document("p.csv", 'id,name\n1,"Lamp\nred"\n2,Fan\n3\n'))
    assert grid.column(1) == ["Fan"]


def test_a_table_without_rows_or_with_a_nameless_or_repeated_column_is_none() -> None:
    assert tables_of(document("p.csv", "id,name\n")) == ()
    assert tables_of(document("p.csv", "id,\n1,2\n")) == ()
    assert tables_of(document("p.csv", "id,id\n1,2\n")) == ()
