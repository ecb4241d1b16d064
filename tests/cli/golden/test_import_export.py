"""`harness golden import` and `harness golden export`."""

import json
import resource
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.golden import arguments
from harness.golden.find import find
from harness.golden.formats.catalog import FORMATS
from harness.golden.golden_set import load
from tests.contracts.golden_format import contents
from tests.golden.formats.beir_folders import HEAD, beir_folder

Harness = Callable[..., tuple[int, str]]

FILES = {"csv": "out.csv", "jsonl": "out.jsonl", "ragas": "out.jsonl", "ragchecker": "out.json", "squad": "out.json"}
WITHOUT_DOCUMENTS = ("csv", "jsonl", "ragas", "ragchecker", "trec")
CORPUS = "golden_sets/tiny/corpus"


def exported(harness: Harness, form: str) -> str:
    """The project's set in a format."""
    target = FILES.get(form, "out")
    code, printed = harness("golden", "export", form, "tiny", "--to", target)
    assert (code, f"{target}: 27 questions of tiny version 1" in printed) == (0, True)
    return target


def test_the_command_line_offers_what_there_is() -> None:
    assert sorted(arguments.FORMATS) == sorted(FORMATS)


@pytest.mark.parametrize("form", [form for form in FORMATS if form not in ("ragchecker", "ragas")])
def test_a_set_goes_out_and_comes_back_in_every_format(project: Path, harness: Harness, form: str) -> None:
    target = exported(harness, form)
    words = ("--documents", CORPUS) if form in WITHOUT_DOCUMENTS else ()
    code, printed = harness("golden", "import", form, target, "--to", "golden_sets/back", *words)
    assert code == 0
    assert "golden_sets/back: 27 questions (24 answerable, 3 unanswerable (3 " in printed
    assert "), 5 documents" in printed
    assert "Next: python -m harness run +experiment=bm25_only golden_set=golden_sets/back gate=none" in printed
    assert load(project / "golden_sets" / "back").name == "back"


@pytest.mark.parametrize(("form", "whole"), [("autorag", True), ("beir", False)])
def test_evidence_without_quotes_is_told_with_what_it_means(project: Path, harness: Harness, form: str, whole: bool) -> None:
    _, printed = harness("golden", "import", form, exported(harness, form), "--to", "back")
    assert ("24 pieces of evidence are whole documents" in printed) is whole


def test_ragas_samples_bring_back_the_answerable_ones(project: Path, harness: Harness) -> None:
    code, printed = harness("golden", "import", "ragas", exported(harness, "ragas"), "--to", "back", "--documents", CORPUS)
    assert code == 0
    assert "back: 24 questions (24 answerable, 0 unanswerable), 5 documents" in printed
    assert "3 questions lack evidence and wait in back/drafts.jsonl" in printed


def test_a_set_of_drafts_alone_says_so(project: Path, harness: Harness) -> None:
    words = ("--to", "back", "--documents", CORPUS)
    code, printed = harness("golden", "import", "ragchecker", exported(harness, "ragchecker"), *words)
    assert code == 0
    assert "27 questions lack evidence and wait in back/drafts.jsonl" in printed
    assert "the set is empty until drafts are completed" in printed
    assert len((project / "back" / "drafts.jsonl").read_text().splitlines()) == 27


def test_nothing_at_all_is_a_mistake(project: Path, harness: Harness) -> None:
    (project / "empty.json").write_text('{"results": []}')
    code, printed = harness("golden", "import", "ragchecker", "empty.json", "--to", "back", "--documents", CORPUS)
    assert (code, "there is nothing to import" in printed, (project / "back").exists()) == (2, True, False)


