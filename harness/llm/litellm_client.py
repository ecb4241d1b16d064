"""Any model that litellm can reach: one request, one place for retries, budget and price."""

import os
import time
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.llm.logprobs import first_token
from harness.llm.retry import Budget, Retryable, seconds_asked, with_retries
from harness.llm.schema import response_format
from harness.types import Completion, Request, Usage

NO_KEY = "no-key"
"""Sent where no key is configured, so that a key lying about in the environment is never picked up."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True))
class LiteLLM:
    """A client of the LLM protocol over litellm.

    The key is read from an environment variable at the call: it stands in no field, identity, error or repr.
    Parameters that a provider does not know (such as `seed`) are dropped. A repeat has a seed of its own, so that it differs
    where the temperature lets it.
    """

    model: Annotated[str, Field(min_length=1)]
    """litellm's name, provider first: openai/gpt-4o-mini, ollama/llama3.2, hosted_vllm/..."""
    api_base: str = ""
    """Base URL of a compatible server; empty is the provider's own."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Z_][A-Z0-9_]*)?$")] = ""
    """Name of the environment variable that holds the key; empty is no key."""
    timeout: Annotated[float, Field(gt=0)] = 60
    """Seconds for one attempt."""
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    """Requests for one completion at most: the first and its retries."""
    max_calls: Annotated[int, Field(ge=0)] = 0
    """Requests in the life of this client, retries included; 0 is no limit."""
    _budget: SkipValidation[Budget] = field(init=False, repr=False, compare=False, default=None)  # type: ignore[assignment]

    _sleep: SkipValidation[Callable[[float], None]] = field(init=False, repr=False, compare=False, default=time.sleep)

    def __post_init__(self) -> None:
        url = urlsplit(self.api_base)
        if url.username or url.password or url.query:
            raise ConfigError(
                f"api_base of {self.model!r} holds a user, a password or a query, which would be written to disk; "
                "give the bare URL and name the key's environment variable in api_key_env"
            )
        object.__setattr__(self, "_budget", Budget(self.max_calls))

    @property
    def identity(self) -> str:
        """Model and base URL; what else can change a completion is in the request."""
        return f"litellm {self.model} {self.api_base or 'default'}"

    @property
    def requests_sent(self) -> int:
        """Requests so far, retries included."""
        return self._budget.spent

    def check(self) -> None:
        """Finds a missing key before anything is sent.

        Raises:
            ConfigError: names the environment variable.
        """
        self._key()

    def complete(self, request: Request) -> Completion:
        """One completion. `finish_reason` is the provider's: a cut-off text comes back as `length`.

        Raises:
            ConfigError: when the environment variable of the key is unset.
            StageError: when the attempts or the budget are used up, or the provider refuses the request.
        """
        key = self._key()
        return with_retries(lambda: self._attempt(request, key), f"model {self.model!r}", self.attempts, self._sleep)

    def _key(self) -> str:
        if not self.api_key_env:
            return NO_KEY
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise ConfigError(
                f"environment variable {self.api_key_env!r} is unset; model {self.model!r} needs it (api_key_env). Export it and run again"
            )
        return key

    def _attempt(self, request: Request, key: str) -> Completion:
        self._budget.spend(f"model {self.model!r}")
        import openai

        litellm = _litellm()
        try:
            return _completion(litellm.completion(**self._arguments(request), api_key=key))
        except openai.OpenAIError as error:
            failure = _classify(error, str(error).replace(key, "***"))
        if isinstance(failure, Retryable):
            raise failure
        raise StageError(f"model {self.model!r} refused the request: {failure}")

    def _arguments(self, request: Request) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": turn.role, "content": turn.content} for turn in request.turns],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed + request.repeat,
            "timeout": self.timeout,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": True,
        }
        if self.api_base:
            arguments["api_base"] = self.api_base
        if request.top_logprobs:
            arguments |= {"logprobs": True, "top_logprobs": request.top_logprobs}
        if request.schema is not None:
            arguments["response_format"] = response_format(request.schema)
        return arguments


@lru_cache(maxsize=1)
def _litellm() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.suppress_debug_info = True
    return litellm


def _classify(error: Exception, message: str) -> Exception:
    import openai

    status = getattr(error, "status_code", None) or 0
    if isinstance(error, openai.APIConnectionError) or status in (408, 429) or status >= 500:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return Retryable(message, seconds_asked(headers))
    return StageError(message)


def _completion(response: Any) -> Completion:
    if not response.choices:
        raise Retryable("the reply holds no choice")
    choice, usage = response.choices[0], getattr(response, "usage", None)
    cost = getattr(response, "_hidden_params", {}).get("response_cost") or 0.0
    spent = Usage(getattr(usage, "prompt_tokens", 0) or 0, getattr(usage, "completion_tokens", 0) or 0, 1, float(cost))
    return Completion(choice.message.content or "", choice.finish_reason or "stop", spent, _first_token(choice))


def _first_token(choice: Any) -> dict[str, float]:
    logprobs: Any = getattr(choice, "logprobs", None)
    return first_token(logprobs.model_dump() if hasattr(logprobs, "model_dump") else logprobs)
