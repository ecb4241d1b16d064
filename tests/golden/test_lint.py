"""Everything that is wrong or doubtful in a golden set, all at once."""

from pathlib import Path
from time import process_time
from typing import Any

import pytest

from harness.golden.fix import fix_questions
from harness.golden.lint import Findings, lint
from harness.golden.writing import renew_card, write_card, write_questions
from harness.retrieval.tokenizers import TokenizerName
from tests.golden.folders import CORPUS, FILTER, lines, refusal, row, write
from tests.golden.public import ROOT

SHIPPED = sorted(path.parent for path in (ROOT / "golden_sets").glob("*/golden_set.yaml"))


def _errors(findings: Findings) -> list[str]:
    return [f"{problem.code} {problem.where}" for problem in findings.errors]


def _warnings(findings: Findings) -> set[str]:
    return {problem.code for problem in findings.warnings}


def _with(folder: Path, *rows: dict[str, Any], **documents: str) -> Path:
    """A set whose corpus holds more documents, `__` standing for the dot of a name."""
    (folder / "corpus").mkdir(parents=True)
    for name, text in documents.items():
        (folder / "corpus" / name.replace("__", ".")).write_text(text)
    return write(folder, lines(*(rows or [row()])))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_the_shipped_sets_have_no_fault(folder: Path) -> None:
    findings = lint(folder, ["stemmed", "words", "plain"])
    assert findings.errors == ()
    assert _warnings(findings) <= {"G023"}


def test_a_set_that_can_show_something_has_no_warning(tmp_path: Path) -> None:
    other = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
    refusals = [refusal(id=f"u{number}", question=f"Who sells item {number} of list {number}{number}?") for number in range(30)]
    findings = lint(_with(tmp_path / "kb", row(evidence=[[FILTER], [other]]), *refusals, c__md="Words.\n"), ["words"])
    assert (findings.errors, findings.warnings, findings.notes) == ((), (), ())
    assert findings.golden_set is not None
    assert len(findings.golden_set.questions) == 31


def test_faults_of_card_corpus_questions_and_splits_come_together(tmp_path: Path) -> None:
    rows = [
        row(id="a", group="story", split="tune"),
        row(id="b", question="Who pays?", group="story"),
        row(id="c", question="Where?", kind="factoit"),
        row(id="d", question="When?", evidence=[[{"doc": "aq.md", "quote": "It floats on water"}]]),
    ]
    folder = _with(tmp_path / "kb", *rows, blank__md=" ")
    path = folder / "golden_set.yaml"
    path.write_text(path.read_text().replace("version: 1", "version: one"))
    findings = lint(folder, ["words"])
    assert set(_errors(findings)) == {
        "C002 corpus/blank.md",
        "G027 questions.jsonl:3 kind",
        "G030 golden_set.yaml:2 version",
        "G034 questions.jsonl:2 group",
        "G015 questions.jsonl:4 evidence[0][0].quote",
    }
    assert findings.golden_set is None


def test_no_fault_is_told_twice(tmp_path: Path) -> None:
    errors = _errors(lint(_with(tmp_path / "kb", row(id="c", kind="factoit"), blank__md=" "), ["words"]))
    assert sorted(errors) == sorted(set(errors))


