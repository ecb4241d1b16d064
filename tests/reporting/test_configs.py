"""The flat view of a config that reports and MLflow share."""

import pytest

from harness.reporting.configs import HIDDEN, flatten, is_secret, safe_overrides, shown
from tests.reporting.records import CONFIG


def test_settings_carry_the_names_of_the_command_line() -> None:
    flat = flatten(CONFIG)
    assert flat["chunker.size"] == "512"
    assert flat["retrievers.bm25.k1"] == "1.2"
    assert flat["fuser.k"] == "60"


def test_a_stage_is_shown_by_its_class_and_an_empty_slot_as_none() -> None:
    flat = flatten(CONFIG)
    assert flat["chunker"] == "Recursive"
    assert flat["retrievers.bm25"] == "BM25"
    assert flat["reranker"] == "none"
    assert not any("_target_" in name for name in flat)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (512, "512"),
        (0.5, "0.5"),
        (True, "true"),
        (False, "false"),
        (None, "none"),
        ([], "none"),
        ([1, 5, 10], "1, 5, 10"),
        ("bge-small", "bge-small"),
    ],
)
def test_values_are_plain_text(value: object, text: str) -> None:
    assert shown(value) == text


def test_stages_in_a_list_are_numbered() -> None:
    flat = flatten({"chain": [{"_target_": "a.b.Hyde", "n": 2}, {"_target_": "a.b.Rewrite"}]})
    assert flat == {"chain.0": "Hyde", "chain.0.n": "2", "chain.1": "Rewrite"}


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("generator.api_key", "sk-1", True),
        ("judge.authToken", "abc", True),
        ("http.password", "abc", True),
        ("headers.Authorization", "Bearer abc", True),
        ("generator.api_key_env", "OPENAI_API_KEY", False),
        ("generator.max_tokens", 256, False),
        ("context.token_budget", 1000, False),
        ("retrievers.bm25.tokenizer", "unicode", False),
        ("generator.api_key", None, False),
    ],
)
def test_secrets_are_told_from_knobs_by_name_and_kind_of_value(name: str, value: object, secret: bool) -> None:
    assert is_secret(name, value) is secret


def test_no_secret_reaches_the_flat_view() -> None:
    assert "CANARY" not in str(flatten(CONFIG))
    assert flatten({"llm": {"base_url": "http://me:hunter2@host/v1"}}) == {"llm.base_url": f"http://{HIDDEN}@host/v1"}


def test_secrets_in_overrides_are_hidden_and_the_rest_stays() -> None:
    overrides = ("generator.api_key=hunter2", "fuser.k=60", "judge.model=sk-CANARY-1234", "~reranker")
    assert safe_overrides(overrides) == (f"generator.api_key={HIDDEN}", "fuser.k=60", f"judge.model={HIDDEN}", "~reranker")
