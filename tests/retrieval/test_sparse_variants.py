"""BM25 against the package rank_bm25: scores by `==`, for every variant, tokenizer and engine."""

from typing import Any, get_args

import pytest
import rank_bm25
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.retrieval.bm25_fast import Variant
from harness.retrieval.sparse import BM25
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Filter, Query
from tests.builders import chunk
from tests.retrieval.test_sparse import built, random_texts, scores

ORACLES = {"okapi": rank_bm25.BM25Okapi, "plus": rank_bm25.BM25Plus, "l": rank_bm25.BM25L}
TOKENIZERS = get_args(TokenizerName)
SETTINGS = [(1.5, 0.75), (0.9, 0.4), (2.0, 0.0), (0.5, 1.0)]


def expected(texts: list[str], query: str, variant: str, tokenizer: TokenizerName = "plain", **sizes: float) -> dict[str, float]:
    """What rank_bm25 gives the texts that hold a token of the query."""
    tokens, asked = tokenize(tokenizer, texts), tokenize(tokenizer, [query])[0]
    values = ORACLES[variant](tokens, **sizes).get_scores(asked)
    return {f"{row}.md": values[row] for row, held in enumerate(tokens) if set(asked) & set(held)}


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize(("k1", "b"), SETTINGS)
@pytest.mark.parametrize("variant", ["plus", "l"])
def test_scores_equal_rank_bm25_bit_for_bit(variant: Variant, k1: float, b: float, tokenizer: TokenizerName) -> None:
    texts = random_texts(1, 151)
    index = built(texts, variant=variant, k1=k1, b=b, tokenizer=tokenizer)
    for query in [*random_texts(2, 10), "w1 w1 w2 unknown w1"]:
        assert scores(index, query) == expected(texts, query, variant, tokenizer, k1=k1, b=b)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f"]), max_size=8).map(lambda words: " ".join(words) or " ")
TEXTS = st.lists(WORDS, min_size=1, max_size=9).filter(lambda texts: sum(map(bool, map(str.split, texts))) * 2 >= len(texts))
"""Up to half of them without a word, for more are an error."""


@settings(max_examples=150, deadline=None)
@given(TEXTS, WORDS)
@pytest.mark.parametrize("variant", ["plus", "l"])
def test_any_query_over_any_texts_scores_as_in_rank_bm25(variant: Variant, texts: list[str], query: str) -> None:
    assert scores(built(texts, variant=variant, tokenizer="plain"), query) == expected(texts, query, variant)


@settings(max_examples=150, deadline=None)
@given(TEXTS, WORDS)
def test_okapi_scores_any_query_as_rank_bm25_unless_a_word_of_it_has_no_positive_idf(texts: list[str], query: str) -> None:
    found, oracle = scores(built(texts, tokenizer="plain"), query), rank_bm25.BM25Okapi(tokenize("plain", texts))
    wanted = expected(texts, query, "okapi")
    assert set(found) == set(wanted)
    if all(oracle.idf.get(word, 1) > 0 for word in query.split()):
        assert found == wanted


@settings(max_examples=60, deadline=None)
@given(TEXTS, WORDS)
@pytest.mark.parametrize("variant", get_args(Variant))
def test_both_engines_give_any_query_one_ranking(variant: Variant, texts: list[str], query: str) -> None:
    fast, slow = (built(texts, variant=variant, tokenizer="plain", engine=engine) for engine in ("fast", "rank_bm25"))
    assert fast.search([Query(query)], 5) == slow.search([Query(query)], 5)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("variant", get_args(Variant))
def test_both_engines_give_one_ranking_with_every_tokenizer(variant: Variant, tokenizer: TokenizerName) -> None:
    texts = [*random_texts(3, 60), "東京都の天気", "東京の食事", "L'eau du réservoir"]
    queries = [Query(text) for text in (*random_texts(4, 8), "東京の天気", "eau", "", "the")]
    fast, slow = (built(texts, variant=variant, tokenizer=tokenizer, engine=engine) for engine in ("fast", "rank_bm25"))
    assert fast.search(queries, 20) == slow.search(queries, 20)