def test_a_beir_folder_that_was_corrected_comes_back_corrected(project: Path, harness: Harness) -> None:
    target = project / exported(harness, "beir")
    for file in ("qrels/test.tsv", "qrels/dev.tsv"):
        lines = (target / file).read_text().splitlines()
        first = next((line for line in lines if not line.startswith("query-id")), "")
        name, document, _ = first.split("\t") if first else ("", "", "")
        (target / file).write_text("".join(f"{line}\n" for line in lines if line != first))
        spans = (target / "qrels_spans.jsonl").read_text().splitlines()
        kept = [line for line in spans if (json.loads(line)["query_id"], json.loads(line)["doc_id"]) != (name, document)]
        (target / "qrels_spans.jsonl").write_text("".join(f"{line}\n" for line in kept))
    code, printed = harness("golden", "import", "beir", "out", "--to", "golden_sets/back")
    assert code == 0
    assert "1 question lacks evidence and waits in golden_sets/back/drafts.jsonl" in printed


def test_a_beir_folder_corrected_in_one_of_two_places_is_refused(project: Path, harness: Harness) -> None:
    target = project / exported(harness, "beir")
    (target / "qrels" / "test.tsv").write_text(HEAD)
    code, printed = harness("golden", "import", "beir", "out", "--to", "golden_sets/back")
    assert (code, "qrels and qrels_spans.jsonl differ in" in printed) == (2, True)
    assert not (project / "golden_sets" / "back").exists()


def test_what_a_format_cannot_hold_is_said(project: Path, harness: Harness) -> None:
    printed = harness("golden", "export", "trec", "tiny", "--to", "out")[1]
    assert "not held by trec: quotes: evidence is whole documents" in printed
    assert "not held by trec: of 27 questions: kind (27), split (27), group (27), answers (24), refusal_reason (3)" in printed
    printed = harness("golden", "export", "jsonl", "tiny", "--to", "out.jsonl")[1]
    assert "not held by jsonl: of the card: licence 'CC0-1.0', languages ('en',)" in printed


def test_the_card_of_a_set_is_said_to_be_lost(project: Path, harness: Harness) -> None:
    printed = harness("golden", "export", "trec", "tiny", "--to", "out")[1]
    assert "not held by trec: of the card: as_of '2026-06-30', licence 'CC0-1.0', languages ('en',)" in printed


def test_what_was_imported_can_be_asked(project: Path, harness: Harness) -> None:
    harness("golden", "import", "squad", exported(harness, "squad"), "--to", "golden_sets/back")
    code, printed = harness("run", "+experiment=light", "golden_set=back", "gate=none")
    assert code == 0
    assert "Recall@5" in printed


def test_the_name_of_the_source_is_that_of_the_set(project: Path, harness: Harness) -> None:
    beir_folder(project / "My set (1)")
    assert harness("golden", "import", "beir", "My set (1)")[0] == 0
    assert find("My-set-1", [project]) == project / "golden_sets" / "My-set-1"


def test_the_next_command_can_be_copied_whatever_the_path(project: Path, harness: Harness) -> None:
    beir_folder(project / "source")
    printed = harness("golden", "import", "beir", "source", "--to", "my sets, all/a")[1]
    (line,) = [line for line in printed.splitlines() if line.startswith("Next: python -m harness ")]
    words = shlex.split(line)[4:]
    assert words == ["run", "+experiment=bm25_only", 'golden_set="my sets, all/a"', "gate=none"]
    assert harness(*words, "tracking=none")[0] == 0


