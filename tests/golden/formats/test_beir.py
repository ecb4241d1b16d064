"""Sets in BEIR form."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError
from harness.golden.formats import beir
from harness.golden.formats.foreign import store
from harness.golden.golden_set import GoldenSet, load
from harness.golden.schema import SHAPES
from harness.text import normalise
from harness.types import Evidence, Span, Turn
from tests.contracts.golden_format import NORTH, PROBE, WASH, TextFormatContract
from tests.golden.folders import FILTER, refusal, row, write
from tests.golden.formats.beir_folders import CORPUS, HEAD, QRELS, QUERIES, beir_folder, json_lines
from tests.golden.formats.faults import problems


class TestBeir(TextFormatContract):
    name = "beir"
    held = frozenset(name.removesuffix("?") for name in SHAPES)
    retired = True
    essential = ("corpus.jsonl", "queries.jsonl")


def golden(folder: Path, spans: bool = True) -> GoldenSet:
    stored = store(beir.read(folder, spans=spans), folder.parent / "stored")
    assert stored is not None
    return stored


def span(query: str, start: int, end: int, text: str) -> dict[str, Any]:
    return {"query_id": query, "doc_id": "d1", "start": start, "end": end, "text": text}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "source"


def test_relevant_documents_are_evidence_as_a_whole(folder: Path) -> None:
    found = golden(beir_folder(folder))
    assert [document.doc_id for document in found.documents] == ["d1", "d2"]
    assert found.questions[0].evidence == (Evidence((Span("d1", 0, 17),)),)
    assert found.questions[1].evidence == (Evidence((Span("d2", 0, 6),)),)


def test_spans_take_the_place_of_whole_documents(folder: Path) -> None:
    spans = [span("q1", 0, 5, "Alpha"), span("q1", 11, 16, "gamma")]
    assert golden(beir_folder(folder, qrels_spans=spans)).questions[0].evidence == (
        Evidence((Span("d1", 0, 5),)),
        Evidence((Span("d1", 11, 16),)),
    )


def test_a_query_without_spans_keeps_its_whole_document(folder: Path) -> None:
    questions = golden(beir_folder(folder, qrels_spans=[span("q1", 0, 5, "Alpha")])).questions
    assert questions[1].evidence == (Evidence((Span("d2", 0, 6),)),)


def test_spans_can_be_left_aside(folder: Path) -> None:
    source = beir_folder(folder, qrels_spans=[span("q1", 0, 5, "Alpha")])
    assert golden(source, spans=False).questions[0].evidence == (Evidence((Span("d1", 0, 17),)),)


ALPHA = "Alpha beta gamma."


@pytest.mark.parametrize(
    ("spans", "groups"),
    [
        ([(0, 10), (6, 10), (6, 10)], [[(0, 10), (6, 10)]]),
        ([(0, 16), (0, 5), (6, 10), (11, 16)], [[(0, 5), (0, 16), (6, 10), (11, 16)]]),
        ([(11, 16), (0, 8), (6, 10)], [[(0, 8), (6, 10)], [(11, 16)]]),
        ([(0, 5), (5, 10)], [[(0, 5)], [(5, 10)]]),
        ([(0, 10), (2, 4), (8, 12), (12, 16)], [[(0, 10), (2, 4), (8, 12)], [(12, 16)]]),
    ],
    ids=["inside and twice", "several inside one", "overlapping in part", "side by side", "after one inside"],
)
def test_overlapping_spans_are_alternatives(
    folder: Path, spans: list[tuple[int, int]], groups: list[list[tuple[int, int]]]
) -> None:
    rows = [span("q1", start, end, ALPHA[start:end]) for start, end in spans]
    evidence = golden(beir_folder(folder, qrels_spans=rows)).questions[0].evidence
    assert evidence == tuple(Evidence(tuple(Span("d1", *place) for place in group)) for group in groups)


def test_a_group_says_what_is_needed_together_and_what_are_alternatives(folder: Path) -> None:
    spans = [
        {**span("q1", 0, 5, "Alpha"), "group": 2},
        {**span("q1", 0, 10, "Alpha beta"), "group": 1},
        {**span("q1", 11, 16, "gamma"), "group": 2},
        {"query_id": "q1", "doc_id": "d2", "group": 1},
        {**span("q1", 6, 10, "beta")},
    ]
    assert golden(beir_folder(folder, qrels_spans=spans)).questions[0].evidence == (
        Evidence((Span("d1", 0, 10), Span("d2", 0, 6))),
        Evidence((Span("d1", 0, 5), Span("d1", 11, 16))),
        Evidence((Span("d1", 6, 10),)),
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("Aha. No. Aha.", 9, 13), ("aXaXa", 2, 5), ("cafe\u0301 cafe\u0301", 6, 11), ("a\r\nb\r\nb", 6, 7)],
    ids=["repeated", "overlapping itself", "decomposed", "windows lines"],
)
def test_a_span_is_found_again_where_it_was(folder: Path, text: str, start: int, end: int) -> None:
    documents = [{"_id": "d1", "text": text}, CORPUS[1]]
    found = golden(beir_folder(folder, corpus=documents, qrels_spans=[span("q1", start, end, text[start:end])]))
    (place,) = found.questions[0].evidence[0].alternatives
    assert (place.start, found.documents[0].text[place.start : place.end]) == (
        len(normalise(text[:start])),
        normalise(text[start:end]),
    )


def test_what_the_queries_say_is_kept(folder: Path) -> None:
    said = {"type": "table", "answerable": True, "answers": ["x", " "], "history": [{"role": "user", "text": "Hi"}]}
    source = beir_folder(folder, queries=[{**QUERIES[0], **said}, QUERIES[1]], qrels_spans=[span("q1", 0, 5, "Alpha")])
    question = golden(source).questions[0]
    assert (question.kind, question.answers, question.history) == ("table", ("x",), (Turn("user", "Hi"),))


@pytest.mark.parametrize(
    ("said", "kind", "tags"),
    [
        ({"type": "claim"}, "factoid", ("claim",)),
        ({"type": "answerable"}, "factoid", ()),
        ({"history": [{"role": "user", "content": "Hi"}]}, "multi_turn", ()),
        ({"history": None, "answers": None, "metadata": None, "type": None}, "factoid", ()),
    ],
)
def test_a_type_that_is_no_kind_of_ours_becomes_a_tag(
    folder: Path, said: dict[str, Any], kind: str, tags: tuple[str, ...]
) -> None:
    question = golden(beir_folder(folder, queries=[{**QUERIES[0], **said}, QUERIES[1]])).questions[0]
    assert (question.kind, question.tags) == (kind, tags)


@pytest.mark.parametrize(("stated", "reason"), [(False, "not_in_document"), (None, "underspecified")])
def test_an_unanswerable_query_has_no_evidence(folder: Path, stated: bool | None, reason: str) -> None:
    question = golden(beir_folder(folder, queries=[{**QUERIES[0], "answerable": stated}, QUERIES[1]])).questions[0]
    assert (question.answerable, question.reason, question.evidence) == (False, reason, ())


def test_a_query_said_to_be_answerable_without_evidence_waits_for_some(folder: Path) -> None:
    foreign = beir.read(beir_folder(folder, queries=[*QUERIES, {"_id": "q3", "text": "?", "answerable": True}]))
    assert [row["id"] for row in foreign.drafts] == ["q3"]


def test_splits_come_from_the_names_of_the_qrels(folder: Path) -> None:
    files = {"qrels/train.tsv": f"{HEAD}q1\td1\t1\n", "qrels/test.tsv": f"{HEAD}q2\td2\t1\n"}
    assert [question.split for question in golden(beir_folder(folder, files)).questions] == ["tune", "test"]


def test_queries_nobody_judged_are_left_out_and_counted(folder: Path) -> None:
    queries: list[dict[str, Any]] = [*QUERIES, {"_id": "q3", "text": "?"}, {"_id": "q4", "text": "?", "answerable": False}]
    foreign = beir.read(beir_folder(folder, queries=queries))
    assert [row["id"] for row in foreign.questions] == ["q1", "q2", "q4"]
    assert list(foreign.notes) == [
        "1 query has no judgment and was left out",
        "1 judgment has a grade above 1, taken as 1: evidence is needed or not",
    ]


def test_all_faults_are_reported_at_once(folder: Path) -> None:
    source = beir_folder(
        folder,
        {"qrels.tsv": QRELS + "q1 d1 1\nq1\td1\tmany\nq1\td1\t²\nq1\td1\t--1\n"},
        corpus=[*CORPUS, {"_id": 7.5, "text": "x"}, {"_id": "d1", "text": "again"}],
        queries=[*QUERIES, {"_id": "q3", "text": "?", "answerable": "yes"}, {"_id": "q4", "text": "?", "type": 3}],
        qrels_spans=[
            span("q1", 0, 99, "Alpha"),
            {**span("q1", 0, 5, "Alpha"), "doc_id": "d9"},
            {"query_id": "q1"},
            span("q1", -2, -1, "."),
            {"query_id": "q1", "doc_id": "d1"},
            {"query_id": "q1", "doc_id": "d1", "start": 0, "group": 1},
        ],
    )
    assert list(problems(lambda: beir.read(source))) == [
        "G009 corpus.jsonl:3 _id",
        "G006 corpus.jsonl:4 _id",
        "G009 queries.jsonl:3 answerable",
        "G009 queries.jsonl:4 type",
        "G002 qrels.tsv:5",
        "G002 qrels.tsv:6",
        "G002 qrels.tsv:7",
        "G002 qrels.tsv:8",
        "G005 qrels_spans.jsonl:3 doc_id",
        "G014 qrels_spans.jsonl:1",
        "G013 qrels_spans.jsonl:2",
        "G014 qrels_spans.jsonl:4",
        "G005 qrels_spans.jsonl:5",
        "G005 qrels_spans.jsonl:6",
    ]


@pytest.mark.parametrize(
    ("files", "queries", "codes"),
    [
        ({}, QUERIES, ["G001 qrels"]),
        ({"qrels.tsv": f"{HEAD}q1\td9\t1\n"}, QUERIES, ["G013 qrels q1"]),
        ({"qrels.tsv": f"{HEAD}q9\td1\t1\n"}, QUERIES, ["G013 qrels q9"]),
        ({"qrels.tsv": HEAD}, QUERIES, ["G001 queries.jsonl"]),
        ({"qrels.tsv": f"{HEAD}q1\td1\t1\nq1\td1\t0\n"}, QUERIES, ["G006 qrels.tsv:3"]),
        ({"qrels/dev.tsv": f"{HEAD}q1\td1\t1\n", "qrels/test.tsv": f"{HEAD}q1\td1\t1\n"}, QUERIES, ["G006 test.tsv:2"]),
    ],
    ids=["none", "unknown document", "unknown query", "empty", "contradiction", "in both splits"],
)
def test_judgments_that_cannot_hold_are_refused(folder: Path, files: dict[str, str], queries: Any, codes: list[str]) -> None:
    assert list(problems(lambda: beir.read(beir_folder(folder, files, queries=queries)))) == codes


@pytest.mark.parametrize("head", [HEAD, "query_id\tdoc_id\trelevance\n", "QueryID\tdoc\tLabel\n", "qid\tdid\tgrade\n"])
def test_a_header_is_recognised_by_its_names(folder: Path, head: str) -> None:
    foreign = beir.read(beir_folder(folder, {"qrels.tsv": f"{head}q1\td1\t1\nq2\td2\t1\n"}))
    assert [row["id"] for row in foreign.questions] == ["q1", "q2"]


@pytest.mark.parametrize("first", ["q1\td1\thigh", "q1\td1\t0.5", "q1\td1\t", "q1 d1 1", "q1\td1", "query\td1\t1\t1"])
def test_a_first_judgment_that_cannot_be_read_is_no_header(folder: Path, first: str) -> None:
    source = beir_folder(folder, {"qrels.tsv": f"{first}\nq2\td2\t1\n"})
    assert list(problems(lambda: beir.read(source))) == ["G002 qrels.tsv:1"]


def test_a_first_line_that_is_no_header_is_a_judgment(folder: Path) -> None:
    foreign = beir.read(beir_folder(folder, {"qrels.tsv": "q1\td1\t1\n\nq2\td2\t1.0\n"}))
    assert [row["id"] for row in foreign.questions] == ["q1", "q2"]


def test_qrels_that_are_not_utf8_are_named(folder: Path) -> None:
    source = beir_folder(folder)
    (source / "qrels.tsv").write_bytes(HEAD.encode() + b"q\xe9\td1\t1\n")
    assert list(problems(lambda: beir.read(source))) == ["G016 qrels.tsv"]


def test_documents_that_differ_only_by_their_form_of_letters_are_one_id(folder: Path) -> None:
    corpus = [*CORPUS, {"_id": "caf\u00e9", "text": "x"}, {"_id": "cafe\u0301", "text": "y"}]
    found = problems(lambda: golden(beir_folder(folder, corpus=corpus)))
    assert list(found) == ["G006 document 'cafe\u0301' _id"]


def test_documents_that_differ_by_case_are_two(folder: Path) -> None:
    corpus = [*CORPUS, {"_id": "D1", "text": "x"}]
    assert [document.doc_id for document in golden(beir_folder(folder, corpus=corpus)).documents] == ["D1", "d1", "d2"]


def test_ids_with_windows_paths_are_kept(folder: Path) -> None:
    source = beir_folder(folder, {"qrels.tsv": f"{HEAD}q1\tC:\\docs\\a.md\t1\n"}, corpus=[{"_id": "C:\\docs\\a.md", "text": "x"}])
    assert golden(source).questions[0].evidence[0].alternatives[0].doc_id == "C:\\docs\\a.md"


def test_half_a_character_is_named_with_its_document(folder: Path) -> None:
    found = problems(lambda: golden(beir_folder(folder, corpus=[{"_id": "d1", "text": "x\ud800"}, CORPUS[1]])))
    assert list(found) == ["G021 document 'd1' text"]


def test_half_a_character_in_a_question_is_named(folder: Path) -> None:
    found = problems(lambda: golden(beir_folder(folder, queries=[{"_id": "q1", "text": "x\ud800"}, QUERIES[1]])))
    assert list(found) == ["G021 question 'q1' question"]


def test_the_digest_follows_questions_and_judgments(tmp_path: Path) -> None:
    other = {"qrels.tsv": QRELS.replace("q2\td2\t2", "q2\td1\t1")}
    one, same, changed = (
        golden(beir_folder(tmp_path / name / "source", qrels))
        for name, qrels in (("one", None), ("same", None), ("changed", other))
    )
    assert one.digest == same.digest != changed.digest
    assert one.corpus_digest == same.corpus_digest == changed.corpus_digest


def test_answers_of_a_query_that_has_to_be_refused_are_left_out_and_counted(folder: Path) -> None:
    said = {"answerable": False, "answers": ["I do not know."]}
    foreign = beir.read(beir_folder(folder, queries=[{**QUERIES[0], **said}, QUERIES[1]]))
    assert "answers" not in foreign.questions[0]
    assert list(foreign.notes) == [
        "the answers of 1 query that has to be refused were left out",
        "1 judgment has a grade above 1, taken as 1: evidence is needed or not",
    ]


PLACES = [
    [[FILTER], [PROBE]],
    [[NORTH, WASH]],
    [[{"doc": "north.md"}, FILTER], [{"doc": "aq.md"}]],
    [[{"doc": "aq.md", "quote": "Never wash it.", "start": 75}]],
    [[{"doc": "aq.md", "quote": "Never wash it.", "prefix": "9 months.", "suffix": ""}]],
    [[{"doc": "aq.md", "quote": "The filter lasts", "start": 6}]],
    [[{"doc": "aq.md", "quote": "filter lasts 6"}], [FILTER]],
]


class TestOurOwnFolder:
    """A folder that we wrote and somebody changed."""

    @pytest.fixture
    def written(self, tmp_path: Path) -> Path:
        rows = [
            row(id="q1", evidence=[[FILTER], [PROBE]], split="tune", answers=["half a year"]),
            row(id="q2", question="Who?", evidence=[[{"doc": "north.md"}, PROBE]], persona="north", as_of="2025-06-01"),
            refusal(id="u1", question="When?", split="tune"),
            row(id="r1", question="Old?", retired=True, split="tune"),
        ]
        beir.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
        return tmp_path / "out"

    @pytest.mark.parametrize("places", PLACES)
    def test_every_form_of_evidence_comes_back(self, tmp_path: Path, places: Any) -> None:
        rows = [row(evidence=places, persona="north", as_of="2025-06-01")]
        beir.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
        assert list(beir.read(tmp_path / "out").questions) == rows

    def test_each_thing_stands_in_one_place(self, written: Path) -> None:
        said = {line["_id"]: line["metadata"]["golden"] for line in parsed(written / "queries.jsonl")}
        assert {name: sorted(golden) for name, golden in said.items()} == {
            "q1": ["answerable", "answers", "kind"],
            "q2": ["answerable", "as_of", "kind", "persona"],
            "u1": ["answerable", "kind", "refusal_reason", "split"],
            "r1": ["answerable", "evidence", "kind", "retired", "split"],
        }

    def test_judgments_without_spans_hold_as_they_were_corrected(self, written: Path) -> None:
        (written / "qrels_spans.jsonl").unlink()
        (written / "qrels" / "dev.tsv").write_text(HEAD)
        (written / "qrels" / "test.tsv").write_text(f"{HEAD}q1\tnorth.md\t1\nq2\taq.md\t1\n")
        found = {item["id"]: item for item in beir.read(written).questions}
        assert (found["q1"]["evidence"], found["q1"]["split"]) == ([[{"doc": "north.md"}]], "test")
        assert found["q2"]["evidence"] == [[{"doc": "aq.md"}]]

    def test_a_corrected_span_and_a_corrected_text_hold(self, written: Path) -> None:
        spans = parsed(written / "qrels_spans.jsonl")
        spans[0] |= {"start": 6, "end": 16, "text": "The filter"}
        (written / "qrels_spans.jsonl").write_text(json_lines(*spans))
        queries = parsed(written / "queries.jsonl")
        queries[0]["text"] = "How long now?"
        (written / "queries.jsonl").write_text(json_lines(*queries))
        first = beir.read(written).questions[0]
        assert (first["question"], first["evidence"]) == ("How long now?", [[{"doc": "aq.md", "quote": "The filter"}], [PROBE]])

    def test_a_query_moved_to_the_other_split_is_there(self, written: Path) -> None:
        dev, test = (written / "qrels" / f"{name}.tsv" for name in ("dev", "test"))
        test.write_text(test.read_text() + dev.read_text().removeprefix(HEAD))
        dev.write_text(HEAD)
        assert {item["id"]: item["split"] for item in beir.read(written).questions} == {
            "q1": "test", "q2": "test", "u1": "tune", "r1": "tune",
        }  # fmt: skip

    def test_a_question_of_which_all_judgments_were_dropped_waits_for_some(self, written: Path) -> None:
        for name in ("qrels/dev.tsv", "qrels/test.tsv"):
            (written / name).write_text(HEAD)
        (written / "qrels_spans.jsonl").unlink()
        foreign = beir.read(written)
        assert [item["id"] for item in foreign.drafts] == ["q1", "q2"]

    @pytest.mark.parametrize(
        ("file", "line", "place", "says"),
        [
            ("qrels/dev.tsv", "q1\tnorth.md\t1", "G006 qrels q1", "differ in 'north.md'"),
            ("qrels/dev.tsv", "r1\taq.md\t1", "G006 queries.jsonl r1", "evidence stands in metadata.golden and in the judgments"),
            ("qrels/test.tsv", "u1\taq.md\t1", "G006 queries.jsonl u1", "split is 'tune' in metadata.golden and 'test'"),
        ],
    )
    def test_what_says_two_things_is_refused(self, written: Path, file: str, line: str, place: str, says: str) -> None:
        (written / file).write_text(f"{(written / file).read_text()}{line}\n")
        assert says in problems(lambda: beir.read(written))[place]

    def test_a_set_of_refusals_alone_comes_back(self, tmp_path: Path) -> None:
        rows = [refusal(id="u1")]
        beir.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
        assert list(beir.read(tmp_path / "out").questions) == rows


def parsed(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match=r"corpus\.jsonl"):
        beir.read(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("qrels", "notes"),
    [
        ("q1\td1\t1\nq2\td2\t0\n", ["1 query has no relevant document among those judged: taken as unanswerable; check them"]),
        ("q1\td1\t0\nq2\td2\t0\n", ["2 queries have no relevant document among those judged: taken as unanswerable; check them"]),
        ("q1\td1\t2\nq2\td2\t1\n", ["1 judgment has a grade above 1, taken as 1: evidence is needed or not"]),
        ("q1\td1\t2\nq2\td2\t3\n", ["2 judgments have a grade above 1, taken as 1: evidence is needed or not"]),
        ("q1\td1\t1\nq2\td2\t1\n", []),
    ],
)
def test_what_becomes_of_judgments_is_told(folder: Path, qrels: str, notes: list[str]) -> None:
    assert list(beir.read(beir_folder(folder, {"qrels.tsv": HEAD + qrels})).notes) == notes


def test_a_query_that_says_it_is_unanswerable_needs_no_note(folder: Path) -> None:
    queries: list[dict[str, Any]] = [QUERIES[0], {**QUERIES[1], "answerable": False}]
    assert list(beir.read(beir_folder(folder, {"qrels.tsv": f"{HEAD}q1\td1\t1\nq2\td2\t0\n"}, queries=queries)).notes) == []


def test_numbers_as_ids_become_text(folder: Path) -> None:
    source = beir_folder(
        folder,
        {"qrels.tsv": f"{HEAD}7\t1\t1\n8\t1\t1\n"},
        corpus=[{"_id": 1, "text": "Alpha beta."}],
        queries=[{"_id": 7, "text": "Which?"}, {"_id": 8, "text": "Who?"}],
        qrels_spans=[{"query_id": 7, "doc_id": 1, "start": 0, "end": 5, "text": "Alpha"}],
    )
    foreign = beir.read(source)
    assert [(row["id"], row["evidence"]) for row in foreign.questions] == [
        ("7", [[{"doc": "1", "quote": "Alpha"}]]),
        ("8", [[{"doc": "1"}]]),
    ]


def test_a_number_and_its_text_are_one_id(folder: Path) -> None:
    source = beir_folder(folder, {"qrels.tsv": f"{HEAD}7\td1\t1\n"}, queries=[{"_id": "7", "text": "a"}, {"_id": 7, "text": "b"}])
    assert list(problems(lambda: beir.read(source))) == ["G006 queries.jsonl:2 _id"]
