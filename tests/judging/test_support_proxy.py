"""The proxy of entailment: its formula by hand, its vetoes, and what it can and cannot tell apart."""

from math import exp, inf, nextafter

import pytest
from pydantic import ValidationError

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.cache import CachedEmbedder, CachedSupport
from harness.embedding.bge import BgeSmall
from harness.embedding.hashing import Hashing
from harness.judging.features import Words
from harness.judging.support_proxy import DAMPING, SupportProxy, logit, sigmoid
from harness.store import Store
from harness.types import Support
from tests.contracts.support_model import SupportModelContract

PASSAGE = "The gateway supports Bluetooth. Its cells last 18 months."


class TestContract(SupportModelContract):
    @pytest.fixture
    def model(self) -> SupportProxy:
        return SupportProxy(Hashing())


def verdict(claim: str, *passages: str, minimum: float = 0.7) -> Support:
    (found,) = SupportProxy(Hashing(), minimum).support([claim], passages or (PASSAGE,))
    return found


def words(coverage: float = 0.5, closest: float = 0.5, phrases: float = 0.5) -> Words:
    return Words(coverage, closest, phrases, (), "", ())


def test_a_sentence_of_the_passage_has_every_feature_at_one() -> None:
    """-4.7 + 1.5 + 3 + 1.5 + 3.75 = 5.05."""
    assert verdict("The gateway supports Bluetooth.").probability == pytest.approx(1 / (1 + exp(-5.05)), abs=1e-6)
    assert verdict("The gateway supports Bluetooth.").supported


def test_without_a_passage_only_the_bias_is_left() -> None:
    (found,) = SupportProxy(Hashing()).support(["The gateway supports Bluetooth."], [])
    assert found.probability == pytest.approx(1 / (1 + exp(4.7)))
    assert not found.supported


def test_the_formula_is_the_one_that_is_written() -> None:
    assert logit(words(1.0, 0.5, 0.25), 0.8) == pytest.approx(-4.7 + 1.5 * 1 + 3 * 0.5 + 1.5 * 0.25 + 3.75 * 0.8)
    assert sigmoid(0) == 0.5


@pytest.mark.parametrize("feature", ["coverage", "closest", "phrases"])
def test_more_of_a_feature_never_lowers_the_probability(feature: str) -> None:
    values = [logit(words(**{feature: step / 10}), 0.5) for step in range(11)]
    assert values == sorted(values) and values[0] < values[-1]


def test_more_similarity_never_lowers_the_probability_and_a_negative_cosine_counts_as_none() -> None:
    values = [logit(words(), step / 10) for step in range(-10, 11)]
    assert values == sorted(values)
    assert values[0] == logit(words(), 0.0) < values[-1]
    assert logit(words(), nextafter(1.0, inf)) == logit(words(), 1.0)


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("The cells last 19 months.", "no passage has 19"),
        ("The gateway does not support Bluetooth.", "denies"),
        ("The cells last 18 months, not 24.", "no passage has 24"),
    ],
)
def test_a_new_number_or_a_contradiction_is_never_supported(claim: str, says: str) -> None:
    found = verdict(claim, minimum=DAMPING + 0.01)
    assert not found.supported and found.probability <= DAMPING
    assert says in found.reason


def test_no_threshold_can_let_a_veto_pass() -> None:
    with pytest.raises(ValidationError, match="minimum"):
        SupportProxy(Hashing(), minimum=DAMPING)


def test_claims_are_judged_apart() -> None:
    claims = ["The gateway supports Bluetooth.", "Bananas are yellow."]
    assert list(SupportProxy(Hashing()).support(claims, [PASSAGE])) == [verdict(claim) for claim in claims]


def test_no_claim_gives_no_verdict() -> None:
    assert SupportProxy(Hashing()).support([], [PASSAGE]) == []


def test_the_reason_names_the_features() -> None:
    reason = "1.00 of its words in the passages, 1.00 in one place, similarity 1.00"
    assert verdict("The gateway supports Bluetooth.").reason == reason


def test_the_identity_starts_with_its_name_and_holds_threshold_and_embedder() -> None:
    plain = SupportProxy(Hashing())
    assert plain.identity.startswith("support_proxy v1 minimum=0.7 ")
    assert plain.identity.endswith(Hashing().identity)
    assert len({plain.identity, SupportProxy(Hashing(), 0.8).identity, SupportProxy(Hashing(dimension=64)).identity}) == 3


def test_a_run_keeps_its_vectors_and_verdicts(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (cell,) = parse(["judge=support_proxy"])
    judge = build(cell, Store(tmp_path / "s.sqlite")).judge
    support = judge.support  # type: ignore[union-attr]
    assert isinstance(support, CachedSupport)
    assert isinstance(support.inner.embedder, CachedEmbedder)  # type: ignore[attr-defined]


MANUAL = (
    "The soil probe runs on two AA cells. The cells last 18 months at one reading an hour. The gateway reaches sensors up to "
    "400 metres away. The shop is closed on Sundays. Returns are accepted within 30 days. The filter is not included."
)


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The soil probe is powered by two AA cells.", True),
        ("The cells last 18 months.", True),
        ("The gateway reaches sensors up to 400 metres away.", True),
        ("The shop is closed on Sundays.", True),
        ("The filter is not included.", True),
        ("Returns are accepted within 30 days.", True),
        ("The cells last 24 months.", False),
        ("The shop is open on Sundays.", False),
        ("The filter is included.", False),
        ("Returns are rejected within 30 days.", False),
        ("The gateway is made of aluminium.", False),
        ("Shipping to Norway is free of charge.", False),
        ("The probe was designed by a Danish studio.", False),
    ],
)
def test_it_tells_stated_from_contradicted_and_unmentioned(claim: str, supported: bool) -> None:
    (found,) = SupportProxy(BgeSmall()).support([claim], [MANUAL])
    assert found.supported is supported, found


@pytest.mark.models
@pytest.mark.parametrize("claim", ["The gateway reaches 400 sensors.", "The shop accepts 18 cells within 30 days."])
def test_words_in_another_order_are_a_known_blind_spot(claim: str) -> None:
    """Similarity does not see who does what to whom: such claims get more than the vetoed ones, supported or not."""
    (found,) = SupportProxy(BgeSmall()).support([claim], [MANUAL])
    assert found.probability > DAMPING
