"""The litellm client against a real loopback server that counts what it gets."""

import logging
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError, HarnessError, StageError
from harness.fingerprint import canonical
from harness.llm import calling
from harness.llm.litellm_client import LiteLLM, most
from harness.llm.remote import NO_KEY
from harness.spending import Budget, ExhaustedError, within
from harness.types import Request, Turn, Usage
from tests.fake_openai import FakeOpenAI, Reply, busy, cut_short, dripping, failing, garbage, ok, slow, truncated, wrong_json

REQUEST = Request((Turn("system", "Be brief."), Turn("user", "How far?")), max_tokens=32)
CANARY = "sk-CANARY-0123456789"


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, noted instead of slept."""
    noted: list[float] = []
    monkeypatch.setattr(calling, "sleep", noted.append)
    return noted


def client(server: FakeOpenAI, model: str = "m", **settings: object) -> LiteLLM:
    """A client of the fake server."""
    return LiteLLM(model=f"openai/{model}", api_base=server.url, **settings)  # type: ignore[arg-type]


def test_a_completion_comes_back_with_text_reason_and_tokens(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("5 metres", tokens=(12, 3)))
    completion = client(fake_openai).complete(REQUEST)
    assert (completion.text, completion.finish_reason) == ("5 metres", "stop")
    assert (completion.usage.input_tokens, completion.usage.output_tokens, completion.usage.calls) == (12, 3, 1)


def test_the_request_carries_turns_and_every_parameter(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("x"))
    client(fake_openai).complete(REQUEST)
    sent = fake_openai.requests[0]
    assert sent["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How far?"}]
    assert (sent["max_tokens"], sent["temperature"], sent["seed"]) == (32, 0, 7)
    assert "tools" not in sent and "response_format" not in sent


def test_a_schema_becomes_a_json_schema_response_format(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("{}"))
    schema = {"title": "Verdict", "type": "object", "properties": {"yes": {"type": "boolean"}}}
    client(fake_openai).complete(Request(REQUEST.turns, schema=schema))
    assert fake_openai.requests[0]["response_format"]["json_schema"]["name"] == "Verdict"


def test_candidates_of_the_first_token_come_back_with_their_log_probabilities(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("Yes", candidates={"Yes": -0.1, "No": -2.5}))
    completion = client(fake_openai).complete(Request(REQUEST.turns, max_tokens=1, top_logprobs=20))
    assert completion.logprobs == pytest.approx({"Yes": -0.1, "No": -2.5})
    assert (fake_openai.requests[0]["logprobs"], fake_openai.requests[0]["top_logprobs"]) == (True, 20)


def test_log_probabilities_are_not_asked_for_where_nobody_wants_them(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("Yes"))
    assert client(fake_openai).complete(REQUEST).logprobs == {}
    assert not {"logprobs", "top_logprobs"} & set(fake_openai.requests[0])


def test_a_repeat_is_sent_with_a_seed_of_its_own(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", ok("x"))
    for repeat in (0, 1, 2):
        client(fake_openai).complete(Request(REQUEST.turns, temperature=1.0, repeat=repeat))
    assert [sent["seed"] for sent in fake_openai.requests] == [7, 8, 9]


def test_a_known_model_has_a_price_and_an_unknown_one_costs_nothing(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("gpt-4o-mini", ok("x", tokens=(1000, 1000)))
    fake_openai.script("house-model", ok("x"))
    assert client(fake_openai, "gpt-4o-mini").complete(REQUEST).usage.cost == pytest.approx(0.00015 + 0.0006)
    assert client(fake_openai, "house-model").complete(REQUEST).usage.cost == 0.0


def test_429_then_ok_takes_two_requests_and_waits_as_asked(fake_openai: FakeOpenAI, waits: list[float]) -> None:
    fake_openai.script("m", busy("3"), ok("there"))
    assert client(fake_openai).complete(REQUEST).text == "there"
    assert (fake_openai.count("m"), waits) == (2, [3.0])


def test_500_is_tried_exactly_attempts_times(fake_openai: FakeOpenAI, waits: list[float]) -> None:
    fake_openai.script("m", failing(500, "disk on fire"))
    with pytest.raises(StageError, match=r"R006 model 'openai/m' failed after 3 attempts.*disk on fire"):
        client(fake_openai, attempts=3).complete(REQUEST)
    assert (fake_openai.count("m"), waits) == (3, [0.5, 1.0])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refused_request_is_not_tried_again(fake_openai: FakeOpenAI, status: int, waits: list[float]) -> None:
    fake_openai.script("m", failing(status, "not like this"))
    with pytest.raises(StageError, match=r"R007 model 'openai/m' refused the request.*not like this"):
        client(fake_openai).complete(REQUEST)
    assert (fake_openai.count("m"), waits) == (1, [])


@pytest.mark.parametrize("reply", [garbage(), wrong_json(), cut_short(), Reply(b""), Reply(b"null")])
def test_a_reply_that_is_no_completion_is_an_error_after_the_attempts(fake_openai: FakeOpenAI, reply: Reply) -> None:
    fake_openai.script("m", reply)
    with pytest.raises(StageError, match=r"R006 .*failed after 2 attempts"):
        client(fake_openai, attempts=2).complete(REQUEST)
    assert fake_openai.count("m") == 2


def test_a_provider_that_stays_busy_is_exhausted_and_named(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", busy("1"))
    with pytest.raises(ExhaustedError, match=r"R005 model 'openai/m' failed after 3 attempts \(the server asked to wait 1 s\)"):
        client(fake_openai, attempts=3).complete(REQUEST)
    assert fake_openai.count("m") == 3


def test_a_server_that_drips_a_byte_now_and_then_fails_within_the_deadline(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", dripping(0.05))
    with pytest.raises(StageError, match=r"no whole reply within 0.3 s"):
        client(fake_openai, timeout=0.3, deadline=0.7).complete(REQUEST)
    assert fake_openai.count("m") in (1, 2)


def test_a_cut_off_text_is_returned_as_length(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", truncated("5 met"))
    completion = client(fake_openai).complete(REQUEST)
    assert (completion.text, completion.finish_reason) == ("5 met", "length")


def test_a_slow_server_times_out_and_is_tried_again(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", slow(0.8), ok("quick"))
    assert client(fake_openai, timeout=0.2).complete(REQUEST).text == "quick"
    assert fake_openai.count("m") == 2


def test_a_closed_port_fails_and_names_the_connection() -> None:
    model = LiteLLM(model="openai/m", api_base="http://127.0.0.1:9/v1", attempts=1, timeout=2)
    with pytest.raises(StageError, match=r"failed after 1 attempt.*[Cc]onnection"):
        model.complete(REQUEST)


def test_the_budget_counts_retries_and_stops_before_the_next_request(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", busy(), busy(), ok("never"))
    with within(Budget(calls=2)), pytest.raises(ExhaustedError, match=r"R004 .*budget.calls=2"):
        client(fake_openai).complete(REQUEST)
    assert fake_openai.count("m") == 2


def test_a_completion_is_booked_at_what_the_provider_says_it_took(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("gpt-4o-mini", ok("x", tokens=(1000, 100)))
    with within(Budget()) as ledger:
        completion = client(fake_openai, "gpt-4o-mini").complete(REQUEST)
    assert ledger.sent == completion.usage == Usage(1000, 100, 1, pytest.approx(0.00021))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reply", "tokens"),
    [(failing(500), 0), (failing(400), 0), (busy(), 0), (garbage(), most(REQUEST).input_tokens + 32)],
)
def test_an_error_of_the_provider_costs_nothing_and_an_unreadable_reply_the_most(
    fake_openai: FakeOpenAI, reply: Reply, tokens: int
) -> None:
    fake_openai.script("m", reply)
    with within(Budget()) as ledger, pytest.raises(HarnessError):
        client(fake_openai, attempts=1).complete(REQUEST)
    assert (ledger.sent.calls, ledger.sent.input_tokens + ledger.sent.output_tokens) == (1, tokens)


def test_a_closed_port_costs_no_tokens() -> None:
    with within(Budget()) as ledger, pytest.raises(StageError):
        LiteLLM(model="openai/m", api_base="http://127.0.0.1:9/v1", attempts=2).complete(REQUEST)
    assert ledger.sent == Usage(calls=2)


def test_spend_never_exceeds_the_budget_though_eight_threads_ask_at_once(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", lambda request: ok("x", delay=0.02, tokens=(len(request["messages"][-1]["content"]), 20)))
    model = client(fake_openai)

    def ask(number: int) -> bool:
        try:
            model.complete(Request((Turn("user", "word " * (number % 5 + 1)),), max_tokens=32))
        except ExhaustedError:
            return False
        return True

    with within(Budget(tokens=600)) as ledger, ThreadPoolExecutor(8) as pool:
        answered = sum(pool.map(ask, range(40)))
    assert ledger.sent.input_tokens + ledger.sent.output_tokens == fake_openai.tokens <= 600
    assert 0 < answered == fake_openai.count("m") < 40


def test_a_missing_key_is_named_before_any_request(fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FERNHILL_LLM_KEY", raising=False)
    model = client(fake_openai, api_key_env="FERNHILL_LLM_KEY")
    with pytest.raises(ConfigError, match="'FERNHILL_LLM_KEY' is unset"):
        model.complete(REQUEST)
    with pytest.raises(ConfigError, match="'FERNHILL_LLM_KEY' is unset"):
        model.check()
    assert fake_openai.requests == []


def test_the_key_is_read_from_the_named_variable_only(fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("FERNHILL_LLM_KEY", CANARY)
    fake_openai.script("m", ok("x"))
    client(fake_openai, api_key_env="FERNHILL_LLM_KEY").complete(REQUEST)
    client(fake_openai).complete(REQUEST)
    assert fake_openai.authorizations == [f"Bearer {CANARY}", f"Bearer {NO_KEY}"]


def test_the_key_shows_in_no_identity_repr_fingerprint_error_traceback_or_log(
    fake_openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FERNHILL_LLM_KEY", CANARY)
    caplog.set_level(logging.DEBUG)
    fake_openai.script("m", failing(401, f"Incorrect API key provided: {CANARY}"))
    model = client(fake_openai, api_key_env="FERNHILL_LLM_KEY")
    with pytest.raises(StageError) as caught:
        model.complete(REQUEST)
    shown = "".join(traceback.format_exception(caught.value))
    assert "***" in str(caught.value)
    assert CANARY not in shown + model.identity + repr(model) + canonical(model) + caplog.text + "".join(capfd.readouterr())


def test_a_literal_key_cannot_be_given_and_is_not_echoed() -> None:
    with pytest.raises(ValidationError, match="api_key") as caught:
        LiteLLM(model="openai/m", api_key=CANARY)  # type: ignore[call-arg]
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize("base", [f"https://user:{CANARY}@host/v1", f"https://host/v1?key={CANARY}"])
def test_a_key_inside_the_base_url_is_refused_and_not_echoed(base: str) -> None:
    with pytest.raises(ConfigError, match="api_key_env") as caught:
        LiteLLM(model="openai/m", api_base=base)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [("model", ""), ("timeout", 0), ("attempts", 0), ("attempts", "many"), ("deadline", 0), ("concurrency", 0)],
)
def test_a_bad_value_names_its_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        LiteLLM(**({"model": "openai/m"} | {field: value}))  # type: ignore[arg-type]


def test_identity_tells_models_and_servers_apart() -> None:
    models = [LiteLLM("openai/a"), LiteLLM("openai/b"), LiteLLM("openai/a", api_base="http://127.0.0.1:1/v1")]
    assert len({model.identity for model in models}) == 3


def test_one_client_serves_several_threads(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("m", lambda request: ok(request["messages"][-1]["content"], delay=0.1))
    model = client(fake_openai)
    asked = [str(number) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        replies = list(pool.map(lambda text: model.complete(Request((Turn("user", text),))).text, asked))
    assert replies == asked
    assert 2 <= fake_openai.busiest <= 4


def test_clients_of_one_server_share_its_places(fake_openai: FakeOpenAI) -> None:
    fake_openai.script("a", ok("x", delay=0.05))
    fake_openai.script("b", ok("x", delay=0.05))
    models = [client(fake_openai, name, concurrency=2) for name in "ab" * 4]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda model: model.complete(REQUEST), models))
    assert (len(fake_openai.requests), fake_openai.busiest) == (8, 2)
