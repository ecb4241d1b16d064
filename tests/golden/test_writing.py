"""Writing questions and cards."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.corpus.files import corpus_digest
from harness.errors import CorpusError, GoldenSetError, StoreError
from harness.fingerprint import digest
from harness.golden.golden_set import load
from harness.golden.schema import SHAPES
from harness.golden.writing import (
    json_line,
    must_be_writable,
    question_line,
    renew_card,
    rewrite_lines,
    write_card,
    write_questions,
    write_schemas,
)
from tests.golden.folders import refusal, row, write

CARD = """# Who reads this: everybody.
name: {name}
version: 3   # raised with every edit
purpose: "quoted: kept"  # and so is this

licence: >
  folded
  text
counts:   # told by golden check
  answerable: 7
  splits:
    test: 7
# between
languages: [en]
questions_sha256: {stale}  # of questions.jsonl
corpus_sha256: '{stale}'
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A set whose card has comments and says nothing that holds any more."""
    folder = write(tmp_path / "mine", [row(), refusal(id="u1")])
    (folder / "golden_set.yaml").write_text(CARD.format(name="mine", stale="f" * 64))
    return folder


def card(folder: Path) -> str:
    return (folder / "golden_set.yaml").read_text()


class TestQuestions:
    def test_fields_stand_in_the_order_of_the_schema(self) -> None:
        names = [name.removesuffix("?") for name in SHAPES]
        assert list(json.loads(question_line(dict.fromkeys(sorted(names), "x")))) == names

    def test_unknown_fields_come_last_by_name(self) -> None:
        assert list(json.loads(question_line({"zeta": 1, "alpha": 1, "tags": [], "id": "q"}))) == ["id", "tags", "alpha", "zeta"]

    def test_letters_stay_readable(self) -> None:
        assert question_line({"question": "Größe — 大?"}) == '{"question": "Größe — 大?"}'

    def test_a_number_that_json_does_not_have_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="Out of range"):
            json_line({"a": float("nan")})

    def test_half_a_character_is_escaped(self) -> None:
        assert json_line("x\ud800") == '"x\\ud800"'
        assert json_line("\U0001f600") == '"\U0001f600"'

    def test_a_file_is_replaced(self, tmp_path: Path) -> None:
        write_questions(tmp_path, [{"id": "q1"}])
        write_questions(tmp_path, [{"id": "q2"}, {"id": "q3"}])
        assert (tmp_path / "questions.jsonl").read_bytes() == b'{"id": "q2"}\n{"id": "q3"}\n'


STYLES = [
    {"separators": separators, "ensure_ascii": escaped} for separators in ((", ", ": "), (",", ":")) for escaped in (True, False)
]


class TestRewriteLines:
    ODD = b'{ "split":"test",  "id": "odd", "question": "caf\\u00e9?"}'

    @pytest.mark.parametrize("style", STYLES, ids=str)
    def test_a_changed_line_keeps_its_style_and_the_order_of_its_fields(self, tmp_path: Path, style: dict[str, Any]) -> None:
        fields = {"split": "test", "question": "Größe?", "tags": ["a", {"b": 1.50}], "id": "q1", "answerable": True}
        path = tmp_path / "questions.jsonl"
        path.write_bytes(self.ODD + b"\n" + json.dumps(fields, **style).encode() + b"\n\n" + self.ODD.replace(b"odd", b"end"))
        rewrite_lines(tmp_path, {"q1": {"split": "tune", "group": "é"}})
        changed = json.dumps({**fields, "split": "tune", "group": "é"}, **style).encode()
        assert path.read_bytes().split(b"\n") == [self.ODD, changed, b"", self.ODD.replace(b"odd", b"end")]

    def test_a_line_in_several_styles_gets_the_usual_one(self, tmp_path: Path) -> None:
        (tmp_path / "questions.jsonl").write_bytes(self.ODD)
        rewrite_lines(tmp_path, {"odd": {"split": "tune"}})
        assert (tmp_path / "questions.jsonl").read_bytes() == b'{"split": "tune", "id": "odd", "question": "caf\\u00e9?"}'

    def test_byte_order_mark_line_ends_and_a_missing_last_one_stay(self, tmp_path: Path) -> None:
        path = tmp_path / "questions.jsonl"
        path.write_bytes(b'\xef\xbb\xbf{"id":"a"}\r\n{"id":"b"} \t\r\n {"id":"c"}')
        rewrite_lines(tmp_path, {name: {"split": "tune"} for name in "abc"})
        tune = b'"split":"tune"}'
        assert path.read_bytes() == b'\xef\xbb\xbf{"id":"a",%s\r\n{"id":"b",%s \t\r\n {"id":"c",%s' % (tune, tune, tune)

    def test_nothing_to_change_changes_nothing(self, tmp_path: Path) -> None:
        data = b'\xef\xbb\xbfno json\r\n\n{"id": 7}\n{"id": ["x"]}\n' + self.ODD
        (tmp_path / "questions.jsonl").write_bytes(data)
        rewrite_lines(tmp_path, {})
        assert (tmp_path / "questions.jsonl").read_bytes() == data

    def test_a_half_character_stays_an_escape(self, tmp_path: Path) -> None:
        (tmp_path / "questions.jsonl").write_bytes('{"id": "a", "question": "é \\ud800"}'.encode())
        rewrite_lines(tmp_path, {"a": {"split": "tune"}})
        assert json.loads((tmp_path / "questions.jsonl").read_bytes()) == {"id": "a", "question": "é \ud800", "split": "tune"}

    def test_a_question_that_is_not_there_is_told_and_nothing_written(self, tmp_path: Path) -> None:
        (tmp_path / "questions.jsonl").write_bytes(self.ODD)
        with pytest.raises(GoldenSetError, match="has no question 'other'"):
            rewrite_lines(tmp_path, {"odd": {"split": "tune"}, "other": {}})
        assert (tmp_path / "questions.jsonl").read_bytes() == self.ODD

    def test_a_linked_file_is_changed_where_it_lies(self, tmp_path: Path) -> None:
        (tmp_path / "real.jsonl").write_bytes(b'{"id": "a"}\n')
        (tmp_path / "questions.jsonl").symlink_to(tmp_path / "real.jsonl")
        rewrite_lines(tmp_path, {"a": {"id": "b"}})
        assert (tmp_path / "questions.jsonl").is_symlink()
        assert (tmp_path / "real.jsonl").read_bytes() == b'{"id": "b"}\n'


def test_the_first_of_several_files_that_is_read_only_is_named_and_missing_ones_are_no_hindrance(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("gone", "free", "kept", "locked")]
    for path in paths[1:]:
        path.write_bytes(b"")
    must_be_writable(*paths)
    for path in paths[2:]:
        path.chmod(0o444)
    with pytest.raises(StoreError, match="kept' is read-only; nothing is written"):
        must_be_writable(*paths)


class TestWriteCard:
    def test_it_says_what_is_on_disk(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", [row(), refusal(id="u1")])
        (folder / "golden_set.yaml").unlink()
        write_card(folder, {"purpose": "Größe: all", "licence": "CC0-1.0"})
        said = yaml.safe_load(card(folder))
        assert list(said) == ["name", "version", "purpose", "licence", "counts", "questions_sha256", "corpus_sha256"]
        assert (said["name"], said["version"], said["purpose"]) == ("mine", 1, "Größe: all")
        assert said["questions_sha256"] == digest((folder / "questions.jsonl").read_bytes())
        assert said["corpus_sha256"] == corpus_digest(folder / "corpus")
        assert (said["counts"]["answerable"], said["counts"]["unanswerable"], said["counts"]["documents"]) == (1, 1, 2)
        assert load(folder).licence == "CC0-1.0"

    def test_it_points_editors_to_the_schema_only_where_that_lies_beside_it(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine")
        write_card(folder, {})
        assert card(folder).startswith("name: mine\n")
        write_schemas(folder)
        write_card(folder, {})
        assert card(folder).startswith("# yaml-language-server: $schema=card.schema.json\nname: mine\n")

    def test_a_broken_corpus_writes_no_card(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine")
        before = card(folder)
        (folder / "corpus" / "bad.md").write_bytes(b"\xff")
        with pytest.raises(CorpusError):
            write_card(folder, {})
        assert card(folder) == before


class TestRenewCard:
    def test_all_else_stays_to_the_letter(self, folder: Path) -> None:
        renew_card(folder)
        expected = CARD.format(name="mine", stale="f" * 64)
        expected = expected.replace("version: 3", "version: 4")
        expected = expected.replace(
            "counts:   # told by golden check\n  answerable: 7\n  splits:\n    test: 7\n",
            "counts:   # told by golden check\n  answerable: 1\n  splits:\n    test: 2\n",
        )
        expected = expected.replace(
            f"questions_sha256: {'f' * 64}", f"questions_sha256: {digest((folder / 'questions.jsonl').read_bytes())}"
        )
        expected = expected.replace(f"corpus_sha256: '{'f' * 64}'", f"corpus_sha256: {corpus_digest(folder / 'corpus')}")
        assert card(folder) == expected
        assert load(folder).version == 4

    def test_comments_inside_the_block_of_counts_stay_though_it_gets_new_names(self, folder: Path) -> None:
        path = folder / "golden_set.yaml"
        block = "counts:\n  # all\n  answerable: {}  # one\n  kinds:   # of which\n    # first\n    factoid: {} # f\n{}  documents: 2  # d\n"
        path.write_text(card(folder).partition("counts:")[0] + block.format(7, 8, "") + "# end\n")
        renew_card(folder)
        assert block.format(1, 1, "    unanswerable: 1\n") + "questions_sha256" in card(folder)
        assert card(folder).endswith("\n# end\n")
        write_questions(folder, [row(), row(id="q2", question="And now?"), refusal(id="u1"), row(id="t", kind="table")])
        renew_card(folder)
        assert block.format(3, 2, "    unanswerable: 1\n    table: 1\n") in card(folder)
        write_questions(folder, [row(), row(id="t", kind="table")])
        renew_card(folder)
        assert "  answerable: 2  # one\n  kinds:\n    factoid: 1\n    table: 1\n  documents: 2  # d\n" in card(folder)
        assert load(folder).version == 5

    @pytest.mark.parametrize(
        ("version", "above", "stale", "new"),
        [
            (3, 0, True, 4),
            (3, 2, True, 4),
            (3, 3, True, 4),
            (3, 9, True, 10),
            (3, 3, False, 4),
            (3, 9, False, 10),
            (3, 2, False, 3),
            (3, 0, False, 3),
            (None, 0, True, 1),
            (None, 4, False, 5),
        ],
    )  # fmt: skip
    def test_the_version_is_raised_past_what_is_asked_for(
        self, tmp_path: Path, version: int | None, above: int, stale: bool, new: int
    ) -> None:
        folder = write(tmp_path / "mine", card={"version": version, **({"corpus_sha256": "f" * 64} if stale else {})})
        told = renew_card(folder, above=above)
        assert load(folder).version == new
        assert (f"version: {version} -> {new}" in told) == (version != new)

    @pytest.mark.parametrize("unsaid", [None, ""], ids=["missing", "empty"])
    @pytest.mark.parametrize(
        ("questions", "corpus", "version"),
        [("unsaid", "unsaid", 4), ("unsaid", "right", 4), ("right", "unsaid", 4), ("stale", "unsaid", 5), ("unsaid", "stale", 5)],
    )
    def test_only_a_digest_that_was_stated_and_holds_no_more_raises_the_version(
        self, tmp_path: Path, unsaid: str | None, questions: str, corpus: str, version: int
    ) -> None:
        folder = write(tmp_path / "mine")
        right = yaml.safe_load(card(folder))
        said = {
            name: {"unsaid": unsaid, "right": right[name], "stale": "f" * 64}[state]
            for name, state in (("questions_sha256", questions), ("corpus_sha256", corpus))
        }
        write(folder, card={"version": 4, **said})
        renew_card(folder)
        assert load(folder).version == version

    @pytest.mark.parametrize(
        ("counts", "renewed"),
        [
            ("counts: {kinds: {factoid: 9, table: 1}, documents: 2}  # c\n", "counts: {kinds: {factoid: 1}, documents: 2}  # c\n"),
            ("counts:\n  kinds: {factoid: 9, table: 1}  # c\n  documents: 2\n", "counts:\n  kinds: {factoid: 1}  # c\n  documents: 2\n"),
            ("counts: {kinds: {}}\n", "counts: {kinds: {factoid: 1}}\n"),
        ],
        ids=["braces in braces", "braces in a block", "none yet"],
    )  # fmt: skip
    def test_counts_in_braces_stay_in_braces(self, tmp_path: Path, counts: str, renewed: str) -> None:
        folder = write(tmp_path / "mine")
        path = folder / "golden_set.yaml"
        path.write_text(counts + path.read_text())
        renew_card(folder)
        assert card(folder).startswith(renewed + "name: mine\n")

    def test_it_tells_what_it_changed(self, folder: Path) -> None:
        questions, corpus = digest((folder / "questions.jsonl").read_bytes())[:12], corpus_digest(folder / "corpus")[:12]
        assert renew_card(folder) == [
            f"corpus_sha256: ffffffffffff -> {corpus}",
            "counts: ... -> ...",
            f"questions_sha256: ffffffffffff -> {questions}",
            "version: 3 -> 4",
        ]

    def test_a_second_time_changes_nothing(self, folder: Path) -> None:
        renew_card(folder)
        before = (folder / "golden_set.yaml").stat().st_mtime_ns, card(folder)
        assert renew_card(folder) == []
        assert ((folder / "golden_set.yaml").stat().st_mtime_ns, card(folder)) == before

    def test_several_edits_raise_the_version_once(self, folder: Path) -> None:
        renew_card(folder)
        write_questions(folder, [row(), row(id="q2", question="And now?")])
        (folder / "corpus" / "new.md").write_text("New.")
        renew_card(folder)
        assert load(folder).version == 5

    def test_counts_alone_raise_no_version(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", card={"counts": {"answerable": 9}})
        assert renew_card(folder) == ["counts: ... -> ..."]
        assert load(folder).version == 1

    def test_only_counts_that_the_card_states_are_written(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", card={"counts": {"answerable": 9}})
        renew_card(folder)
        assert yaml.safe_load(card(folder))["counts"] == {"answerable": 1}

    def test_a_card_without_counts_gets_none(self, tmp_path: Path) -> None:
        folder = write(tmp_path / "mine", card={"corpus_sha256": "f" * 64})
        renew_card(folder)
        assert "counts" not in card(folder)

    @pytest.mark.parametrize(
        "text",
        [
            "{name: mine, version: 1, counts: {answerable: 9}, questions_sha256: x, corpus_sha256: y}",
            "name: mine\nversion: 1\ncounts: {\n  answerable: 9\n}\nquestions_sha256: x\ncorpus_sha256: y",
            'name: mine\r\n"version": 1\r\ncorpus_sha256: y # c\r\nquestions_sha256:\r\n',
            "\ufeffname: mine\nversion: 1\nquestions_sha256: x\ncorpus_sha256: y\n...\n",
            "name: mine\nversion: 1\nquestions_sha256: x",
            "{name: mine, version: 1, questions_sha256: x,}",
            "name: mine\nversion: 1\nquestions_sha256: x\n...\n",
            "name: mine\nversion: 1\nquestions_sha256: x\nlicence: >\n  folded\n\n",
            "name: mine\nversion: 1\nquestions_sha256: x\ncorpus_sha256: y\ncounts: {kinds: {}}\n",
        ],
        ids=[
            "one line",
            "braces",
            "windows",
            "byte-order mark and end mark",
            "a field missing",
            "a field missing on one line",
            "missing before an end mark",
            "missing behind a folded text",
            "counts in braces",
        ],
    )
    def test_every_form_of_yaml_can_be_renewed(self, tmp_path: Path, text: str) -> None:
        folder = write(tmp_path / "mine")
        (folder / "golden_set.yaml").write_bytes(text.encode())
        renew_card(folder)
        assert load(folder).version == 2

    @pytest.mark.parametrize(
        "text",
        [
            None,
            "- a",
            "name: [",
            "name: mine\nversion: 1\nversion: 2\nquestions_sha256: x\ncorpus_sha256: y\n",
            "name: mine\nquestions_sha256: x\ncorpus_sha256: y\n? version\n: 1\n",
        ],
    )
    def test_a_card_that_cannot_be_renewed_is_left_as_it_is(self, tmp_path: Path, text: Any) -> None:
        folder = write(tmp_path / "mine")
        path = folder / "golden_set.yaml"
        path.unlink()
        if text is not None:
            path.write_text(text)
        with pytest.raises(GoldenSetError, match=r"golden_set\.yaml"):
            renew_card(folder)
        assert (path.read_text() if path.exists() else None) == text

    def test_without_questions_there_is_nothing_to_say(self, folder: Path) -> None:
        (folder / "questions.jsonl").unlink()
        with pytest.raises(GoldenSetError, match=r"questions\.jsonl' is missing"):
            renew_card(folder)
