"""What every claim splitter must do. Subclass it and give the fixture `splitter`, ready to split `ANSWER`."""

from harness.protocols import ClaimSplitter

ANSWER = "The range is 5 metres [0a1b2c3d4e5f]. The case is red [0a1b2c3d4e5f]."


class ClaimSplitterContract:
    def test_claims_come_in_order_without_citations(self, splitter: ClaimSplitter) -> None:
        assert list(splitter.split(ANSWER)) == ["The range is 5 metres.", "The case is red."]

    def test_a_blank_answer_claims_nothing(self, splitter: ClaimSplitter) -> None:
        assert [list(splitter.split(text)) for text in ("", " \n", "[0a1b2c3d4e5f]")] == [[], [], []]

    def test_it_has_an_identity(self, splitter: ClaimSplitter) -> None:
        assert splitter.identity.strip()
