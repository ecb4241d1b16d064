"""Tables: rows stay whole, and every part can be read by its header."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.outline import outline
from harness.chunking.repeating import Rows
from harness.chunking.rows import document_rows, json_rows, outlined_rows
from harness.chunking.table import Table
from harness.delimited import row_spans
from harness.golden.golden_set import GoldenSet, load
from harness.golden.unreachable import Cut, cut
from harness.protocols import Chunker
from harness.text import count_tokens
from harness.types import Chunk, Document
from tests.builders import document
from tests.chunking.typed import Typed
from tests.contracts.chunker import WORDLESS_END, ChunkerContract, quick
from tests.golden.public import ROOT


class TestTable(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> Table:
        return Table(size=24, overlap=0.3)


class TestRows(ChunkerContract):
    limit = 12

    @pytest.fixture(params=["application/json", "application/jsonl", "text/tab-separated-values", "text/x-rst"])
    def chunker(self, request: pytest.FixtureRequest) -> Typed:
        return Typed(Table(size=12, rows=1, overlap=0), request.param)


class TestTinyTable(ChunkerContract):
    limit = 4 + 2

    @pytest.fixture
    def chunker(self) -> Table:
        return Table(size=4, rows=2, overlap=0.5)


PRICES = "part,name,price\nF-1,Filter,4\nF-2,Fan,19\nF-3,Hood,7"
TSV, JSON, JSONL = "text/tab-separated-values", "application/json", "application/jsonl"


def _cut(text: str, size: int = 512, rows: int = 0, mime_type: str = "text/csv") -> list[Chunk]:
    return list(Table(size=size, rows=rows).chunk(document("a", text, mime_type=mime_type)))


def _texts(text: str, size: int = 512, rows: int = 0, mime_type: str = "text/csv") -> list[str]:
    return [chunk.text for chunk in _cut(text, size, rows, mime_type)]


def test_a_table_that_fits_is_one_chunk() -> None:
    assert [(chunk.text, chunk.kind, chunk.preface) for chunk in _cut(PRICES)] == [(PRICES, "table", "")]


def test_a_larger_one_is_cut_between_rows_and_repeats_its_header() -> None:
    made = _cut(PRICES, size=18)
    assert [(chunk.preface, chunk.text) for chunk in made] == [
        ("", "part,name,price\nF-1,Filter,4"),
        ("part,name,price", "F-2,Fan,19"),
        ("part,name,price", "F-3,Hood,7"),
    ]
    assert all(count_tokens(f"{chunk.preface} {chunk.text}") <= 18 for chunk in made)


def test_as_many_rows_go_together_as_were_asked_for() -> None:
    assert _texts(PRICES, rows=2) == ["part,name,price\nF-1,Filter,4\nF-2,Fan,19", "F-3,Hood,7"]
    assert _texts(PRICES, rows=3) == [PRICES]


def test_the_index_reads_the_header_before_each_part() -> None:
    part = Table(rows=1).chunk(document("a.csv", PRICES, mime_type="text/csv", title="Prices"))[1]
    assert part.indexed_text == "Prices\npart,name,price\nF-2,Fan,19"


def test_a_header_of_more_than_half_the_size_is_not_repeated() -> None:
    assert [chunk.preface for chunk in _cut("one,two,six,ten,red\n1,2,3,4,5\n5,4,3,2,1", size=12)] == ["", "", ""]


def test_a_row_that_alone_does_not_fit_is_cut_and_nothing_of_it_is_lost() -> None:
    row = ",".join(f"cell {number}" for number in range(30))
    made = _cut(f"a,b\n1,2\n{row}\n3,4", size=20)
    assert len(made) > 4
    assert "".join("".join(chunk.text for chunk in made).split()) == "".join(f"a,b1,2{row}3,4".split())
    assert made[0].text == "a,b\n1,2" and made[-1].text == "3,4"


def test_a_line_end_inside_quotes_ends_no_row() -> None:
    text = 'part,note\nF-1,"first\nsecond, ""third"""\nF-2,x'
    assert _texts(text, rows=1) == ['part,note\nF-1,"first\nsecond, ""third"""', "F-2,x"]


@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_a_csv_file_may_use_another_separator(separator: str) -> None:
    text = "\n".join(separator.join(row) for row in (["a", "b"], ['"x\ny"', "1"], ["z", '"2\n3"']))
    assert _texts(text, rows=1) == [separator.join(("a", "b")) + f'\n"x\ny"{separator}1', f'z{separator}"2\n3"']


