import random
from collections.abc import Sequence

import pytest
from pydantic import ValidationError
from rank_bm25 import BM25Okapi

from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.protocols import Index
from harness.retrieval.sparse import BM25
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Chunk, Query
from tests.builders import chunk
from tests.contracts.retriever import RetrieverContract


class TestOkapi(RetrieverContract):
    @pytest.fixture(params=["fast", "rank_bm25"])
    def retriever(self, request: pytest.FixtureRequest) -> BM25:
        return BM25(engine=request.param)


class TestPlus(RetrieverContract):
    @pytest.fixture(params=["fast", "rank_bm25"])
    def retriever(self, request: pytest.FixtureRequest) -> BM25:
        return BM25(variant="plus", engine=request.param)


class TestL(RetrieverContract):
    @pytest.fixture(params=["fast", "rank_bm25"])
    def retriever(self, request: pytest.FixtureRequest) -> BM25:
        return BM25(variant="l", engine=request.param)


class TestBigrams(RetrieverContract):
    @pytest.fixture
    def retriever(self) -> BM25:
        return BM25(tokenizer="bigrams")


def chunks_of(texts: Sequence[str]) -> list[Chunk]:
    return [chunk(f"{number}.md", 0, 10, text) for number, text in enumerate(texts)]


def built(texts: Sequence[str], **recipe: object) -> Index:
    return BM25(**recipe).index(chunks_of(texts), Hashing())  # type: ignore[arg-type]


def scores(index: Index, query: str) -> dict[str, float]:
    """Score by document, best first."""
    return {hit.chunk.span.doc_id: hit.score for hit in index.search([Query(query)], 1000)[0].hits}


def random_texts(seed: int, count: int) -> list[str]:
    """Texts of a Zipf-like vocabulary: some words in most texts, many in one."""
    chooser = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(300)]
    weights = [1 / (number + 1) for number in range(300)]
    return [" ".join(chooser.choices(vocabulary, weights, k=chooser.randint(1, 60))) for _ in range(count)]


@pytest.mark.parametrize("tokenizer", ["plain", "words", "stemmed"])
@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (2.0, 0.0), (0.5, 1.0)])
def test_scores_equal_rank_bm25_bit_for_bit(tokenizer: TokenizerName, k1: float, b: float) -> None:
    texts, queries = random_texts(1, 201), random_texts(2, 25)
    index, oracle = built(texts, k1=k1, b=b, tokenizer=tokenizer), BM25Okapi(tokenize(tokenizer, texts), k1=k1, b=b)
    for query in queries:
        expected = oracle.get_scores(tokenize(tokenizer, [query])[0])
        assert scores(index, query) == {f"{row}.md": score for row, score in enumerate(expected) if score > 0}


def test_the_formula_by_hand() -> None:
    """N = 3, `pump` in one chunk: idf = ln(2.5 / 1.5) = 0.510826; tf 2, length 3, mean length 7/3:
    2 x 2.5 / (2 + 1.5 x (0.25 + 0.75 x 9/7)) = 1.308411; the product is 0.668370."""
    index = built(["pump pump red", "valve blue", "hose green"], tokenizer="plain")
    assert scores(index, "pump") == {"0.md": pytest.approx(0.668370, abs=1e-6)}


def test_a_word_repeated_in_the_query_counts_twice() -> None:
    index = built(["pump red", "valve blue", "hose green"])
    assert scores(index, "pump pump")["0.md"] == pytest.approx(2 * scores(index, "pump")["0.md"])


@pytest.mark.parametrize(
    ("texts", "query", "found"),
    [
        (["a1 b1", "a1 c1"], "a1", {"0.md", "1.md"}),
        (["a1", "b1"], "a1", {"0.md"}),
        (["a1 b1", "a1 b1", "a1 b1", "c1"], "a1 b1", {"0.md", "1.md", "2.md"}),
        (["only one"], "one", {"0.md"}),
    ],
    ids=["in both of two", "in half", "in three of four", "one chunk"],
)
def test_a_word_that_most_chunks_hold_still_finds_them(texts: list[str], query: str, found: set[str]) -> None:
    """rank_bm25 scores all of these 0 or below, no better than chunks without the word."""
    assert max(BM25Okapi(tokenize("plain", texts)).get_scores(query.split())) <= 0
    assert set(scores(built(texts), query)) == found