class TestColumns:
    CSV = "Nr,Frage,Datei,Zitat\n1,How long?,battery.md,18 months\n"

    def words(self, columns: str) -> tuple[str, ...]:
        return ("golden", "import", "csv", "asked.csv", "--to", "back", "--documents", CORPUS, "--columns", columns)

    def test_they_are_mapped(self, project: Path, harness: Harness) -> None:
        (project / "asked.csv").write_text(self.CSV)
        code, printed = harness(*self.words("id=Nr,question=Frage,doc=Datei,quote=Zitat"))
        assert (code, "back: 1 question (1 answerable" in printed) == (0, True)

    @pytest.mark.parametrize(
        ("columns", "says"),
        [
            ("question=Fragen", "no column for question=Fragen; it has 'Nr', 'Frage', 'Datei', 'Zitat'"),
            ("doc=Datei", "name it with --columns question=..."),
            ("qestion=Frage,Datei", "did you mean 'question'?"),
            ("qestion=Frage,Datei", "'Datei' names no column"),
        ],
    )
    def test_wrong_names_are_told_with_the_right_ones(self, project: Path, harness: Harness, columns: str, says: str) -> None:
        (project / "asked.csv").write_text(self.CSV)
        code, printed = harness(*self.words(columns))
        assert (code, says in " ".join(printed.split())) == (2, True)
        assert not (project / "back").exists()

    def test_a_format_with_fields_of_its_own_takes_none(self, project: Path, harness: Harness) -> None:
        beir_folder(project / "source")
        code, printed = harness("golden", "import", "beir", "source", "--columns", "question=Frage")
        assert (code, "--columns is for csv, jsonl, huggingface" in printed) == (2, True)

    def test_semicolons_are_recognised(self, project: Path, harness: Harness) -> None:
        (project / "asked.csv").write_text(self.CSV.replace(",", ";"))
        code, printed = harness(*self.words("id=Nr,question=Frage,doc=Datei,quote=Zitat"))
        assert (code, "note: the columns are set apart by semicolons" in printed) == (0, True)

    def test_a_field_named_twice_is_a_mistake(self, project: Path, harness: Harness) -> None:
        (project / "asked.csv").write_text(self.CSV)
        code, printed = harness(*self.words("question=Frage,question=Nr"))
        assert (code, "'question' is given 2 columns" in printed, (project / "back").exists()) == (2, True, False)


class TestRefused:
    @pytest.mark.parametrize("verb", ["import", "export"])
    def test_a_target_that_is_there_is_never_written_over(self, project: Path, harness: Harness, verb: str) -> None:
        before = contents(project / "golden_sets")
        beir_folder(project / "source")
        source = "tiny" if verb == "export" else "source"
        code, printed = harness("golden", verb, "beir", source, "--to", "golden_sets/tiny")
        assert (code, "exists already" in printed) == (2, True)
        assert contents(project / "golden_sets") == before

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("import", "beir", "nowhere"), "'nowhere' does not exist"),
            (("import", "beir", "C:\\data\\set"), "does not exist"),
            (("import", "trec", "trec"), "--documents"),
            (("import", "trec", "trec", "--documents", "nowhere"), "neither a folder nor a .jsonl file"),
            (("import", "beir", "source", "--documents", CORPUS), "leave out --documents"),
            (("import", "beir", "source", "--to", "a b"), "cannot be called"),
            (("import", "beir", "source", "--to", f"{CORPUS}/new"), "inside the corpus of the golden set"),
            (("export", "beir", "tiny", "--to", f"{CORPUS}/new"), "inside the corpus of the golden set"),
            (("export", "beir", "tinny", "--to", "out"), "did you mean 'tiny'"),
            (("export", "beir", "tiny", "--to", "file/out"), "cannot write"),
        ],
    )
    def test_a_mistake_is_one_block_and_leaves_nothing(
        self, project: Path, harness: Harness, words: tuple[str, ...], says: str
    ) -> None:
        beir_folder(project / "source")
        (project / "trec").mkdir()
        (project / "trec" / "topics.tsv").write_text("q1\tWhich?\n")
        (project / "trec" / "qrels.txt").write_text("q1 0 battery.md 1\n")
        (project / "file").write_text("x")
        before = contents(project)
        code, printed = harness("golden", *words)
        assert (code in (2, 4), says in " ".join(printed.split()), "Traceback" in printed) == (True, True, False)
        assert contents(project) == before

    def test_every_fault_is_told_at_once(self, project: Path, harness: Harness) -> None:
        beir_folder(
            project / "source",
            {"qrels.tsv": f"{HEAD}q1\td9\t1\nq1 d1\n"},
            corpus=[{"_id": "d1", "text": "x"}, {"text": "y"}],
            queries=[{"_id": "q1", "text": "Which?"}, {"_id": "q1", "text": "Who?"}],
        )
        code, printed = harness("golden", "import", "beir", "source")
        assert code == 2
        for place in ("corpus.jsonl:2 _id", "queries.jsonl:2 _id", "qrels.tsv:3", "document 'd9'"):
            assert place in printed
        assert not (project / "golden_sets" / "source").exists()

    def test_faults_that_only_the_whole_set_shows_are_told_at_once_too(self, project: Path, harness: Harness) -> None:
        text = "question,doc,quote\nA?,battery.md,nine years\nB?,baterry.md,18 months\nC?,range.md,e\n"
        (project / "asked.csv").write_text(text)
        code, printed = harness("golden", "import", "csv", "asked.csv", "--documents", CORPUS)
        assert code == 2
        for said in ("question 'q-0001'", "Closest: 'battery.md'", "question 'q-0003'"):
            assert said in printed
        assert not (project / "golden_sets" / "asked").exists()

    def test_a_broken_corpus_leaves_nothing(self, project: Path, harness: Harness) -> None:
        (project / "docs").mkdir()
        (project / "docs" / "a.md").write_bytes(b"\xff")
        (project / "asked.csv").write_text("question,doc\nA?,a.md\n")
        code, printed = harness("golden", "import", "csv", "asked.csv", "--documents", "docs")
        assert (code, "not UTF-8" in printed) == (2, True)
        assert not (project / "golden_sets" / "asked").exists()

    def test_a_full_disk_leaves_nothing_half_written(self, project: Path, harness: Harness) -> None:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
        try:
            code, printed = harness("golden", "export", "beir", "tiny", "--to", "new/out")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert (code, "cannot write" in printed) == (4, True)
        assert not (project / "new").exists()


