"""What every support model must do. Subclass it and give the fixture `model`, ready for `CLAIMS` and `PASSAGES`."""

from harness.protocols import SupportModel

PASSAGES = ["The range of the AQ-210 is 5 metres.", "The case of the AQ-210 is red."]
STATED = "The range of the AQ-210 is 5 metres."
ABSENT = "Bananas ripen at 99 degrees in southern Peru."
CLAIMS = [STATED, ABSENT]


class SupportModelContract:
    def test_one_verdict_per_claim_in_order(self, model: SupportModel) -> None:
        stated, absent = model.support(CLAIMS, PASSAGES)
        assert (stated.supported, absent.supported) == (True, False)
        assert stated.probability > absent.probability

    def test_a_probability_lies_between_zero_and_one(self, model: SupportModel) -> None:
        assert all(0 <= verdict.probability <= 1 for verdict in model.support(CLAIMS, PASSAGES))

    def test_every_verdict_gives_a_reason(self, model: SupportModel) -> None:
        assert all(verdict.reason for verdict in model.support(CLAIMS, PASSAGES))

    def test_no_claim_gives_no_verdict(self, model: SupportModel) -> None:
        assert list(model.support([], PASSAGES)) == []

    def test_the_same_call_gives_the_same_verdicts(self, model: SupportModel) -> None:
        assert list(model.support(CLAIMS, PASSAGES)) == list(model.support(CLAIMS, PASSAGES))

    def test_its_identity_begins_with_a_short_name(self, model: SupportModel) -> None:
        name, _, rest = model.identity.partition(" ")
        assert name.isidentifier() and rest
