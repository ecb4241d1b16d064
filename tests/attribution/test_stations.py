"""The waterfall, and attributions as JSON."""

import json

import pytest

from harness.attribution.stations import (
    FINE,
    LOSSES,
    RETRIEVAL,
    Attribution,
    GroupLoss,
    Station,
    asks_for_answers,
    decode,
    encode,
    waterfall,
)

S = Station


def lost(*stations: Station) -> dict[str, Attribution]:
    """One question per station, with one group where it has evidence."""
    bare = (S.ERROR, S.NOTHING_TO_FIND, S.RIGHTLY_REFUSED, S.ANSWERED_ALTHOUGH_UNANSWERABLE)
    groups = {place: () if item in bare else (GroupLoss(0, item, {}, 50),) for place, item in enumerate(stations)}
    return {f"q{place}": Attribution(f"q{place}", item, groups[place]) for place, item in enumerate(stations)}


def test_the_waterfall_counts_who_is_lost_and_who_is_left() -> None:
    found = lost(S.ERROR, S.BELOW_DEPTH, S.BELOW_DEPTH, S.CUT_BY_RERANKER, S.REFUSED_ALTHOUGH_PRESENT, S.ANSWERED, S.ANSWERED)
    steps = [(step.station, step.lost, step.left) for step in waterfall(found, found.keys()) if step.lost]
    assert steps == [
        (S.ERROR, 1, 6),
        (S.BELOW_DEPTH, 2, 4),
        (S.CUT_BY_RERANKER, 1, 3),
        (S.REFUSED_ALTHOUGH_PRESENT, 1, 2),
    ]


def test_every_station_has_its_line_in_the_order_of_the_pipeline() -> None:
    found = lost(*LOSSES, S.ANSWERED)
    steps = waterfall(found, found.keys())
    assert tuple(step.station for step in steps) == LOSSES
    assert [step.left for step in steps] == list(range(len(LOSSES), 0, -1))


def test_questions_without_evidence_are_not_counted() -> None:
    found = lost(S.RIGHTLY_REFUSED, S.NOTHING_TO_FIND, S.ANSWERED_ALTHOUGH_UNANSWERABLE, S.ANSWERED)
    assert {(step.lost, step.left) for step in waterfall(found, found.keys())} == {(0, 1)}


def test_only_the_wanted_questions_are_counted() -> None:
    found = lost(S.BELOW_DEPTH, S.ANSWERED, S.ANSWERED)
    assert waterfall(found, ["q0", "q1"])[-1].left == 1


def test_a_run_without_answers_ends_at_the_context() -> None:
    found = lost(S.BELOW_DEPTH, S.SHOWN, S.NOTHING_TO_FIND)
    assert tuple(step.station for step in waterfall(found, found.keys())) == RETRIEVAL
    assert not asks_for_answers(found)


def test_a_slice_in_which_nothing_got_into_the_context_has_the_lines_of_its_run() -> None:
    found = lost(S.BELOW_DEPTH, S.ANSWERED)
    assert tuple(step.station for step in waterfall(found, ["q0"])) == LOSSES


def test_without_questions_nothing_is_lost_and_nothing_left() -> None:
    assert {(step.lost, step.left) for step in waterfall({}, ())} == {(0, 0)}


@pytest.mark.parametrize("station", list(Station))
def test_every_station_is_a_loss_or_fine_or_a_false_answer(station: Station) -> None:
    assert [station in LOSSES, station in FINE, station is S.ANSWERED_ALTHOUGH_UNANSWERABLE].count(True) == 1


def test_attributions_survive_json() -> None:
    group = GroupLoss(1, S.BELOW_DEPTH, {"bm25": 63, "dense": None}, 939, "depth.candidates=63", "Zwei Zellen")
    found = {
        "q1": Attribution("q1", S.BELOW_DEPTH, (group,), "depth.candidates=63", stated=False),
        "q2": Attribution("q2", S.RIGHTLY_REFUSED),
    }
    assert decode(json.loads(json.dumps(encode(found)))) == found
    assert list(decode(encode(found))) == ["q1", "q2"]