def test_empty_first_and_last_cells_of_a_tab_separated_row_are_kept() -> None:
    assert _texts("a\tb\tc\n1\t2\t3\n\tx\t\n", rows=1, mime_type=TSV) == ["a\tb\tc\n1\t2\t3", "\tx\t"]


def test_a_quote_that_is_never_closed_costs_no_text() -> None:
    text = 'a,b\n1,"open\n' + "2,3\n" * 40
    assert "".join("".join(_texts(text, size=12)).split()) == "".join(text.split())


def test_a_cell_too_long_for_the_csv_module_costs_no_text() -> None:
    text = f'a,b\n1,"{"word " * 40_000}"\n2,3'
    assert "".join("".join(_texts(text)).split()) == "".join(text.split())


CELLS = st.text(alphabet="ab1,;\"\n' |水é🙂", max_size=6)
GRIDS = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8))


def _written(grid: list[list[str]], separator: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([["head"] * len(grid[0]), *grid])
    return file.getvalue()


@quick
@given(grid=GRIDS, separator=st.sampled_from(",\t"))
def test_rows_are_what_the_csv_module_wrote(grid: list[list[str]], separator: str) -> None:
    text = _written(grid, separator)
    spans = row_spans(text, separator)
    read = [next(csv.reader(io.StringIO(text[start:end], newline=""), delimiter=separator)) for start, end in spans]
    assert read[1:] == grid


@quick
@given(grid=GRIDS, size=st.integers(10, 60), rows=st.integers(0, 3))
def test_no_row_of_a_random_table_is_cut_that_fits(grid: list[list[str]], size: int, rows: int) -> None:
    text = _written(grid, ",")
    chunks = _cut(text, size, rows)
    for start, end in row_spans(text, ","):
        held = any(chunk.span.start <= start and end <= chunk.span.end for chunk in chunks)
        assert held or count_tokens(text[start:end]) > size


@quick
@given(grid=GRIDS, size=st.integers(10, 60), rows=st.integers(0, 3))
def test_no_part_of_a_random_table_is_too_long_with_the_header_before_it(grid: list[list[str]], size: int, rows: int) -> None:
    for chunk in _cut(_written(grid, ","), size, rows):
        assert count_tokens(f"{chunk.preface}\n{WORDLESS_END.sub('', chunk.text)}") <= size


def test_a_row_that_leaves_no_room_for_the_header_goes_without_it_and_its_neighbours_with_it() -> None:
    made = _cut("part,name,price\nF-1,x,4\nF-2,one two six ten red,19\nF-3,y,7", size=15)
    assert [(chunk.preface, chunk.text) for chunk in made] == [
        ("", "part,name,price\nF-1,x,4"),
        ("", "F-2,one two six ten red,19"),
        ("part,name,price", "F-3,y,7"),
    ]


def test_elements_of_a_json_array_are_rows() -> None:
    text = '[\n  {"a": "x], {", "b": [1, 2]},\n  {"a": 2},\n  3\n]\n'
    assert _texts(text, rows=1, mime_type=JSON) == ['[\n  {"a": "x], {", "b": [1, 2]},', '{"a": 2},', "3\n]"]
    assert {chunk.kind for chunk in _cut(text, rows=1, mime_type=JSON)} == {"table"}


def test_rows_of_a_json_object_are_its_members_and_the_objects_they_list() -> None:
    text = '{"total": 2, "items": [{"a": 1}, {"a": 2}], "next": {"page": 2}}'
    assert _texts(text, rows=1, mime_type=JSON) == [
        '{"total": 2,',
        '"items": [{"a": 1},',
        '{"a": 2}],',
        '"next": {"page": 2}}',
    ]


def test_lines_of_a_jsonl_file_are_rows() -> None:
    assert _texts('{"a": 1}\n\n{"a": 2}\n', rows=1, mime_type=JSONL) == ['{"a": 1}', '{"a": 2}']


@pytest.mark.parametrize(
    "text", ["[1, 2", '{"a": }', "[" * 5_000, "nothing", "[]", "3", '{"a": 1} {"b": 2}', "[1 2]", "[" + "9" * 9_000]
)
def test_what_is_no_json_costs_no_text(text: str) -> None:
    assert "".join("".join(_texts(text, size=30, rows=1, mime_type=JSON)).split()) == "".join(text.split())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6), lambda inner: st.lists(inner, max_size=3), max_leaves=6
)


