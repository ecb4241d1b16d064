"""litellm, made quiet, and the price table that it bundles."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from harness.types import Turn, Usage

TURN_TOKENS = 16
"""Tokens that stand around a turn, at most."""
DOCUMENT_TOKENS = 500
"""Tokens of a document and its query that are billed as one document."""
SEARCH_DOCUMENTS = 100
"""Documents that are billed as one search."""


@lru_cache(maxsize=1)
def litellm() -> Any:
    """The package: no price list from the network, no output of its own, no retries of its own."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm as package

    package.suppress_debug_info = True
    package.DEFAULT_MAX_RETRIES = 0
    package.verbose_logger.disabled = True
    return package


@lru_cache(maxsize=64)
def listed(model: str) -> bool:
    """Whether the table has an entry of the model; a name that litellm only takes for one of a family has none."""
    return _entry(model) is not None


def _entry(model: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    """What litellm says of a model, and the table's own entry."""
    package = litellm()
    try:
        said = package.get_model_info(model)
    except (package.exceptions.ModelNotMappedError, ValueError):
        return None
    names = (said.get("key"), f"{said.get('litellm_provider')}/{said.get('key')}")
    own = next((package.model_cost[name] for name in names if name in package.model_cost), None)
    return None if own is None else (said, own)


@lru_cache(maxsize=64)
def _listed(model: str) -> Mapping[str, float] | None:
    """The table's prices of a model; None for one that it does not list, or lists without any price."""
    found = _entry(model)
    if found is None or not any(value is not None for name, value in found[1].items() if "_cost_per_" in name):
        return None
    return {name: value for name, value in found[0].items() if "_cost_per_" in name and isinstance(value, int | float)}


def priced(model: str) -> bool:
    """Whether the table lists the model with a price, be it 0."""
    return bool(_listed(model))


def with_cost(model: str, usage: Usage, searches: int = 1) -> Usage:
    """The usage with what it costs at most, at the dearest rate of the model that can apply; nothing for an unlisted model.

    Args:
        model: litellm's name.
        usage: tokens and calls.
        searches: what each call is billed as at most, where the provider bills searches (see `most_searches`).
    """
    listed = _listed(model) or {}
    read, written = (_dearest(listed, kind) for kind in ("input_cost_per_", "output_cost_per_"))
    query = listed.get("input_cost_per_query", 0.0)
    return replace(usage, cost=usage.input_tokens * read + usage.output_tokens * written + usage.calls * searches * query)


def _dearest(listed: Mapping[str, float], kind: str) -> float:
    """The rate of a token; a model may ask more for long prompts and for what it thinks."""
    names = (f"{kind}token", f"{kind}reasoning_token")
    rates = [
        rate
        for name, rate in listed.items()
        if name in names or (name.startswith(f"{kind}token_above_") and name.endswith("_tokens"))
    ]
    return max(rates, default=0.0)


def most_searches(query: str, passages: Sequence[str]) -> int:
    """Searches that one reranking is billed as at most: Cohere's hold 100 documents, and one of more than 500 tokens together with
    the query is split into several."""
    pieces = sum(-(-most_tokens([query, passage]) // DOCUMENT_TOKENS) for passage in passages)
    return -(-pieces // SEARCH_DOCUMENTS)


def most_tokens(texts: Sequence[str]) -> int:
    """Tokens of texts at most: no tokenizer in use makes more of a text than it has bytes."""
    return sum(len(text.encode("utf-8", "surrogatepass")) + TURN_TOKENS for text in texts)


def most_read(turns: Sequence[Turn], schema: str = "") -> int:
    """Tokens of a prompt and the schema of its reply, at most."""
    return most_tokens([*(turn.content for turn in turns), schema])