def test_a_telling_word_outranks_a_common_one_and_keeps_its_exact_score() -> None:
    texts = ["common pump", "common", "valve", "hose"]
    exact = BM25Okapi(tokenize("plain", texts)).get_scores(["common", "pump"])
    result = scores(built(texts, tokenizer="plain"), "common pump")
    assert list(result) == ["0.md", "1.md"]
    assert result["0.md"] == exact[0]


@pytest.mark.parametrize("query", ["", "   ", "?!", "the of and", "zebra"])
def test_a_query_without_a_known_word_finds_nothing(query: str) -> None:
    assert scores(built(["the pump", "the valve", "hose"]), query) == {}


@pytest.mark.parametrize(
    ("texts", "mute", "named"), [(["the", "of the"], 2, "'0.md', '1.md'"), (["?!", "...", "pump"], 2, "'0.md', '1.md'")]
)
def test_most_chunks_without_any_word_are_an_error_that_names_the_tokenizer(texts: list[str], mute: int, named: str) -> None:
    with pytest.raises(StageError, match=rf"C006.*'stemmed' gives no token for {mute} of {len(texts)} chunks: {named}"):
        built(texts)


def test_one_chunk_without_words_does_no_harm() -> None:
    assert list(scores(built(["?!", "pump red", "valve"]), "pump")) == ["1.md"]


def test_an_identifier_is_found_whole_by_part_and_in_another_case() -> None:
    index = built(["Model FH-4410-B", "Model FH-4420-B", "Model XY-1"])
    assert list(scores(index, "fh-4410-b")) == ["0.md", "1.md"]
    assert list(scores(index, "4420")) == ["1.md"]


def test_inflections_match_when_stemmed_only() -> None:
    texts = ["refunded payments", "a valve", "a hose"]
    assert set(scores(built(texts), "refund payment")) == {"0.md"}
    assert scores(built(texts, tokenizer="words"), "refund payment") == {}


def test_cjk_text_is_searched_by_character() -> None:
    assert next(iter(scores(built(["東京の天気", "大阪の食事", "pump"]), "天気"))) == "0.md"


def test_the_made_up_passage_is_not_read() -> None:
    index = built(["pump", "valve", "hose"])
    (found,) = index.search([Query("pump", hypothetical="valve")], 5)
    assert [hit.chunk.text for hit in found.hits] == ["pump"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("k1", value) for value in (-1, float("nan"), float("inf"), "much")],
        *[("b", 1.1), ("b", -0.1), ("b", float("nan"))],
        *[("tokenizer", "porter"), ("variant", "bm25f"), ("engine", "bm25s"), ("language", "klingon")],
    ],
)
def test_a_bad_value_is_an_error_that_names_the_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        BM25(**{field: value})  # type: ignore[arg-type]


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(ValidationError, match="epsilon"):
        BM25(epsilon=0.5)  # type: ignore[call-arg]


def test_the_words_of_a_chunks_questions_count_like_those_of_its_text() -> None:
    texts, questions = random_texts(3, 40), random_texts(4, 40)
    chunks = [chunk(f"{row}.md", text=text, questions=tuple(questions[row].split(" w1 "))) for row, text in enumerate(texts)]
    joined = [f"{item.text} {' '.join(item.questions)}" for item in chunks]
    index, oracle = BM25().index(chunks, Hashing()), BM25Okapi(tokenize("stemmed", joined))
    for query in random_texts(5, 10):
        expected = oracle.get_scores(tokenize("stemmed", [query])[0])
        assert scores(index, query) == {f"{row}.md": score for row, score in enumerate(expected) if score > 0}


def test_progress_tells_of_each_thousand_chunks() -> None:
    steps: list[tuple[str, int, int]] = []
    BM25().index(chunks_of(["pump"] * 2500), Hashing(), lambda *step: steps.append(step))
    assert steps == [("index BM25", done, 2500) for done in (0, 1000, 2000, 2500)]
