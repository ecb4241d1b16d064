"""CSV files and JSON lines with any column names."""

import csv
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError, GoldenSetError
from harness.golden.formats import columns
from harness.golden.formats.csv_files import read_cells
from harness.golden.formats.foreign import Foreign, Options, store
from harness.golden.golden_set import load
from harness.golden.schema import SHAPES
from tests.contracts.golden_format import TextFormatContract
from tests.golden.folders import refusal, row, write
from tests.golden.formats.beir_folders import json_lines
from tests.golden.formats.faults import problems

ALL = frozenset(name.removesuffix("?") for name in SHAPES)


class TestCsv(TextFormatContract):
    name = "csv"
    file = "exported.csv"
    held = ALL
    retired = True
    documents = False


class TestJsonl(TextFormatContract):
    name = "jsonl"
    file = "exported.jsonl"
    held = ALL
    retired = True
    documents = False


def read_csv(folder: Path, text: str | bytes, **names: str) -> Foreign:
    path = folder / "asked.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return columns.read_csv(path, Options(columns=names))


YES = ["TRUE", "yes", "1", "WAHR", "ja", "Vrai", "oui"]
NO = ["False", "no", "0", "FALSCH", "nein", "FAUX", "non"]
HOSTILE = ['=HYPERLINK("http://x","y")', "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"]
PLAIN = ["'", "'a", "'=1", "''=1", "''", 'a"b', "a,b", "a\rb", "a\nb", "a\r\nb", " a ", "=", "1'=", "[1", "{", "it's = 1"]


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    columns.write_csv(rows, load(write(folder / "mine")), folder / "out.csv")
    return folder / "out.csv"


@pytest.mark.parametrize("text", [*HOSTILE, *PLAIN])
@pytest.mark.parametrize("field", ["question", "reference", "provenance", "group"])
def test_every_text_comes_back_as_it_was(tmp_path: Path, field: str, text: str) -> None:
    said = refusal(**{"question": "Which?", field: text})
    assert list(columns.read_csv(written(tmp_path, said)).questions) == [said]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_that_we_write_is_a_formula(tmp_path: Path, text: str) -> None:
    said = row(question=text, reference=text, answers=[text], kind=text, tags=[text])
    with written(tmp_path, said).open(newline="", encoding="utf-8") as file:
        cells = [cell for line in csv.reader(file) for cell in line]
    assert text in "".join(cells)
    assert [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))] == []


def test_a_sign_in_a_file_of_others_stays(tmp_path: Path) -> None:
    assert read_csv(tmp_path, "question,doc\n'=1?,a.md\n").questions[0]["question"] == "'=1?"
    assert read_csv(tmp_path, "Frage,doc\n'=1?,a.md\n", question="Frage").questions[0]["question"] == "'=1?"


def test_evidence_of_many_long_quotes_comes_back(tmp_path: Path) -> None:
    said = row(evidence=[[{"doc": "aq.md", "quote": letter * 20_000}] for letter in "abcdefghijklmno"])
    assert list(columns.read_csv(written(tmp_path, said)).questions) == [said]


def test_a_map_says_which_column_holds_what(tmp_path: Path) -> None:
    text = "Nr,Frage,Datei,Zitat\n7,How long?,aq.md,The filter lasts 6 months.\n"
    foreign = read_csv(tmp_path, text, id="Nr", question="Frage", doc="Datei", quote="Zitat")
    assert list(foreign.questions) == [
        {
            "id": "7",
            "question": "How long?",
            "evidence": [[{"doc": "aq.md", "quote": "The filter lasts 6 months."}]],
            "answerable": True,
            "kind": "factoid",
        }
    ]
    assert store(foreign, tmp_path / "set", write(tmp_path / "mine") / "corpus") is not None


@pytest.mark.parametrize(
    ("cell", "value"),
    [('"[""a"", ""b""]"', ["a", "b"]), ("just text", ["just text"]), ("", None), ("  ", None)],
)
def test_a_cell_of_a_list_is_json_or_one_text(tmp_path: Path, cell: str, value: Any) -> None:
    foreign = read_csv(tmp_path, f"question,answers\nWhich?,{cell}\n")
    assert foreign.drafts[0].get("answers") == value


