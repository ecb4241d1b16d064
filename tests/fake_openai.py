"""A real loopback HTTP server that speaks OpenAI's chat completions, with scripted replies by model name."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Reply:
    """One answer of the server."""

    body: bytes
    """What is sent."""
    status: int = 200
    """HTTP status."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Extra headers."""
    delay: float = 0.0
    """Seconds before anything is sent."""


Script = Reply | Callable[[Mapping[str, Any]], Reply]
"""A reply, or a function from the request's JSON to one."""


def ok(
    text: str,
    finish_reason: str = "stop",
    delay: float = 0.0,
    tokens: tuple[int, int] = (10, 5),
    candidates: Mapping[str, float] | None = None,
) -> Reply:
    """A completion with this text, and with log-probabilities of the first token's candidates where they are given."""
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish_reason}
    if candidates is not None:
        listed = [{"token": token, "logprob": value, "bytes": list(token.encode())} for token, value in candidates.items()]
        choice["logprobs"] = {"content": [{**listed[0], "top_logprobs": listed}]}
    body = {"id": "fake", "object": "chat.completion", "created": 1, "model": "fake", "choices": [choice], "usage": usage}
    return Reply(json.dumps(body).encode(), delay=delay)


def truncated(text: str) -> Reply:
    """A completion cut off at max_tokens."""
    return ok(text, finish_reason="length")


def slow(seconds: float, text: str = "late") -> Reply:
    """A completion that takes its time."""
    return ok(text, delay=seconds)


def failing(status: int, message: str = "out of order", headers: Mapping[str, str] | None = None) -> Reply:
    """An error in OpenAI's form."""
    return Reply(json.dumps({"error": {"message": message, "type": "fake"}}).encode(), status, headers or {})


def busy(retry_after: str = "") -> Reply:
    """429, with a Retry-After header when one is given."""
    return failing(429, "slow down", {"Retry-After": retry_after} if retry_after else {})


def garbage() -> Reply:
    """A page instead of JSON, with status 200."""
    return Reply(b"<html>Bad gateway</html>")


@dataclass
class FakeOpenAI:
    """The server: `url` is the api_base, `script` says what a model replies, `requests` holds what came in."""

    scripts: dict[str, list[Script]] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    busiest: int = 0
    _open: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, model: str, *replies: Script) -> None:
        """What a model replies, one after the other; the last one repeats."""
        self.scripts[model] = list(replies)

    def count(self, model: str) -> int:
        """Requests this model got."""
        return sum(request["model"] == model for request in self.requests)

    @property
    def url(self) -> str:
        """The api_base to give to a client."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, request: dict[str, Any], authorization: str) -> Reply:
        """Takes the next reply of the model's script; 404 for a model without one."""
        with self._lock:
            self.requests.append(request)
            self.authorizations.append(authorization)
            script = self.scripts.get(request["model"], [failing(404, f"no script for {request['model']!r}")])
            scripted = script.pop(0) if len(script) > 1 else script[0]
        return scripted if isinstance(scripted, Reply) else scripted(request)

    def entered(self, change: int) -> None:
        """Counts requests that are open at the same time."""
        with self._lock:
            self._open += change
            self.busiest = max(self.busiest, self._open)


def _handler(fake: FakeOpenAI) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            fake.entered(1)
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            reply = fake.reply(request, self.headers.get("authorization", ""))
            time.sleep(reply.delay)
            fake.entered(-1)
            self._send(reply)

        def _send(self, reply: Reply) -> None:
            try:
                self.send_response(reply.status)
                for name, value in {"content-type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            """Nothing: a test's output is its own."""

    return Handler
