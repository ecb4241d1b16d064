"""docs/options.md is what its record says, the record holds every option, and what it must show stands in it."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import options, options_page
from benchmarks.options import DEFAULTS, DRAWS, METRICS, SAME_BUDGET, TABLES, Measured, Study, as_json, main, same_budget, versus
from benchmarks.options_page import PAGE, RECORD, opening, rendered, said, when
from harness.build.sources import groups
from harness.evaluation import aggregate
from harness.golden.golden_set import load
from harness.resources import shipped_root
from harness.statistics.multiplicity import holm
from harness.store import Store
from harness.types import RunRecord, Score
from tests.cli.project import questions, write_golden_set

FOUND = json.loads(RECORD.read_text("utf-8"))
ROWS = {(row["group"], row["option"]): row for row in FOUND["rows"]}
_, WHOLE, _ = METRICS


def test_the_page_is_rendered_from_the_record() -> None:
    assert PAGE.read_text("utf-8") == rendered()


def test_every_option_is_measured_or_said_to_need_a_model() -> None:
    left_out = [(item["group"], item["option"]) for item in FOUND["not_measured"]]
    known = [(group, option) for group in DEFAULTS for option in groups()[group]]
    assert sorted([*(key for key in ROWS if key[1] != SAME_BUDGET), *left_out]) == sorted(known)
    remote = [("embedder", name) for name in ("cohere", "jina", "openai", "sentence_transformers", "voyage")]
    assert left_out == [("chunker", "proposition_llm"), ("doc2query", "llm"), *remote]


def test_an_option_is_described_in_the_words_of_its_file() -> None:
    page = PAGE.read_text("utf-8")
    for item in [*FOUND["rows"], *FOUND["not_measured"]]:
        path = shipped_root() / "conf" / item["group"] / f"{item['option'].partition(',')[0]}.yaml"
        assert when(item) == opening(path)
        assert when(item).endswith(".")
        assert f"| {when(item)} |" in page


def test_a_changed_comment_of_a_conf_file_changes_the_page_and_needs_no_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(shipped_root() / "conf", tmp_path / "conf")
    file = tmp_path / "conf" / "duplicates" / "keep.yaml"
    file.write_text(f"# Said anew.\n{file.read_text('utf-8')}", "utf-8")
    monkeypatch.setattr(options_page, "shipped_root", lambda: tmp_path)
    assert "| `keep` (default) | Said anew. |" in rendered()


def test_all_differences_that_the_page_judges_are_one_family() -> None:
    judged = [item for row in FOUND["rows"] if not row["default"] for item in row["versus_default"].values()]
    assert FOUND["judged"] == len(judged) == 3 * sum(not row["default"] for row in FOUND["rows"])
    assert [item["holm"] for item in judged] == holm([item["p"] for item in judged])
    assert f"{len(judged)} differences to the default are judged" in PAGE.read_text("utf-8")


def test_enough_sign_patterns_are_drawn_to_tell_a_difference_in_a_family_of_this_size() -> None:
    assert FOUND["draws"] == DRAWS
    assert 0.05 / FOUND["judged"] / 40 > 2 / (1 + DRAWS)


def test_the_record_is_of_the_golden_set_as_it_stands() -> None:
    golden = load(shipped_root() / "golden_sets" / FOUND["golden_set"])
    assert (FOUND["version"], FOUND["corpus"]) == (golden.version, golden.corpus_digest)
    assert FOUND["questions"] == len(golden.asked(FOUND["split"]))


def test_the_default_of_a_group_comes_first_and_has_the_same_numbers_everywhere() -> None:
    for group, option in DEFAULTS.items():
        assert next(row["option"] for row in FOUND["rows"] if row["group"] == group) == option
    assert len({json.dumps(ROWS[item]["metrics"], sort_keys=True) for item in DEFAULTS.items()}) == 1


def test_no_question_failed_in_any_row() -> None:
    assert {row["metrics"][metric]["errors"] for row in FOUND["rows"] for metric in METRICS} == {0}


def test_markdown_beats_fixed_chunks_that_show_as_many_tokens() -> None:
    markdown, equal = ROWS["chunker", "markdown"], ROWS["chunker", SAME_BUDGET]
    assert abs(equal["tokens_shown"] / markdown["tokens_shown"] - 1) <= 0.05
    found = equal["versus_default"][WHOLE]
    assert found["difference"] < 0
    assert found["p"] < 0.01
    assert found["holm"] < 0.01


def test_table_questions_keep_their_evidence_whole_under_the_table_chunker_and_lose_some_under_fixed() -> None:
    table, fixed = ROWS["chunker", "table"]["tables"], ROWS["chunker", "fixed"]["tables"]
    assert table["whole"] == table["pieces"]
    assert fixed["whole"] < 0.95 * fixed["pieces"]


def scored(*values: float) -> Measured:
    """A row whose questions, all on tables, have these scores in every metric."""
    scores = tuple(Score(metric, f"q{place}", value) for metric in METRICS for place, value in enumerate(values))
    marks = {f"q{place}": "test" for place in range(len(values))}
    labels = dict.fromkeys(marks, (TABLES,))
    found = aggregate(scores, {})
    record = RunRecord(str(values), "", "", {}, (), {}, {}, {}, scores, (), found, splits=marks, labels=labels, golden_set="g")
    return Measured("chunker", "fixed", (), record, {"tokens_shown": 1.0, "build_seconds": 1.0})


def lost(number: int, option: str, of: int = 12) -> Measured:
    """A row that finds the evidence of all questions but the first so many."""
    return replace(scored(*[0.0] * number, *[1.0] * (of - number)), option=option)


def test_a_difference_is_the_mean_over_questions_of_the_other_minus_the_default() -> None:
    found = versus(scored(1, 0, 0, 1), scored(0, 0, 0, 0))[WHOLE]
    assert (found["difference"], found["n"], found["wins"], found["losses"], found["ties"]) == (-0.5, 4, 0, 2, 2)
    assert found["p"] == 2 * 0.5**2


def test_a_difference_on_many_questions_has_a_p_far_below_what_a_family_of_51_asks_for() -> None:
    found = versus(scored(*[1.0] * 40), scored(*[0.0] * 40))[WHOLE]
    assert found["p"] == pytest.approx(2 / 100_001)
    assert 51 * found["p"] < 0.01


def differences(record: dict[str, Any], field: str, wanted: str) -> dict[str, set[float]]:
    """By option one value of its differences, in all metrics."""
    return {row["option"]: {item[wanted] for item in row[field].values()} for row in record["rows"] if row[field]}


def test_p_is_adjusted_over_all_rows_and_metrics_together(study: Study) -> None:
    """Lost 12, 11, 10, 9, 1 times against none: p = 2/2^12, 2/2^11, 2/2^10, 2/2^9, 1; three metrics each, so 15 in the family."""
    rows = [lost(number, option) for number, option in ((12, SAME_BUDGET), (11, "list"), (10, "fixed"), (9, "page"), (1, "code"))]
    found = as_json(study, [lost(0, "markdown"), *rows], [])
    assert found["judged"] == 15
    assert differences(found, "versus_default", "holm") == {
        SAME_BUDGET: {15 * 2 / 2**12},
        "list": {12 * 2 / 2**11},
        "fixed": {9 * 2 / 2**10},
        "page": {6 * 2 / 2**9},
        "code": {1.0},
    }


def test_a_row_is_held_against_fixed_chunks_of_the_same_budget_and_its_tables_against_the_usual_fixed(study: Study) -> None:
    found = as_json(study, [lost(0, "markdown"), lost(3, "fixed"), lost(6, SAME_BUDGET), lost(9, "list")], [])
    same = {"markdown": {0.5}, "fixed": {0.25}, SAME_BUDGET: {0.0}, "list": {-0.25}}
    usual = {"markdown": {0.25}, "fixed": {0.0}, SAME_BUDGET: {-0.25}, "list": {-0.5}}
    assert differences(found, "versus_same_budget", "difference") == same
    assert differences(found, "tables_versus_fixed", "difference") == usual


@pytest.mark.parametrize(("p", "words"), [(2e-5, "< 0.0001"), (0.0102, "= 0.0102"), (0.5, "= 0.50"), (1.0, "= 1.00")])
def test_a_p_is_never_shown_as_nought(p: float, words: str) -> None:
    assert options_page.shown_p(p) == words


@pytest.mark.parametrize(("file", "written"), [("options.json", True), ("elsewhere.json", False)])
def test_one_command_measures_and_writes_record_and_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, study: Study, file: str, written: bool
) -> None:
    """The measurement itself is that of two rows made by hand."""
    rows = [lost(0, "markdown"), lost(3, "fixed"), lost(6, SAME_BUDGET)]
    pages: list[str] = []
    monkeypatch.setattr(options, "RECORD", tmp_path / "options.json")
    monkeypatch.setattr(options, "measure_all", lambda _: as_json(study, rows, []))
    monkeypatch.setattr(options, "write_page", lambda: pages.append((tmp_path / "options.json").read_text("utf-8")))
    monkeypatch.setattr("sys.argv", ["options", "--json", str(tmp_path / file)])
    main()
    assert json.loads((tmp_path / file).read_text("utf-8"))["judged"] == 6
    assert len(pages) == written


@pytest.mark.parametrize(
    ("difference", "holm", "wins", "losses", "word"),
    [
        (0.2, 0.01, 9, 1, "better"),
        (-0.2, 0.049, 1, 9, "worse"),
        (0.2, 0.05, 9, 8, "not distinguishable"),
        (0.0, 1.0, 3, 3, "not distinguishable"),
        (0.0, 1.0, 0, 0, "equal on every question"),
    ],
)
def test_a_difference_has_a_word(difference: float, holm: float, wins: int, losses: int, word: str) -> None:
    assert said({"difference": difference, "holm": holm, "wins": wins, "losses": losses}) == word


@pytest.mark.parametrize("slope", [1.0, 0.6, 2.5])
def test_the_size_at_which_fixed_shows_as_many_tokens_is_found(slope: float) -> None:
    def at(size: int) -> Measured:
        return replace(scored(1), words=(f"chunker.size={size}",), facts={"tokens_shown": slope * size + 40})

    found = same_budget(700, at(1000), at)
    assert found.option == SAME_BUDGET
    assert abs(found.facts["tokens_shown"] / 700 - 1) <= 0.02


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# One. Two.\n# Three.\nsize: 1\n", "One. Two."),
        ("# One, and\n# two. Three.\n# Four.\n", "One, and two. Three."),
        ("# No stop\nsize: 1  # of it.\n", "No stop"),
    ],
)
def test_a_file_is_described_by_whole_sentences(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert opening(tmp_path / "a.yaml") == says


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A small set, without a model."""
    rows = [{**row, "kind": "table" if row.get("evidence") else "unanswerable"} for row in questions()]
    golden = load(write_golden_set(tmp_path / "tiny", rows))
    return Study(golden, "test", Store(tmp_path / "stages.sqlite"), {**DEFAULTS, "embedder": "hashing"})