class TestACorpusWithFaults:
    def test_evidence_in_its_faulty_files_is_not_called_unknown(self, tmp_path: Path) -> None:
        findings = lint(_with(tmp_path / "kb", row(evidence=[[{"doc": "blank.md"}]]), blank__md=" "), ["words"])
        assert _errors(findings) == ["C002 corpus/blank.md"]
        assert any("sound files of the corpus only" in note for note in findings.notes)

    def test_evidence_that_no_file_holds_still_is(self, tmp_path: Path) -> None:
        findings = lint(_with(tmp_path / "kb", row(evidence=[[{"doc": "gone.md"}]]), blank__md=" "), ["words"])
        assert set(_errors(findings)) == {"C002 corpus/blank.md", "G013 questions.jsonl:1 evidence[0][0].doc"}

    def test_beside_faulty_json_lines_no_document_is_called_unknown(self, tmp_path: Path) -> None:
        rows = [row(evidence=[[{"doc": "in-rows"}]])]
        findings = lint(_with(tmp_path / "kb", *rows, rows__jsonl='{"_id": "in-rows", "text": "x"}\nnope\n'), ["words"])
        assert _errors(findings) == ["G002 corpus/rows.jsonl:2"]

    def test_a_description_of_a_faulty_file_hides_nothing(self, tmp_path: Path) -> None:
        rows = [row(evidence=[[{"doc": "aq.md", "quote": "It floats on water"}]])]
        findings = lint(_with(tmp_path / "kb", *rows, blank__md=" ", metadata__yaml="blank.md: {title: x}\n"), ["words"])
        assert set(_errors(findings)) == {"C002 corpus/blank.md", "G015 questions.jsonl:1 evidence[0][0].quote"}

    def test_a_description_of_nothing_hides_nothing_either(self, tmp_path: Path) -> None:
        rows = [row(evidence=[[{"doc": "aq.md", "quote": "It floats on water"}]])]
        findings = lint(_with(tmp_path / "kb", *rows, metadata__yaml="aq.m: {title: x}\n"), ["words"])
        assert set(_errors(findings)) == {"C009 corpus/metadata.yaml", "G015 questions.jsonl:1 evidence[0][0].quote"}

    def test_documents_whose_names_collide_are_both_set_aside(self, tmp_path: Path) -> None:
        rows = [
            row(
                evidence=[[{"doc": "aq.md", "quote": "It floats on water"}], [{"doc": "north.md", "quote": "x"}]], persona="north"
            )
        ]
        findings = lint(_with(tmp_path / "kb", *rows, AQ__md="Words.\n"), ["words"])
        assert set(_errors(findings)) == {"C005 corpus/AQ.md", "G015 questions.jsonl:1 evidence[1][0].quote"}

    def test_splits_are_compared_even_without_any_document(self, tmp_path: Path) -> None:
        rows = [row(id="a", group="g", split="tune"), row(id="b", question="Who?", group="g")]
        folder = _with(tmp_path / "kb", *rows)
        for name in CORPUS:
            (folder / "corpus" / name).unlink()
        assert "G034 questions.jsonl:2 group" in _errors(lint(folder, ["words"]))


class TestTokenizers:
    @pytest.mark.parametrize(
        ("tokenizer", "text", "mute"),
        [
            ("stemmed", "The of and.", True),
            ("words", "The of and.", False),
            ("words", "--- !!!", True),
            ("plain", "--- !!!", False),
            ("words", "\u65e5\u672c", False),
            ("stemmed", "\u65e5\u672c", False),
        ],
    )
    def test_a_document_in_which_one_finds_nothing_is_named(
        self, tmp_path: Path, tokenizer: TokenizerName, text: str, mute: bool
    ) -> None:
        found = [problem for problem in lint(_with(tmp_path / "kb", odd__txt=text), [tokenizer]).errors if problem.code == "C006"]
        assert [tokenizer in problem.what and "1 of 3 documents: 'odd.txt'" in problem.what for problem in found] == [True] * mute

    def test_each_one_is_asked(self, tmp_path: Path) -> None:
        findings = lint(_with(tmp_path / "kb", odd__txt="!!!"), ["stemmed", "words", "plain"])
        assert [problem.what.split("'")[1] for problem in findings.errors] == ["stemmed", "words"]

    def test_five_documents_are_named_at_most(self, tmp_path: Path) -> None:
        (problem,) = lint(_with(tmp_path / "kb", **{f"d{number}__txt": "!!!" for number in range(7)}), ["words"]).errors
        assert "7 of 9 documents" in problem.what
        assert problem.what.count(".txt'") == 5


