"""Each text is embedded once, each pair scored once, each request asked once."""

import numpy as np
import pytest

from harness.cache import CachedEmbedder, CachedLLM, CachedReranker, Tally
from harness.errors import StageError
from harness.llm.scripted import Scripted
from harness.reranking.lexical import Lexical
from harness.store import Store
from harness.types import Completion, Query, Request, Turn, Usage
from tests.builders import chunk, ranking


class Counting:
    """Embeds a text as its length and its first letter; counts what it was given."""

    def __init__(self, identity: str = "m1") -> None:
        self.identity = identity
        self.seen: list[str] = []

    def embed(self, texts):
        self.seen += texts
        vectors = np.array([[len(text), ord(text[0])] for text in texts], dtype=np.float32).reshape(-1, 2)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    embed_queries = embed


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "s.sqlite")


def test_a_text_is_embedded_once_and_comes_back_bit_for_bit(store):
    inner = Counting()
    cached = CachedEmbedder(inner, store)
    first = cached.embed(["alpha", "be", "alpha"])
    second = CachedEmbedder(inner, store).embed(["be", "alpha"])
    assert inner.seen == ["alpha", "be"]
    assert np.array_equal(first[:2], second[::-1])


def test_more_texts_than_a_batch_keep_their_order(store):
    texts = ["x" * number for number in range(1, 100)]
    assert np.array_equal(CachedEmbedder(Counting(), store).embed(texts), Counting().embed(texts))


def test_no_text_gives_no_vector(store):
    assert CachedEmbedder(Counting(), store).embed([]).shape == (0, 2)


def test_another_model_never_gets_its_predecessors_vectors(store):
    CachedEmbedder(Counting("m1"), store).embed(["alpha"])
    other = Counting("m2")
    CachedEmbedder(other, store).embed(["alpha"])
    assert other.seen == ["alpha"]


def test_queries_and_passages_are_kept_apart(store):
    inner = Counting()
    cached = CachedEmbedder(inner, store)
    cached.embed(["alpha"])
    cached.embed_queries(["alpha"])
    assert inner.seen == ["alpha", "alpha"]


class CountingScorer(Lexical):
    """A lexical scorer that counts its pairs."""

    seen = 0

    def scores(self, query, passages):
        type(self).seen += len(passages)
        return super().scores(query, passages)


def test_a_pair_is_scored_once_and_the_order_is_the_scorers_own(store):
    CountingScorer.seen = 0
    hits = ranking(chunk(text="the battery is flat"), chunk(start=50, end=60, text="reset the gateway"))
    query = Query("reset gateway")
    plain = Lexical().rerank(query, hits)
    for _ in range(2):
        assert CachedReranker(CountingScorer(), store).rerank(query, hits) == plain
    assert CountingScorer.seen == 2


def test_a_cached_reranker_is_calibrated_as_its_scorer(store):
    assert CachedReranker(Lexical(), store).calibrated is Lexical().calibrated is True


def test_a_request_is_asked_once_and_costs_nothing_the_second_time(store):
    tally = Tally()
    model = CachedLLM(Scripted(["first", "second"]), store, tally)
    request = Request((Turn("user", "hello"),))
    assert model.complete(request).text == "first"
    again = model.complete(request)
    assert (again.text, again.usage) == ("first", Usage())
    assert tally.lines() == ["complete: 1 of 2 from the cache"]


def test_a_request_with_another_temperature_is_another_request(store):
    model = CachedLLM(Scripted(["first", "second"]), store)
    model.complete(Request((Turn("user", "hello"),)))
    assert model.complete(Request((Turn("user", "hello"),), temperature=1.0)).text == "second"


def test_a_cut_off_completion_is_not_kept(store):
    class Cut:
        identity = "cut"
        calls = 0

        def complete(self, _request):
            self.calls += 1
            return Completion("half a", finish_reason="length")

    inner = Cut()
    model = CachedLLM(inner, store)
    for _ in range(2):
        model.complete(Request((Turn("user", "hello"),)))
    assert inner.calls == 2


@pytest.mark.parametrize("number", [np.float64(0.7), np.float32(0.5), 1])
def test_any_number_of_a_plugin_is_kept_as_a_plain_one(store, number):
    class Numpy(Lexical):
        def scores(self, query, passages):
            return [number for _ in passages]

    for _ in range(2):
        assert CachedReranker(Numpy(), store).scores("q", ["a"]) == [pytest.approx(float(number))]


@pytest.mark.parametrize("bad", [7.5, -0.1, float("nan")])
def test_a_score_outside_its_range_is_an_error_and_is_not_kept(store, bad):
    class Logits(Lexical):
        def scores(self, query, passages):
            return [bad for _ in passages]

    for _ in range(2):
        with pytest.raises(StageError, match=r"a number in \[0, 1\] is needed"):
            CachedReranker(Logits(), store).scores("q", ["a"])


def test_a_vector_without_a_direction_is_an_error_and_is_not_kept(store):
    class Zero(Counting):
        def embed(self, texts):
            return np.zeros((len(texts), 2), dtype=np.float32)

    with pytest.raises(StageError, match="has no direction"):
        CachedEmbedder(Zero(), store).embed(["alpha"])
    assert CachedEmbedder(Counting(), store).embed(["alpha"]).any()


def test_changed_code_answers_anew(store, tmp_path, monkeypatch):
    import importlib

    from harness.cache import code_of

    monkeypatch.syspath_prepend(tmp_path)
    source = "from harness.reranking.lexical import Lexical\n\n\nclass Mine(Lexical):\n    def scores(self, query, passages):\n"
    (tmp_path / "mine.py").write_text(source + "        return [0.25 for _ in passages]\n")
    module = importlib.import_module("mine")
    assert CachedReranker(module.Mine(), store).scores("q", ["a"]) == [0.25]
    (tmp_path / "mine.py").write_text(source + "        return [0.750 for _ in passages]\n")
    code_of.cache_clear()
    importlib.invalidate_caches()
    assert CachedReranker(importlib.reload(module).Mine(), store).scores("q", ["a"]) == [0.75]