def test_a_row_is_measured_from_the_files_to_the_record(study: Study) -> None:
    base, anti = study.measure("chunker", "markdown"), study.measure("chunker", "fixed", "chunker.size=20")
    found = as_json(study, [base, anti, replace(anti, option=SAME_BUDGET)], [("doc2query", "llm")])
    row, other, _ = found["rows"]
    assert (row["default"], other["default"]) == (True, False)
    assert (row["chunks"], row["entries"], row["metrics"][WHOLE]["n"]) == (5, 5, 24)
    assert row["metrics"][WHOLE]["value"] > other["metrics"][WHOLE]["value"]
    assert other["versus_default"][WHOLE]["holm"] <= 0.05
    assert other["times_fixed"] == 1.0
    assert row["tables"] == {"pieces": 24, "whole": 24, "unreachable": 0}
    assert other["tables"]["whole"] < 24
    assert found["not_measured"] == [{"group": "doc2query", "option": "llm"}]


def kept_seconds(path: Path) -> list[tuple[str, bytes]]:
    """What each embedding took, as the cache has it: one that is computed again takes another time."""
    with closing(sqlite3.connect(path)) as store:
        return store.execute(
            "SELECT key, value FROM entries WHERE namespace LIKE '%\\_seconds' ESCAPE '\\' ORDER BY key"
        ).fetchall()


@pytest.mark.models
def test_a_measurement_taken_up_again_embeds_nothing_that_was_embedded(study: Study, tmp_path: Path) -> None:
    model = replace(study, defaults=DEFAULTS)
    first = model.measure("chunker", "markdown")
    kept = kept_seconds(tmp_path / "stages.sqlite")
    again = model.measure("chunker", "markdown")
    assert kept
    assert kept_seconds(tmp_path / "stages.sqlite") == kept
    assert again.record == first.record
    assert again.facts["build_seconds"] > 0


def test_options_that_ask_a_language_model_are_known_by_their_config(study: Study) -> None:
    assert [option for option in study.options("doc2query") if study.asks_a_model("doc2query", option)] == ["llm"]
    assert study.options("chunker")[0] == "markdown"
