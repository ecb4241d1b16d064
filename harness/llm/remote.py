"""A model behind litellm, whatever it does: chat, embedding, reranking. Key, errors, price and attempts are here."""

import os
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.llm import prices
from harness.llm.bases import redirecting
from harness.llm.calling import Patience, Retryable, called, seconds_asked
from harness.llm.masking import masked
from harness.llm.urls import bare_url
from harness.spending import Held
from harness.types import Usage

Result = TypeVar("Result")

NO_KEY = "no-key"
"""Sent where no key is configured, so that a key lying about in the environment is never picked up."""
STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True, hide_input_in_errors=True)
"""Of every client: what is wrong is named, and a key written in the wrong place is not shown."""


@dataclass(frozen=True, config=STRICT)
class Remote:
    """What the clients of all kinds of model have in common.

    The key is read from an environment variable at the call: it stands in no field, identity, error or repr.
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
    """Requests for one call at most: the first and its retries."""
    deadline: Annotated[float, Field(gt=0)] = 180
    """Seconds for all attempts of a call together, waits included."""
    concurrency: Annotated[int, Field(ge=1, le=256)] = 8
    """Requests under way at this server, those of its other clients and those that were given up included."""

    def __post_init__(self) -> None:
        if self.api_base:
            bare_url(self.api_base, f"api_base of {self.model!r}", bool(self.api_key_env))

    @property
    def identity(self) -> str:
        """Model and base URL."""
        return f"litellm {self.model} {self.api_base or 'default'}"

    @property
    def priced(self) -> bool:
        """Whether the bundled table lists the model."""
        return prices.priced(self.model)

    def cost(self, usage: Usage, searches: int = 1) -> float:
        """US dollars that so many tokens and calls of so many searches cost at most; 0 where the model is not `priced`."""
        return prices.with_cost(self.model, usage, searches).cost

    def check(self) -> None:
        """Finds a missing key, or a variable that would send requests elsewhere, before anything is sent.

        Raises:
            ConfigError: names the environment variable.
        """
        if not self.api_base and (name := redirecting(self.model)):
            raise ConfigError(
                f"environment variable {name!r} would send the requests of model {self.model!r} to another server, whose answers would "
                "be kept as the provider's own. Give that server as api_base, or unset the variable"
            )
        self._key()

    def ask(
        self,
        function: Literal["completion", "embedding", "rerank"],
        arguments: Mapping[str, Any],
        most: Usage,
        read: Callable[[Any, Usage], Result],
        searches: int = 1,
    ) -> Result:
        """What `read` makes of the reply of litellm's function and of what the call took.

        Args:
            function: name in litellm.
            arguments: those of the function, beside model, key, base and time.
            most: tokens that the call takes at most.
            read: raises Retryable for a reply that is not whole.
            searches: what the call is billed as at most, where a provider bills searches.

        Raises:
            ConfigError: as `check`.
            ExhaustedError, StageError: as `called`; StageError R007 too when the provider refuses the request.
        """
        self.check()
        key, what = self._key(), f"model {self.model!r}"
        most = prices.with_cost(self.model, Usage(most.input_tokens, most.output_tokens, 1), searches)
        common: dict[str, Any] = {"model": self.model, "max_retries": 0, "num_retries": 0, "api_key": key}
        if self.api_base:
            common["api_base"] = self.api_base

        def send(seconds: float, held: Held) -> Result:
            reply = _sent(what, key, held, lambda: getattr(prices.litellm(), function)(**common, **arguments, timeout=seconds))
            held.took = _took(reply, most)
            return read(reply, held.took)

        patience = Patience(self.timeout, self.attempts, self.deadline, self.concurrency)
        return called(what, self._host(), send, patience, most, self.priced)

    def _host(self) -> str:
        return urlsplit(self.api_base).netloc or self.model.partition("/")[0]

    def _key(self) -> str:
        if not self.api_key_env:
            return NO_KEY
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise ConfigError(
                f"environment variable {self.api_key_env!r} is unset; model {self.model!r} needs it (api_key_env). Export it and run again"
            )
        return key


def _sent(what: str, key: str, held: Held, send: Callable[[], Any]) -> Any:
    """The reply; an error comes back without the key and without what led to it.

    A request that did not arrive, or was answered with an error status, costs nothing; what became of any other is not known.
    """
    import httpx
    import openai

    try:
        return send()
    except openai.OpenAIError as error:
        causes = list(_chain(error))
        free = any(isinstance(cause, httpx.ConnectError | httpx.HTTPStatusError) for cause in causes)
        status = 0 if isinstance(error, openai.APIConnectionError) else int(getattr(error, "status_code", None) or 0)
        headers = [getattr(getattr(cause, "response", None), "headers", None) or {} for cause in causes]
        message = masked(str(error).partition("\nTraceback")[0], key)
    if free:
        held.took = Usage(calls=1)
    if not status or status in (408, 429) or status >= 500:
        asked = next((seconds for seconds in map(seconds_asked, headers) if seconds is not None), None)
        raise Retryable(message, asked, limited=status == 429)
    raise StageError(f"R007 {what} refused the request: {message}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _took(reply: Any, most: Usage) -> Usage:
    """What a call took by the count of the provider, and litellm's price of it; the most for all that was not counted."""
    usage, meta = getattr(reply, "usage", None), getattr(reply, "meta", None) or {}
    units = meta.get("billed_units") if isinstance(meta, Mapping) else None
    billed = units if isinstance(units, Mapping) else {}
    read = _above_zero(getattr(usage, "prompt_tokens", 0), billed.get("total_tokens"), billed.get("input_tokens"))
    written = _above_zero(getattr(usage, "completion_tokens", 0))
    cost = _above_zero((getattr(reply, "_hidden_params", None) or {}).get("response_cost"))
    counted = (read or _above_zero(billed.get("search_units"))) and (written or not most.output_tokens)
    return Usage(
        int(read) or most.input_tokens, int(written) or most.output_tokens, 1, float(cost if counted and cost else most.cost)
    )


def _above_zero(*values: Any) -> float:
    """The first that is a number above 0; else 0."""
    return next((value for value in values if type(value) in (int, float) and 0 < value < inf), 0)
