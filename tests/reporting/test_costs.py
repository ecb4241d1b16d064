"""What language models took by stage, and that a price which nobody knows is never 0."""

from typing import Any

import pytest

from harness.reporting.costs import Costs, costs, dollars, unpriced, unpriced_questions
from harness.types import Answer, Trace, Usage

LOCAL = {"_target_": "harness.llm.llama.LocalLLM", "path": ""}


def remote(model: str) -> dict[str, Any]:
    """A model behind litellm, in a slot."""
    return {"llm": {"_target_": "harness.llm.litellm_client.LiteLLM", "model": model, "api_base": ""}}


PAID, UNLISTED = remote("openai/gpt-4o-mini"), remote("openai/m")


def spent(**stages: Usage) -> list[Trace]:
    """One question with what its stages took, and one that took nothing."""
    return [Trace("q1", usage=stages), Trace("q2")]


def test_a_row_a_stage_in_the_order_of_the_pipeline_then_the_sum() -> None:
    traces = spent(verify=Usage(5, 5, 1, 0.0), generate=Usage(1200, 80, 2, 0.25), hyde=Usage(30, 20, 1, 0.0001))
    found = costs(traces, {"hyde": PAID, "generator": PAID, "verification": {"support": {"llm": LOCAL}}})
    assert found == Costs(
        (
            ("hyde", "1", "30", "20", "0.000100"),
            ("generate", "2", "1,200", "80", "0.2500"),
            ("verify", "1", "5", "5", "free"),
            ("in all", "4", "1,235", "105", "0.2501"),
            ("per question", "2.0", "617.5", "52.5", "0.1250"),
        )
    )


@pytest.mark.parametrize(
    ("slot", "cost", "said", "remark"),
    [
        (UNLISTED, 0.0, "unknown", "No price known for openai/m."),
        ({**UNLISTED, "second": PAID}, 0.5, "at least 0.5000", "No price known for openai/m."),
        (PAID, 0.5, "0.5000", ""),
        ({"llm": LOCAL}, 0.0, "free", ""),
        ({"llm": {"_target_": "mine.models.Own"}}, 0.0, "unknown", "No price known for Own."),
        ({"parts": [UNLISTED, remote("openai/n")]}, 0.0, "unknown", "No price known for openai/m, openai/n."),
        (None, 0.0, "unknown", "No price known for the models of hyde."),
    ],
    ids=["unlisted", "listed and unlisted", "listed", "local", "a plugin's", "several", "config not kept"],
)
def test_a_price_that_is_not_known_is_unknown(slot: Any, cost: float, said: str, remark: str) -> None:
    found = costs(spent(hyde=Usage(1, 1, 1, cost)), {"hyde": slot})
    assert (found.rows[0][-1], found.rows[1][-1], found.remark) == (said, said, remark)


@pytest.mark.parametrize(
    ("stage", "slots"),
    [
        ("rerank", ("reranker",)),
        ("generate", ("generator",)),
        ("verify", ("verification", "generator")),
        ("retrieve_dense", ("embedder", "retrievers")),
        ("retrieve_sparse", ("retrievers",)),
        ("rewrite", ("rewrite",)),
        ("history", ("history",)),
        ("subqueries", ("subqueries",)),
    ],
)
def test_the_models_of_a_stage_are_those_of_its_slots(stage: str, slots: tuple[str, ...]) -> None:
    usage = spent(**{stage: Usage(1, 1, 1)})
    for slot in slots:
        assert costs(usage, {slot: UNLISTED, "judge": remote("openai/n")}).remark == "No price known for openai/m."


def test_an_answer_of_a_trace_without_stages_is_what_generation_took() -> None:
    old = Trace("q1", answer=Answer("Nine.", usage=Usage(1, 2, 3, 0.5)))
    assert costs([old], {"generator": PAID}).rows[0] == ("generate", "3", "1", "2", "0.5000")


def test_a_run_without_a_language_model_has_no_costs() -> None:
    assert costs([], {}) == costs([Trace("q1", answer=Answer("Nine."))], {"generator": None}) == Costs()


@pytest.mark.parametrize(
    ("cost", "said"),
    [(0.0, "free"), (0.25, "0.2500"), (1234.5, "1,234.5000"), (0.00003, "0.000030"), (1e-8, "less than 0.000001")],
)
def test_no_sum_of_money_is_rounded_to_nothing(cost: float, said: str) -> None:
    assert dollars(cost, False) == said


def test_models_that_no_question_asks_are_not_among_those_of_questions() -> None:
    config = {"judge": UNLISTED, "chunker": UNLISTED, "doc2query": UNLISTED, "hyde": remote("openai/n")}
    assert (unpriced(config), unpriced_questions(config)) == (["openai/m", "openai/n"], ["openai/n"])
