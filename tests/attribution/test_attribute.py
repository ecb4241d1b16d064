"""At which station a question's evidence was lost."""

from dataclasses import dataclass, field, replace

import pytest

from harness.attribution.attribute import attribute, states
from harness.attribution.stations import Station
from harness.pipeline import Depth
from harness.protocols import Index
from harness.types import Answer, Query, Ranking, Trace
from tests.attribution.world import DEPTH, REFUSAL, TAU, asking, cited, fate, passed, system
from tests.builders import question

EVERYWHERE = {"bm25": "a b", "fused": "a b", "reranked": "a b", "context": "a b"}


@pytest.mark.parametrize(
    ("bm25", "dense", "fused", "reranked", "context", "station"),
    [
        ("a b", "b", "a b", "a b", "a b", "shown"),
        ("b c d e", "b c", "b c d e", "b c d", "b c", "below_depth"),
        ("b c d a", "b c", "b c d a", "b c d", "b c", "lost_in_fusion"),
        ("b c", "b a", "b c a", "b c", "b c", "lost_in_fusion"),
        ("a b c", "b", "a b c", "b c a", "b c", "cut_by_reranker"),
        ("a b", "b", "a b", "b a", "b", "cut_by_context"),
        ("a b c", "b", "a b c", "b c a", "b a", "shown"),
        ("", "", "", "", "", "below_depth"),
    ],
)
def test_evidence_is_lost_at_the_first_station_that_no_longer_has_it(
    bm25: str, dense: str, fused: str, reranked: str, context: str, station: str
) -> None:
    assert fate(asking("a"), passed(bm25, dense, fused, reranked, context)).station == station


@pytest.mark.parametrize(
    ("document", "station"),
    [
        ("gone", Station.NOT_IN_CORPUS),
        ("holes", Station.NOT_IN_CORPUS),
        ("secret", Station.HIDDEN),
        ("old", Station.HIDDEN),
        ("split", Station.DESTROYED_BY_CHUNKING),
        ("e", Station.BELOW_DEPTH),
    ],
)
def test_what_no_ranking_can_hold_is_told_apart_from_what_lies_too_deep(document: str, station: Station) -> None:
    assert fate(asking(document), passed("a b", "a"), system()).station is station


def test_from_stored_traces_alone_the_unreachable_counts_as_below_the_depth() -> None:
    for document in ("gone", "secret", "split"):
        assert fate(asking(document), passed("a b", "a")).station is Station.BELOW_DEPTH


@pytest.mark.parametrize(
    ("fields", "station"),
    [
        ({"persona": "acme"}, Station.BELOW_DEPTH),
        ({"persona": "other"}, Station.HIDDEN),
        ({"persona": ""}, Station.HIDDEN),
    ],
)
def test_a_document_of_a_tenant_is_hidden_from_everybody_else(fields: dict[str, str], station: Station) -> None:
    assert fate(asking("secret", **fields), passed("a b"), system()).station is station


def test_a_document_that_held_on_the_day_of_the_question_is_not_hidden() -> None:
    assert fate(asking("old", as_of="2024-06-01"), passed("a b"), system()).station is Station.BELOW_DEPTH


def test_evidence_split_over_chunks_is_found_when_the_context_puts_it_together() -> None:
    halves = "split split+25"
    assert fate(asking("split"), passed(halves, "", halves, halves, halves), system()).station is Station.SHOWN


def test_one_half_of_split_evidence_is_not_enough() -> None:
    assert (
        fate(asking("split"), passed("split", "", "split", "split", "split"), system()).station is Station.DESTROYED_BY_CHUNKING
    )


def test_halves_that_lie_in_two_retrievers_are_among_the_candidates_together() -> None:
    trace = passed("split", "split+25", "split split+25", "split split+25", "split")
    assert fate(asking("split"), trace).station is Station.CUT_BY_CONTEXT


def test_any_alternative_of_a_group_will_do() -> None:
    either = question(evidence=[[("gone", 0, 40), ("a", 0, 40)]])
    assert fate(either, passed(**EVERYWHERE), system()).station is Station.SHOWN


@pytest.mark.parametrize(
    ("answer", "station"),
    [
        (cited("Two cells.", "a"), Station.ANSWERED),
        (cited("Nine euros.", "a"), Station.ANSWERED),
        (cited("It runs on two cells.", "b"), Station.USED_BUT_NOT_CITED),
        (Answer("It runs on two cells."), Station.USED_BUT_NOT_CITED),
        (cited("Nine euros.", "b"), Station.SHOWN_BUT_UNUSED),
        (Answer("It runs on sixty-two cells."), Station.SHOWN_BUT_UNUSED),
        (Answer("Nine euros. [0123456789ab]"), Station.SHOWN_BUT_UNUSED),
        (REFUSAL, Station.REFUSED_ALTHOUGH_PRESENT),
        (None, Station.SHOWN),
    ],
)
def test_evidence_that_was_shown_is_told_by_the_answer(answer: Answer | None, station: Station) -> None:
    assert fate(asking("a", answers=("two cells",)), passed(**EVERYWHERE, answer=answer)).station is station


def test_a_refusal_after_a_retrieval_miss_is_the_miss() -> None:
    assert fate(asking("e"), passed(**EVERYWHERE, answer=REFUSAL), system()).station is Station.BELOW_DEPTH


def test_a_question_is_lost_where_its_earliest_group_is_lost() -> None:
    trace = passed("a b c", "", "a b c", "b a c", "b a", cited("Blue.", "b"))
    found = fate(asking("b", "c", "a"), trace)
    assert [group.station for group in found.groups] == ["answered", "cut_by_reranker", "shown_but_unused"]
    assert found.station is Station.CUT_BY_RERANKER


