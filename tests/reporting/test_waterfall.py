"""The waterfall as people read it."""

from harness.attribution.stations import Attribution, GroupLoss, Station
from harness.reporting.waterfall import Line, Waterfall, summarise_losses
from harness.types import Question
from tests.builders import question
from tests.reporting.records import asked, attributions

S = Station


def run(*stations: Station, kinds: str = "") -> tuple[dict[str, Attribution], list[Question]]:
    """One question a station, its kind the letter at its place."""
    found = {f"q{n}": Attribution(f"q{n}", item, (GroupLoss(0, item, {}, 50),)) for n, item in enumerate(stations)}
    return found, [question(name, kind=kinds[n : n + 1] or "factoid") for n, name in enumerate(found)]


def test_each_line_says_what_is_left_and_what_was_lost_on_the_way() -> None:
    found = summarise_losses(*run(S.BELOW_DEPTH, S.BELOW_DEPTH, S.CUT_BY_CONTEXT, S.ANSWERED))
    assert found.lines == (
        Line("answerable, with evidence", 4),
        Line("evidence in the corpus", 4, 0, "not in corpus"),
        Line("visible to the asker", 4, 0, "hidden"),
        Line("whole in a chunk, or put together again by the context", 4, 0, "destroyed by chunking"),
        Line("among the candidates of the retrievers", 2, 2, "below depth"),
        Line("among the fused hits that the reranker reads", 2, 0, "lost in fusion"),
        Line("ranked within the passages shown", 2, 0, "cut by reranker"),
        Line("in the context", 1, 1, "cut by context"),
        Line("answered", 1, 0, "refused although present"),
        Line("stated or cited", 1, 0, "shown but unused"),
        Line("cited", 1, 0, "used but not cited"),
    )


def test_a_run_without_answers_ends_in_the_context() -> None:
    assert summarise_losses(*run(S.BELOW_DEPTH, S.SHOWN)).sentence == "1 of 2 questions in the context; 1 below depth"


def test_questions_that_failed_have_a_line_only_when_there_are_some() -> None:
    labels = [line.label for line in summarise_losses(attributions(), [*asked()[:2], question("q4")]).lines]
    assert labels[:3] == ["answerable, with evidence", "asked without an error", "evidence in the corpus"]


def test_unanswerable_questions_are_left_out_even_when_they_failed() -> None:
    assert summarise_losses(attributions(), asked()).sentence == "1 of 2 questions cited; 1 cut by reranker"


def test_the_kind_that_keeps_least_comes_first_and_only_losing_stations_have_a_column() -> None:
    stations = (S.ANSWERED, S.BELOW_DEPTH, S.ANSWERED, S.SHOWN_BUT_UNUSED, S.ANSWERED)
    found = summarise_losses(*run(*stations, kinds="aabbc"))
    assert found.columns == ("below depth", "shown but unused", "cited")
    assert found.kinds == (("a", 2, (1, 0, 1)), ("b", 2, (0, 1, 1)), ("c", 1, (0, 0, 1)))


def test_kinds_add_up_to_the_whole() -> None:
    stations = (S.ANSWERED, S.BELOW_DEPTH, S.LOST_IN_FUSION, S.BELOW_DEPTH, S.ANSWERED)
    found = summarise_losses(*run(*stations, kinds="abcab"))
    assert sum(size for _, size, _ in found.kinds) == found.total == 5
    assert [sum(column) for column in zip(*(cells for _, _, cells in found.kinds), strict=True)] == [2, 1, 2]


def test_how_many_of_the_cited_answers_hold_an_accepted_one_is_told() -> None:
    found, questions = run(S.ANSWERED, S.ANSWERED, S.ANSWERED, S.SHOWN_BUT_UNUSED)
    for name, stated in (("q0", True), ("q1", False), ("q3", True)):
        found[name] = Attribution(name, found[name].station, found[name].groups, stated=stated)
    assert summarise_losses(found, questions).remark == "Of 2 answers that cite all of the evidence, 1 hold an accepted answer."


def test_a_set_of_one_kind_is_not_told_twice() -> None:
    assert summarise_losses(*run(S.ANSWERED, S.BELOW_DEPTH)).kinds == ()


def test_without_attributions_or_evidence_there_is_no_waterfall() -> None:
    assert summarise_losses({}, asked()) == Waterfall()
    assert summarise_losses({"q1": Attribution("q1", S.NOTHING_TO_FIND)}, [question("q1")]) == Waterfall()
    assert Waterfall().sentence == ""
