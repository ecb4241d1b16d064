"""Log-probabilities of the first token, in OpenAI's form."""

from collections.abc import Mapping
from math import exp, isfinite, log
from typing import Any


def first_token(logprobs: Any) -> dict[str, float]:
    """Candidates of the first token to their log-probability, likeliest first; empty when none were reported.

    Tokens of the same text count as one candidate, their probabilities added.

    Args:
        logprobs: a choice's `logprobs`: {"content": [{"top_logprobs": [{"token": ..., "logprob": ...}]}]}, or None.
    """
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    shares: dict[str, float] = {}
    for candidate in (content[0].get("top_logprobs") or []) if content else []:
        value = candidate.get("logprob")
        if isinstance(value, int | float) and isfinite(value):
            shares[candidate["token"]] = shares.get(candidate["token"], 0.0) + exp(value)
    ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return {token: log(share) for token, share in ordered if share}