@pytest.mark.parametrize(
    ("row", "answerable", "kind"),
    [
        ("aq.md,,", True, "factoid"),
        (",,", True, "factoid"),
        (",future,", False, "unanswerable"),
        (",,unanswerable", False, "unanswerable"),
    ],
)
def test_a_row_that_does_not_say_is_answerable_unless_it_gives_a_reason(
    tmp_path: Path, row: str, answerable: bool, kind: str
) -> None:
    foreign = read_csv(tmp_path, f"question,doc,refusal_reason,kind\nWhich?,{row}\n")
    (found,) = (*foreign.questions, *foreign.drafts)
    assert (found["answerable"], found["kind"]) == (answerable, kind)


@pytest.mark.parametrize(("cell", "value"), [*((word, True) for word in YES), *((word, False) for word in NO)])
def test_truth_may_be_written_as_spreadsheets_do(tmp_path: Path, cell: str, value: bool) -> None:
    foreign = read_csv(tmp_path, f"question,doc,answerable\nWhich?,a.md,{cell}\n")
    assert foreign.questions[0]["answerable"] is value


@pytest.mark.parametrize(
    ("sign", "notes"),
    [
        (",", []),
        (";", ["the columns are set apart by semicolons"]),
        ("\t", ["the columns are set apart by tabs"]),
    ],
)
def test_what_sets_the_columns_apart_is_seen_in_the_header(tmp_path: Path, sign: str, notes: list[str]) -> None:
    foreign = read_csv(tmp_path, f'\nid{sign}question{sign}doc\n1{sign}"Which; of, these?"{sign}a.md\n')
    assert [(row["id"], row["question"], row["evidence"]) for row in foreign.questions] == [
        ("1", "Which; of, these?", [[{"doc": "a.md"}]])
    ]
    assert foreign.notes == notes


@pytest.mark.parametrize(("header", "names"), [("question", ["question"]), ("question,a;b", ["question", "a;b"])])
def test_a_header_that_leaves_a_doubt_is_read_with_commas(tmp_path: Path, header: str, names: list[str]) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n")
    assert read_cells(tmp_path / "a.csv") == (names, [], [])


