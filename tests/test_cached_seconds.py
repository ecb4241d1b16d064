"""A stage counts the same seconds whether it is computed or answered from the cache."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from harness.cache import CachedEmbedder, CachedLLM, CachedReranker
from harness.elapsed import Elapsed, measured
from harness.recordings import Recordings
from harness.reranking.lexical import Lexical
from harness.store import Store
from harness.types import Completion, Request, Turn
from tests.builders import question
from tests.test_elapsed import HandSet
from tests.test_pipeline import DOCUMENTS, pipeline


@pytest.fixture
def clock(monkeypatch):
    hand_set = HandSet()
    monkeypatch.setattr("harness.elapsed.perf_counter", hand_set)
    return hand_set


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "s.sqlite")


class SlowEmbedder:
    """Half a second a text."""

    identity = "slow"

    def __init__(self, clock) -> None:
        self.clock = clock

    def embed(self, texts):
        self.clock.pass_(0.5 * len(texts))
        return np.array([[1.0, 0.0]] * len(texts), dtype=np.float32).reshape(-1, 2)

    embed_queries = embed


class SlowScorer(Lexical):
    """Two seconds a pair."""

    def scores(self, query, passages):
        CLOCKS[-1].pass_(2.0 * len(passages))
        return super().scores(query, passages)


CLOCKS: list[HandSet] = []
"""A scorer is frozen and checked, so its clock stands beside it."""


class SlowModel:
    """Eight seconds a request."""

    identity = "slow"

    def __init__(self, clock, reason="stop") -> None:
        self.clock, self.reason = clock, reason

    def complete(self, _request):
        self.clock.pass_(8.0)
        return Completion("hi", self.reason)


HELLO = Request((Turn("user", "hello"),))


def embedded(clock, store):
    return CachedEmbedder(SlowEmbedder(clock), store).embed_queries(["a", "b", "a"])


def reranked(clock, store):
    CLOCKS.append(clock)
    return CachedReranker(SlowScorer(), store).scores("q", ["a", "b", "c", "b"])


def completed(clock, store):
    return CachedLLM(SlowModel(clock), store).complete(HELLO).text


STAGES = [("embed", embedded, 1.0), ("rerank", reranked, 6.0), ("complete", completed, 8.0)]


def took(stage, *arguments) -> Elapsed:
    with measured() as elapsed:
        stage(*arguments)
    return replace(elapsed, seconds=round(elapsed.seconds, 6))


@pytest.mark.parametrize(("_name", "stage", "seconds"), STAGES)
def test_cold_and_warm_are_equal(clock, store, _name, stage, seconds):
    assert [took(stage, clock, store) for _ in range(3)] == [Elapsed(seconds, True)] * 3


@pytest.mark.parametrize(("name", "stage", "_seconds"), STAGES)
def test_a_store_from_before_seconds_were_kept_is_not_known(clock, store, name, stage, _seconds):
    stage(clock, store)
    store._db.execute("DELETE FROM entries WHERE namespace = ?", [f"{name}_seconds"])
    assert took(stage, clock, store) == Elapsed(0.0, False)


@pytest.mark.parametrize(("name", "stage", "_seconds"), STAGES)
def test_damaged_seconds_are_not_known(clock, store, name, stage, _seconds):
    stage(clock, store)
    store._db.execute("UPDATE entries SET value = x'39' WHERE namespace = ?", [f"{name}_seconds"])
    assert not took(stage, clock, store).known


def test_outputs_that_another_variant_computed_count_too(clock, store):
    CLOCKS.append(clock)
    scorer = CachedReranker(SlowScorer(), store)
    scorer.scores("q", ["a", "b"])
    assert took(scorer.scores, "q", ["b", "c", "a"]) == Elapsed(6.0, True)


def test_what_was_computed_outside_a_question_counts_inside_one(clock, store):
    embedded(clock, store)
    assert took(embedded, clock, store) == Elapsed(1.0, True)


def test_a_text_counts_as_its_share_of_the_batch_it_was_embedded_in(clock, store):
    cached = CachedEmbedder(SlowEmbedder(clock), store)
    cached.embed([str(number) for number in range(100)])
    assert took(cached.embed, ["99", "7"]) == Elapsed(1.0, True)


def test_no_text_takes_no_time(clock, store):
    assert took(CachedEmbedder(SlowEmbedder(clock), store).embed, []) == Elapsed(0.0, True)


def test_a_cut_off_completion_is_asked_and_counted_each_time(clock, store):
    model = CachedLLM(SlowModel(clock, "length"), store)
    assert [took(model.complete, HELLO) for _ in range(2)] == [Elapsed(8.0, True)] * 2


def test_a_recorded_completion_of_another_machine_is_not_known(clock, store, tmp_path):
    recordings = Recordings()
    recordings.write_to(tmp_path / "c.jsonl")
    CachedLLM(SlowModel(clock), Store(tmp_path / "there.sqlite"), recordings=recordings).complete(HELLO)
    accepted = Recordings()
    accepted.read(tmp_path / "c.jsonl")
    replayed = CachedLLM(SlowModel(clock), store, recordings=accepted, replay=True)
    assert took(replayed.complete, HELLO) == Elapsed(0.0, False)


def test_a_model_behind_two_caches_keeps_what_its_answer_took_and_not_the_look_up(clock, store, tmp_path):
    inner = CachedLLM(SlowModel(clock), store)
    inner.complete(HELLO)
    outer = CachedLLM(inner, Store(tmp_path / "outer.sqlite"))
    assert [took(outer.complete, HELLO) for _ in range(2)] == [Elapsed(8.0, True)] * 2


def test_what_rests_on_an_output_that_is_not_known_is_not_known_either(clock, store, tmp_path):
    CachedLLM(SlowModel(clock), store).complete(HELLO)
    store._db.execute("DELETE FROM entries WHERE namespace = 'complete_seconds'")
    outer = CachedLLM(CachedLLM(SlowModel(clock), store), Store(tmp_path / "outer.sqlite"))
    assert [took(outer.complete, HELLO).known for _ in range(2)] == [False, False]


def test_two_threads_that_share_a_cache_each_count_their_own(clock, store):
    scorer = CachedReranker(SlowScorer(), store)
    CLOCKS.append(clock)
    asked = [["a"], ["a", "b", "c"], ["d", "e"], ["b"]]
    cold = [took(scorer.scores, "q", passages) for passages in asked]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda passages: took(scorer.scores, "q", passages), asked)) == cold
    assert [elapsed.seconds for elapsed in cold] == [2.0, 6.0, 4.0, 2.0]


def seconds_of(recipe) -> dict[str, float]:
    """Of the stages of a question, on the hand-set clock."""
    trace = recipe.index(DOCUMENTS, as_of="2026-01-01").answer(question(text="How far does the gateway reach?"))
    return dict(trace.seconds)


def test_a_question_takes_the_same_with_a_cold_cache_and_a_warm_one(clock, store):
    CLOCKS.append(clock)
    recipe = pipeline(embedder=CachedEmbedder(SlowEmbedder(clock), store), reranker=CachedReranker(SlowScorer(), store))
    cold, warm = seconds_of(recipe), seconds_of(recipe)
    assert cold == warm
    assert (cold["retrieve_dense"], cold["rerank"], cold["fuse"]) == (0.5, 8.0, 0.0)


def test_a_stage_that_is_not_known_has_another_name_in_the_trace(clock, store):
    CLOCKS.append(clock)
    recipe = pipeline(reranker=CachedReranker(SlowScorer(), store))
    seconds_of(recipe)
    store._db.execute("DELETE FROM entries WHERE namespace = 'rerank_seconds'")
    found = seconds_of(recipe)
    assert "rerank" not in found
    assert found["rerank from cache"] == 0.0
    assert "retrieve_bm25" in found


class Contended(Store):
    """A store in which another thread is making each entry, for three seconds more."""

    clock: HandSet

    def maker(self, _key):
        return self

    def acquire(self):
        self.clock.pass_(3.0)

    def release(self):
        """Nothing is held."""


def test_the_wait_for_a_thread_that_asks_the_same_is_not_counted_beside_the_answer(clock, tmp_path):
    store = Contended(tmp_path / "s.sqlite")
    store.clock = clock
    model = CachedLLM(SlowModel(clock), store)
    assert [took(model.complete, HELLO) for _ in range(2)] == [Elapsed(8.0, True)] * 2
