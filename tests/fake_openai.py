"""A real loopback HTTP server that speaks OpenAI's chat completions and embeddings and Cohere's and Jina's rerank, scripted by model."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
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
    drip: float = 0.0
    """Seconds between single bytes of the body; 0 sends it whole."""


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


def wrong_json() -> Reply:
    """JSON of another form, with status 200."""
    return Reply(b'{"answer": 42}')


def cut_short(text: str = "5 metres") -> Reply:
    """A body that ends in the middle of its JSON."""
    return Reply(ok(text).body[:40])


def dripping(seconds: float) -> Reply:
    """A body that never ends within a test: one byte after the other."""
    return Reply(ok("never").body, drip=seconds)


def embedded(dimension: int = 4) -> Script:
    """Vectors that depend on the text alone, in OpenAI's form; a token is a word."""

    def reply(request: Mapping[str, Any]) -> Reply:
        texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
        vectors = [[float(b % 7 + 1) for b in sha256(text.encode()).digest()[:dimension]] for text in texts]
        data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
        count = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        return Reply(json.dumps({"object": "list", "model": "fake", "data": data, "usage": usage}).encode())

    return reply


def reranked() -> Script:
    """Scores by the share of the query's words in a passage, best first, in the form of Cohere and Jina."""

    def reply(request: Mapping[str, Any]) -> Reply:
        asked = set(request["query"].lower().split())
        texts = [item if isinstance(item, str) else item["text"] for item in request["documents"]]
        scores = [len(asked & set(text.lower().split())) / len(asked) for text in texts]
        rows = [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]
        ordered = sorted(rows, key=lambda row: (-row["relevance_score"], row["index"]))
        count = sum(len(text.split()) for text in texts)
        meta = {"billed_units": {"search_units": 1}}
        return Reply(json.dumps({"id": "fake", "results": ordered, "meta": meta, "usage": {"total_tokens": count}}).encode())

    return reply


@dataclass
class FakeOpenAI:
    """The server: `url` is the api_base, `script` says what a model replies, `requests` holds what came in, `tokens` what it bills."""

    scripts: dict[str, list[Script]] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    tokens: int = 0
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
        reply = scripted if isinstance(scripted, Reply) else scripted(request)
        with self._lock:
            self.tokens += _billed(reply)
        return reply

    def entered(self, change: int) -> None:
        """Counts requests that are open at the same time."""
        with self._lock:
            self._open += change
            self.busiest = max(self.busiest, self._open)


def _billed(reply: Reply) -> int:
    """Tokens that a provider would ask money for: those of whole replies."""
    try:
        return int(json.loads(reply.body)["usage"]["total_tokens"])
    except (ValueError, KeyError, TypeError):
        return 0


def _handler(fake: FakeOpenAI) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            fake.entered(1)
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            fake.paths.append(self.path)
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
                for place in range(len(reply.body)) if reply.drip else ():
                    self.wfile.write(reply.body[place : place + 1])
                    time.sleep(reply.drip)
                if not reply.drip:
                    self.wfile.write(reply.body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_arguments: object) -> None:
            """Nothing: a test's output is its own."""

    return Handler
