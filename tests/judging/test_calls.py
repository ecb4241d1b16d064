"""How often a judge of claims asks its models."""

import pytest

from harness.judging.calls import SENTENCES, calls_of
from harness.judging.claims import RuleSplitter
from harness.judging.lexical import LexicalSupport
from harness.judging.llm_splitter import LLMSplitter
from harness.judging.llm_support import LLMSupport
from harness.judging.yes_no import YesNoSupport
from harness.llm.scripted import Scripted

MODEL = Scripted([])
SPLITTER, SUPPORT = LLMSplitter(MODEL), LLMSupport(MODEL)


@pytest.mark.parametrize(
    ("metrics", "splitter", "support", "calls"),
    [
        (["faithfulness"], SPLITTER, SUPPORT, 2),  # split, read
        (["faithfulness"], RuleSplitter(), SUPPORT, 1),
        (["faithfulness"], RuleSplitter(), YesNoSupport(MODEL), SENTENCES),  # a call a claim
        (["faithfulness"], RuleSplitter(), LexicalSupport(), 0),
        (["citation_precision"], RuleSplitter(), SUPPORT, 3 * SENTENCES),
        (["answer_correctness_vital"], RuleSplitter(), SUPPORT, 1),
        (["hallucination", "self_knowledge"], SPLITTER, SUPPORT, 6),  # 2 splits, 4 readings
    ],
)
def test_calls_follow_from_the_metrics_and_from_who_asks_a_model(metrics, splitter, support, calls) -> None:
    assert calls_of(metrics, splitter, support) == calls
