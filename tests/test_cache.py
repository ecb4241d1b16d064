"""Each text is embedded once, each pair scored once, each request asked once."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import metadata
from threading import Barrier, Event

import numpy as np
import pytest

from harness.answerability.never import NeverRefuse
from harness.cache import CachedEmbedder, CachedLLM, CachedReranker, CachedSupport, Tally, code_of
from harness.chunking.markdown import Markdown
from harness.context import TopPassages
from harness.elapsed import measured
from harness.embedding.bge import BgeSmall
from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.fusion import ReciprocalRankFusion
from harness.judging.lexical import LexicalSupport
from harness.judging.support_proxy import SupportProxy
from harness.judging.yes_no import YesNoSupport
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.pipeline import Pipeline
from harness.recordings import Recordings
from harness.repeats import again
from harness.reranking.cross_encoder import CrossEncoder
from harness.reranking.lexical import Lexical
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.spending import Budget, charge, spent, within
from harness.store import Store
from harness.types import Completion, Document, Query, Question, Request, Turn, Usage
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


def test_a_request_is_asked_once_and_tells_the_second_time_what_it_took_the_first(store):
    tally = Tally()
    model = CachedLLM(Scripted(["first", "second"]), store, tally)
    request = Request((Turn("user", "hello"),))
    assert model.complete(request).text == "first"
    again = model.complete(request)
    assert (again.text, again.usage) == ("first", Usage(1, 1, 1))
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


HELLO = Request((Turn("user", "hello"),))


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 1.0},
        {"seed": 8},
        {"max_tokens": 16},
        {"schema": {"type": "object"}},
        {"repeat": 1},
        {"top_logprobs": 2},
        {"turns": (Turn("user", "hello "),)},
        {"turns": (Turn("system", "hello"),)},
    ],
)
def test_whatever_can_change_a_completion_is_in_its_key(store, other):
    model = CachedLLM(Scripted(["first", "second"]), store)
    assert model.complete(HELLO).text == "first"
    assert model.complete(replace(HELLO, **other)).text == "second"


@pytest.mark.parametrize("other", [{"model": "openai/b"}, {"api_base": "http://127.0.0.1:1/v1"}])
def test_another_model_or_server_has_another_key(other):
    first = LiteLLM(model="openai/a", api_base="http://127.0.0.1:2/v1")
    assert first.identity != replace(first, **other).identity


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_completion_is_not_kept(store, text):
    inner = Fixed(Completion(text))
    for _ in range(2):
        CachedLLM(inner, store).complete(HELLO)
    assert inner.calls == 2


def test_an_error_is_not_kept(store):
    model = CachedLLM(Scripted({"other": "never"}), store)
    for _ in range(2):
        with pytest.raises(StageError, match="no scripted reply fits"):
            model.complete(HELLO)
    assert model.tally.misses["complete"] == 2


def test_what_is_answered_from_the_cache_is_counted_apart_from_what_is_sent(store):
    model = CachedLLM(Scripted(["first"]), store)
    with within(Budget()) as ledger:
        for _ in range(3):
            model.complete(HELLO)
    assert ledger.answered == 2


class Fixed:
    """Gives one completion, counts how often."""

    def __init__(self, completion: Completion) -> None:
        self.completion, self.calls, self.identity = completion, 0, "fixed"

    def complete(self, _request):
        self.calls += 1
        return self.completion


def test_log_probabilities_come_back_from_the_cache(store):
    asked = Request(HELLO.turns, max_tokens=1, top_logprobs=2)
    inner = Fixed(Completion("Yes", "length", Usage(9, 1, 1), {"Yes": -0.25, "No": -1.5}))
    first, again = (CachedLLM(inner, store).complete(asked) for _ in range(2))
    assert again == first == Completion("Yes", "length", Usage(9, 1, 1), {"Yes": -0.25, "No": -1.5})
    assert (first.usage.calls, inner.calls) == (1, 1)


@pytest.mark.parametrize(
    ("reason", "max_tokens", "logprobs", "calls"),
    [
        ("stop", 512, {}, 1),
        ("content_filter", 512, {}, 2),
        ("length", 512, {}, 2),
        ("length", 512, {"Yes": -0.1}, 2),
        ("length", 1, {}, 2),
        ("length", 1, {"Yes": -0.1}, 1),
        ("content_filter", 1, {"Yes": -0.1}, 2),
    ],
)
def test_only_whole_completions_are_kept(store, reason, max_tokens, logprobs, calls):
    inner = Fixed(Completion("Yes", reason, logprobs=logprobs))
    for _ in range(2):
        CachedLLM(inner, store).complete(Request(HELLO.turns, max_tokens=max_tokens, top_logprobs=len(logprobs)))
    assert inner.calls == calls


def test_a_repeat_is_another_request(store):
    model = CachedLLM(Scripted(["first", "second"]), store)
    replies = [model.complete(Request(HELLO.turns, repeat=repeat)).text for repeat in (0, 1, 0, 1)]
    assert replies == ["first", "second", "first", "second"]


def test_under_replay_an_unknown_request_is_an_error_and_nobody_is_asked(store):
    inner = Fixed(Completion("hi"))
    with pytest.raises(
        StageError, match=r"not recorded: 'fixed' was not asked this before; run without --replay to ask the model"
    ):
        CachedLLM(inner, store, replay=True).complete(HELLO)
    assert inner.calls == 0


def test_under_replay_what_this_machine_kept_is_no_recording(store):
    inner = Fixed(Completion("hi"))
    CachedLLM(inner, store).complete(HELLO)
    with pytest.raises(StageError, match="not recorded"):
        CachedLLM(inner, store, replay=True, recordings=Recordings()).complete(HELLO)
    assert inner.calls == 1


def test_under_replay_a_recorded_request_is_answered_and_so_is_one_that_this_run_used(store, tmp_path):
    inner, recordings = Fixed(Completion("hi")), Recordings()
    recordings.write_to(tmp_path / "c.jsonl")
    CachedLLM(inner, store, recordings=recordings).complete(HELLO)
    accepted, cold = Recordings(), Store(tmp_path / "cold.sqlite")
    accepted.read(tmp_path / "c.jsonl")
    for known in (accepted, recordings):
        assert CachedLLM(inner, cold, recordings=known, replay=True).complete(HELLO).text == "hi"
    assert inner.calls == 1


class Slow:
    """Answers with the number of the call, once released; fails the first time where it is told to."""

    identity = "slow"

    def __init__(self, fails: bool = False) -> None:
        self.calls, self.fails, self.started, self.released = 0, fails, Event(), Event()

    def complete(self, _request):
        self.calls += 1
        number = self.calls
        self.started.set()
        self.released.wait(10)
        if self.fails and number == 1:
            raise StageError("no answer")
        return Completion(f"call {number}")


def asked_at_once(inner, *models):
    """The texts, or faults, of the models that are asked the same while the first call is under way."""

    def ask(model):
        try:
            return model.complete(HELLO).text
        except StageError as error:
            return str(error)

    with ThreadPoolExecutor(len(models)) as pool:
        first = pool.submit(ask, models[0])
        inner.started.wait(10)
        others = [pool.submit(ask, model) for model in models[1:]]
        inner.released.set()
        return [first.result(), *(other.result() for other in others)]


def test_threads_that_ask_the_same_share_one_call(store):
    inner = Slow()
    models = [CachedLLM(inner, store) for _ in range(6)]
    assert asked_at_once(inner, *models) == ["call 1"] * 6
    assert inner.calls == 1


def test_a_thread_that_waited_for_a_call_that_failed_asks_by_itself(store):
    inner = Slow(fails=True)
    assert asked_at_once(inner, CachedLLM(inner, store), CachedLLM(inner, store)) == ["no answer", "call 2"]


def test_another_process_that_was_first_decides_what_counts(tmp_path):
    """Two open stores of one file, as two processes have them: the second answer comes while the first is kept already."""
    ours, theirs = Store(tmp_path / "s.sqlite"), Store(tmp_path / "s.sqlite")

    class Overtaken(Fixed):
        def complete(self, request):
            CachedLLM(Fixed(Completion("theirs", usage=Usage(8, 1, 1))), theirs).complete(request)
            return super().complete(request)

    recordings = Recordings()
    recordings.write_to(tmp_path / "c.jsonl")
    inner = Overtaken(Completion("ours", usage=Usage(9, 1, 1)))
    found = CachedLLM(inner, ours, recordings=recordings).complete(HELLO)
    assert (found.text, found.usage) == ("theirs", Usage(8, 1, 1))
    assert CachedLLM(inner, ours).complete(HELLO).text == "theirs"
    assert '"theirs"' in (tmp_path / "c.jsonl").read_text()


def test_another_version_of_a_local_engine_is_asked_anew_but_recordings_hold(store, tmp_path):
    recordings = Recordings()
    recordings.write_to(tmp_path / "c.jsonl")
    inner = Fixed(Completion("old"))
    inner.engine = "engine 1"
    CachedLLM(inner, store, recordings=recordings).complete(HELLO)
    newer, absent = Fixed(Completion("new")), Fixed(Completion("none"))
    newer.engine, absent.engine = "engine 2", ""
    assert CachedLLM(inner, store).complete(HELLO).text == "old"
    assert CachedLLM(newer, store).complete(HELLO).text == "new"
    assert CachedLLM(newer, store, recordings=recordings).complete(HELLO).text == "old"
    assert CachedLLM(absent, store, recordings=recordings, replay=True).complete(HELLO).text == "old"


def test_what_was_recorded_comes_before_what_this_machine_kept(store, tmp_path):
    there, here = Store(tmp_path / "there.sqlite"), store
    recordings = Recordings()
    recordings.write_to(tmp_path / "run" / "completions.jsonl")
    CachedLLM(Fixed(Completion("theirs")), there, recordings=recordings).complete(HELLO)
    CachedLLM(Fixed(Completion("ours")), here).complete(HELLO)
    accepted = Recordings()
    accepted.read(tmp_path / "run" / "completions.jsonl")
    assert CachedLLM(Fixed(Completion("new")), here, recordings=accepted).complete(HELLO).text == "theirs"


def test_another_model_is_not_answered_from_the_recordings_of_this_one(store, tmp_path):
    recordings = Recordings()
    CachedLLM(Fixed(Completion("theirs")), store, recordings=recordings).complete(HELLO)
    other = Fixed(Completion("ours"))
    other.identity = "other"
    assert CachedLLM(other, store, recordings=recordings).complete(HELLO).text == "ours"


class Sure:
    """Says yes with a chance that depends on the repeat; counts its calls."""

    identity = "sure"
    calls = 0

    def complete(self, request):
        self.calls += 1
        return Completion("Yes", "length", logprobs={"Yes": -0.1 - request.repeat / 1000, "No": -2.0})


def test_verdicts_of_a_language_model_are_kept_by_request_so_that_a_repeat_is_judged_again(store):
    inner = Sure()
    judge = CachedSupport(YesNoSupport(CachedLLM(inner, store)), store)
    first, second, third = (again(judge, number).support(["a"], ["p"])[0] for number in (0, 1, 0))
    assert first == third != second
    assert inner.calls == 2


def test_a_recorded_run_holds_every_request_of_a_judge_whatever_this_machine_had_kept(store, tmp_path):
    inner, lines = Sure(), []
    for number in range(2):
        recordings = Recordings()
        recordings.write_to(tmp_path / f"{number}.jsonl")
        CachedSupport(YesNoSupport(CachedLLM(inner, store, recordings=recordings)), store).support(["a", "b"], ["p"])
        lines.append((tmp_path / f"{number}.jsonl").read_bytes())
    assert lines[0] == lines[1]
    assert (inner.calls, lines[0].count(b"\n")) == (2, 2)


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

    monkeypatch.syspath_prepend(tmp_path)
    source = "from harness.reranking.lexical import Lexical\n\n\nclass Mine(Lexical):\n    def scores(self, query, passages):\n"
    (tmp_path / "mine.py").write_text(source + "        return [0.25 for _ in passages]\n")
    module = importlib.import_module("mine")
    assert CachedReranker(module.Mine(), store).scores("q", ["a"]) == [0.25]
    (tmp_path / "mine.py").write_text(source + "        return [0.750 for _ in passages]\n")
    code_of.cache_clear()
    importlib.invalidate_caches()
    assert CachedReranker(importlib.reload(module).Mine(), store).scores("q", ["a"]) == [0.75]


def written_package(folder, **files):
    """A plugin package with these modules."""
    folder.mkdir(exist_ok=True)
    for name, text in {"__init__": "", **files}.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_changed_code_beside_a_plugins_stage_answers_anew(store, tmp_path, monkeypatch):
    import importlib

    monkeypatch.syspath_prepend(tmp_path)
    stage = (
        "from harness.reranking.lexical import Lexical\nfrom m4_plugin.helper import SCORE\n\n\n"
        "class Mine(Lexical):\n    def scores(self, query, passages):\n        return [SCORE for _ in passages]\n"
    )
    package = written_package(tmp_path / "m4_plugin", helper="SCORE = 0.25\n", stage=stage)
    kind = importlib.import_module("m4_plugin.stage").Mine
    assert CachedReranker(kind(), store).scores("q", ["a"]) == [0.25]
    before = code_of(kind)
    written_package(package, helper="SCORE = 0.750\n", stage=stage)
    code_of.cache_clear()
    assert code_of(kind) != before


@pytest.mark.parametrize(
    ("kind", "stems"),
    [
        (LexicalSupport, True),
        (SupportProxy, True),
        (Lexical, True),
        (CountingScorer, True),
        (BgeSmall, False),
        (Hashing, False),
        (CrossEncoder, False),
    ],
)
def test_another_version_of_the_stemmer_answers_anew_only_where_stems_are_read(monkeypatch, kind, stems):
    code_of.cache_clear()
    before = code_of(kind)
    monkeypatch.setattr("harness.cache.version", lambda name: "0.0" if name == "PyStemmer" else metadata.version(name))
    code_of.cache_clear()
    assert (code_of(kind) != before) is stems
    code_of.cache_clear()


def test_the_code_of_a_stage_is_its_file_and_what_it_imports_of_its_family() -> None:
    from harness.cache import _sources

    assert {path.name for path in _sources(BgeSmall)} == {"bge.py", "checks.py"}
    assert {"markdown.py", "outline.py", "markdown_outline.py", "rst_states.py"} <= {path.name for path in _sources(Markdown)}


class PaidScorer(Lexical):
    """Asks 3 tokens a passage, and 1 call for all of them."""

    def scores(self, query, passages):
        charge(Usage(3 * len(passages) + 1, 0, 1, 0.5))
        return super().scores(query, passages)


def test_vectors_and_scores_from_the_cache_are_billed_as_when_they_were_computed(store):
    class PaidEmbedder(Counting):
        def embed(self, texts):
            charge(Usage(7 * len(texts), 0, 1, 0.25))
            return super().embed(texts)

        embed_queries = embed

    bills = []
    for _ in range(3):
        with spent() as embedding:
            CachedEmbedder(PaidEmbedder(), store).embed_queries(["a", "bb"])
        with spent() as scoring:
            CachedReranker(PaidScorer(), store).scores("a", ["a b", "c", "d"])
        bills.append((embedding.usage, scoring.usage))
    assert bills == [(Usage(14, 0, 1, 0.25), Usage(10, 0, 1, 0.5))] * 3


class SlowPaid(Counting):
    """An embedder and a scorer whose calls take a while and cost a dollar a text."""

    def embed(self, texts):
        Event().wait(0.15)
        charge(Usage(len(texts), 0, 1, float(len(texts))))
        return super().embed(texts)

    embed_queries = embed

    def scores(self, query, passages):
        Event().wait(0.15)
        self.seen += passages
        charge(Usage(len(passages), 0, 1, float(len(passages))))
        return [0.5] * len(passages)


def at_once(*asks):
    """What each gives, all begun together, and what each was billed."""
    ready = Barrier(len(asks))

    def one(ask):
        ready.wait(10)
        with spent() as bill:
            return ask(), bill.usage

    with ThreadPoolExecutor(len(asks)) as pool:
        return list(zip(*pool.map(one, asks), strict=True))


CACHED = {
    "embed": lambda inner, store: CachedEmbedder(inner, store).embed,
    "embed_queries": lambda inner, store: CachedEmbedder(inner, store).embed_queries,
    "scores": lambda inner, store: lambda texts: CachedReranker(inner, store).scores("q", texts),
}


@pytest.mark.parametrize("call", CACHED)
def test_threads_that_want_the_same_pay_for_it_once_and_each_is_billed_what_it_costs(store, call):
    inner = SlowPaid()
    ask = CACHED[call](inner, store)
    outputs, bills = at_once(*[lambda: ask(["alpha", "be"])] * 4)
    assert sorted(inner.seen) == ["alpha", "be"]
    assert all(np.array_equal(output, outputs[0]) for output in outputs)
    assert {bill.cost for bill in bills} == {2.0}


@pytest.mark.parametrize("call", CACHED)
def test_threads_that_want_overlapping_texts_in_any_order_neither_pay_twice_nor_wait_for_each_other(store, call):
    inner = SlowPaid()
    ask = CACHED[call](inner, store)
    texts = [chr(97 + number) * (number + 1) for number in range(5)]
    orders = [texts, texts[::-1], texts[2:] + texts[:2], texts[1:3], texts[3:]]
    outputs, _ = at_once(*[lambda order=order: ask(order) for order in orders])
    assert sorted(inner.seen) == sorted(texts)
    assert np.array_equal(outputs[0], outputs[1][::-1])


@pytest.mark.parametrize("call", CACHED)
def test_a_thread_that_waits_for_another_counts_what_the_output_takes(store, call):
    ask = CACHED[call](SlowPaid(), store)

    def timed():
        with measured() as took:
            ask(["alpha"])
        return took

    (one, other), _ = at_once(timed, timed)
    assert one.known and other.known
    assert one.seconds == pytest.approx(other.seconds, rel=0.5)
    assert min(one.seconds, other.seconds) > 0.1


@pytest.mark.parametrize("call", CACHED)
def test_a_failure_of_one_thread_leaves_the_work_to_the_next(store, call):
    class Fails(SlowPaid):
        left = 1

        def embed(self, texts):
            if self.left:
                self.left -= 1
                raise StageError("no reply")
            return super().embed(texts)

        embed_queries = embed

        def scores(self, query, passages):
            self.embed(passages)
            self.seen.clear()
            return super().scores(query, passages)

    inner = Fails()
    ask = CACHED[call](inner, store)
    with pytest.raises(StageError):
        ask(["alpha"])
    ask(["alpha"])
    assert inner.seen == ["alpha"]
    assert len(store._makers) == 0


def test_two_dense_retrievers_pay_for_a_query_once(store):
    inner = SlowPaid()
    embedder = CachedEmbedder(inner, store)
    pipeline = Pipeline(
        Markdown(), embedder, {"a": Dense(), "b": Dense()}, ReciprocalRankFusion(), NoReranker(), TopPassages(), NeverRefuse()
    )
    system = pipeline.index([Document("d.md", "hello world " * 20)])
    inner.seen.clear()
    system.answer(Question("q", "hello?"))
    assert inner.seen == ["hello?"]