@pytest.mark.parametrize(
    ("answer", "station"),
    [
        (Answer("Nine euros."), Station.ANSWERED_ALTHOUGH_UNANSWERABLE),
        (REFUSAL, Station.RIGHTLY_REFUSED),
        (None, Station.NOTHING_TO_FIND),
    ],
)
def test_an_unanswerable_question_has_nothing_to_lose(answer: Answer | None, station: Station) -> None:
    found = fate(question(answerable=False), passed(**EVERYWHERE, answer=answer))
    assert (found.station, found.groups) == (station, ())


def test_an_answerable_question_without_evidence_has_nothing_to_lose_either() -> None:
    assert fate(question(), passed(answer=REFUSAL)).station is Station.NOTHING_TO_FIND


def test_a_question_without_a_trace_is_an_error() -> None:
    assert fate(asking("a"), None, system()).station is Station.ERROR


def test_every_question_has_one_station_in_the_order_of_the_set() -> None:
    asked = [asking("a", question_id="q2"), asking("e", question_id="q1"), question("q3")]
    found = attribute(asked, {"q1": passed("a")}, TAU, DEPTH, system())
    assert [(name, item.station) for name, item in found.items()] == [("q2", "error"), ("q1", "below_depth"), ("q3", "error")]


def test_ranks_are_those_of_every_ranking_the_evidence_passed() -> None:
    found = fate(asking("a"), passed("b a", "c d", "b c d a", "b c a", "b c"))
    assert found.groups[0].ranks == {"bm25": 2, "dense": None, "fused": 4, "reranked": 3, "context": None}
    assert found.groups[0].searched == 4


def test_what_the_candidates_lack_is_looked_for_in_the_whole_index() -> None:
    found = fate(asking("e"), Trace("q1", (Query("probe"),), {"bm25": Ranking()}), system())
    everything = system().indexes["bm25"].search([Query("probe")], 99)[0]
    visible = [hit.chunk.span.doc_id for hit in everything.hits if hit.chunk.span.doc_id not in ("secret", "old")]
    assert found.groups[0].ranks["bm25"] == visible.index("e") + 1
    assert found.groups[0].searched == len(system().chunks) == 10


def test_a_hidden_document_takes_no_rank_from_those_that_the_asker_may_see() -> None:
    trace = Trace("q1", (Query("Acme probe euros order"),), {"bm25": Ranking()})
    ranks = {who: fate(asking("e", persona=who), trace, system()).groups[0].ranks["bm25"] for who in ("acme", "other")}
    assert (ranks["acme"], ranks["other"]) == (2, 1)


def test_of_several_queries_the_best_rank_counts() -> None:
    queries = (Query("probe ships Monday"), Query("costs nine euros cables"))
    found = fate(asking("e"), Trace("q1", queries, {"bm25": Ranking()}), system())
    assert found.groups[0].ranks["bm25"] == 1


def test_the_evidence_is_quoted_where_it_never_got_into_the_context() -> None:
    found = fate(asking("a", "e"), passed(**EVERYWHERE), system())
    assert [group.quote for group in found.groups] == ["", "The probe costs nine euros with all of t"]


@dataclass
class Counted:
    """An index that counts how often it is searched."""

    inner: Index
    calls: list[int] = field(default_factory=list)

    def search(self, queries: list[Query], k: int) -> list[Ranking]:
        """Counts, then searches."""
        self.calls.append(len(queries))
        return self.inner.search(queries, k)


def test_each_index_is_searched_once_and_only_for_questions_that_lack_something() -> None:
    index = Counted(system().indexes["bm25"])
    asked = [asking(name, question_id=name) for name in ("a", "d", "e")]
    traces = {name: replace(passed(**EVERYWHERE), question_id=name) for name in ("a", "d", "e")}
    attribute(asked, traces, TAU, DEPTH, replace(system(), indexes={"bm25": index}))
    assert index.calls == [2]


def test_nothing_is_searched_when_the_candidates_have_it_all() -> None:
    index = Counted(system().indexes["bm25"])
    fate(asking("a"), passed(**EVERYWHERE), replace(system(), indexes={"bm25": index}))
    assert index.calls == []


def test_searching_deeper_says_the_same_as_a_run_of_that_depth() -> None:
    deep = replace(system(), recipe=replace(system().recipe, depth=Depth(10, 3, 2)))
    for name in "abcde":
        asked = asking(name, text="probe")
        shallow = replace(system(), recipe=replace(system().recipe, depth=Depth(1, 1, 1)))
        found = fate(asked, shallow.answer(asked), shallow, Depth(1, 1, 1)).groups[0].ranks["bm25"]
        assert found == fate(asked, deep.answer(asked), deep).groups[0].ranks["bm25"]


@pytest.mark.parametrize(
    ("answers", "answer", "stated"),
    [
        (("two cells",), Answer("It runs on Two  Cells!"), True),
        (("nine", "two cells"), Answer("Two cells."), True),
        (("two cells",), Answer("Two blue cells."), False),
        (("30 个月",), Answer("三年，即30个月。"), True),
        ((), Answer("Two cells."), None),
        (("two cells",), REFUSAL, None),
        (("two cells",), None, None),
    ],
)
def test_an_accepted_answer_is_stated_when_its_words_stand_in_a_row(
    answers: tuple[str, ...], answer: Answer | None, stated: bool | None
) -> None:
    assert states(asking("a", answers=answers), passed(answer=answer)) is stated
