"""Loading a golden set."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from harness.corpus.files import corpus_digest
from harness.errors import GoldenSetError
from harness.fingerprint import digest
from harness.golden.card import counts
from harness.golden.golden_set import load
from harness.golden.schema import MAX_TEXT
from harness.types import Evidence, Span, Turn
from tests.golden.folders import CORPUS, FILTER, lines, refusal, row, write
from tests.golden.public import ROOT

SHIPPED = sorted(path.parent for path in (ROOT / "golden_sets").glob("*/golden_set.yaml"))


def _problems(folder: Path) -> dict[str, str]:
    """Code and place of each problem, with all that it says."""
    with pytest.raises(GoldenSetError) as caught:
        load(folder)
    return {f"{problem.code} {problem.where}": str(problem) for problem in caught.value.problems}


def _of_rows(folder: Path, *rows: Any) -> dict[str, str]:
    return _problems(write(folder, lines(*rows)))


def test_a_sound_set_loads_with_its_evidence_as_spans(tmp_path: Path) -> None:
    golden = load(write(tmp_path))
    (question,) = golden.questions
    ((span,),) = (evidence.alternatives for evidence in question.evidence)
    text = next(document.text for document in golden.documents if document.doc_id == span.doc_id)
    assert text[span.start : span.end] == FILTER["quote"]


def test_the_card_travels_with_the_set(tmp_path: Path) -> None:
    card = {"purpose": "p", "licence": "CC0-1.0", "languages": ["en"], "as_of": "2026-01-01", "defaults": {"coverage": 1}}
    golden = load(write(tmp_path / "mini", card={"version": 3, **card}))
    assert (golden.name, golden.version, golden.purpose, golden.licence) == ("mini", 3, "p", "CC0-1.0")
    assert (golden.languages, golden.as_of, golden.coverage) == (("en",), "2026-01-01", 1.0)
    assert len(golden.digest) == len(golden.corpus_digest) == 64


@pytest.mark.parametrize("card", [{"version": 2}, {"as_of": "2026-01-02"}, {"defaults": {"coverage": 0.8}}], ids=str)
def test_its_terms_change_with_whatever_on_the_card_changes_scores(tmp_path: Path, card: dict[str, Any]) -> None:
    base = load(write(tmp_path, card={"as_of": "2026-01-01"}))
    changed = load(write(tmp_path, card={"as_of": "2026-01-01", **card}))
    assert (changed.digest, changed.corpus_digest) == (base.digest, base.corpus_digest)
    assert len(base.terms) == 64
    assert changed.terms != base.terms


def test_its_terms_change_with_its_name(tmp_path: Path) -> None:
    assert load(write(tmp_path / "a")).terms != load(write(tmp_path / "b")).terms


def test_its_terms_do_not_change_with_what_is_only_said_of_it(tmp_path: Path) -> None:
    base, described = load(write(tmp_path)), load(write(tmp_path, card={"purpose": "p", "defaults": {"coverage": 0.9}}))
    assert described.terms == base.terms


@pytest.mark.parametrize(("persona", "seen"), [("ann", True), ("bob", False), (None, False)])
def test_evidence_with_an_access_list_needs_an_asker_who_stands_in_it(tmp_path: Path, persona: str | None, seen: bool) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "board.md").write_text("---\nacl: [ann, zoe]\n---\nThe board meets on Monday.\n")
    folder = write(tmp_path, [row(persona=persona, evidence=[[{"doc": "board.md", "quote": "meets on Monday"}]])])
    if seen:
        assert load(folder).questions[0].persona == persona
    else:
        assert "tenant, acl or dates" in _problems(folder)["G031 questions.jsonl:1 evidence"]


def test_every_field_of_a_question_arrives(tmp_path: Path) -> None:
    asked = row(
        answers=["6 months"], reference="Six.", history=[{"role": "user", "content": "Hi"}], persona="north", as_of="2025-05-05",
        forbid=[{"doc": "north.md"}, {"doc": "aq.md", "quote": "The probe"}], conflict=True, tags=["t"], split="tune",
        group="story", provenance="me", reviewed=True, nuggets=[{"text": "six", "vital": True}], kind="tenant",
    )  # fmt: skip
    question = load(write(tmp_path, [asked])).questions[0]
    assert (question.answers, question.reference, question.history) == (("6 months",), "Six.", (Turn("user", "Hi"),))
    assert (question.persona, question.as_of, question.conflict, question.tags) == ("north", "2025-05-05", True, ("t",))
    assert (question.split, question.group, question.kind) == ("tune", "story", "tenant")
    assert question.forbid == (Span("north.md", 0, 19), Span("aq.md", 49, 58))


def test_evidence_is_all_groups_and_any_alternative(tmp_path: Path) -> None:
    probe = {"doc": "aq.md", "quote": "The probe"}
    question = load(write(tmp_path, [row(evidence=[[FILTER, probe], [{"doc": "aq.md", "quote": "9 months"}]])])).questions[0]
    assert question.evidence == (Evidence((Span("aq.md", 6, 32), Span("aq.md", 49, 58))), Evidence((Span("aq.md", 65, 73),)))


def test_kind_and_split_have_defaults(tmp_path: Path) -> None:
    questions = load(write(tmp_path, [row(kind=None, split=None), refusal(id="q2", kind=None)])).questions
    assert [(question.kind, question.split) for question in questions] == [("factoid", "test"), ("unanswerable", "test")]


def test_a_question_without_group_gets_its_first_document_or_its_id(tmp_path: Path) -> None:
    questions = load(write(tmp_path, [row(), refusal(id="q2")])).questions
    assert [question.group for question in questions] == ["aq.md", "q2"]


def test_retired_questions_are_not_asked_but_keep_their_id(tmp_path: Path) -> None:
    golden = load(write(tmp_path, [row(), row(id="q2", retired=True)]))
    assert [question.question_id for question in golden.questions] == ["q1"]
    assert list(_of_rows(tmp_path / "b", row(retired=True), row())) == ["G006 questions.jsonl:2 id"]


def test_questions_are_asked_by_split(tmp_path: Path) -> None:
    golden = load(write(tmp_path, [row(), row(id="q2", split="tune")]))
    asked = {split: [question.question_id for question in golden.asked(split)] for split in ("all", "tune", "test")}
    assert asked == {"all": ["q1", "q2"], "tune": ["q2"], "test": ["q1"]}


def test_a_question_is_found_by_its_id(tmp_path: Path) -> None:
    golden = load(write(tmp_path))
    assert golden.question("q1").text == "How long?"
    with pytest.raises(GoldenSetError, match="no question 'q9'"):
        golden.question("q9")


def test_five_faults_are_reported_at_once_with_their_lines(tmp_path: Path) -> None:
    problems = _of_rows(
        tmp_path,
        row(gold_chunk="c1"),
        row(id="q2", question=" "),
        '{"id": "q3", "question": "What"',
        row(id="q2"),
        row(id="q5", evidence=[[{"doc": "aq.md", "quote": "The filter lasts 7 months."}]]),
    )
    assert sorted(problems) == [
        "G002 questions.jsonl:3",
        "G004 questions.jsonl:1 gold_chunk",
        "G005 questions.jsonl:2 question",
        "G006 questions.jsonl:4 id",
        "G015 questions.jsonl:5 evidence[0][0].quote",
    ]


BAD_LINES = [
    ("not JSON", "{oops}", "G002", "", "Expecting property name"),
    ("no object", "[1]", "G002", "", "expected an object"),
    ("nested without end", "[" * 100_000, "G002", "", "nested too deeply"),
    ("a key twice", '{"id": "a", "id": "b"}', "G008", "", "'id' appears twice"),
    ("NaN", '{"id": NaN}', "G019", "", "contains NaN"),
    ("infinity", '{"id": -Infinity}', "G019", "", "contains -Infinity"),
    ("a huge line", '{"id": "' + "x" * 1_000_001 + '"}', "G020", "", "limit 1,000,000"),
    ("an unknown field", row(evidense=[]), "G004", " evidense", "did you mean 'evidence'?"),
    ("an unknown field inside", row(evidence=[[{**FILTER, "prefx": "a"}]]), "G004", " evidence[0][0].prefx", "'prefix'?"),
    ("no question", row(question=None), "G005", " question", "is missing"),
    ("an empty question", row(question=""), "G005", " question", "empty or only whitespace"),
    ("no id", row(id=None), "G005", " id", "is missing"),
    ("answerable not said", row(answerable=None), "G005", " answerable", "is missing"),
    ("an empty answer", row(answers=["6", " "]), "G005", " answers[1]", "empty"),
    ("an empty quote", row(evidence=[[{"doc": "aq.md", "quote": " "}]]), "G005", " evidence[0][0].quote", "empty"),
    ("an id that is a number", row(id=7), "G007", " id", 'Fix: write "7".'),
    ("text for a list", row(answers="6"), "G009", " answers", 'Fix: ["6"].'),
    ("null", row() | {"tags": None}, "G009", " tags", "got null"),
    ("text for a truth value", row(answerable="yes"), "G009", " answerable", "must be true or false"),
    ("a truth value for a number", row(evidence=[[{**FILTER, "start": True}]]), "G009", " evidence[0][0].start", "whole number"),
    ("flat evidence", row(evidence=[FILTER]), "G009", " evidence[0]", "must be a list, got an object"),
    ("an empty group", row(evidence=[[]]), "G009", " evidence[0]", "empty group"),
    ("evidence twice in a group", row(evidence=[[FILTER, FILTER]]), "G010", " evidence[0][1]", "twice"),
    ("a group twice", row(evidence=[[FILTER], [FILTER]]), "G010", " evidence[1][0]", "twice"),
    ("answerable without evidence", row(evidence=None), "G011", " evidence", "without evidence"),
    ("answerable with no evidence in the list", row(evidence=[]), "G011", " evidence", "without evidence"),
    ("unanswerable with evidence", refusal(evidence=[[FILTER]]), "G012", " evidence", "can't be both"),
    ("answerable of kind unanswerable", row(kind="unanswerable"), "G012", " kind", "unanswerable"),
    ("an unknown document", row(evidence=[[{"doc": "aq.mb", "quote": "x"}]]), "G013", " evidence[0][0].doc", "Closest: 'aq.md'"),
    ("a forbidden unknown document", row(forbid=[{"doc": "nort.md"}]), "G013", " forbid[0].doc", "Closest: 'north.md'"),
    ("a question too long", row(question="x" * (MAX_TEXT + 1)), "G020", " question", "20,001 characters (limit 20,000)"),
    ("a control character", row(question="a\x00b"), "G021", " question", "U+0000 at character 1"),
    ("a lone surrogate", '{"id": "q1", "question": "a\\ud800", "answerable": true}', "G021", " question", "surrogate U+D800"),
    ("a path as id", row(id="../../etc/passwd"), "G022", " id", "not start with a dot"),
    ("an id with an accent", row(id="café"), "G022", " id", "may hold only letters"),
    ("an id too long", row(id="x" * 129), "G022", " id", "1 to 128"),
    ("an unknown kind", row(kind="factoit"), "G027", " kind", "did you mean 'factoid'?"),
    ("an unknown split", row(split="dev"), "G027", " split", "one of tune, test"),
    ("an unknown reason", refusal(refusal_reason="futur"), "G027", " refusal_reason", "did you mean 'future'?"),
    ("an unknown role", row(history=[{"role": "bot", "content": "x"}]), "G027", " history[0].role", "user, assistant"),
    ("tenant against persona", row(persona="north", tenant="south"), "G027", " tenant", "differs from persona"),
    ("a bad date", row(as_of="2025-13-01"), "G028", " as_of", "YYYY-MM-DD"),
    ("an ambiguous quote", row(evidence=[[{"doc": "aq.md", "quote": "Never wash it."}]]), "G029", " evidence[0][0].quote", "2 times"),
    ("another tenant's evidence", row(evidence=[[{"doc": "north.md", "quote": "5 euros"}]]), "G031", " evidence", "hidden from tenant ''"),
    ("no reason for refusal", refusal(refusal_reason=None), "G032", " refusal_reason", "is missing"),
    ("a reason for an answerable one", row(refusal_reason="future"), "G032", " refusal_reason", "has none"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "field", "says"), [case[1:] for case in BAD_LINES], ids=[case[0] for case in BAD_LINES])
def test_a_faulty_line_is_reported_by_code_line_and_field(tmp_path: Path, line: Any, code: str, field: str, says: str) -> None:
    problems = _of_rows(tmp_path, row(id="first"), line)
    assert says in problems[f"{code} questions.jsonl:2{field}"]


BAD_FILES = [
    ("empty", b"", "G001 questions.jsonl", "0 rows"),
    ("blank lines only", b"\n \n", "G001 questions.jsonl", "0 rows"),
    ("cut off", lines(row()) + b'{"id": "q2", "quest', "G003 questions.jsonl:2", "cut off after 19 bytes"),
    ("latin-1", lines(row()) + b'{"id": "q2", "question": "caf\xe9"}\n', "G016 questions.jsonl:2", "byte 0xE9 at offset 29"),
    ("byte-order mark", b"\xef\xbb\xbf" + lines(row()), "G017 questions.jsonl:1", "byte-order mark"),
    ("all retired", lines(row(retired=True)), "G001 questions.jsonl", "all questions are retired"),
]


@pytest.mark.parametrize(("data", "place", "says"), [case[1:] for case in BAD_FILES], ids=[case[0] for case in BAD_FILES])
def test_a_faulty_file_is_reported(tmp_path: Path, data: bytes, place: str, says: str) -> None:
    assert says in _problems(write(tmp_path, data))[place]


def test_blank_lines_between_questions_do_no_harm(tmp_path: Path) -> None:
    assert len(load(write(tmp_path, lines(row(), "", row(id="q2")))).questions) == 2


def test_a_wrong_type_is_not_reported_again_as_something_else(tmp_path: Path) -> None:
    assert list(_of_rows(tmp_path, row(evidence="c1"))) == ["G009 questions.jsonl:1 evidence"]


@pytest.mark.parametrize(
    ("as_of", "seen"), [("2024-12-31", False), ("2025-01-01", True), ("2025-12-31", True), ("2026-01-01", False)]
)
def test_evidence_must_hold_on_the_day_of_the_question(tmp_path: Path, as_of: str, seen: bool) -> None:
    folder = write(tmp_path, [row(persona="north", as_of=as_of, evidence=[[{"doc": "north.md", "quote": "5 euros"}]])])
    if seen:
        assert load(folder).questions[0].as_of == as_of
    else:
        assert "hidden from tenant 'north'" in _problems(folder)["G031 questions.jsonl:1 evidence"]


class TestCard:
    def test_an_edit_without_a_version_bump_prints_the_digest_found(self, tmp_path: Path) -> None:
        folder = write(tmp_path)
        (folder / "questions.jsonl").write_bytes(lines(row(), row(id="q2")))
        says = _problems(folder)["G026 golden_set.yaml questions_sha256"]
        found = digest(lines(row(), row(id="q2")))
        assert says.endswith(f"Fix: `harness golden check --fix` writes questions_sha256: {found} and raises the version.")

    def test_an_edit_of_the_corpus_needs_a_bump_too(self, tmp_path: Path) -> None:
        folder = write(tmp_path)
        (folder / "corpus" / "aq.md").write_text(CORPUS["aq.md"] + "\nMore.\n")
        assert list(_problems(folder)) == ["G026 golden_set.yaml corpus_sha256"]

    def test_without_a_card_the_lines_to_write_are_shown(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "kb")
        (folder / "golden_set.yaml").unlink()
        says = _problems(folder)["G030 golden_set.yaml"]
        assert "name: kb; version: 1; questions_sha256: " in says

    @pytest.mark.parametrize("given", [None, 5], ids=["missing", "no text"])
    @pytest.mark.parametrize("name", ["questions_sha256", "corpus_sha256"])
    def test_a_digest_that_is_not_there_is_told_with_the_value_to_write(
        self, tmp_path: Path, name: str, given: int | None
    ) -> None:
        folder = write(tmp_path, card={name: given})
        found = {"questions_sha256": digest(lines(row())), "corpus_sha256": corpus_digest(folder / "corpus")}[name]
        assert _problems(folder)[f"G030 golden_set.yaml {name}"].endswith(f"Fix: write {name}: {found}")

    def test_a_copied_set_needs_a_name_of_its_own(self, tmp_path: Path) -> None:
        says = _problems(write(tmp_path / "copy", card={"name": "mini"}))["G030 golden_set.yaml name"]
        assert "'mini' is not the name of its folder, 'copy'" in says
        assert "Copied sets need a name of their own: baselines are kept by name." in says
        assert says.endswith("Fix: write name: copy")

    def test_a_folder_whose_name_is_no_name_for_a_set_is_to_be_renamed(self, tmp_path: Path) -> None:
        says = _problems(write(tmp_path / "my set", card={"name": "mini"}))["G030 golden_set.yaml name"]
        assert says.endswith("Fix: rename the folder to mini")

    @pytest.mark.parametrize(
        ("card", "field", "says"),
        [
            ({"name": None}, " name", "is missing"),
            ({"name": " "}, " name", "is empty"),
            ({"name": "../up"}, " name", "'../up' cannot name a folder of baselines"),
            ({"name": ".hidden"}, " name", "no leading dot"),
            ({"name": "two words"}, " name", "letters, digits"),
            ({"name": "x" * 129}, " name", "1 to 128"),
            ({"version": "1"}, " version", "must be a whole number"),
            ({"version": 0}, " version", "1 or more"),
            ({"licens": "x"}, " licens", "did you mean 'licence'?"),
            ({"languages": "en"}, " languages", "must be a list"),
            ({"defaults": {"coverage": 1.5}}, " defaults.coverage", "(0, 1]"),
            ({"as_of": "June"}, " as_of", "YYYY-MM-DD"),
            ({"counts": {"answerable": 5}}, " counts.answerable", "says 5, found 1"),
            ({"counts": {"kinds": {"table": 1}}}, " counts.kinds", "found {'factoid': 1}"),
        ],
    )
    def test_a_faulty_card_is_reported_by_field(self, tmp_path: Path, card: dict[str, Any], field: str, says: str) -> None:
        assert says in _problems(write(tmp_path, card=card))[f"G030 golden_set.yaml{field}"]

    def test_a_day_needs_no_quotes(self, tmp_path: Path) -> None:
        assert load(write(tmp_path, card={"as_of": date(2026, 6, 30)})).as_of == "2026-06-30"

    def test_a_card_that_is_no_yaml_is_reported(self, tmp_path: Path) -> None:
        folder = write(tmp_path)
        (folder / "golden_set.yaml").write_text("name: [")
        assert "not valid YAML" in _problems(folder)["G030 golden_set.yaml"]

    def test_counts_are_those_of_the_questions_asked(self, tmp_path: Path) -> None:
        golden = load(write(tmp_path, [row(), refusal(id="q2", split="tune"), row(id="q3", retired=True)]))
        assert counts(golden.questions, golden.documents) == {
            "kinds": {"factoid": 1, "unanswerable": 1},
            "splits": {"test": 1, "tune": 1},
            "answerable": 1,
            "unanswerable": 1,
            "refusal_reasons": {"future": 1},
            "documents": 2,
        }


def test_faults_of_card_corpus_and_questions_come_together(tmp_path: Path) -> None:
    folder = write(tmp_path, lines(row(kind="x")), card={"version": "1"})
    (folder / "corpus" / "empty.md").write_text(" ")
    assert {place[:4] for place in _problems(folder)} == {"C002", "G027", "G030"}


def test_a_folder_without_anything_says_what_is_missing(tmp_path: Path) -> None:
    assert set(_problems(tmp_path)) == {"C001 corpus", "G001 questions.jsonl", "G030 golden_set.yaml"}


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_the_shipped_sets_load_clean(folder: Path) -> None:
    golden = load(folder)
    assert golden.name == folder.name
    assert len(golden.questions) > 10


GONE = [[{"doc": "aq.md", "quote": "The filter lasts 7 years."}]]


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"as_of": "soon", "evidence": GONE}, ["G015", "G028"]),
        ({"split": "dev", "evidence": [[{"doc": "b.md", "quote": "x"}]]}, ["G013", "G027"]),
        ({"kind": "riddle", "tags": [3], "evidence": GONE}, ["G009", "G015", "G027"]),
    ],
    ids=["date", "split", "kind"],
)
def test_a_fault_in_one_field_does_not_hide_the_evidence(tmp_path: Path, fields: dict[str, Any], codes: list[str]) -> None:
    with pytest.raises(GoldenSetError) as caught:
        load(write(tmp_path, [row(**fields)]))
    assert sorted(problem.code for problem in caught.value.problems) == codes


@pytest.mark.parametrize("forbid", [{"doc": "aq.md"}, FILTER, {"doc": "aq.md", "quote": "filter lasts"}], ids=str)
def test_what_must_be_found_cannot_be_forbidden(tmp_path: Path, forbid: dict[str, Any]) -> None:
    with pytest.raises(GoldenSetError, match=r"G038.* forbid .*forbidden by this very question"):
        load(write(tmp_path, [row(forbid=[forbid])]))


def test_another_place_of_the_same_document_may_be_forbidden(tmp_path: Path) -> None:
    assert load(write(tmp_path, [row(forbid=[{"doc": "aq.md", "quote": "The probe lasts 9 months."}])])).questions


def test_an_unanswerable_question_has_no_answers(tmp_path: Path) -> None:
    with pytest.raises(GoldenSetError, match=r"G012.* answers "):
        load(write(tmp_path, [refusal(answers=["6 months"])]))
