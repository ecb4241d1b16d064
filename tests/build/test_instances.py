"""A stage and its parts from the config: every fault of every part at once, each with its place."""

import pytest
from pydantic import Field
from pydantic.dataclasses import dataclass as checked

from harness.build.instances import checked as settings_of
from harness.build.instances import instance
from harness.pipeline import Depth

HYDE = {
    "_target_": "harness.querying.hyde.Hyde",
    "llm": {"_target_": "harness.llm.litellm_client.LiteLLM", "model": "openai/m"},
}


def made(node):
    problems = []
    return instance(node, "slot", problems), {problem.where: problem.what for problem in problems}


def test_a_stage_is_made_with_its_parts():
    stage, problems = made({**HYDE, "max_tokens": 64})
    assert (stage.llm.model, stage.max_tokens, problems) == ("openai/m", 64, {})


def test_what_is_wrong_with_a_stage_and_with_its_part_is_told_together():
    stage, problems = made({**HYDE, "on_failure": "skp", "llm": {**HYDE["llm"], "attempts": 0, "colour": "red"}})
    assert stage is None
    assert sorted(problems) == ["slot.llm.attempts", "slot.llm.colour", "slot.on_failure"]


def test_a_part_that_cannot_be_made_is_told_once_and_is_not_missing_too():
    assert list(made({**HYDE, "llm": {**HYDE["llm"], "attempts": 0}})[1]) == ["slot.llm.attempts"]


def test_a_rule_over_the_whole_stage_waits_until_its_parts_hold():
    """Without its support model the verification would be another one."""
    support = {"_target_": "harness.judging.support_proxy.SupportProxy", "minimum": 7}
    node = {"_target_": "harness.generation.verification.Verification", "support": support, "attempts": 9}
    assert sorted(made(node)[1]) == ["slot.attempts", "slot.support.embedder", "slot.support.minimum"]


def test_parts_in_mappings_and_lists_are_made_too():
    flat = {"_target_": "harness.retrieval.stores.faiss_flat.Flat"}
    node = {"_target_": "tests.build.test_instances.Holder", "named": {"a": flat}, "listed": [flat, 3]}
    stage, problems = made(node)
    assert problems == {}
    assert type(stage.named["a"]) is type(stage.listed[0]) and stage.listed[1] == 3


@pytest.mark.parametrize(
    ("node", "says"),
    [
        ({"_target_": "harness.querying.route.Rules", "identifiers": ""}, "nothing would be routed"),
        ({"_target_": "tests.build.test_instances.Breaking"}, "'no such key'"),
        ({"_target_": "tests.build.test_instances.Breaking", "colour": 1}, "unexpected keyword argument 'colour'"),
    ],
)
def test_whatever_a_stage_raises_is_a_problem_of_its_slot(node, says):
    _, problems = made(node)
    assert says in problems["slot"]


@pytest.mark.parametrize(
    ("node", "where"),
    [
        ({"_target_": "harness.retrieval.stores.qdrant.Qdrant", "m": 8}, "slot"),
        ({"_target_": "harness.fusion.WeightedFusion", "normalise": "raw"}, "slot.normalise"),
        ({"_target_": "harness.retrieval.sparse.BM25", "language": "klingon"}, "slot.language"),
    ],
)
def test_a_message_of_a_rule_of_ours_has_neither_pydantics_words_nor_the_whole_group(node, where):
    _, problems = made(node)
    assert list(problems) == [where]
    assert "Value error" not in problems[where] and "a group of" not in problems[where]


def test_a_record_of_settings_is_held_to_the_same_rules():
    problems = []
    assert settings_of(Depth, {"shown": 0, "colour": 1}, "depth.", problems) is None
    assert {problem.where: problem.what for problem in problems} == {
        "depth.shown": "Input should be greater than or equal to 1, got 0",
        "depth.colour": "no such setting",
    }


@checked
class Holder:
    """A stage with parts in a mapping and a list."""

    named: dict[str, object] = Field(default_factory=dict)
    listed: list[object] = Field(default_factory=list)


class Breaking:
    """A plugin's stage that fails while it is made."""

    def __init__(self) -> None:
        raise KeyError("no such key")
