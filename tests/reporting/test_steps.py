"""What query steps, a reranking model and verification did, in words."""

import pytest

from harness.reporting.steps import remarks, told
from harness.types import Answer, Query, Ranking, Trace

ASKED = "When is the RTC set?"
PLAIN = Query(ASKED)


def lines(label: str, *queries: Query, faults: int = 0, actions: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What stands under a label of a question's block; nothing where the label is not there."""
    trace = Trace("q1", queries or (PLAIN,), reranked=Ranking(faults=faults), answer=Answer("Nine.", actions=actions))
    return dict(told(trace, ASKED)).get(label, ())


def test_of_a_question_that_nothing_was_done_to_nothing_is_said() -> None:
    assert told(Trace("q1", (PLAIN,), answer=Answer("Nine.")), ASKED) == told(Trace("q1"), ASKED) == ()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (Query("When is the clock set?"), "“When is the clock set?”"),
        (Query(ASKED, notes=("glossary: nothing found",)), "the question as it was asked (glossary: nothing found)"),
        (
            Query("When is the clock set?", notes=(f"rewrite: was {ASKED!r}", "route: a lookup")),
            "“When is the clock set?” (rewrite: was the question as asked; route: a lookup)",
        ),
        (Query(ASKED, retrievers=frozenset({"bm25"})), "the question as it was asked, by bm25 alone"),
        (Query(ASKED, retrievers=frozenset({"dense", "bm25"})), "the question as it was asked, by bm25, dense"),
        (Query(ASKED, retrievers=frozenset()), "the question as it was asked, by none"),
        (Query(ASKED, kinds=frozenset({"table", "prose"})), "the question as it was asked, in chunks of kind prose, table"),
        (Query(ASKED, "It is set\nat night."), "the question as it was asked, with the made-up passage “It is set at night.”"),
    ],
)
def test_what_was_searched_for_is_told_when_it_is_not_the_question_alone(query: Query, said: str) -> None:
    assert lines("Searched for", query) == (said,)


def test_the_parts_of_a_question_stand_beside_it() -> None:
    assert lines("Searched for", PLAIN, Query("What is an RTC?")) == ("the question as it was asked", "“What is an RTC?”")


def test_long_texts_are_cut_and_many_queries_are_counted() -> None:
    found = lines("Searched for", *(Query(f"{place} {'word ' * 200}", "night " * 200) for place in range(9)))
    assert found[-1] == "and 3 more"
    assert len(found) == 7
    assert max(map(len, found)) < 330
    assert all("word…”" in line and "night…”" in line for line in found[:-1])


def test_a_step_that_was_left_out_is_told_once_with_its_reason() -> None:
    failed = Query(ASKED, fallback="hyde: R007 the model refused")
    assert lines("Left out", failed, failed, PLAIN) == ("hyde: R007 the model refused",)
    assert lines("Searched for", failed) == ()


@pytest.mark.parametrize(
    ("faults", "said"),
    [
        (0, ()),
        (1, ("1 place in the model's order was wrong, repeated or missing",)),
        (3, ("3 places in the model's order were wrong, repeated or missing",)),
    ],
)
def test_an_order_that_was_mended_says_in_how_many_places(faults: int, said: tuple[str, ...]) -> None:
    assert lines("Order mended", faults=faults) == said


@pytest.mark.parametrize(
    ("action", "label", "said"),
    [
        ("stripped 3f2a", "Verification", "took out the citation 3f2a, which names no passage shown"),
        ("dropped 'It floats.', which cites nothing", "Verification", "dropped 'It floats.', which cites nothing"),
        ("regenerated because the answer cites 'x'", "Verification", "regenerated because the answer cites 'x'"),
        ("refused", "Verification", "refused in place of the answer"),
        ("left out 'It floats': it names no passage", "Claims left out", "'It floats': it names no passage"),
    ],
)
def test_what_was_done_to_an_answer_is_told_by_who_did_it(action: str, label: str, said: str) -> None:
    assert lines(label, actions=(action,)) == (said,)
    assert lines({"Verification": "Claims left out"}.get(label, "Verification"), actions=(action,)) == ()


def left_out(*fallbacks: str, faults: int = 0) -> Trace:
    """A question of which steps were left out."""
    return Trace("q", tuple(Query("a", fallback=text) for text in fallbacks), reranked=Ranking(faults=faults))


REFUSED = "R007 model 'm' refused the request"


@pytest.mark.parametrize(
    ("traces", "said"),
    [
        ([], ()),
        ([left_out(""), left_out()], ()),
        ([left_out(f"hyde: {REFUSED}")], (f"hyde failed for 1 of 1 question and was left out; first: {REFUSED}",)),
        (
            [left_out(), left_out(f"hyde: {REFUSED}", "hyde: later"), left_out("hyde: other")],
            (f"hyde failed for 2 of 3 questions and was left out; first: {REFUSED}",),
        ),
        (
            [left_out("rewrite: cut; at 5; hyde: down")],
            (
                "rewrite failed for 1 of 1 question and was left out; first: cut; at 5",
                "hyde failed for 1 of 1 question and was left out; first: down",
            ),
        ),
        ([left_out("mine: down")], ("mine failed for 1 of 1 question and was left out; first: down",)),
        ([left_out(faults=1), left_out()], ("the model's order was mended for 1 of 2 questions, 1 place",)),
        ([left_out(faults=9), left_out(faults=2)], ("the model's order was mended for 2 of 2 questions, 11 places",)),
    ],
)
def test_a_run_says_how_many_questions_a_step_was_left_out_of(traces: list[Trace], said: tuple[str, ...]) -> None:
    assert remarks(traces) == said


@pytest.mark.parametrize("step", ["history", "rewrite", "subqueries", "hyde", "route"])
def test_every_query_step_is_named_by_its_slot(step: str) -> None:
    (said,) = remarks([left_out(f"{step}: no reply in 60 s")])
    assert said == f"{step} failed for 1 of 1 question and was left out; first: no reply in 60 s"
