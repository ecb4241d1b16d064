"""Routing by rules."""

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError
from harness.protocols import QueryTransformer
from harness.querying.route import Rules
from harness.types import Query
from tests.builders import chunk, question
from tests.contracts.query_step import QueryStepContract

CHUNKS = [
    chunk(text="E-77 stops FH-5331-B.", kind="prose"),
    chunk(start=10, end=20, kind="table"),
    chunk(start=20, end=30, kind="summary"),
]
BROAD, DETAIL, PART = "Give me an overview of the guide.", "How far does it reach?", "What does E-77 mean?"


def routed(text: str, **fields: object) -> Query:
    (found,) = Rules(**fields).learn((), CHUNKS).transform(question(), [Query(text)])  # type: ignore[arg-type]
    return found


def test_a_question_with_an_identifier_goes_to_the_word_index_alone() -> None:
    assert routed(PART) == Query(PART, retrievers=frozenset({"bm25"}), notes=("route: identifier 'E-77', to bm25 alone",))
    assert routed(DETAIL) == Query(DETAIL)


def test_the_retriever_of_identifiers_can_have_another_name() -> None:
    assert routed(PART, identifiers="words").retrievers == frozenset({"words"})


def test_summaries_are_left_alone_unless_they_are_asked_for() -> None:
    assert routed(BROAD) == Query(BROAD)


def test_a_summary_question_searches_the_summaries_alone() -> None:
    found = routed(BROAD, summaries=True)
    assert (found.kinds, found.notes) == (frozenset({"summary"}), ("route: 'overview' asks for summaries",))


def test_a_lookup_searches_everything_but_summaries() -> None:
    found = routed(DETAIL, summaries=True)
    assert (found.kinds, found.notes) == (frozenset({"prose", "table"}), ("route: a lookup, without summaries",))


def test_without_identifiers_only_summaries_are_routed() -> None:
    found = routed(PART, identifiers="", summaries=True)
    assert (found.retrievers, found.kinds) == (None, frozenset({"prose", "table"}))


def test_an_overview_of_a_part_goes_to_words_and_to_summaries() -> None:
    found = routed("Summarise FH-5331-B", summaries=True)
    assert (found.retrievers, found.kinds, len(found.notes)) == (frozenset({"bm25"}), frozenset({"summary"}), 2)


def test_each_query_is_routed_by_its_own_words() -> None:
    found = Rules().learn((), CHUNKS).transform(question(text=PART), [Query(DETAIL), Query(PART)])
    assert [query.retrievers for query in found] == [None, frozenset({"bm25"})]


def test_everything_else_of_a_query_is_kept() -> None:
    query = Query(PART, "a passage", frozenset({"a.md"}), "north", notes=("before",))
    (found,) = Rules(summaries=True).learn((), CHUNKS).transform(question(), [query])
    assert (found.text, found.hypothetical, found.allowed, found.persona) == (PART, "a passage", frozenset({"a.md"}), "north")
    assert found.notes[0] == "before"


def test_summaries_that_no_chunker_made_are_found_when_the_corpus_is_indexed() -> None:
    with pytest.raises(ConfigError, match=r"no chunk is a summary.*chunker=two_tier"):
        Rules(summaries=True).learn((), CHUNKS[:2])


def test_the_kinds_of_one_corpus_are_not_kept_for_another() -> None:
    step = Rules(summaries=True).learn((), CHUNKS).learn((), CHUNKS[1:])
    (found,) = step.transform(question(), [Query(DETAIL)])
    assert found.kinds == frozenset({"table"})


def test_before_anything_is_indexed_nothing_is_routed() -> None:
    assert Rules().transform(question(), [Query(PART)]) == [Query(PART)]


@pytest.mark.parametrize(
    "text", ["What does E-78 mean?", "Is E-7 or E-771 meant?", "What does XE-77 mean?", "Where is other.yaml?"]
)
def test_an_identifier_that_occurs_nowhere_is_searched_everywhere(text: str) -> None:
    assert routed(text) == Query(text)


def test_of_several_identifiers_the_first_one_of_the_corpus_counts() -> None:
    assert routed("E-78, E-77 or FH-5331-B?").notes == ("route: identifier 'E-77', to bm25 alone",)


@pytest.mark.parametrize(
    ("held", "asked"),
    [
        ("(E-77)", "E-77"),
        ("エラーE-77です", "E-77"),
        ("E-77/E-78", "E-78"),
        ("see conf/config.yaml.", "config.yaml"),
        ("Release 2.4.1 of May", "version 2.4.1"),
        ("ISO 9001:2015", "ISO 9001"),
        ("123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
    ],
)
def test_an_identifier_is_known_wherever_it_stands_as_a_word(held: str, asked: str) -> None:
    (found,) = Rules().learn((), [chunk(text=held)]).transform(question(), [Query(f"What is {asked}?")])
    assert found.retrievers == frozenset({"bm25"})


@pytest.mark.parametrize("held", ["XE-77", "E-771", "E77", "e-77", "E-7 7"])
def test_a_part_of_another_identifier_is_not_the_identifier(held: str) -> None:
    (found,) = Rules().learn((), [chunk(text=held)]).transform(question(), [Query(PART)])
    assert found.retrievers is None


def test_headings_and_summaries_hold_identifiers_too() -> None:
    chunks = [chunk(title="Code E-77"), chunk(text="x", parent="p", search_text="About E-78.")]
    found = Rules().learn((), chunks).transform(question(), [Query(PART), Query("E-78?")])
    assert [query.retrievers for query in found] == [frozenset({"bm25"})] * 2


@pytest.mark.parametrize(("allowed", "routed_to"), [({"a.md"}, {"bm25"}), ({"b.md"}, None), (set(), None), (None, {"bm25"})])
def test_only_what_the_asker_may_see_holds_an_identifier(allowed: set[str] | None, routed_to: set[str] | None) -> None:
    chunks = [chunk("a.md", text="E-77"), chunk("b.md", text="E-78")]
    query = Query(PART, allowed=None if allowed is None else frozenset(allowed))
    (found,) = Rules().learn((), chunks).transform(question(), [query])
    assert found.retrievers == (None if routed_to is None else frozenset(routed_to))


@pytest.mark.parametrize("piece", ["a", "1", "a1", "a.", "-1", ".a"])
def test_passages_of_a_megabyte_of_pieces_are_learned(piece: str) -> None:
    chunks = [chunk(text=piece * 300_000 + " E-77")]
    (found,) = Rules().learn((), chunks).transform(question(), [Query(PART)])
    assert found.retrievers == frozenset({"bm25"})


def test_rules_that_route_nothing_are_refused() -> None:
    with pytest.raises(ConfigError, match="route=none"):
        Rules(identifiers="")


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ValidationError):
        Rules(codes="bm25")  # type: ignore[call-arg]


class TestRulesKeepTheContract(QueryStepContract):
    @pytest.fixture(params=[False, True], ids=["identifiers", "summaries"])
    def step(self, request: pytest.FixtureRequest) -> QueryTransformer:
        return Rules(summaries=request.param).learn((), CHUNKS)
