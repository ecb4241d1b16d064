"""Settings that hold each by itself and not together are told before anything runs, all at once."""

import pytest

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.errors import ConfigError
from harness.store import Store


def problems(tmp_path, *words: str) -> dict[str, str]:
    """Codes by place, but for what this machine lacks."""
    with pytest.raises(ConfigError) as raised:
        build(parse([*words, "judge=none", "gate=none"])[0], Store(tmp_path / "s.sqlite"))
    return {problem.where: problem.code for problem in raised.value.problems if problem.code != "F010"}


@pytest.mark.parametrize(
    ("words", "where", "code"),
    [
        (["ks=[50]"], "ks=[50]", "F008"),
        (["reranker=none"], "answerability.minimum=0.5", "F007"),
        (["depth.channels={bm26: 100}"], "depth.channels.bm26", "F004"),
        (["fuser=weighted", "fuser.weights={dens: 2}"], "fuser.weights.dens", "F004"),
        (["retrievers=bm25", "fuser=weighted", "fuser.weights={dense: 2}"], "fuser.weights.dense", "F004"),
        (["fuser=weighted", "fuser.weights={bm25: 0, dense: 0}"], "fuser.weights", "F006"),
        (["route=rules", "retrievers=dense"], "route.identifiers=bm25", "F004"),
        (["route=rules", "retrievers=bm25"], "route.identifiers=bm25", "F006"),
        (["route=rules", "route.identifiers=bm26"], "route.identifiers=bm26", "F004"),
        (["route=rules", "route.summaries=true"], "route.summaries=true", "F006"),
        (["route=rules", "route.summaries=true", "chunker=router"], "route.summaries=true", "F006"),
        (["retrievers=bm25", "hyde=llm"], "hyde", "F006"),
        (["retrievers=bm25", "hyde=local_llm"], "hyde", "F006"),
        (["fuser=weighted", "subqueries=rules"], "fuser", "F006"),
        (["fuser=weighted", "subqueries=llm"], "fuser", "F006"),
    ],
)
def test_what_does_not_fit_together_is_named(tmp_path, words, where, code):
    assert problems(tmp_path, *words) == {where: code}


def test_all_of_it_is_told_at_once(tmp_path):
    found = problems(tmp_path, "reranker=none", "ks=[50]", "depth.channels={x: 1}")
    assert sorted(found.values()) == ["F004", "F007", "F008"]


@pytest.mark.parametrize(
    "words",
    [
        ["route=rules", "route.summaries=true", "chunker=two_tier"],
        ["route=rules", "route.summaries=true", "chunker=router", "chunker@chunker.prose=two_tier"],
        ["retrievers=dense", "route=rules", 'route.identifiers=""', "route.summaries=true", "chunker=two_tier"],
        ["retrievers=dense", "hyde=llm"],
        ["fuser=weighted", "subqueries=multi_query"],
        ["fuser=rrf", "subqueries=rules"],
    ],
)
def test_what_goes_together_is_built(tmp_path, monkeypatch, words):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    assert build(parse([*words, "judge=none", "gate=none"])[0], Store(tmp_path / "s.sqlite")).notices == ()


@pytest.mark.parametrize("retrievers", ["bm25", "dense"])
def test_the_fix_of_a_route_with_one_retriever_is_something_that_can_be_done(tmp_path, retrievers):
    with pytest.raises(ConfigError, match=r'Fix: retrievers=hybrid, or route\.identifiers="" with') as raised:
        build(parse(["route=rules", f"retrievers={retrievers}", "judge=none"])[0], Store(tmp_path / "s.sqlite"))
    assert "Known:" not in str(raised.value)


def test_channels_and_weights_of_configured_retrievers_are_taken(tmp_path):
    words = ["depth.channels={bm25: 100}", "fuser=weighted", "fuser.weights={bm25: 1, dense: 0}", "judge=none", "gate=none"]
    made = build(parse(words)[0], Store(tmp_path / "s.sqlite"))
    assert (made.pipeline.depth.of("bm25"), made.pipeline.depth.of("dense")) == (100, 50)
