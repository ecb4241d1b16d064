"""Any chat model that litellm can reach."""

import json
from typing import Any

from pydantic.dataclasses import dataclass

from harness.llm.calling import Retryable
from harness.llm.logprobs import first_token
from harness.llm.prices import most_read
from harness.llm.remote import STRICT, Remote
from harness.llm.schema import response_format
from harness.types import Completion, Request, Usage


@dataclass(frozen=True, config=STRICT)
class LiteLLM(Remote):
    """A client of the LLM protocol over litellm.

    What can change a completion beside model and base URL is in the request. Parameters that a provider does not know (such as
    `seed`) are dropped. A repeat has a seed of its own, so that it differs where the temperature lets it.
    """

    def complete(self, request: Request) -> Completion:
        """One completion. `finish_reason` is the provider's: a cut-off text comes back as `length`.

        Raises:
            ConfigError: when the environment variable of the key is unset.
            ExhaustedError: when the budget is spent, or the provider's rate limit outlasts the attempts.
            StageError: when the attempts fail otherwise, or the provider refuses the request.
        """
        return self.ask("completion", _arguments(request), most(request), _completion)


def most(request: Request) -> Usage:
    """What a request takes at most."""
    schema = "" if request.schema is None else json.dumps(response_format(request.schema))
    return Usage(most_read(request.turns, schema), request.max_tokens, 1)


def _arguments(request: Request) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "messages": [{"role": turn.role, "content": turn.content} for turn in request.turns],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed + request.repeat,
        "drop_params": True,
    }
    if request.top_logprobs:
        arguments |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if request.schema is not None:
        arguments["response_format"] = response_format(request.schema)
    return arguments


def _completion(reply: Any, took: Usage) -> Completion:
    if not reply.choices:
        raise Retryable("the reply holds no choice")
    choice = reply.choices[0]
    return Completion(choice.message.content or "", choice.finish_reason or "stop", took, _first_token(choice))


def _first_token(choice: Any) -> dict[str, float]:
    logprobs: Any = getattr(choice, "logprobs", None)
    return first_token(logprobs.model_dump() if hasattr(logprobs, "model_dump") else logprobs)
