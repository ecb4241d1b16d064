"""The embedder over litellm against a real loopback server that counts what it gets."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.cache import CachedEmbedder
from harness.embedding.hashing import Hashing
from harness.embedding.litellm_embedder import LiteLLMEmbedder
from harness.errors import ConfigError, StageError
from harness.spending import Budget, ExhaustedError, spent, within
from harness.store import Store
from tests.contracts.embedder import EmbedderContract
from tests.fake_openai import FakeOpenAI, Reply, busy, failing, garbage, slow

CANARY = "sk-CANARY-0123456789"


def reply(vectors: list[Any], indices: list[Any] | None = None, tokens: int = 7) -> Reply:
    """An answer of /v1/embeddings."""
    numbered = zip(range(len(vectors)) if indices is None else indices, vectors, strict=True)
    data = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in numbered]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return Reply(json.dumps({"object": "list", "model": "fake", "data": data, "usage": usage}).encode())


def hashed(request: Mapping[str, Any]) -> Reply:
    """Word counts, three times as long as a unit vector."""
    texts = request.get("input") or request["texts"]
    return reply((3 * Hashing(64).embed(texts)).tolist())


def cohere(request: Mapping[str, Any]) -> Reply:
    """The same in Cohere's form."""
    vectors = Hashing(64).embed(request["texts"]).tolist()
    return Reply(
        json.dumps({"id": "1", "embeddings": {"float": vectors}, "meta": {"billed_units": {"input_tokens": 7}}}).encode()
    )


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as fake:
        fake.script("m", hashed)
        yield fake


def embedder(server: FakeOpenAI, model: str = "openai/m", **settings: Any) -> LiteLLMEmbedder:
    """An embedder of the fake server that does not sleep."""
    made = LiteLLMEmbedder(model=model, api_base=server.url, **{"dimension": 64, **settings})
    object.__setattr__(made, "_sleep", lambda _seconds: None)
    return made


class TestLiteLLMEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, server: FakeOpenAI) -> LiteLLMEmbedder:
        return embedder(server)


def test_vectors_come_in_the_order_of_the_texts_whatever_the_order_of_the_reply(server: FakeOpenAI) -> None:
    server.script("m", reply([[0, 2], [5, 0]], indices=[1, 0]))
    assert embedder(server, dimension=2).embed(["a", "b"]).tolist() == [[1, 0], [0, 1]]


def test_texts_go_out_in_batches(server: FakeOpenAI) -> None:
    texts = [f"word{number}" for number in range(7)]
    assert np.array_equal(embedder(server, batch=3).embed(texts), Hashing(64).embed(texts))
    assert [request["input"] for request in server.requests] == [texts[:3], texts[3:6], texts[6:]]


def test_no_texts_and_blank_ones_send_nothing(server: FakeOpenAI) -> None:
    assert embedder(server).embed([]).shape == (0, 64)
    with pytest.raises(StageError, match="text 1 of 2"):
        embedder(server).embed(["a", " "])
    assert server.requests == []


PROVIDERS = {
    "openai": ("text-embedding-3-small", hashed, {}, {}),
    "voyage": ("voyage-3.5", hashed, {"input_type": "document"}, {"input_type": "query"}),
    "jina": ("jina-embeddings-v3", hashed, {"task": "retrieval.passage"}, {"task": "retrieval.query"}),
    "cohere": ("embed-v4.0", cohere, {"input_type": "search_document"}, {"input_type": "search_query"}),
}