def test_signs_in_quotes_of_the_header_set_nothing_apart(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('"id, or number";question\n1;Which?\n')
    table = read_cells(tmp_path / "a.csv")
    assert (table.names, table.rows) == (["id, or number", "question"], [("a.csv:2", ["1", "Which?"])])


def test_what_we_wrote_and_a_spreadsheet_saved_with_semicolons_comes_back(tmp_path: Path) -> None:
    said = refusal(question="=1;2,3?")
    with written(tmp_path, said).open(newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    with (tmp_path / "asked.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=";").writerows(lines)
    assert list(columns.read_csv(tmp_path / "asked.csv").questions) == [said]


def test_columns_that_nobody_asked_for_are_named(tmp_path: Path) -> None:
    assert read_csv(tmp_path, "question,doc,note,mood\nWhich?,a.md,x,y\n").notes == ["columns not used: note, mood"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id|question\n1|Which?\n", "set apart by bars"),
        ("question;doc\nWhich; of them?;a.md\n", "put quotes around text that holds semicolons"),
        ("", "is empty"),
        ("question,doc\nWhich, of them?,a.md\n", "has 3 cells, the header has 2"),
        ("question,doc\nWhich?\n", "has 1 cell, the header has 2"),
        ("question,doc,question\nWhich?,a.md,Who?\n", "column 'question' appears twice"),
        ('question,answers\nWhich?,"[1, "\n', "mend the cell"),
        ('question,answers\nWhich?,"[NaN]"\n', "NaN"),
        ('question,evidence\nWhich?,"[[{""doc"": ""a"", ""doc"": ""b""}]]"\n', "'doc' appears twice"),
        (f'question,evidence\nWhich?,"{"[" * 100_000}"\n', "nested too deeply"),
        ("question,answerable\nWhich?,perhaps\n", "must be true or false, got 'perhaps'"),
        ("question,answerable\nWhich?,perhaps\n", "true, yes, 1, wahr, ja, vrai, oui or false, no, 0, falsch, nein, faux, non"),
        ('question,doc,evidence\nWhich?,a.md,"[[{""doc"": ""a.md""}]]"\n', "also a document or quote of its own"),
        ("id,question\nq1,Which?\nq1,Who?\n", "used 2 times"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_way_out(tmp_path: Path, text: str, says: str) -> None:
    (found,) = problems(lambda: read_csv(tmp_path, text)).values()
    assert says in found
    assert "Fix:" in found


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"question\ncaf\xe9\n", "as UTF-8"),
        (b'question\n"a\n', "is no CSV"),
        (b"question\n" + b"x" * 10_000_001 + b"\n", "is no CSV"),
    ],
)
def test_bytes_that_are_no_csv_are_refused(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(GoldenSetError, match=says):
        read_csv(tmp_path, data)


def test_all_faulty_cells_are_reported_with_their_lines(tmp_path: Path) -> None:
    found = problems(lambda: read_csv(tmp_path, 'question,retired,tags\n"a\nb",maybe,"[1"\nc,never,x\n'))
    assert list(found) == ["G009 asked.csv:3 tags", "G009 asked.csv:3 retired", "G009 asked.csv:4 retired"]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ({"doc": "Datei", "quote": "Zitat"}, r"no column for doc=Datei, quote=Zitat; it has 'Frage', 'x'"),
        ({}, r"no column 'question': name it with --columns question=\.\.\.; it has 'Frage', 'x'"),
    ],
)
def test_a_column_that_is_not_there_is_told_with_those_that_are(tmp_path: Path, names: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_csv(tmp_path, "Frage,x\na,b\n", **names)


def test_ids_that_would_clash_stay_apart_and_the_old_ones_are_kept_in_provenance(tmp_path: Path) -> None:
    text = "id,question,doc,provenance\na/b,A?,a.md,\na b,B?,a.md,by hand\na-b,C?,a.md,\n"
    foreign = read_csv(tmp_path, text)
    assert [(row["id"], row.get("provenance")) for row in foreign.questions] == [
        ("a-b-2", "imported from asked.csv, there 'a/b'"),
        ("a-b-3", "by hand; there 'a b'"),
        ("a-b", None),
    ]


def test_a_windows_path_in_place_of_a_document_names_the_nearest(tmp_path: Path) -> None:
    foreign = read_csv(tmp_path, "question,doc\nWhich?,docs\\aq.md\n")
    corpus = write(tmp_path / "mine") / "corpus"
    (found,) = problems(lambda: store(foreign, tmp_path / "set", corpus)).values()
    assert "'docs\\\\aq.md' is not in the corpus. Closest: 'aq.md'" in found


def test_json_lines_keep_types_and_refuse_what_is_not_strict(tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    path.write_text(json_lines({"question": "Which?", "id": 5, "doc": "a.md"}))
    assert columns.read_jsonl(path).questions[0]["id"] == "5"
    path.write_text('{"question": "a", "question": "b"}\n{"question": NaN}\n')
    assert list(problems(lambda: columns.read_jsonl(path))) == ["G008 asked.jsonl:1", "G019 asked.jsonl:2"]


class TestParseColumns:
    def test_pairs_become_a_map(self) -> None:
        assert columns.parse_columns("question=Frage, doc = Die Datei,") == {"question": "Frage", "doc": "Die Datei"}
        assert columns.parse_columns("") == {}

    def test_every_wrong_pair_is_reported_with_the_nearest_field(self) -> None:
        with pytest.raises(ConfigError) as caught:
            columns.parse_columns("qestion=Frage,doc,answers=A")
        assert [problem.what for problem in caught.value.problems] == [
            "'qestion' is no field of a question; did you mean 'question'?",
            "'doc' names no column.",
        ]

    def test_a_field_named_twice_is_a_mistake(self) -> None:
        with pytest.raises(ConfigError) as caught:
            columns.parse_columns("question=Frage, question =Text,doc=Datei")
        assert [problem.what for problem in caught.value.problems] == ["'question' is given 2 columns: 'Frage', 'Text'."]
