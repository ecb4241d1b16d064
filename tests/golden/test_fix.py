"""Mending a golden set."""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from harness.errors import GoldenSetError, StoreError
from harness.golden.fix import fix_card, fix_questions
from harness.golden.golden_set import load
from harness.golden.lint import lint
from tests.golden.broken import ALL, Broken
from tests.golden.folders import FILTER, lines, row, write

TEXT = "# Unit\n\nThe unit’s “idle” mode – see page 4 – uses ½ litre.\nIt\u00a0weighs 3 kg.\n"
"""Typographic marks, a dash, a fraction, a line break and a no-break space."""
NUMBERS = "It grows 105 cells in 10-5 mol of H2O, takes 11⁄2 cups; see 12.\n"
"""What powers, indices and mixed fractions become when their form is lost."""
PROBE = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
WASH = {"doc": "aq.md", "quote": "Never wash it."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder kb whose corpus holds unit.md and café.md."""
    corpus = tmp_path / "kb" / "corpus"
    corpus.mkdir(parents=True)
    (corpus / "unit.md").write_text(TEXT + NUMBERS)
    (corpus / "café.md").write_text("Coffee is served.\n")
    return tmp_path / "kb"


def fix(folder: Path, taken: Collection[int] = ()) -> list[str]:
    """Both steps, as the command takes them."""
    return [*fix_questions(folder), *fix_card(folder, taken)]


def _row_of(folder: Path, number: int = 1) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((folder / "questions.jsonl").read_bytes().split(b"\n")[number - 1])
    return fields


def _codes(folder: Path) -> list[str]:
    with pytest.raises(GoldenSetError) as caught:
        load(folder)
    return [problem.code for problem in caught.value.problems]


PLACES = [
    ("blanks and a line break", {"doc": "unit.md", "quote": "½ litre. It weighs"}, "quote", "½ litre.\nIt\u00a0weighs"),
    ("straight quotation marks", {"doc": "unit.md", "quote": 'unit\'s "idle" mode'}, "quote", "unit’s “idle” mode"),
    ("another dash", {"doc": "unit.md", "quote": "mode - see page 4 \u2014 uses"}, "quote", "mode – see page 4 – uses"),
    ("compatibility form", {"doc": "unit.md", "quote": "uses 1\u20442 litre"}, "quote", "uses ½ litre"),
    ("blanks around it", {"doc": "aq.md", "quote": "  filter   lasts "}, "quote", "filter lasts"),
    ("name in another form", {"doc": "cafe\u0301.md", "quote": "Coffee"}, "doc", "café.md"),
    ("name in another case", {"doc": "Unit.MD", "quote": "3 kg"}, "doc", "unit.md"),
    ("a start that is stale, the quote unique", {**FILTER, "start": 9}, "start", 6),
    ("a start that is stale, a prefix telling", {**WASH, "prefix": "9 months.", "start": 1}, "start", 75),
]  # fmt: skip


@pytest.mark.parametrize(("place", "field", "new"), [case[1:] for case in PLACES], ids=[case[0] for case in PLACES])
@pytest.mark.parametrize("inside", ["evidence", "forbid"])
def test_a_place_of_evidence_is_mended(folder: Path, inside: str, place: dict[str, Any], field: str, new: Any) -> None:
    write(folder, [row(evidence=[[place]]) if inside == "evidence" else row(evidence=[[PROBE]], forbid=[place])])
    told = fix(folder)
    path = "evidence[0][0]" if inside == "evidence" else "forbid[0]"
    assert told[0].startswith(f"questions.jsonl:1 {path}.{field}: {json.dumps(place[field], ensure_ascii=False)} -> ")
    mended = _row_of(folder)[inside][0]
    assert (mended[0] if inside == "evidence" else mended)[field] == new
    assert load(folder).version == 2


LEFT = [
    ("a quote that says something else", row(evidence=[[{"doc": "aq.md", "quote": "The filter lasts 7 months."}]]), "G015"),
    ("a quote of other case", row(evidence=[[{"doc": "aq.md", "quote": "the filter lasts 6 months."}]]), "G015"),
    ("a quote with two places after folding", row(evidence=[[{"doc": "aq.md", "quote": "Never  wash it."}]]), "G015"),
    ("a power that became a number", row(evidence=[[{"doc": "unit.md", "quote": "grows 10⁵  cells"}]]), "G015"),
    ("a negative power", row(evidence=[[{"doc": "unit.md", "quote": "in 10⁻⁵  mol"}]]), "G015"),
    ("a number and a half", row(evidence=[[{"doc": "unit.md", "quote": "takes 1½  cups"}]]), "G015"),
    ("a half that is part of a number", row(evidence=[[{"doc": "unit.md", "quote": "½  cups"}]]), "G015"),
    ("a note's mark", row(evidence=[[{"doc": "unit.md", "quote": "see 1²"}]]), "G015"),
    ("an index", row(evidence=[[{"doc": "unit.md", "quote": "of H₂O"}]]), "G015"),
    ("half of a fraction", row(evidence=[[{"doc": "unit.md", "quote": "uses 1"}]]), "G015"),
    ("an ambiguous quote", row(evidence=[[WASH]]), "G029"),
    ("a stale start where nothing else tells", row(evidence=[[{**WASH, "start": 1}]]), "G014"),
    ("a misspelt field", row(gold_evidence=[]), "G004"),
    ("a misspelt document", row(evidence=[[{"doc": "aq.mb", "quote": "filter"}]]), "G013"),
    ("an alternative that stands alone in another group", row(evidence=[[FILTER], [FILTER, {"doc": "unit.md"}]]), "G010"),
    ("a negative number as id", row(id=-7), "G007"),
    ("a truth value as id", row(id=True), "G007"),
    ("a lone surrogate", row(question="a\ud800"), "G021"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code"), [case[1:] for case in LEFT], ids=[case[0] for case in LEFT])
def test_what_is_not_safe_is_left_byte_for_byte(folder: Path, line: dict[str, Any], code: str) -> None:
    write(folder, lines(line))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert fix(folder) == []
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert code in _codes(folder)


def test_a_name_that_two_documents_could_mean_is_left(folder: Path) -> None:
    (folder / "corpus" / "a").mkdir()
    for name in ("a/x.md", "a.md"):
        (folder / "corpus" / name).write_text("Words.\n")
    write(folder, [row(evidence=[[{"doc": "A/X.MD"}]]), row(id="b", question="Who?", evidence=[[{"doc": "X.md"}]])])
    assert fix(folder) == ['questions.jsonl:1 evidence[0][0].doc: "A/X.MD" -> "a/x.md"']
    assert set(_codes(folder)) == {"G013", "G026"}


class TestRepeatedEvidence:
    @pytest.mark.parametrize(
        ("evidence", "kept"),
        [
            ([[FILTER, FILTER]], [[FILTER]]),
            ([[FILTER], [FILTER]], [[FILTER]]),
            ([[FILTER], [FILTER, FILTER]], [[FILTER]]),
            ([[FILTER, {"doc": "unit.md"}, FILTER]], [[FILTER, {"doc": "unit.md"}]]),
        ],
        ids=["in a group", "as a group", "both", "with others"],
    )
    def test_it_is_dropped(self, folder: Path, evidence: Any, kept: Any) -> None:
        write(folder, [row(evidence=evidence)])
        told = fix(folder)
        assert told[0].endswith("-> dropped")
        assert _row_of(folder)["evidence"] == kept
        load(folder)

    def test_quotes_that_become_equal_by_mending_are_dropped_too(self, folder: Path) -> None:
        write(folder, [row(evidence=[[FILTER, {**FILTER, "quote": "The filter  lasts 6 months."}]])])
        assert len(fix(folder)) >= 2
        assert _row_of(folder)["evidence"] == [[FILTER]]


class TestIds:
    def test_a_number_becomes_text(self, folder: Path) -> None:
        write(folder, [row(id=7)])
        assert fix(folder)[0] == 'questions.jsonl:1 id: 7 -> "7"'
        assert load(folder).questions[0].question_id == "7"

    def test_a_number_whose_text_is_in_use_is_left(self, folder: Path) -> None:
        write(folder, [row(id=7), row(id="7", question="Who?")])
        assert fix(folder) == []

    def test_of_two_equal_numbers_one_is_left(self, folder: Path) -> None:
        write(folder, [row(id=7), row(id=7, question="Who?")])
        assert fix(folder) == ['questions.jsonl:1 id: 7 -> "7"']

    def test_retired_questions_get_theirs_mended_but_no_evidence(self, folder: Path) -> None:
        gone = {"doc": "gone.md", "quote": "x"}
        write(folder, [row(), row(id=7, retired=True, evidence=[[gone]])])
        assert fix(folder)[0] == 'questions.jsonl:2 id: 7 -> "7"'
        assert _row_of(folder, 2)["evidence"] == [[gone]]


class TestBytes:
    ODD = b'{ "split":"test",  "id": "odd", "question": "caf\\u00e9?", "answerable":false, "refusal_reason": "future"}'

    def test_lines_that_need_nothing_keep_theirs(self, folder: Path) -> None:
        write(folder, self.ODD + b"\n\n" + lines(row(id=7)) + self.ODD.replace(b"odd", b"end"))
        fix(folder)
        assert (folder / "questions.jsonl").read_bytes().split(b"\n") == [
            self.ODD, b"", lines(row(id="7")).strip(), self.ODD.replace(b"odd", b"end"),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        "style",
        [
            {"separators": (",", ":"), "ensure_ascii": True},
            {"separators": (", ", ": "), "ensure_ascii": True},
            {"separators": (",", ":"), "ensure_ascii": False},
            {"separators": (", ", ": "), "ensure_ascii": False},
        ],
        ids=str,
    )
    def test_a_mended_line_keeps_its_style_and_the_order_of_its_fields(self, folder: Path, style: dict[str, Any]) -> None:
        fields = dict(reversed(row(id=7, question="Café?").items()))
        write(folder, json.dumps(fields, **style).encode())
        fix(folder)
        assert (folder / "questions.jsonl").read_bytes() == json.dumps(fields | {"id": "7"}, **style).encode()

    def test_byte_order_mark_and_windows_line_ends_go(self, folder: Path) -> None:
        write(folder, b"\xef\xbb\xbf" + lines(row(), row(id="b", question="Who?")).replace(b"\n", b" \r\n"))
        assert fix(folder)[:2] == [
            "questions.jsonl:1: byte-order mark -> nothing",
            "questions.jsonl:1: CRLF or blanks at the end of 2 lines -> LF",
        ]
        assert (folder / "questions.jsonl").read_bytes() == lines(row(), row(id="b", question="Who?"))

    @pytest.mark.parametrize(
        "data",
        [
            '{"id": 7} \r\n{"id": 8}\r\n'.encode("utf-16"),
            '{"id": 7} \r\n{"id": 8}\r\n'.encode("utf-16-le"),
            '{"id": "\u200a\u0d0a\u200a"}\r\n'.encode("utf-16-be"),
            '{"id": 7} \r\n'.encode("utf-32-le"),
            lines(row(id=7)) + b'{"id": "caf\xe9"} \r\n',
            lines(row(id=7)) + b"\xef\xbb\xbf \xff \r\n",
            b"\xef\xbb\xbf" + lines(row(id=7)) + b"\xc3",
            lines(row(id=7)) + b" \r\n\x80\x81 \n" + bytes(range(256)),
        ],
        ids=["UTF-16", "UTF-16 without a mark", "big-endian", "UTF-32", "Latin-1", "a stray byte", "half a character", "any bytes"],
    )  # fmt: skip
    def test_a_file_that_is_not_utf_8_throughout_keeps_all(self, folder: Path, data: bytes) -> None:
        write(folder, data)
        assert fix(folder) == []
        assert (folder / "questions.jsonl").read_bytes() == data

    def test_a_sound_set_is_not_touched(self, folder: Path) -> None:
        write(folder)
        before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
        assert fix(folder) == []
        assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()} == before


class TestCard:
    def test_stale_digests_and_counts_are_renewed_and_the_version_raised_once(self, folder: Path) -> None:
        write(folder, card={"questions_sha256": "0" * 64, "corpus_sha256": None, "counts": {"documents": 9}})
        told = fix(folder)
        assert [change.split(":")[0] for change in told] == [
            f"golden_set.yaml {name}" for name in ("corpus_sha256", "counts", "questions_sha256", "version")
        ]
        assert load(folder).version == 2

    def test_it_waits_until_the_questions_are_sound(self, folder: Path) -> None:
        write(folder, lines(row(id=7), row(id="b", kind="factoit")))
        card = (folder / "golden_set.yaml").read_bytes()
        assert fix(folder) == ['questions.jsonl:1 id: 7 -> "7"']
        assert (folder / "golden_set.yaml").read_bytes() == card

    def test_its_other_lines_are_kept(self, folder: Path) -> None:
        write(folder, card={"questions_sha256": "0" * 64})
        path = folder / "golden_set.yaml"
        path.write_text(f"# by hand\n{path.read_text()}purpose: 'as  written'   # here\n")
        fix(folder)
        text = path.read_text()
        assert text.startswith("# by hand\nname: kb\nversion: 2\n")
        assert text.endswith("purpose: 'as  written'   # here\n")

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda text: f"{text}version: 1\n",
            lambda text: f"{text}counts:\n- 1\n- 2\n",
        ],
        ids=["version twice", "counts as a list"],
    )
    def test_one_that_cannot_be_mended_in_place_stays_as_it_is(self, folder: Path, spoil: Callable[[str], str]) -> None:
        write(folder, card={"questions_sha256": "0" * 64})
        path = folder / "golden_set.yaml"
        path.write_text(spoil(path.read_text()))
        before = path.read_bytes()
        assert fix(folder) == []
        assert path.read_bytes() == before

    @pytest.mark.parametrize("stale", [True, False], ids=["digests stale", "digests right"])
    @pytest.mark.parametrize("complete", [True, False], ids=["complete", "a digest missing"])
    def test_one_that_is_all_on_one_line_is_mended_and_raised_in_one_step(
        self, folder: Path, stale: bool, complete: bool
    ) -> None:
        write(folder, card={} if complete else {"corpus_sha256": None})
        path = folder / "golden_set.yaml"
        path.write_text("{" + ", ".join(path.read_text().splitlines()) + "}\n")
        if stale:
            (folder / "questions.jsonl").write_bytes(lines(row(question="How long then?")))
        assert fix(folder, {1, 2})[-1] == "golden_set.yaml version: 1 -> 3"
        assert load(folder).version == 3
        assert path.read_text().count("\n") == 1

    @pytest.mark.parametrize("stale", [True, False], ids=["digests stale", "digests right"])
    @pytest.mark.parametrize("form", ["? version\n: 1\n", "!!str version: 1\n...\n# end\n", "version: !!int '1'\n"])
    def test_one_of_any_other_form_is_mended_or_is_as_it_was(self, folder: Path, form: str, stale: bool) -> None:
        write(folder)
        path = folder / "golden_set.yaml"
        path.write_text(path.read_text().replace("version: 1\n", "") + form)
        if stale:
            (folder / "questions.jsonl").write_bytes(lines(row(question="How long then?")))
        before = path.read_bytes()
        try:
            fix(folder, {1})
        except GoldenSetError as error:
            assert "one `name: value` a line" in str(error)
            assert path.read_bytes() == before
        else:
            assert load(folder).version == 2

    def test_a_comment_behind_the_version_stays(self, folder: Path) -> None:
        write(folder)
        path = folder / "golden_set.yaml"
        path.write_text(path.read_text().replace("version: 1", "version: 1  # raised with every edit"))
        assert fix(folder, {1}) == ["golden_set.yaml version: 1 -> 2"]
        assert "version: 2  # raised with every edit\n" in path.read_text()

    def test_a_linked_card_is_mended_where_it_lies(self, folder: Path, tmp_path: Path) -> None:
        write(folder, card={"questions_sha256": "0" * 64})
        path = folder / "golden_set.yaml"
        path.rename(tmp_path / "real.yaml")
        path.symlink_to(tmp_path / "real.yaml")
        fix(folder)
        assert path.is_symlink()
        assert load(folder).version == 2

    def test_versions_below_its_own_that_were_measured_do_not_lower_it(self, folder: Path) -> None:
        write(folder, card={"version": 7, "questions_sha256": "0" * 64})
        fix(folder, {1, 3})
        assert load(folder).version == 8

    def test_its_version_is_raised_past_those_that_were_measured_on_other_contents(self, folder: Path) -> None:
        write(folder, card={"version": 2})
        assert fix(folder, {1, 2, 4}) == ["golden_set.yaml version: 2 -> 5"]
        assert load(folder).version == 5
        assert fix(folder, {1, 2, 4}) == []


class TestFiles:
    def test_a_read_only_file_is_refused_and_kept(self, folder: Path) -> None:
        write(folder, [row(id=7)])
        path = folder / "questions.jsonl"
        path.chmod(0o444)
        with pytest.raises(StoreError, match="read-only"):
            fix(folder)
        assert path.read_bytes() == lines(row(id=7))

    def test_questions_are_not_mended_when_the_card_is_read_only(self, folder: Path) -> None:
        write(folder, [row(id=7)])
        (folder / "golden_set.yaml").chmod(0o444)
        with pytest.raises(StoreError, match=r"golden_set\.yaml' is read-only; nothing is written"):
            fix(folder)
        assert (folder / "questions.jsonl").read_bytes() == lines(row(id=7))

    def test_read_only_questions_that_need_nothing_do_not_hinder_the_card(self, folder: Path) -> None:
        write(folder, card={"questions_sha256": "0" * 64})
        (folder / "questions.jsonl").chmod(0o444)
        fix(folder)
        assert load(folder).version == 2

    def test_a_linked_file_is_mended_where_it_lies(self, folder: Path, tmp_path: Path) -> None:
        write(folder, [row(id=7)])
        path = folder / "questions.jsonl"
        path.rename(tmp_path / "real.jsonl")
        path.symlink_to(tmp_path / "real.jsonl")
        fix(folder)
        assert path.is_symlink()
        assert (tmp_path / "real.jsonl").read_bytes() == lines(row(id="7"))

    def test_nothing_is_left_beside_the_files(self, folder: Path) -> None:
        write(folder, [row(id=7)])
        fix(folder)
        assert sorted(path.name for path in folder.iterdir()) == ["corpus", "golden_set.yaml", "questions.jsonl"]


def _errors(folder: Path) -> set[str]:
    return {problem.code for problem in lint(folder, []).errors}


def _lines_of(folder: Path) -> list[bytes]:
    path = folder / "questions.jsonl"
    return path.read_bytes().split(b"\n") if path.is_file() else []


@pytest.mark.parametrize("broken", [item for item in ALL if item.name != "huge-document"], ids=lambda broken: broken.name)
def test_mending_any_broken_set_adds_no_fault_keeps_other_lines_and_mends_all_it_can_at_once(
    tmp_path: Path, broken: Broken
) -> None:
    folder = broken.build(tmp_path / "golden_sets")
    codes, before = _errors(folder), _lines_of(folder)
    told = fix(folder)
    left = _errors(folder)
    waiting = {"G026"} if told and left - {"G026"} else set()
    assert left <= codes | waiting, "only the card's digests may wait, and only for faults that a person has to mend"
    numbers = [change.partition(":")[2].partition(" ")[0].strip(":") for change in told if change.startswith("questions.jsonl:")]
    kept = [number for number in range(1, len(before) + 1) if str(number) not in numbers]
    assert [_lines_of(folder)[number - 1] for number in kept] == [before[number - 1] for number in kept]
    assert fix(folder) == []
