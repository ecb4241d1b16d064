"""Support read by a language model: one request, one verdict per claim, or an error."""

import json
from collections.abc import Sequence

import pytest

from harness.errors import StageError
from harness.judging.claim_judge import ClaimJudge
from harness.judging.claims import RuleSplitter
from harness.judging.llm_support import LLMSupport, turns
from harness.llm.litellm_client import LiteLLM
from harness.llm.scripted import Scripted
from harness.protocols import Judge, SupportModel
from harness.types import Support
from tests.contracts.judge import JudgeContract
from tests.contracts.support_model import SupportModelContract
from tests.fake_openai import FakeOpenAI, Reply, failing, ok, truncated

PASSAGES = ["The range is 5 metres.", "The case is red."]


def verdicts(*words: str, first: int = 1) -> str:
    rows = [{"claim": place, "reason": f"because {word}", "verdict": word} for place, word in enumerate(words, first)]
    return json.dumps({"verdicts": rows})


def supported(reply: str, claims: Sequence[str] = ("It is red.",)) -> Sequence[Support]:
    return LLMSupport(Scripted([reply])).support(claims, PASSAGES)


class TestContract(JudgeContract):
    @pytest.fixture
    def judge(self) -> Judge:
        return ClaimJudge(RuleSplitter(), LLMSupport(Scripted([verdicts("full")] * 4)), metrics=("faithfulness",))


class TestSupportContract(SupportModelContract):
    @pytest.fixture
    def model(self) -> SupportModel:
        return LLMSupport(Scripted([verdicts("full", "none")] * 2))


def test_each_verdict_becomes_its_degree_of_support_with_the_reason() -> None:
    found = supported(verdicts("full", "partial", "none"), ["a", "b", "c"])
    assert [(item.probability, item.supported) for item in found] == [(1.0, True), (0.5, False), (0.0, False)]
    assert found[2].reason == "none: because none"


def test_all_claims_and_passages_go_out_in_one_request_at_temperature_zero(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("judge", ok(verdicts("full", "none")))
    LLMSupport(LiteLLM("openai/judge", api_base=fake_openai.url)).support(["It is red.", "It is blue."], PASSAGES)
    (request,) = fake_openai.requests
    text = request["messages"][-1]["content"]
    assert all(f"| {given}" in text for given in [*PASSAGES, "It is red.", "It is blue."])
    assert request["temperature"] == 0
    assert request["response_format"]["json_schema"]["strict"] is True


def test_no_claim_asks_nobody() -> None:
    assert LLMSupport(Scripted([])).support([], PASSAGES) == []


@pytest.mark.parametrize(
    "reply",
    [verdicts("full"), verdicts("full", "full", "full"), verdicts("full", "full", first=0), verdicts("full", "full", first=2)],
    ids=["too-few", "too-many", "from-zero", "shifted"],
)
def test_other_than_one_verdict_per_claim_is_an_error(reply: str) -> None:
    with pytest.raises(StageError, match=r"J001 the judge was asked for verdicts on claims 1 to 2 and gave them on \["):
        supported(reply, ["a", "b"])


def test_a_repeated_verdict_is_an_error() -> None:
    rows = [{"claim": 1, "reason": "r", "verdict": "full"}] * 2
    with pytest.raises(StageError, match=r"gave them on \[1, 1\]"):
        supported(json.dumps({"verdicts": rows}), ["a", "b"])


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (ok("The claim is fully supported."), "J001"),
        (ok(verdicts("90")), "J002 .*verdict is '90'"),
        (ok('{"verdicts": [{"claim": 1, "reason": "", "verdict": 1.0}]}'), "J00[12]"),
        (truncated(verdicts("full")), "J003"),
        (failing(500, "disk on fire"), "disk on fire"),
    ],
    ids=["prose", "number", "float", "cut", "500"],
)
def test_whatever_goes_wrong_is_an_error(fake_openai: FakeOpenAI, reply: Reply, says: str) -> None:
    fake_openai.script("judge", reply)
    with pytest.raises(StageError, match=says):
        LLMSupport(LiteLLM("openai/judge", api_base=fake_openai.url, attempts=1)).support(["It is red."], PASSAGES)


def test_passages_are_read_whole_or_not_at_all() -> None:
    long = ["word " * 20_000]
    with pytest.raises(StageError, match="J005"):
        LLMSupport(Scripted([verdicts("full")]), max_input_tokens=5_000).support(["a"], long)
    assert LLMSupport(Scripted([verdicts("full")])).support(["a"], long)[0].supported


def test_its_identity_names_prompt_and_model_but_no_limit() -> None:
    identity = LLMSupport(LiteLLM("openai/judge")).identity
    assert identity.startswith("llm v1 prompt=") and "by litellm openai/judge" in identity
    assert LLMSupport(LiteLLM("openai/judge"), max_tokens=128).identity == identity
    assert LLMSupport(LiteLLM("openai/other")).identity != identity


def test_the_same_claims_and_passages_make_the_same_prompt() -> None:
    assert turns(["a"], PASSAGES) == turns(["a"], PASSAGES) != turns(["a"], PASSAGES[::-1])