@pytest.mark.parametrize("option", PROVIDERS)
def test_each_provider_is_told_what_is_a_passage_and_what_a_query(
    option: str, server: FakeOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, script, passage, query = PROVIDERS[option]
    server.script(model, script)
    for name in ("OPENAI_API_KEY", "VOYAGE_API_KEY", "JINA_AI_API_KEY", "COHERE_API_KEY"):
        monkeypatch.setenv(name, f"key of {name}")
    words = [f"embedder={option}", "embedder.dimension=64", f"embedder.api_base={server.url}", "reranker=none", "generator=none"]
    made = build(parse(words)[0], Store(tmp_path / "stages.sqlite")).pipeline.embedder
    assert made.embed(["the pump"]).shape == made.embed_queries(["a valve"]).shape == (1, 64)
    told = [{name: request[name] for name in ("input_type", "task") if name in request} for request in server.requests]
    assert told == [passage, query]
    assert {request["model"] for request in server.requests} == {model}
    assert all(f"{option.upper()}_" in sent for sent in server.authorizations)


def test_a_length_is_asked_for_only_where_it_is_wanted(server: FakeOpenAI) -> None:
    server.script("text-embedding-3-small", hashed)
    for shorten in (False, True):
        embedder(server, "openai/text-embedding-3-small", shorten=shorten).embed(["a"])
    assert [request.get("dimensions") for request in server.requests] == [None, 64]


@pytest.mark.parametrize(
    "fault", [busy("0"), failing(500), failing(503), garbage(), reply([])], ids=["429", "500", "503", "garbage", "none"]
)
def test_what_passes_is_tried_again(server: FakeOpenAI, fault: Reply) -> None:
    server.script("m", fault, hashed)
    assert embedder(server).embed(["pump"]).shape == (1, 64)
    assert server.count("m") == 2


FAULTS: dict[str, tuple[Reply, str]] = {
    "429": (busy("0"), "R005 .* after 3 attempts"),
    "500": (failing(500), "R006 .* after 3 attempts"),
    "garbage": (garbage(), "R006"),
    "one too few": (reply([[1.0, 0.0]]), r"vectors of \[0\], of 2 texts"),
    "one too many": (reply([[1.0, 0.0]] * 3), r"vectors of \[0, 1, 2\], of 2 texts"),
    "one twice": (reply([[1.0, 0.0]] * 2, indices=[1, 1]), r"vectors of \[1, 1\], of 2 texts"),
    "no number": (reply([[1.0, 0.0], [1.0, "0"]]), "R006"),
    "no list": (reply([[1.0, 0.0], None]), "no list of numbers"),
    "NaN": (reply([[1.0, 0.0], [float("nan"), 1.0]]), "no finite number"),
    "infinite": (reply([[1.0, 0.0], [float("inf"), 1.0]]), "no finite number"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_stays_is_an_error_after_as_many_requests_as_are_allowed(server: FakeOpenAI, name: str) -> None:
    fault, message = FAULTS[name]
    server.script("m", fault)
    with pytest.raises((StageError, ExhaustedError), match=message):
        embedder(server, dimension=2, attempts=3).embed(["a", "b"])
    assert server.count("m") == 3


def test_another_dimension_is_an_error_at_once_that_names_both(server: FakeOpenAI) -> None:
    server.script("m", reply([[1.0, 0.0, 0.0]]))
    with pytest.raises(StageError, match="gave vectors of 3 dimensions, dimension=2 is set"):
        embedder(server, dimension=2).embed(["a"])
    assert server.count("m") == 1


def test_a_zero_vector_names_its_text(server: FakeOpenAI) -> None:
    server.script("m", reply([[1.0, 0.0], [0.0, 0.0]]))
    with pytest.raises(StageError, match=r"no direction for text 1 of 2 .'pump'"):
        embedder(server, dimension=2).embed(["a", "pump"])


def test_a_refused_request_is_not_repeated(server: FakeOpenAI) -> None:
    server.script("m", failing(400, "too long"))
    with pytest.raises(StageError, match=r"R007 .*too long"):
        embedder(server).embed(["a"])
    assert server.count("m") == 1


def test_a_slow_server_is_left_after_the_timeout(server: FakeOpenAI) -> None:
    server.script("m", slow(2))
    with pytest.raises(StageError, match=r"R006 .* after 1 attempt"):
        embedder(server, timeout=0.2, attempts=1).embed(["a"])


def test_the_key_comes_from_the_environment_and_stands_nowhere_else(server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    made = embedder(server, api_key_env="MY_KEY")
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ConfigError, match="'MY_KEY' is unset"):
        made.check()
    monkeypatch.setenv("MY_KEY", CANARY)
    made.check()
    made.embed(["a"])
    assert server.authorizations == [f"Bearer {CANARY}"]
    assert CANARY not in repr(made) + made.identity


def test_an_embedder_whose_key_is_missing_is_a_fault_of_the_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    with pytest.raises(ConfigError) as error:
        build(parse(["embedder=voyage", "reranker=none", "generator=none"])[0], Store(tmp_path / "stages.sqlite"))
    assert [(problem.code, problem.where) for problem in error.value.problems] == [("F010", "embedder")]
    assert "VOYAGE_API_KEY" in error.value.problems[0].what


def test_what_it_takes_is_charged_and_counted_against_the_budget(server: FakeOpenAI) -> None:
    server.script("text-embedding-3-small", hashed)
    made = embedder(server, "openai/text-embedding-3-small", batch=1)
    with within(Budget(calls=3)) as ledger:
        with spent() as bill:
            made.embed(["a", "b"])
        with pytest.raises(ExhaustedError, match="R004"):
            made.embed_queries(["a", "b"])
    assert (bill.usage.calls, bill.usage.input_tokens, bill.usage.output_tokens) == (2, 14, 0)
    assert bill.usage.cost == pytest.approx(14 * 2e-8)
    assert ledger.sent.calls == server.count("text-embedding-3-small") == 3


def test_behind_its_cache_no_text_is_paid_for_twice(server: FakeOpenAI, tmp_path: Path) -> None:
    def cached(**settings: Any) -> CachedEmbedder:
        return CachedEmbedder(embedder(server, **settings), Store(tmp_path / "stages.sqlite"))

    cached().embed(["pump", "valve", "pump"])
    cached().embed(["valve", "seal"])
    cached().embed_queries(["pump"])
    assert [request["input"] for request in server.requests] == [["pump", "valve"], ["seal"], ["pump"]]
    with within(Budget()) as ledger:
        cached().embed(["pump", "valve", "seal"])
    assert (len(server.requests), ledger.sent.calls) == (3, 0)


def test_what_was_embedded_before_a_failure_is_kept(server: FakeOpenAI, tmp_path: Path) -> None:
    texts = [f"word{number}" for number in range(70)]
    made = CachedEmbedder(embedder(server, attempts=1), Store(tmp_path / "stages.sqlite"))
    server.script("m", hashed, hashed, failing(500), hashed)
    with pytest.raises(StageError):
        made.embed(texts)
    made.embed(texts)
    assert [len(request["input"]) for request in server.requests] == [32, 32, 6, 6]


@pytest.mark.parametrize(
    "change",
    [{"dimension": 128}, {"shorten": True}, {"passages": {"task": "a"}}, {"queries": {"task": "a"}}, {"model": "openai/n"}],
)
def test_whatever_can_change_a_vector_is_in_the_identity(server: FakeOpenAI, change: dict[str, Any]) -> None:
    assert embedder(server, **change).identity != embedder(server).identity


@pytest.mark.parametrize("change", [{"batch": 5}, {"timeout": 5}, {"attempts": 1}, {"concurrency": 2}, {"api_key_env": "A"}])
def test_what_changes_no_vector_is_not(server: FakeOpenAI, change: dict[str, Any]) -> None:
    assert embedder(server, **change).identity == embedder(server).identity


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"dimension": 0}, "dimension"),
        ({"batch": 33}, "batch"),
        ({"queries": {"api_key": CANARY}}, "queries"),
        ({"queries": {"input_type": ""}}, "queries"),
        ({"api_key": CANARY}, "api_key"),
        ({"api_key_env": CANARY}, "api_key_env"),
    ],
)
def test_a_wrong_setting_is_named_and_a_key_in_the_config_is_not_shown(
    server: FakeOpenAI, settings: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValidationError) as error:
        embedder(server, **settings)
    assert named in str(error.value)
    assert CANARY not in str(error.value)