@quick
@given(values=st.lists(VALUES, min_size=1, max_size=8), indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
def test_each_row_of_a_random_array_is_one_element(values: list[object], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(values, indent=indent, ensure_ascii=ascii_only)
    rows = [text[start:end] for start, end in json_rows(text)]
    rows[0] = rows[0].removeprefix("[")
    rows[-1] = rows[-1].removesuffix("]")
    assert [json.loads(row.rstrip().removesuffix(",")) for row in rows] == values


TABLE = "| code | meaning |\n| --- | --- |\n| E-1 | Low battery |\n| E-2 | No signal |"
AROUND = f"# Codes\n\nRead on. There is more.\n\n## Faults\n\nThey are shown on the display:\n\n{TABLE}\n\nCall us."
MD = "text/markdown"


def test_heading_and_caption_stay_with_their_table() -> None:
    made = _cut(AROUND, mime_type=MD)
    assert [chunk.text for chunk in made] == [
        "# Codes\n\nRead on. There is more.",
        f"## Faults\n\nThey are shown on the display:\n\n{TABLE}",
        "Call us.",
    ]
    assert [(chunk.kind, chunk.section_path) for chunk in made[1:]] == [
        ("table", ("Codes", "Faults")),
        ("prose", ("Codes", "Faults")),
    ]


def test_a_paragraph_that_is_no_caption_is_left_to_the_markdown_chunker() -> None:
    assert _texts(f"# A\n\nOne sentence. Another one.\n\n{TABLE}", mime_type=MD) == ["# A\n\nOne sentence. Another one.", TABLE]


def test_a_caption_that_would_make_the_table_too_long_is_left_to_the_markdown_chunker() -> None:
    assert _texts(AROUND, size=count_tokens(TABLE), mime_type=MD)[-2:] == [TABLE, "Call us."]


def test_later_parts_of_a_pipe_table_have_header_and_rule_before_them() -> None:
    made = _cut(AROUND, rows=1, mime_type=MD)
    assert made[1].text.endswith("| E-1 | Low battery |")
    assert (made[2].preface, made[2].text) == ("| code | meaning |\n| --- | --- |", "| E-2 | No signal |")
    assert made[2].section_path == ("Codes", "Faults")


def test_a_pipe_inside_a_fence_is_no_table() -> None:
    text = f"```\n{TABLE}\n```"
    assert [chunk.kind for chunk in _cut(text, rows=1, mime_type=MD)] == ["code"]


def test_tables_of_cleaned_html_are_cut_alike() -> None:
    assert len(_cut(AROUND, rows=1, mime_type="text/html")) == 4


GRID = "+----+----+\n| a  | b= |\n+====+====+\n| 1  | x  |\n|    | y  |\n+----+----+\n| 2  | z  |\n+----+----+"
SIMPLE = "====  ====\na     b\n====  ====\n1     x\n      y\n2     z\n====  ===="


def test_rows_of_a_grid_table_may_have_several_lines() -> None:
    made = _cut(GRID, rows=1, mime_type="text/x-rst")
    assert [chunk.text for chunk in made] == ["\n".join(GRID.split("\n")[:6]), "\n".join(GRID.split("\n")[6:])]
    assert made[1].preface == "| a  | b= |"


def _grid(*rows: tuple[str, str]) -> tuple[str, list[str]]:
    """A grid table and its rows, of two lines each; the first is the header. A border has 69 tokens."""
    border = f"+{'-' * 12}+{'-' * 54}+"
    lines = [f"| {first:<10} | {second:<52} |\n|            | {'of the pump':<52} |" for first, second in rows]
    return "\n".join([border, lines[0], border.replace("-", "="), *(f"{line}\n{border}" for line in lines[1:])]), lines


def test_the_borders_of_a_grid_table_are_not_repeated_and_take_no_room_from_its_header() -> None:
    text, rows = _grid(("Setting", "Meaning"), ("timeout", "Seconds"), ("proxy", "Address"))
    made = _cut(text, size=160, mime_type="text/x-rst")
    assert [chunk.preface for chunk in made] == ["", rows[0], rows[0]]
    assert [[row in chunk.text for row in rows] for chunk in made] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


@pytest.mark.parametrize("size", [12, 24, 40, 68, 72, 84, 90, 150, 250])
def test_no_row_of_a_grid_table_is_cut_that_fits_without_its_borders(size: int) -> None:
    long = "Seconds after which a call is given up, and then it"
    text, rows = _grid(("Setting", "Meaning"), ("timeout", long), ("retries", f"How often; {long[:30]}"), ("proxy", "Address"))
    made = _cut(text, size, mime_type="text/x-rst")
    assert [row for row in rows if count_tokens(row) <= size and not any(row in chunk.text for chunk in made)] == []


def test_a_grid_table_without_a_header_repeats_none() -> None:
    made = _cut(GRID.replace("+====+====+", "+----+----+"), rows=1, mime_type="text/x-rst")
    assert [chunk.preface for chunk in made] == ["", "", ""]


def test_lines_without_a_first_cell_belong_to_the_row_above_in_a_simple_table() -> None:
    made = _cut(SIMPLE, rows=1, mime_type="text/x-rst")
    assert [chunk.text for chunk in made] == ["\n".join(SIMPLE.split("\n")[:5]), "2     z\n====  ===="]
    assert made[1].preface == "a     b"


def test_a_document_without_a_table_is_cut_as_markdown() -> None:
    prose = document(text="# A\n\nOne two. Six ten.\n\n## B\n\n- x\n- y", mime_type=MD)
    assert Table(size=20, overlap=0.1).chunk(prose) == Markdown(size=20, overlap=0.1).chunk(prose)


def test_without_heading_neither_title_nor_section_is_indexed() -> None:
    made = Table(heading=False, rows=1).chunk(document(text=AROUND, mime_type=MD, title="Manual"))
    assert made[2].indexed_text == "| code | meaning |\n| --- | --- |\n| E-2 | No signal |"


@pytest.fixture(scope="module")
def table_questions() -> GoldenSet:
    """The questions of fernhill whose answer stands in a table."""
    golden = load(ROOT / "golden_sets" / "fernhill")
    return replace(golden, questions=tuple(question for question in golden.questions if question.kind == "table"))


def _of(golden: GoldenSet, chunker: Chunker) -> Cut:
    return cut(golden, [chunk for given in golden.documents for chunk in chunker.chunk(given)])


@pytest.mark.parametrize("chunker", [Table(), Table(size=256), Table(size=256, rows=1), Table(size=64)], ids=repr)
def test_table_questions_lose_nothing_under_the_table_chunker(table_questions: GoldenSet, chunker: Table) -> None:
    left = _of(table_questions, chunker)
    assert left.pieces == 49
    assert (left.split, left.unreachable) == ((), ())


@pytest.mark.parametrize(("characters", "split"), [(2000, 2), (1000, 4), (500, 7), (250, 11)])
def test_table_questions_do_lose_under_the_fixed_chunker(table_questions: GoldenSet, characters: int, split: int) -> None:
    assert len(_of(table_questions, Fixed(size=characters)).split) >= split


def _without_header(golden: GoldenSet, chunker: Chunker) -> tuple[int, int]:
    """Pieces of evidence inside a table with a header, and how many of them no chunk shows whole together with it."""
    texts = {given.doc_id: given for given in golden.documents}
    chunks = {name: chunker.chunk(given) for name, given in texts.items()}
    pieces = bare = 0
    for span in (span for question in golden.questions for evidence in question.evidence for span in evidence.alternatives):
        given = texts[span.doc_id]
        headers = [given.text[slice(*table.header)] for table in _tables(given) if table.start <= span.start < table.end]
        holding = [made for made in chunks[span.doc_id] if made.span.start <= span.start and span.end <= made.span.end]
        pieces += bool(headers)
        bare += any(not any(header in f"{made.preface}\n{made.text}" for made in holding) for header in headers)
    return pieces, bare


def _tables(given: Document) -> list[Rows]:
    if given.mime_type == "text/csv":
        return [document_rows(given.text, given.mime_type)]
    return [outlined_rows(given.text, block.start, block.end) for block in outline(given).blocks if block.kind == "table"]


@pytest.mark.parametrize("chunker", [Table(), Table(size=128), Table(rows=1)], ids=repr)
def test_every_row_asked_for_is_shown_with_its_header(table_questions: GoldenSet, chunker: Table) -> None:
    pieces, bare = _without_header(table_questions, chunker)
    assert (pieces > 30, bare) == (True, 0)


def test_the_other_chunkers_show_rows_without_their_header(table_questions: GoldenSet) -> None:
    assert _without_header(table_questions, Fixed())[1] > 5
    assert _without_header(table_questions, Markdown(size=128))[1] > 5
