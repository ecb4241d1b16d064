"""Models inside a judge's parts: behind the caches, and their keys looked for before anything is asked."""

import sys
from pathlib import Path

import pytest

from harness.build.experiment import Experiment, build
from harness.build.overrides import parse
from harness.cache import CachedEmbedder, CachedLLM, CachedSupport
from harness.errors import ConfigError, StageError
from harness.judging.claim_judge import ClaimJudge
from harness.judging.ragas import RagasJudge
from harness.store import Store
from tests.builders import document


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    return Store(tmp_path / "s.sqlite")


def built(store: Store, *words: str) -> Experiment:
    return build(parse(list(words))[0], store)


def test_the_judges_support_model_is_asked_through_the_cache(store: Store) -> None:
    experiment = built(store, "judge=lexical")
    assert isinstance(experiment.judge, ClaimJudge)
    assert isinstance(experiment.judge.support, CachedSupport)
    assert experiment.judge.support.tally is experiment.tally


def test_every_language_model_inside_a_judge_is_behind_the_cache(store: Store) -> None:
    judge = built(store, "judge=llm").judge
    assert isinstance(judge, ClaimJudge)
    assert isinstance(judge.splitter.llm, CachedLLM)  # type: ignore[attr-defined]
    assert isinstance(judge.support, CachedSupport)
    assert isinstance(judge.support.inner.llm, CachedLLM)  # type: ignore[attr-defined]


def test_ragas_model_and_embedder_are_behind_their_caches(store: Store) -> None:
    judge = built(store, "judge=ragas").judge
    assert isinstance(judge, RagasJudge)
    assert isinstance(judge.llm, CachedLLM)
    assert isinstance(judge.embedder, CachedEmbedder)


def test_the_cache_does_not_change_who_judged(store: Store) -> None:
    assert built(store, "judge=lexical").judge.identity.startswith("lexical v3 minimum=0.6; rules v3")  # type: ignore[union-attr]


def test_a_missing_key_of_a_nested_model_is_told_before_anything_is_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ConfigError) as caught:
        built(store, "judge=llm")
    text = str(caught.value)
    assert "F010" in text and "judge.splitter.llm" in text and "judge.support.llm" in text and "OPENAI_API_KEY" in text


@pytest.mark.parametrize(("judge", "replayed"), [("llm", True), ("ragas", True), ("nli", False)])
def test_replay_is_advised_only_for_a_language_model(
    store: Store, monkeypatch: pytest.MonkeyPatch, judge: str, replayed: bool
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("HARNESS_NLI_DIR", raising=False)
    with pytest.raises(ConfigError) as caught:
        built(store, f"judge={judge}")
    found = caught.value.problems
    assert {item.code for item in found} == {"F010"}
    assert ["--replay" in item.fix for item in found] == [replayed] * len(found)


def test_one_override_points_splitter_and_support_at_the_same_model(store: Store) -> None:
    identity = built(store, "judge=llm", "judge.splitter.llm.model=ollama/x").judge.identity  # type: ignore[union-attr]
    assert identity.count("litellm ollama/x") == 2 and "gpt" not in identity


@pytest.mark.parametrize(
    ("word", "where", "says"),
    [
        ("judge.metrics=[faithfullness]", "judge.metrics", "no metric 'faithfullness'"),
        ("judge.support.minimum=2", "judge.support.minimum", "less than or equal to 1"),
        ("+judge.support.minimun=0.5", "judge.support.minimun", "no such setting"),
        ("judge.partial_at=0", "judge.partial_at", "greater than 0"),
        ("judge.support._target_=harness.judging.claims.RuleSplitter", "judge.support", ""),
        ("judge.support._target_=builtins.open", "judge.support", "not allowed"),
    ],
)
def test_a_wrong_value_of_a_judges_part_names_its_place(store: Store, word: str, where: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        built(store, word)
    assert where in str(caught.value) and says in str(caught.value)


def test_the_code_chunker_says_at_once_that_its_extra_is_missing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    with pytest.raises(ConfigError, match=r"rag-harness\[code\]") as caught:
        built(store, "chunker=code", "embedder=hashing")
    assert [problem.code for problem in caught.value.problems] == ["F010"]


def test_the_router_asks_for_the_extra_only_when_code_comes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    pipeline = built(store, "chunker=router", "embedder=hashing").pipeline
    assert pipeline.chunker.chunk(document("a.md", "# Care\n\nRinse it."))
    with pytest.raises(StageError, match=r"pump\.py.*rag-harness\[code\]"):
        pipeline.chunker.chunk(document("pump.py", "x = 1\n", mime_type="text/x-python"))