@pytest.mark.parametrize("engine", ["fast", "rank_bm25"])
def test_what_bm25plus_gives_to_chunks_without_the_word_makes_them_no_hits(engine: str) -> None:
    texts = ["pump red", "valve blue", "hose green"]
    assert min(rank_bm25.BM25Plus(tokenize("plain", texts)).get_scores(["pump"])) > 0
    assert list(scores(built(texts, variant="plus", engine=engine), "pump")) == ["0.md"]


@pytest.mark.parametrize("engine", ["fast", "rank_bm25"])
def test_a_filter_leaves_rank_bm25s_scores_and_gives_nothing_else(engine: str) -> None:
    texts = ["pump red", "pump blue blue", "hose green"]
    index = built(texts, variant="plus", engine=engine)
    (found,) = index.search([Query("pump", allowed=frozenset({"1.md", "2.md"}))], 5)
    assert [(hit.chunk.span.doc_id, hit.score) for hit in found.hits] == [("1.md", expected(texts, "pump", "plus")["1.md"])]


def test_only_the_kinds_that_a_query_is_routed_to_are_searched() -> None:
    chunks = [chunk("a.md", text="pump", kind="table"), chunk("b.md", text="pump"), chunk("c.md", text="hose")]
    (found,) = BM25().index(chunks, None).search([Query("pump", kinds=frozenset({"table"}))], 5)  # type: ignore[arg-type]
    assert [hit.chunk.span.doc_id for hit in found.hits] == ["a.md"]
    assert Query("pump", kinds=frozenset({"table"})).filter == Filter(kinds=frozenset({"table"}))


@pytest.mark.parametrize(("variant", "by_hand"), [("plus", 3.200137), ("l", 2.887118)])
def test_the_formulas_by_hand(variant: str, by_hand: float) -> None:
    """N = 3, `pump` in one chunk, tf 2, length 3, mean length 7/3: the tempered length is 0.25 + 0.75 x 9/7 = 1.214286.

    plus: ln(4 / 1) = 1.386294, times 1 + 2 x 2.5 / (1.5 x 1.214286 + 2) = 2.308411, is 3.200137.
    l: ln(4) - ln(1.5) = 0.980829, tf' = 2 / 1.214286 = 1.647059; 0.980829 x 2 x 2.5 x 2.147059 / 3.647059 = 2.887118.
    """
    found = scores(built(["pump pump red", "valve blue", "hose green"], variant=variant, tokenizer="plain"), "pump")
    assert found == {"0.md": pytest.approx(by_hand, abs=1e-6)}


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({"tokenizer": "words", "language": "german"}, "language=german changes nothing with tokenizer=words"),
        ({"tokenizer": "plain", "language": "french"}, "language=french changes nothing with tokenizer=plain"),
        ({"engine": "rank_bm25", "k1": 0}, "k1=0 makes rank_bm25 divide 0 by 0"),
    ],
)
def test_settings_that_cannot_go_together_are_an_error(recipe: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        BM25(**recipe)


@pytest.mark.parametrize("variant", ["okapi", "plus"])
def test_with_k1_0_repeated_words_do_not_count(variant: Variant) -> None:
    found = scores(built(["pump pump", "pump red", "hose", "valve", "filter"], variant=variant, k1=0), "pump")
    assert found["0.md"] == found["1.md"] > 0


def test_rank_bm25s_l_counts_a_repeated_word_in_full() -> None:
    """The formula of Lv and Zhai levels off at (k1 + 1) x idf; rank_bm25 multiplies by the frequency once more."""
    texts = ["pump " * 50, "pump " + "red " * 49, "hose", "valve", "filter"]
    found = scores(built(texts, variant="l", b=0, tokenizer="plain"), "pump")
    assert found["0.md"] > 50 * found["1.md"]
