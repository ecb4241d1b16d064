"""What a call is booked and billed at, whatever the server says of it; and a key that comes back from it."""

import json
from typing import Any

import pytest

from harness.errors import ConfigError, HarnessError
from harness.llm.litellm_client import LiteLLM, most
from harness.llm.prices import with_cost
from harness.spending import Budget, within
from harness.types import Request, Turn, Usage
from tests.fake_openai import FakeOpenAI, Reply, ok

MODEL = "gpt-4o-mini"
REQUEST = Request((Turn("user", "How far?"),), max_tokens=32)
MOST = with_cost(f"openai/{MODEL}", most(REQUEST))


def telling(usage: Any) -> Reply:
    """A completion with this usage; None leaves it out."""
    body = json.loads(ok("x").body)
    body |= {"usage": usage}
    return Reply(json.dumps({name: value for name, value in body.items() if value is not None}).encode())


def client(server: FakeOpenAI, **more: Any) -> LiteLLM:
    return LiteLLM(f"openai/{MODEL}", api_base=server.url, attempts=1, **more)


@pytest.mark.parametrize(
    ("usage", "read", "written"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}, 7, 2),
        (None, MOST.input_tokens, MOST.output_tokens),
        ({}, MOST.input_tokens, MOST.output_tokens),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, MOST.input_tokens, MOST.output_tokens),
        ({"prompt_tokens": -1000, "completion_tokens": -1000, "total_tokens": -2000}, MOST.input_tokens, MOST.output_tokens),
        ({"prompt_tokens": 7, "completion_tokens": -5, "total_tokens": 2}, 7, MOST.output_tokens),
        ({"prompt_tokens": -7, "completion_tokens": 2, "total_tokens": 2}, MOST.input_tokens, 2),
        ({"prompt_tokens": 7}, 7, MOST.output_tokens),
    ],
)
def test_what_a_reply_does_not_count_is_taken_as_the_most_and_the_bill_is_what_the_ledger_books(
    fake_openai: FakeOpenAI, usage: Any, read: int, written: int
) -> None:
    fake_openai.script(MODEL, telling(usage))
    with within(Budget()) as ledger:
        billed = client(fake_openai).complete(REQUEST).usage
    assert (billed.input_tokens, billed.output_tokens, billed.calls) == (read, written, 1)
    assert billed.cost >= with_cost(f"openai/{MODEL}", Usage(read, written, 1)).cost * 0.999999 > 0
    assert billed == ledger.sent


def test_a_server_that_counts_backwards_does_not_lengthen_the_budget(fake_openai: FakeOpenAI) -> None:
    fake_openai.script(MODEL, telling({"prompt_tokens": -1000, "completion_tokens": -1000, "total_tokens": -2000}))
    limit = 3 * (MOST.input_tokens + MOST.output_tokens)
    with within(Budget(tokens=limit)), pytest.raises(HarnessError, match="R004"):
        for _ in range(9):
            client(fake_openai).complete(REQUEST)
    assert fake_openai.count(MODEL) == 3


@pytest.mark.parametrize("key", ["sk-CANARY+/=abc", "sk-CANARY0123456789", "CANARY.abc-def_xyz", "c0ffee+CANARY=="])
@pytest.mark.parametrize("status", [400, 401, 403, 422, 500])
@pytest.mark.parametrize("said", ["bad key {}", '{{"key":"{}"}}', "Bearer {}!", "k={}&x=1"])
def test_a_key_that_the_server_repeats_shows_in_no_error(
    fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, key: str, status: int, said: str
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    fake_openai.script(MODEL, Reply(json.dumps({"error": {"message": said.format(key)}}).encode(), status))
    with pytest.raises(HarnessError) as caught:
        client(fake_openai, api_key_env="MY_KEY").complete(REQUEST)
    text = str(caught.value)
    assert not [key[start : start + 4] for start in range(len(key) - 3) if key[start : start + 4] in text]
    assert fake_openai.authorizations == [f"Bearer {key}"]


@pytest.mark.parametrize(
    "base", ["u:sk-CANARY@h/v1", "http://h/v1#key=sk-CANARY", "http://h:abc", "localhost:8000/v1", "ftp://h"]
)
def test_a_base_that_is_no_bare_url_is_refused_and_not_echoed(base: str) -> None:
    with pytest.raises(ConfigError, match=r"api_base of 'openai/m' must be a bare http:// or https:// URL") as caught:
        LiteLLM("openai/m", api_base=base)
    assert "CANARY" not in str(caught.value)


def test_a_key_is_not_sent_over_http_to_another_machine() -> None:
    with pytest.raises(ConfigError, match="a key would be sent over http"):
        LiteLLM("openai/m", api_base="http://10.0.0.5/v1", api_key_env="MY_KEY")
    assert LiteLLM("openai/m", api_base="http://10.0.0.5/v1").identity.endswith("http://10.0.0.5/v1")
