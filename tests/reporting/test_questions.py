"""Which questions went wrong, where their evidence was lost, and what they were shown."""

import pytest

from harness.attribution.stations import Attribution, GroupLoss, Station
from harness.reporting.questions import Confusion, Lost, Passage, by_station, cases, confusion, expectation
from harness.types import Answer, Failure
from tests.builders import chunk, question, trace
from tests.reporting.records import CUT, answered, asked, attributions, record

YES, NO = Answer("Two years."), Answer("I cannot find this in the knowledge base.", refused=True)


def test_the_refusal_table_counts_both_sides() -> None:
    assert confusion(asked(), answered(YES, NO, YES, NO)) == Confusion(answered=1, over_refused=1, falsely_answered=1, refused=1)


def test_a_run_without_answers_has_no_refusal_table() -> None:
    assert confusion(asked(), []) is None


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"answers": ("8443", "port 8443")}, "8443 / port 8443"),
        ({"reference": "It uses port 8443."}, "It uses port 8443."),
        ({}, "an answer"),
        ({"answerable": False}, "a refusal"),
        ({"answerable": False, "reason": "future"}, "a refusal (future)"),
    ],
)
def test_the_expectation_is_put_in_words(fields: dict[str, object], text: str) -> None:
    assert expectation(question(**fields)) == text  # type: ignore[arg-type]


def test_wrong_refusals_false_answers_and_lost_evidence_are_listed() -> None:
    found = cases(record(), asked(), answered(YES, NO, YES, NO), attributions())
    assert [(item.question.question_id, item.faults, item.remedy) for item in found] == [
        ("q2", ("evidence cut by reranker", "refused, though it can be answered"), CUT),
        ("q3", ("answered, though it cannot be",), "answerability.minimum above 0.935 refuses"),
    ]


WHY = "verification: nothing was left with support"


@pytest.mark.parametrize(
    ("station", "said", "why", "remedy"),
    [
        (Station.REFUSED_ALTHOUGH_PRESENT, WHY, (("Refused because", WHY),), ""),
        (Station.REFUSED_ALTHOUGH_PRESENT, "answerability.minimum=0.2 lets it through", (("Refused because", WHY),), "the same"),
        (Station.CUT_BY_RERANKER, CUT, (("Refused because", WHY),), "the same"),
        (Station.HIDDEN, "a.md is kept from ada", (("Refused because", WHY), ("Hidden because", "a.md is kept from ada")), ""),
        (
            Station.BELOW_DEPTH,
            "bm25 not within 50: no retriever ranks it at any depth",
            (("Refused because", WHY), ("Lost because", "bm25 not within 50: no retriever ranks it at any depth")),
            "",
        ),
        (
            Station.LOST_IN_FUSION,
            "bm25 rank 3, left out by the fuser",
            (("Refused because", WHY), ("Lost because", "bm25 rank 3, left out by the fuser")),
            "",
        ),
    ],
)
def test_a_reason_is_not_called_a_remedy(station: Station, said: str, why: object, remedy: str) -> None:
    refused = Answer("No.", refused=True, refusal_reason=WHY)
    (found,) = cases(record(), asked()[:1], answered(refused), {"q1": Attribution("q1", station, remedy=said)})
    assert (found.why, found.remedy) == (why, said if remedy else "")


def test_a_right_refusal_needs_no_reason_and_a_wrong_answer_has_none() -> None:
    found = cases(record(), asked(), answered(YES, NO, YES, NO), attributions())
    assert [item.why for item in found] == [(), ()]


def test_without_attributions_the_wrong_side_is_all_that_is_known() -> None:
    found = cases(record(), asked(), answered(YES, NO, YES, NO))
    assert [(item.faults, item.remedy, item.lost) for item in found] == [
        (("refused, though it can be answered",), "", ()),
        (("answered, though it cannot be",), "", ()),
    ]


def test_a_question_that_failed_is_listed_with_its_error() -> None:
    broken = record(failures=[Failure("q1", "generator", "TimeoutError: 60 s")])
    assert [item.faults for item in cases(broken, asked(), answered())] == [("generator failed: TimeoutError: 60 s",)]


def test_a_run_in_which_all_went_well_lists_nothing() -> None:
    assert cases(record(), asked(), answered(YES, YES, NO, NO)) == []


def test_the_lost_evidence_is_told_with_its_rank_everywhere() -> None:
    found = cases(record(), asked(), answered(YES, NO), attributions())
    ranks = (("bm25", "3"), ("dense", "not in 50"), ("fused", "4"), ("reranked", "7"), ("context", "–"))
    quote = "The gateway listens on port 8443."
    assert found[0].lost == (Lost("evidence[0]", "a.md 0–10", quote, "cut by reranker", ranks, CUT),)


def test_evidence_that_came_through_is_not_listed_as_lost() -> None:
    groups = (GroupLoss(0, Station.ANSWERED, {}, 50), GroupLoss(1, Station.SHOWN_BUT_UNUSED, {"context": 2}, 50))
    two = question("q1", evidence=[[("a.md", 0, 10)], [("b.md", 5, 9), ("c.md", 1, 2)]])
    found = cases(record(), [two], answered(YES), {"q1": Attribution("q1", Station.SHOWN_BUT_UNUSED, groups)})
    assert [(item.place, item.spans) for item in found[0].lost] == [("evidence[1]", "b.md 5–9 or c.md 1–2")]


def test_the_passages_shown_say_which_hold_evidence_and_which_are_cited() -> None:
    first, second = chunk("a.md", 0, 10, section_path=("Power",)), chunk("b.md", 0, 10)
    seen = trace("q1", first, second, answer=Answer(f"Nine. [{second.chunk_id}]"))
    lost = {"q1": Attribution("q1", Station.SHOWN_BUT_UNUSED)}
    found = cases(record(), asked()[:1], [seen], lost)[0].passages
    assert found == (
        Passage(first.chunk_id, "a.md > Power", "x" * 10, ("evidence",)),
        Passage(second.chunk_id, "b.md", "x" * 10, ("cited",)),
    )


def test_cases_stand_in_the_order_of_the_stations_then_of_the_set() -> None:
    where = {"q1": Station.SHOWN_BUT_UNUSED, "q2": Station.BELOW_DEPTH, "q3": Station.ERROR, "q4": Station.BELOW_DEPTH}
    known = {name: Attribution(name, station) for name, station in where.items()}
    broken = record(failures=[Failure("q3", "generator", "down")])
    found = cases(broken, asked(), [trace(name) for name in ("q1", "q2", "q4")], known)
    assert [item.question.question_id for item in found] == ["q3", "q2", "q4", "q1"]


def test_cases_are_grouped_by_what_decides() -> None:
    found = cases(record(), asked(), answered(YES, NO, YES, NO), attributions())
    assert {name: len(items) for name, items in by_station(found).items()} == {
        "cut by reranker": 1,
        "answered although unanswerable": 1,
    }


def test_a_refusal_of_a_question_without_evidence_is_grouped_by_its_fault() -> None:
    found = cases(record(), [question("q1")], answered(NO), {"q1": Attribution("q1", Station.NOTHING_TO_FIND)})
    assert list(by_station(found)) == ["refused, though it can be answered"]
