"""What every judge must do. Subclass it and give the fixture `judge`, ready to judge `FAITHFUL`."""

from harness.protocols import Judge
from harness.text import REFUSAL
from harness.types import Answer, State
from tests.builders import chunk, question, trace

PASSAGE = chunk("aq210.md", text="The range of the AQ-210 is 5 metres.")
QUESTION = question("q7", "What is the range of the AQ-210?")
FAITHFUL = trace("q7", PASSAGE, answer=Answer(f"The range of the AQ-210 is 5 metres [{PASSAGE.chunk_id}]."))


class JudgeContract:
    def test_a_faithful_answer_scores_one(self, judge: Judge) -> None:
        (score,) = judge.judge(QUESTION, FAITHFUL)
        assert (score.metric, score.question_id, score.value, score.state) == ("faithfulness", "q7", 1.0, State.SCORED)

    def test_a_refusal_is_not_applicable(self, judge: Judge) -> None:
        refusal = Answer(REFUSAL, refused=True, refusal_reason="nothing found")
        (score,) = judge.judge(QUESTION, trace("q7", PASSAGE, answer=refusal))
        assert (score.value, score.state) == (None, State.NOT_APPLICABLE)

    def test_a_run_without_generation_is_not_applicable(self, judge: Judge) -> None:
        (score,) = judge.judge(QUESTION, trace("q7", PASSAGE))
        assert (score.value, score.state) == (None, State.NOT_APPLICABLE)

    def test_its_identity_stands_beside_every_score(self, judge: Judge) -> None:
        assert judge.identity
        assert all(judge.identity in score.reason for score in judge.judge(QUESTION, FAITHFUL))
