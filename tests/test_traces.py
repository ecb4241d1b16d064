"""A trace survives the way to disk and back."""

import json

from hypothesis import given
from hypothesis import strategies as st

from harness.traces import decode, decode_chunk, encode, encode_chunk
from harness.types import Answer, Assessment, Hit, Query, Ranking, Trace, Usage
from tests.builders import chunk

PARTS = [chunk(start=start, end=start + 9, title="T", section_path=("A", "B"), version="v") for start in range(0, 90, 10)]
BY_ID = {part.chunk_id: part for part in PARTS}


def some_trace(score: float = 0.5) -> Trace:
    hits = Ranking.of(Hit(part, score / (place + 1)) for place, part in enumerate(PARTS))
    query = Query(
        "a", "b", retrievers=frozenset({"bm25"}), kinds=frozenset({"summary"}), notes=("to bm25",), fallback="R006 down"
    )
    answer = Answer("Yes [x].", ("x",), False, "", Usage(1, 2, 3, 0.5), ("stripped y",), ("x", "y"))
    return Trace(
        "q1",
        (query, Query("c")),
        {"bm25": hits},
        hits,
        Ranking(hits.top(4).hits, faults=3),
        Ranking(hits.top(3).hits, order=(2, 0, 1)),
        Assessment(True, 0.7, "r"),
        answer,
        {"fuse": 0.1},
        {"generate": Usage(1, 2, 3, 0.5)},
    )


def test_a_trace_comes_back_as_it_was():
    assert decode(encode(some_trace()), BY_ID) == some_trace()


def test_a_trace_from_before_drafts_were_kept_has_none():
    old = encode(some_trace())
    del old["answer"]["draft_citations"]
    assert decode(old, BY_ID).answer.draft_citations == ()


def test_a_trace_from_before_query_steps_took_notes_has_none():
    old = encode(some_trace())
    for name in ("faults", "order", "usage"):
        del old[name]
    old["queries"] = [{"text": "a", "hypothetical": "b"}]
    found = decode(old, BY_ID)
    assert (found.queries, found.usage, found.reranked.faults) == ((Query("a", "b"),), {}, 0)
    assert (found.context.order, found.context.shown) == ((), found.context.hits)


def test_the_order_in_which_passages_were_shown_is_kept():
    found = decode(json.loads(json.dumps(encode(some_trace()))), BY_ID)
    assert [hit.chunk for hit in found.context.shown] == [PARTS[2], PARTS[0], PARTS[1]]


def test_a_retrieval_only_trace_has_no_answer():
    bare = Trace("q1", (Query("a"),))
    assert decode(encode(bare), {}) == bare


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_scores_keep_every_bit(score):
    assert decode(encode(some_trace(score)), BY_ID).reranked == some_trace(score).reranked


def test_a_chunk_comes_back_with_the_same_id():
    assert all(decode_chunk(encode_chunk(part)) == part for part in PARTS)
    assert encode_chunk(PARTS[0])["id"] == PARTS[0].chunk_id
