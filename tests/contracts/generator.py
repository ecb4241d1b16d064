"""What every generator must do. Subclass it and give the fixture `generator`, ready to answer `QUESTION` from `PASSAGES`."""

from harness.generation.citations import cited_ids
from harness.protocols import Generator
from harness.text import REFUSAL
from harness.types import Ranking
from tests.builders import chunk, question, ranking

RANGE = chunk("aq210.md", text="The range of the AQ-210 is 5 metres. It is white.")
COLOUR = chunk("sm50.md", text="The SM-50 is green.")
PASSAGES = ranking(RANGE, COLOUR)
QUESTION = question(text="What is the range of the AQ-210?")


class GeneratorContract:
    def test_the_answer_holds_what_was_asked(self, generator: Generator) -> None:
        answer = generator.generate(QUESTION, PASSAGES)
        assert "5 metres" in answer.text
        assert not answer.refused and answer.refusal_reason == ""

    def test_the_answer_cites_the_passage_it_is_from(self, generator: Generator) -> None:
        assert RANGE.chunk_id in generator.generate(QUESTION, PASSAGES).citations

    def test_citations_are_those_of_the_text(self, generator: Generator) -> None:
        answer = generator.generate(QUESTION, PASSAGES)
        assert answer.citations == cited_ids(answer.text)

    def test_without_passages_it_refuses_with_the_one_sentence_and_a_reason(self, generator: Generator) -> None:
        answer = generator.generate(QUESTION, Ranking())
        assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())
        assert answer.refusal_reason

    def test_the_same_passages_give_the_same_answer(self, generator: Generator) -> None:
        assert generator.generate(QUESTION, PASSAGES) == generator.generate(QUESTION, PASSAGES)
