"""docs/knobs.md is what its record says: every knob measured, one family of differences, error rates read the right way round."""

import json

import pytest

from benchmarks.knobs import DRAWS, EXPERIMENT, GOLDEN, KNOBS, SHOWN, split
from benchmarks.knobs_page import LOWER, PAGE, RECORD, rendered, verdict
from harness.build.compose import compose
from harness.build.overrides import parse
from harness.golden.golden_set import load
from harness.resources import shipped_root
from harness.statistics.multiplicity import holm

FOUND = json.loads(RECORD.read_text("utf-8"))
LINES = [(group, words) for group, lines in KNOBS.items() for words in lines]


def test_the_page_is_rendered_from_the_record() -> None:
    assert PAGE.read_text("utf-8") == rendered()


def test_every_knob_is_measured_on_the_golden_set_as_it_is() -> None:
    golden = load(shipped_root() / "golden_sets" / GOLDEN)
    assert (FOUND["version"], FOUND["corpus"]) == (golden.version, golden.corpus_digest)
    assert [(row["group"], row["words"]) for row in FOUND["rows"]] == LINES
    assert FOUND["questions"] == len(golden.asked("test"))


@pytest.mark.parametrize(("group", "words"), LINES, ids=[words for _, words in LINES])
def test_a_knob_changes_the_config_of_the_default(group: str, words: str) -> None:
    plain = compose(parse([f"+experiment={EXPERIMENT}"])[0])
    assert compose(parse([f"+experiment={EXPERIMENT}", *split(words)])[0]) != plain


def test_no_variant_shows_what_must_not_be_seen() -> None:
    rows = [FOUND["default"], *FOUND["rows"]]
    assert {value for row in rows for value in row["invariants"].values()} == {0}
    assert all(len(row["invariants"]) >= 3 for row in rows)
    assert sum(row["failures"] for row in rows) == 0


def test_all_differences_that_the_page_judges_are_one_family() -> None:
    judged = [item for row in FOUND["rows"] for item in row["versus_default"].values()]
    assert FOUND["judged"] == len(judged) > 200
    assert [item["holm"] for item in judged] == pytest.approx(holm([item["p"] for item in judged]))
    assert 2 / (1 + DRAWS) * len(judged) < 0.05


def test_the_default_stands_there_with_intervals() -> None:
    assert set(FOUND["default"]["metrics"]) == set(SHOWN)
    assert all(item["low"] < item["value"] < item["high"] for item in FOUND["default"]["metrics"].values())


def test_a_difference_is_the_difference_of_the_means_where_both_scored_every_question() -> None:
    default = FOUND["default"]["metrics"]
    for row in FOUND["rows"]:
        for metric in ("recall_at_5", "over_refusal_rate", "false_answer_rate"):
            found, mean = row["versus_default"][metric], row["metrics"][metric]["value"]
            assert found["difference"] == pytest.approx(mean - default[metric]["value"], abs=1e-6)


@pytest.mark.parametrize(("metric", "word"), [("recall_at_5", "better"), *((name, "worse") for name in LOWER)])
def test_more_recall_is_better_and_more_errors_are_worse(metric: str, word: str) -> None:
    found = {"holm": 0.001, "difference": 0.1, "wins": 9, "losses": 0}
    assert verdict(metric, found) == word
    assert verdict(metric, {**found, "holm": 0.2}) == "not distinguishable"


def test_a_store_that_is_not_exact_tells_its_recall() -> None:
    told = {row["words"]: row["statistics"] for row in FOUND["rows"] if row["group"] == "store"}
    assert all(0 < value <= 1 for found in told.values() for value in found.values())
    assert {words for words, found in told.items() if found} == set(told)


def test_words_with_blanks_inside_braces_stay_together() -> None:
    assert split("fuser=weighted fuser.weights={dense: 2}") == ["fuser=weighted", "fuser.weights={dense: 2}"]