def test_documents_may_be_a_file_of_rows(project: Path, harness: Harness) -> None:
    (project / "docs.jsonl").write_text(json.dumps({"_id": "d1", "text": "Alpha beta."}) + "\n")
    (project / "asked.csv").write_text("question,doc,quote\nA?,d1,beta\n")
    code, printed = harness("golden", "import", "csv", "asked.csv", "--documents", "docs.jsonl")
    assert (code, "golden_sets/asked: 1 question (1 answerable, 0 unanswerable), 1 document" in printed) == (0, True)


@pytest.mark.parametrize("form", ["beir", "csv", "huggingface", "jsonl"])
def test_questions_come_back_asked_on_the_day_of_the_card(project: Path, harness: Harness, form: str) -> None:
    words = ("--documents", CORPUS) if form in WITHOUT_DOCUMENTS else ()
    harness("golden", "import", form, exported(harness, form), "--to", "golden_sets/back", *words)
    was, back = load(project / "golden_sets" / "tiny"), load(project / "golden_sets" / "back")
    assert was.as_of == "2026-06-30"
    days = [(question.question_id, question.as_of or was.as_of) for question in was.questions]
    assert [(question.question_id, question.as_of or back.as_of) for question in back.questions] == days


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (1, "1 file is no document and was left out: 'f0.png'\n"),
        (11, "11 files are no documents and were left out: 'f0.png', 'f1.png'"),
    ],
)
def test_files_that_are_no_documents_are_named(project: Path, harness: Harness, number: int, says: str) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "a.md").write_text("Alpha beta.\n")
    for place in range(number):
        (project / "docs" / f"f{place}.png").write_bytes(b"x")
    (project / "asked.csv").write_text("question,doc,quote\nA?,a.md,beta\n")
    code, printed = harness("golden", "import", "csv", "asked.csv", "--documents", "docs")
    assert (code, says in printed, "'f9.png', ..." in printed) == (0, True, False)


def test_a_file_in_another_encoding_is_told_with_the_remedy(project: Path, harness: Harness) -> None:
    (project / "asked.csv").write_bytes(b"question,doc\nCaf\xe9?,battery.md\n")
    code, printed = harness("golden", "import", "csv", "asked.csv", "--documents", CORPUS)
    assert (code, "line 2 holds byte 0xE9 at offset 16" in " ".join(printed.split()), "iconv" in printed) == (2, True, True)
