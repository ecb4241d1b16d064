"""Settings that change nothing beside the others are told in a sentence, and the run goes on."""

import pytest

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.store import Store

LIGHT = ["embedder=hashing", "reranker=lexical", "judge=none", "gate=none", "answerability=never"]


@pytest.fixture
def notices(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    return lambda *words: build(parse([*LIGHT, *words])[0], Store(tmp_path / "s.sqlite")).notices


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["retrievers=bm25", "hyde=on"], "hyde (DeclarativeHyde) changes nothing: no retriever of this run embeds"),
        (["retrievers=bm25", "store=faiss_hnsw"], "store (Hnsw) changes nothing: no retriever of this run embeds"),
        (["generator=none", "verification=claims"], "verification (Verification) changes nothing: generator=none"),
        (["generator=none", "verification=refuse"], "verification (Verification) changes nothing: generator=none"),
        (["verification=regenerate"], "verification.policy=regenerate strips at once"),
        (["verification=strip", "verification.attempts=3"], "verification.attempts=3 changes nothing"),
        (["store=faiss_ivf", "store.nprobe=65"], "store.nprobe=65 of dense is no more than all store.lists=64"),
        (["context.tokenizer=gemini/gemini-2.5-flash"], "context.tokenizer=gemini/gemini-2.5-flash counts tokens of OpenAI's"),
    ],
)
def test_what_changes_nothing_is_told(notices, words, begins):
    (found,) = notices(*words)
    assert found.startswith(begins)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["generator=none"],
        ["generator=none", "verification=none"],
        ["retrievers=bm25"],
        ["retrievers=hybrid", "hyde=on", "store=faiss_hnsw"],
        ["verification=regenerate", "verification.attempts=3", "generator=llm"],
        ["store=faiss_ivf", "store.nprobe=64"],
        ["context.tokenizer=openai/gpt-4o-mini"],
    ],
)
def test_what_counts_is_passed_over_in_silence(notices, words):
    assert notices(*words) == ()


def test_all_of_it_is_told(notices):
    assert len(notices("retrievers=bm25", "hyde=on", "store=faiss_ivf", "verification=regenerate")) == 3
