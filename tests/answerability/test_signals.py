"""Each signal by hand, over three passages: the first names the Acme FH-4410 gateway, the second a gateway, the third bananas."""

import math

import pytest

from harness.answerability.signals import SIGNALS, available, lacking, read, unknown
from harness.types import Query, Ranking
from tests.builders import chunk, ranking
from tests.contracts.answerability import NOTHING, QUERY, found

STATIONS = found((0.75, 0.5, 0.25))
RARE, HALF = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
"""ln(1 + (N - n + 0.5) / (n + 0.5)) of N = 3 candidates: a term in 1, a term in 2."""
ALL = 6 * RARE + HALF
"""acm, fh-4410, fh, 4410, sold and berlin stand in one passage, gateway in two."""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("top_score", 0.75),
        ("top_log_odds", math.log(3)),
        ("margin", 0.25),
        ("mean_top_3", 0.5),
        ("mean_top_5", 0.5),
        ("entropy", -(0.5 * math.log(0.5) + math.log(1 / 3) / 3 + math.log(1 / 6) / 6) / math.log(3)),
        ("bm25_top", 9.0),
        ("bm25_per_rarity", 9.0 / ALL),
        ("bm25_lead", 9.0 - 14 / 3),
        ("bm25_hits", 3.0),
        ("cosine_top", 0.8),
        ("cosine_lead", 0.8 - 2 / 3),
        ("agreement", 0.6),
        ("best_coverage", 1.0),
        ("context_coverage", 1.0),
        ("sentence_coverage", 1.0),
        ("details_held", 1.0),
        ("answer_kind", 0.0),  # the sentence that holds the words holds no year of its own
    ],
)
def test_a_signal_is_what_its_description_says(name: str, value: float) -> None:
    assert read([name], QUERY, STATIONS)[name] == pytest.approx(value)


def test_every_signal_has_a_description_and_is_tested_by_hand() -> None:
    (mark,) = (item for item in test_a_signal_is_what_its_description_says.pytestmark if item.name == "parametrize")
    assert {name for name, _ in mark.args[1]} == SIGNALS.keys()
    assert all(item.what for item in SIGNALS.values())


@pytest.mark.parametrize("stations", [NOTHING, found((0.0,), (), ()), found((1.0, 1.0, 1.0))])
@pytest.mark.parametrize("text", ["?", "When?", "Why is it so?", "東京はどこですか"])
def test_every_signal_is_finite_whatever_is_asked_and_found(text: str, stations: dict[str, Ranking]) -> None:
    assert all(math.isfinite(value) for value in read(SIGNALS, Query(text), stations).values())


def test_a_term_that_is_held_nowhere_lowers_the_coverage_by_its_rarity() -> None:
    value = read(["best_coverage"], Query("Is the gateway purple?"), STATIONS)["best_coverage"]
    assert value == pytest.approx(HALF / (HALF + math.log(1 + 3.5 / 0.5)))


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Does it work in Berlin?", 1.0),
        ("Does it work in Vienna?", 0.0),
        ("Is FH-4410 sold in Vienna?", 0.5),
        ("Which one is it?", 1.0),  # nothing to hold
        ("Vienna?", 1.0),  # the first word is capitalised whatever it is
    ],
)
def test_numbers_identifiers_and_names_of_the_query_are_looked_for_in_the_context(text: str, share: float) -> None:
    assert read(["details_held"], Query(text), STATIONS)["details_held"] == share


@pytest.mark.parametrize(
    ("text", "sentence", "kind"),
    [
        ("When was the probe sold?", "The probe was sold in 1994.", 1.0),
        ("When was the probe of 1994 sold?", "The probe of 1994 was sold.", 0.0),  # only the question's own year
        ("How many cells has the probe?", "The probe has two cells.", 1.0),
        ("How many cells has the probe?", "The probe has cells.", 0.0),
        ("Who made the probe?", "The probe was made by Anna Berg.", 1.0),
        ("Who made the probe?", "The probe was made by hand.", 0.0),
        ("Why is the probe grey?", "The probe is grey.", 0.5),
    ],
)
def test_the_kind_of_answer_is_looked_for_in_the_nearest_sentence(text: str, sentence: str, kind: float) -> None:
    passages = ranking(chunk("a.md", text=f"{sentence} Bananas grow in 12 countries."))
    stations = {**NOTHING, "fused": passages, "context": passages}
    assert read(["answer_kind"], Query(text), stations)["answer_kind"] == kind


def test_stations_that_a_pipeline_has_not_are_named() -> None:
    assert lacking(["margin", "agreement", "cosine_top"], ["bm25", "fused", "reranked", "context"]) == [
        "signal 'agreement' needs dense, which the pipeline has not",
        "signal 'cosine_top' needs dense, which the pipeline has not",
    ]
    assert {"cosine_top", "agreement"}.isdisjoint(available(["bm25", "fused", "reranked", "context"]))


def test_an_unknown_name_is_told_the_nearest() -> None:
    assert unknown(["margins"]).startswith("there is no signal 'margins'; did you mean 'margin'?")
    assert unknown(SIGNALS) == ""
