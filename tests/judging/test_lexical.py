"""Support by words and numbers."""

import pytest
from pydantic import ValidationError

from harness.judging.lexical import LexicalSupport, numbers, signed_numbers
from harness.protocols import SupportModel
from harness.types import Support
from tests.contracts.support_model import SupportModelContract
from tests.golden.public import public

PASSAGE = "AQ-210 manual\nThe sensor needs 60 seconds after power-on. It costs 1,190.00 EUR."


class TestContract(SupportModelContract):
    @pytest.fixture
    def model(self) -> SupportModel:
        return LexicalSupport()


def verdict(claim: str, *passages: str) -> Support:
    (found,) = LexicalSupport().support([claim], passages or [PASSAGE])
    return found


@pytest.mark.parametrize(
    ("claim", "supported", "reason"),
    [
        ("The sensor needs 60 seconds after power-on.", True, "1.00 of its words are in the passages, 1.00 in one sentence"),
        ("After power-on, sensors needed 60 seconds.", True, "1.00 of its words are in the passages, 1.00 in one sentence"),
        ("It costs 1190 EUR.", True, "0.67 of its words are in the passages, 0.67 in one sentence"),
        ("The sensor costs EUR.", True, "1.00 of its words are in the passages, 0.67 in one sentence"),
        ("The sensor needs 61 seconds after power-on.", False, "no passage has 61"),
        ("The sensor needs 60.5 seconds.", False, "no passage has 60.5"),
        ("Bananas are yellow fruit.", False, "0.00 of its words are in the passages, 0.00 in one sentence"),
        ("The sensor likes bananas.", False, "0.33 of its words are in the passages, 0.33 in one sentence"),
    ],
)
def test_a_claim_needs_known_words_and_no_new_number(claim: str, supported: bool, reason: str) -> None:
    assert (verdict(claim).supported, verdict(claim).reason) == (supported, reason)


@pytest.mark.parametrize(
    ("claim", "probability"),
    [
        ("The sensor needs 60 seconds after power-on.", 1.0),
        ("The sensor costs EUR.", (1 + 2 / 3) / 2),
        ("The sensor likes bananas.", 1 / 3),
        ("The sensor needs 61 seconds.", 0.0),
        ("It is.", 0.0),
    ],
)
def test_the_probability_is_the_mean_of_words_known_and_words_known_together(claim: str, probability: float) -> None:
    assert verdict(claim).probability == pytest.approx(probability)


def test_passages_are_read_together() -> None:
    assert verdict("The filter is blue.", "A filter.", "Blue paint.").supported
    assert not verdict("The filter is blue.", "A filter.", "Red paint.").supported


def test_the_order_of_passages_changes_nothing() -> None:
    one, other = verdict("The filter is blue.", "A filter.", "Blue."), verdict("The filter is blue.", "Blue.", "A filter.")
    assert one == other


def test_no_claim_gives_no_verdict_and_one_claim_one() -> None:
    assert list(LexicalSupport().support([], [PASSAGE])) == []
    assert len(LexicalSupport().support(["a", "b", "a"], [])) == 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000.50 and 1000.5", {"1000.5"}),
        ("31.00 EUR", {"31"}),
        ("007", {"7"}),
        ("firmware 3.1.2", {"3.1.2"}),
        ("0.0", {"0"}),
        ("FH-5102-B", {"5102"}),
        ("FH-5102-B,pack of 5,31.00,3", {"5102", "5", "31", "3"}),
        ("none", set()),
    ],
)
def test_numbers_are_compared_by_value(text: str, found: set[str]) -> None:
    assert numbers(text) == found


def test_a_negated_claim_loses_a_word() -> None:
    assert verdict("Never wash the filter, not ever.", "Wash the filter.").reason.startswith("0.40 of its words")


def test_the_minimum_is_part_of_the_identity() -> None:
    assert LexicalSupport().identity == "lexical v3 minimum=0.6" != LexicalSupport(0.8).identity


def test_a_minimum_beyond_one_names_its_field() -> None:
    with pytest.raises(ValidationError, match="minimum"):
        LexicalSupport(minimum=1.2)


@pytest.mark.public_data
def test_faithfulness_follows_human_raters_as_closely_as_it_did_when_it_was_measured() -> None:
    """450 answers with passages of mtRAG, 2 or 3 raters each; faithful is a mean rating of at least 3 of 4."""
    from statistics import fmean

    from scipy.stats import spearmanr
    from sklearn.metrics import roc_auc_score

    from harness.jsonl import read_rows
    from harness.judging.claims import claims

    rated = list[tuple[float, float]]()
    for row in read_rows(public("mtrag_human_eval") / "labels.jsonl")[0]:
        stated, passages = claims(row.fields["answer"]), [item["text"] for item in row.fields["contexts"]]
        if stated and passages:
            given = fmean(item.probability for item in LexicalSupport().support(stated, passages))
            rated.append((given, fmean(row.fields["human"]["faithfulness"])))
    given, human = zip(*rated, strict=True)
    assert len(rated) == 446
    assert spearmanr(given, human).statistic == pytest.approx(0.651, abs=0.01)
    assert roc_auc_score([rating >= 3 for rating in human], given) == pytest.approx(0.917, abs=0.01)


@pytest.mark.parametrize("claim", ["It is.", "They are.", ""])
def test_a_claim_that_says_nothing_is_supported_by_nothing(claim: str) -> None:
    (found,) = LexicalSupport().support([claim], ["The cat sat."])
    assert (found.probability, found.supported) == (0.0, False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("-5 degrees", {"-5"}),
        ("\u22125 degrees, minus 7 at night", {"-5", "-7"}),
        ("(-5.50)", {"-5.5"}),
        ("a loss of -$1,000", {"-1000"}),
        ("5-10 days", {"5", "10"}),
        ("5 -10 days", {"5", "10"}),
        ("5\u201310 days", {"5", "10"}),
        ("FH-4410-B and CO-2", {"4410", "2"}),
        ("2026-11-30", {"2026", "11", "30"}),
        ("- 5 litres", {"5"}),
    ],
)
def test_a_minus_is_a_sign_only_where_it_is_no_range_hyphen_or_bullet(text: str, told: set[str]) -> None:
    assert signed_numbers(text) == told


@pytest.mark.parametrize(
    ("claim", "passage", "supported"),
    [("-5 degrees", "5 degrees", False), ("5 degrees", "-5 degrees", False), ("minus 5 degrees", "-5 degrees", True)],
)
def test_a_number_with_another_sign_is_another_number(claim: str, passage: str, supported: bool) -> None:
    (found,) = LexicalSupport().support([claim], [passage])
    assert found.supported is supported