class TestNotes:
    def test_evidence_of_whole_documents_is_counted(self, tmp_path: Path) -> None:
        findings = lint(write(tmp_path / "kb", [row(evidence=[[FILTER, {"doc": "aq.md"}]])]), ["words"])
        assert findings.notes == ("1 of 2 pieces of evidence are whole documents: they have no quote",)

    def test_drafts_that_wait_are_counted(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "kb")
        (folder / "drafts.jsonl").write_text('{"question": "a"}\nnope\n')
        assert lint(folder, ["words"]).notes == ("1 drafts wait for review in drafts.jsonl; 1 lines cannot be read",)

    def test_answers_that_stand_nowhere_in_the_evidence_are_no_fault(self, tmp_path: Path) -> None:
        findings = lint(write(tmp_path / "kb", [row(answers=["half a year"])]), ["words"])
        assert findings.errors == ()


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_cannot_be_read_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    folder = write(tmp_path / "kb")
    (folder / "questions.jsonl").unlink()
    (folder / "questions.jsonl").symlink_to("/proc/self/mem")
    (problem,) = lint(folder, ["words"]).errors
    assert problem.code == "G001"
    assert problem.what.startswith("cannot be read: ")


@pytest.mark.parametrize("depth", range(940, 1000, 3))
def test_no_depth_of_nesting_is_a_crash(tmp_path: Path, depth: int) -> None:
    deep = '{"id": 7, "question": "x", "answerable": true, "tags": ' + "[" * depth + "]" * depth + "}"
    folder = write(tmp_path / "kb", lines(row(), deep))
    assert {problem.code for problem in lint(folder, ["words"]).errors} & {"G002", "G009"}
    fix_questions(folder)


def test_six_thousand_questions_of_one_template_are_told_in_a_few_lines_and_little_time(tmp_path: Path) -> None:
    text = "What is the highest temperature in which the model AQ-{} sensor may work by its manual?"
    rows = [
        row(id=f"q{n}", question=text.format(n), group=f"g{n}", split=("tune", "test")[n % 2], evidence=[[{"doc": "aq.md"}]])
        for n in range(6_000)
    ]
    folder = write(tmp_path / "kb", rows)
    began = process_time()
    findings = lint(folder, [])
    assert process_time() - began < 20
    (error,) = findings.errors
    (copies,) = (problem for problem in findings.warnings if problem.code == "G025")
    for problem, said in ((error, "and 2,995 more) and in test"), (copies, "6000 of 6000 questions are near-copies")):
        assert said in problem.what
        assert len(problem.what) < 200


@pytest.mark.parametrize("blank", [{}, {"blank__md": " "}], ids=["sound", "with a faulty document"])
def test_near_copies_on_the_cards_day_are_told_whether_or_not_the_set_loads(tmp_path: Path, blank: dict[str, str]) -> None:
    rows = [row(id="a", split="tune", group="g"), row(id="b", group="h", as_of="2025-05-05")]
    folder = _with(tmp_path / "kb", *rows, **blank)
    write(folder, lines(*rows), {"as_of": "2025-05-05"})
    assert "G034 questions.jsonl:2 split" in _errors(lint(folder, ["words"]))
    write(folder, lines(*rows), {"as_of": "2025-05-06"})
    assert "G034 questions.jsonl:2 split" not in _errors(lint(folder, ["words"]))


def test_shared_evidence_is_a_warning_and_no_error(tmp_path: Path) -> None:
    rows = [row(id="a", split="tune", group="g"), row(id="b", question="Who pays?", group="h")]
    findings = lint(write(tmp_path / "kb", rows), ["words"])
    assert findings.errors == ()
    assert "G034" in _warnings(findings)


def test_retired_questions_are_not_compared(tmp_path: Path) -> None:
    rows = [row(id="a", group="g", split="tune", retired=True), row(id="b", group="g")]
    findings = lint(write(tmp_path / "kb", rows), ["words"])
    assert findings.errors == ()
    assert "G025" not in _warnings(findings)


def test_what_our_own_writers_write_is_clean(tmp_path: Path) -> None:
    folder = write(tmp_path / "kb")
    write_questions(folder, [row(), refusal(id="u")])
    write_card(folder, {"purpose": "p"})
    assert lint(folder, ["words"]).errors == ()


def test_files_that_are_no_documents_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine")
    for name in ("a.odt", "notes", ".hidden.md"):
        (folder / "corpus" / name).write_text("x")
    renew_card(folder)
    assert "3 files of corpus/ are not read: .hidden.md, a.odt, notes" in lint(folder, ()).notes
