"""Variables of the environment that would send a model's requests elsewhere, held against what litellm itself reads."""

import os
import re
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.llm.bases import redirecting
from harness.llm.litellm_client import LiteLLM
from harness.llm.prices import litellm
from harness.types import Request, Turn
from tests.fake_openai import FakeOpenAI, ok

HERE = "http://127.0.0.1:9/elsewhere"


@pytest.fixture(autouse=True)
def _clear(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in os.environ if re.search(r"_(API_BASE|BASE_URL|ENDPOINT|URL)$", name) or name == "USE_LITELLM_PROXY"
    ]:
        monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-4o-mini", "OPENAI_BASE_URL"),
        ("openai/gpt-4o-mini", "OPENAI_API_BASE"),
        ("gpt-4o-mini", "OPENAI_BASE_URL"),
        ("text-completion-openai/davinci", "OPENAI_API_BASE"),
        ("azure/gpt", "AZURE_API_BASE"),
        ("azure/gpt", "AZURE_OPENAI_ENDPOINT"),
        ("anthropic/claude", "ANTHROPIC_BASE_URL"),
        ("cohere/rerank-v3.5", "COHERE_API_BASE"),
        ("ollama_chat/llama3", "OLLAMA_API_BASE"),
        ("hosted_vllm/m", "HOSTED_VLLM_API_BASE"),
        ("together_ai/m", "TOGETHER_AI_API_BASE"),
        ("fireworks_ai/m", "FIREWORKS_API_BASE"),
        ("vertex_ai/m", "VERTEXAI_API_BASE"),
        ("huggingface/m", "HF_API_BASE"),
        ("bedrock/m", "AWS_BEDROCK_RUNTIME_ENDPOINT"),
        ("watsonx/m", "WATSONX_URL"),
        ("watsonx/m", "WX_URL"),
        ("mistral/m", "USE_LITELLM_PROXY"),
    ],
)
def test_a_variable_that_redirects_the_provider_is_named(monkeypatch: pytest.MonkeyPatch, model: str, name: str) -> None:
    assert redirecting(model) == ""
    monkeypatch.setenv(name, " ")
    assert redirecting(model) == ""
    monkeypatch.setenv(name, HERE)
    assert redirecting(model) == name


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT", "GROQ_API_BASE", "GITHUB_API_URL", "WX_URL", "DATABASE_URL"]
)
def test_variables_of_others_do_not_matter(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, HERE)
    assert redirecting("openai/gpt-4o-mini") == ""


def test_whatever_litellm_takes_a_base_from_for_a_provider_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variable that litellm's choice of a provider reads is set to its own name; where that name comes back, it redirects."""
    package = litellm()
    source = (Path(package.__file__).parent / "litellm_core_utils" / "get_llm_provider_logic.py").read_text()
    names = {*re.findall(r'"([A-Z0-9_]+_(?:API_BASE|BASE_URL))"', source)}
    chat = "".join(path.read_text() for path in (Path(package.__file__).parent / "llms").glob("*/chat/transformation.py"))
    names |= {*re.findall(r'"([A-Z0-9_]+_(?:API_BASE|BASE_URL))"', chat)}
    assert len(names) > 40
    taken = {}
    for name in sorted(names):
        monkeypatch.setenv(name, f"http://{name}")
    for provider in sorted(str(getattr(item, "value", item)) for item in package.provider_list):
        try:
            base = package.get_llm_provider(f"{provider}/m")[3] or ""
        except (package.exceptions.BadRequestError, ValueError):
            continue
        if found := re.search(r"http://([A-Z0-9_]+)", base):
            taken[provider] = found[1]
    assert len(taken) > 20
    for name in names:
        monkeypatch.delenv(name)
    missed = []
    for provider, name in taken.items():
        monkeypatch.setenv(name, HERE)
        missed += [(provider, name)] if redirecting(f"{provider}/m") != name else []
        monkeypatch.delenv(name)
    assert missed == []


@pytest.mark.parametrize("name", ["OPENAI_BASE_URL", "OPENAI_API_BASE"])
def test_completions_of_another_server_never_pass_for_the_providers_own(
    monkeypatch: pytest.MonkeyPatch, fake_openai: FakeOpenAI, name: str
) -> None:
    fake_openai.script("gpt-4o-mini", ok("yes"))
    monkeypatch.setenv(name, fake_openai.url)
    model, request = LiteLLM("openai/gpt-4o-mini", attempts=1), Request((Turn("user", "q"),), max_tokens=8)
    for act in (model.check, lambda: model.complete(request)):
        with pytest.raises(ConfigError, match=rf"'{name}' would send the requests of model 'openai/gpt-4o-mini'.*as api_base"):
            act()
    assert fake_openai.requests == []
    named = LiteLLM("openai/gpt-4o-mini", api_base=fake_openai.url, attempts=1)
    assert named.complete(request).text == "yes"
    assert fake_openai.url in named.identity
