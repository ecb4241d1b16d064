"""Sets in TREC form."""

from pathlib import Path

import pytest

from harness.errors import ConfigError, GoldenSetError
from harness.golden.formats import trec
from harness.golden.formats.foreign import Options, store
from harness.golden.golden_set import load
from harness.golden.writing import renew_card, write_questions
from tests.builders import document
from tests.contracts.golden_format import TextFormatContract
from tests.golden.folders import row, write
from tests.golden.formats.faults import problems

CORPUS = Options(documents=(document("d1", "Alpha."), document("d2", "Beta.")))


class TestTrec(TextFormatContract):
    name = "trec"
    held = frozenset({"id", "question", "answerable"})
    explained = frozenset({"evidence"})
    documents = False
    essential = ("topics.tsv", "qrels.txt")


def folder(path: Path, topics: str = "1\tWhich?\n2\tWho?\n", qrels: str = "1 0 d1 1\n1 0 d2 2\n2 0 d1 0\n") -> Path:
    path.mkdir(exist_ok=True)
    (path / "topics.tsv").write_text(topics)
    (path / "qrels.txt").write_text(qrels)
    return path


def test_every_relevant_document_is_needed_and_none_means_a_refusal(tmp_path: Path) -> None:
    first, second = trec.read(folder(tmp_path), CORPUS).questions
    assert first["evidence"] == [[{"doc": "d1"}], [{"doc": "d2"}]]
    assert (second["answerable"], second["refusal_reason"]) == (False, "not_in_document")


def test_topics_nobody_judged_are_left_out_and_counted(tmp_path: Path) -> None:
    foreign = trec.read(folder(tmp_path, qrels="1 0 d1 1\n"), CORPUS)
    assert ([item["id"] for item in foreign.questions], list(foreign.notes)) == (
        ["1"],
        ["1 topic has no judgment and was left out"],
    )


def test_faults_of_both_files_are_reported_at_once(tmp_path: Path) -> None:
    found = problems(lambda: trec.read(folder(tmp_path, "1\tWhich?\n1\tAgain?\n3\n\n", "1 0 d1\n"), CORPUS))
    assert list(found) == ["G006 topics.tsv:2", "G002 topics.tsv:3", "G002 qrels.txt:1"]


def test_a_judgment_of_an_unknown_document_or_topic_is_refused(tmp_path: Path) -> None:
    found = problems(lambda: trec.read(folder(tmp_path, qrels="1 0 docs\\d1 1\n9 0 d1 1\n"), CORPUS))
    assert list(found) == ["G013 qrels.txt 1", "G002 qrels.txt 9"]


def test_a_folder_without_one_of_the_files_names_it(tmp_path: Path) -> None:
    (folder(tmp_path) / "qrels.txt").unlink()
    with pytest.raises(GoldenSetError, match=r"qrels\.txt"):
        trec.read(tmp_path, CORPUS)


def test_without_documents_there_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--documents"):
        store(trec.read(folder(tmp_path)), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_an_id_that_had_to_change_stands_in_provenance(tmp_path: Path) -> None:
    foreign = trec.read(folder(tmp_path, "a/b\tWhich?\n", "a/b 0 d1 1\n"), CORPUS)
    assert (foreign.questions[0]["id"], foreign.questions[0]["provenance"]) == ("a-b", "imported from TREC form, there 'a/b'")


def test_line_breaks_in_a_question_are_said_to_be_lost(tmp_path: Path) -> None:
    rows = [row(question="How\nlong?")]
    notes = trec.write(rows, load(write(tmp_path / "mine", rows)), tmp_path / "out")
    assert "line breaks and runs of blanks in 1 question" in notes
    assert (tmp_path / "out" / "topics.tsv").read_text() == "q1\tHow long?\n"


def test_a_document_id_with_blanks_stops_the_export_before_anything_is_written(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine")
    (mine / "corpus" / "aq.md").rename(mine / "corpus" / "a q.md")
    rows = [row(evidence=[[{"doc": "a q.md", "quote": "The filter lasts 6 months."}]])]
    write_questions(mine, rows)
    renew_card(mine)
    with pytest.raises(GoldenSetError, match=r"'a q\.md' holds blanks"):
        trec.write(rows, load(mine), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("judged", "notes"),
    [
        ("q1 0 d1 0\n", ["1 query has no relevant document among those judged: taken as unanswerable; check them"]),
        ("q1 0 d1 3\n", ["1 judgment has a grade above 1, taken as 1: evidence is needed or not"]),
        ("q1 0 d1 1\nq2 0 d1 0\nq3 0 d1 -1\n",
         ["2 queries have no relevant document among those judged: taken as unanswerable; check them"]),
        ("q1 0 d1 1\n", []),
    ],
)  # fmt: skip
def test_what_becomes_of_judgments_is_told(tmp_path: Path, judged: str, notes: list[str]) -> None:
    topics = "".join(f"{line.split()[0]}\tWhich?\n" for line in judged.splitlines())
    assert list(trec.read(folder(tmp_path, topics, judged), CORPUS).notes) == notes
