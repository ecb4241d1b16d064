import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from harness.cache import CachedReranker
from harness.errors import ConfigError, StageError
from harness.reranking.litellm_reranker import LiteLLMReranker
from harness.spending import Budget, ExhaustedError, spent, within
from harness.store import Store
from tests.contracts.reranker import BANANA, BERLIN, PARIS, QUERY, ScoringRerankerContract
from tests.fake_openai import FakeOpenAI, Reply, busy, failing, garbage, slow

TEXTS = [PARIS.text, BERLIN.text, BANANA.text]


def scored(*rows: tuple[Any, Any]) -> Reply:
    results = [{"index": index, "relevance_score": score} for index, score in rows]
    return Reply(json.dumps({"id": "r", "results": results, "usage": {"total_tokens": 9}}).encode())


def by_words(request: Mapping[str, Any]) -> Reply:
    """Scores by shared words, whatever stands beside; the best first, as providers answer."""
    wanted = set(request["query"].lower().strip("?").split())
    shares = [len(wanted & set(text.lower().replace(",", " ").replace(".", " ").split())) for text in request["documents"]]
    rows = [(place, share / (len(wanted) or 1)) for place, share in enumerate(shares)]
    return scored(*sorted(rows, key=lambda row: -row[1]))


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as fake:
        yield fake


def asked(server: FakeOpenAI, *replies: Any, **settings: Any) -> LiteLLMReranker:
    server.script("rr", *(replies or [by_words]))
    return LiteLLMReranker("hosted_vllm/rr", server.url, **{"attempts": 1, **settings})


class TestLiteLLMReranker(ScoringRerankerContract):
    @pytest.fixture
    def reranker(self, server: FakeOpenAI) -> LiteLLMReranker:
        return asked(server)


def test_scores_come_back_to_their_passages(server: FakeOpenAI) -> None:
    assert asked(server, scored((2, 0.1), (0, 0.9), (1, 0.5))).scores("q", TEXTS) == [0.9, 0.5, 0.1]


@pytest.mark.parametrize(
    "reply",
    [
        scored((0, 0.9), (1, 0.5)),
        scored((0, 0.9), (0, 0.8), (1, 0.5)),
        scored((0, 0.9), (1, 0.5), (-1, 0.2)),
        scored((0, 0.9), (1, 0.5), (7, 0.2)),
        scored((0, 0.9), (1, 0.5), (2, None)),
        scored((0, 0.9), (1, 0.5), (2, -8.2)),
        scored((0, 0.9), (1, 0.5), (2, 6.2)),
        scored((0, 0.9), (1, 0.5), (2, float("nan"))),
        scored(),
        failing(500),
        failing(401),
        garbage(),
    ],
    ids=lambda reply: reply.body[:60].decode(),
)
def test_a_reply_that_does_not_score_each_passage_once_is_an_error_and_never_a_score(server: FakeOpenAI, reply: Reply) -> None:
    with pytest.raises(StageError):
        asked(server, reply).scores("q", TEXTS)


def test_a_bad_reply_is_asked_for_again_within_the_attempts(server: FakeOpenAI) -> None:
    assert asked(server, busy("0"), scored((0, 0.9)), by_words, attempts=3).scores(QUERY.text, TEXTS)[0] > 0.8
    assert server.count("rr") == 3


def test_the_attempts_bound_the_requests(server: FakeOpenAI) -> None:
    with pytest.raises(StageError, match="after 2 attempts"):
        asked(server, failing(503), attempts=2).scores("q", TEXTS)
    assert server.count("rr") == 2


def test_a_slow_server_ends_at_the_deadline(server: FakeOpenAI) -> None:
    with pytest.raises(StageError, match=r"deadline|no whole reply"):
        asked(server, slow(5), timeout=0.2, deadline=0.5, attempts=9).scores("q", TEXTS)


def test_a_pair_is_paid_for_once(server: FakeOpenAI, tmp_path: Path) -> None:
    store = Store(tmp_path / "stages.sqlite")
    first = CachedReranker(asked(server), store).scores(QUERY.text, TEXTS[:2])
    again = CachedReranker(asked(server), store).scores(QUERY.text, TEXTS)
    assert (again[:2], server.count("rr")) == (first, 2)
    assert server.requests[1]["documents"] == TEXTS[2:]


def test_a_missing_key_is_found_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COHERE_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="COHERE_API_KEY"):
        LiteLLMReranker("cohere/rerank-v3.5", api_key_env="COHERE_API_KEY").check()


def searched(units: Any) -> Callable[[Mapping[str, Any]], Reply]:
    """Cohere's reply: searches instead of tokens."""

    def reply(request: Mapping[str, Any]) -> Reply:
        rows = [{"index": place, "relevance_score": 0.5} for place in range(len(request["documents"]))]
        meta = {} if units is None else {"meta": {"billed_units": {"search_units": units}}}
        return Reply(json.dumps({"id": "r", "results": rows, **meta}).encode())

    return reply


LONG = ["word " * 600] * 250
"""250 passages, each of more than 500 tokens: Cohere bills 5 searches or more."""


@pytest.mark.parametrize(("cost", "sent"), [(0.005, 0), (0.035, 0), (0.037, 1)])
def test_a_budget_of_money_holds_for_many_long_passages(server: FakeOpenAI, cost: float, sent: int) -> None:
    server.script("rerank-v3.5", searched(5))
    with within(Budget(cost=cost)) as ledger, nullcontext() if sent else pytest.raises(ExhaustedError, match="R004"):
        LiteLLMReranker("cohere/rerank-v3.5", server.url, attempts=1).scores("q", LONG)
    assert (server.count("rerank-v3.5"), ledger.sent.calls) == (sent, sent)
    assert ledger.sent.cost == pytest.approx(0.01 * sent)


@pytest.mark.parametrize(("units", "cost"), [(5, 0.01), (None, 0.036), (0, 0.036), (-3, 0.036)])
def test_a_reranking_without_a_count_of_searches_costs_the_most(server: FakeOpenAI, units: Any, cost: float) -> None:
    server.script("rerank-v3.5", searched(units))
    with within(Budget()) as ledger, spent() as bill:
        LiteLLMReranker("cohere/rerank-v3.5", server.url, attempts=1).scores("q", LONG)
    assert bill.usage == ledger.sent
    assert ledger.sent.cost == pytest.approx(cost)
