"""Each (claim, passages) is judged once: unchanged answers get identical verdicts and cost nothing."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.cache import CachedEmbedder, CachedLLM, CachedSupport, Tally, code_of
from harness.embedding.hashing import Hashing
from harness.errors import StageError
from harness.judging.lexical import LexicalSupport
from harness.judging.llm_support import LLMSupport
from harness.llm.scripted import Scripted
from harness.store import Store
from harness.types import Support


class Counting:
    """Gives each claim a new probability each time it is asked; counts what it was given."""

    def __init__(self, identity: str = "m1", fails: bool = False, probability: float | None = None) -> None:
        self.identity = identity
        self.fails = fails
        self.probability = probability
        self.seen: list[tuple[str, ...]] = []

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        self.seen.append(tuple(claims))
        if self.fails:
            raise StageError("J003 cut")
        given = [len(self.seen) / 10 + place / 100 for place, _ in enumerate(claims)]
        return [Support(at if self.probability is None else self.probability, at > 0.5, f"reason {at}") for at in given]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "s.sqlite")


def test_the_same_answer_gets_the_same_verdicts_from_a_judge_that_wavers(store: Store) -> None:
    inner, tally = Counting(), Tally()
    first = CachedSupport(inner, store, tally).support(["a", "b"], ["p"])
    assert list(CachedSupport(inner, store, tally).support(["b", "a"], ["p"])) == [first[1], first[0]]
    assert inner.seen == [("a", "b")]
    assert tally.lines() == ["support: 2 of 4 from the cache"]


def test_only_new_claims_are_asked(store: Store) -> None:
    inner = Counting()
    cached = CachedSupport(inner, store)
    cached.support(["a", "b"], ["p"])
    cached.support(["a", "c", "b", "c"], ["p"])
    assert inner.seen == [("a", "b"), ("c",)]


@pytest.mark.parametrize(
    ("claims", "passages"),
    [(["b"], ["p"]), (["a"], ["q"]), (["a"], ["p", "q"]), (["a"], ["p "]), (["a"], [])],
)
def test_another_claim_or_other_passages_are_another_question(store: Store, claims: list[str], passages: list[str]) -> None:
    inner = Counting()
    CachedSupport(inner, store).support(["a"], ["p"])
    CachedSupport(inner, store).support(claims, passages)
    assert len(inner.seen) == 2


def test_passages_in_another_order_are_other_passages(store: Store) -> None:
    inner = Counting()
    for passages in (["p", "q"], ["q", "p"], ["pq"]):
        CachedSupport(inner, store).support(["a"], passages)
    assert len(inner.seen) == 3


def test_another_judge_never_gets_its_predecessors_verdicts(store: Store) -> None:
    CachedSupport(Counting("m1"), store).support(["a"], ["p"])
    other = Counting("m2")
    CachedSupport(other, store).support(["a"], ["p"])
    assert other.seen == [("a",)]


def test_an_error_is_not_kept(store: Store) -> None:
    with pytest.raises(StageError):
        CachedSupport(Counting(fails=True), store).support(["a"], ["p"])
    assert CachedSupport(Counting(), store).support(["a"], ["p"])[0].probability == pytest.approx(0.1)


@pytest.mark.parametrize("bad", [1.5, -0.1, float("nan"), float("inf")])
def test_a_probability_that_is_none_is_an_error_and_is_not_kept(store: Store, bad: float) -> None:
    with pytest.raises(StageError, match=r"J002 .* a number in \[0, 1\] is needed"):
        CachedSupport(Counting(probability=bad), store).support(["a"], ["p"])
    inner = Counting()
    CachedSupport(inner, store).support(["a"], ["p"])
    assert inner.seen == [("a",)]


def test_too_few_verdicts_are_an_error(store: Store) -> None:
    class Short(Counting):
        def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
            return [Support(1.0, True)]

    with pytest.raises(StageError, match="J001 'm1' was asked for 2 verdicts and gave 1"):
        CachedSupport(Short(), store).support(["a", "b"], ["p"])


def test_verdicts_come_back_as_they_were(store: Store) -> None:
    claims, passages = ["It is 5 m.", "Bananas.", "It is 6 m."], ["It is 5 m long."]
    plain = list(LexicalSupport().support(claims, passages))
    for _ in range(2):
        assert list(CachedSupport(LexicalSupport(), store).support(claims, passages)) == plain


def test_no_claim_asks_nobody(store: Store) -> None:
    inner = Counting()
    assert list(CachedSupport(inner, store).support([], ["p"])) == []
    assert inner.seen == []


def test_changed_code_of_a_local_model_judges_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = Counting()
    CachedSupport(inner, store).support(["a"], ["p"])
    monkeypatch.setattr("harness.cache.code_of", lambda kind: code_of(kind) + "changed")
    CachedSupport(inner, store).support(["a"], ["p"])
    assert len(inner.seen) == 2


def test_changed_code_around_a_language_model_pays_for_nothing_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = json.dumps({"verdicts": [{"claim": 1, "reason": "r", "verdict": "full"}]})
    model = LLMSupport(CachedLLM(Scripted([reply]), store))
    CachedSupport(model, store).support(["a"], ["p"])
    monkeypatch.setattr("harness.cache.code_of", lambda kind: code_of(kind) + "changed")
    assert CachedSupport(model, store).support(["a"], ["p"])[0].supported


def test_changed_code_of_its_embedder_judges_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    class Embedding(Counting):
        embedder = CachedEmbedder(Hashing(), store)

    inner = Embedding()
    CachedSupport(inner, store).support(["a"], ["p"])
    monkeypatch.setattr("harness.cache.code_of", lambda kind: "changed" if kind is Hashing else code_of(kind))
    CachedSupport(inner, store).support(["a"], ["p"])
    assert len(inner.seen) == 2
