"""A real loopback HTTP server that speaks as much of Pinecone's API (2026-07) as the store uses, with faults on request."""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np

Answer = tuple[int, Any]
"""HTTP status and what is sent as JSON."""
KEY = "pc-secret-key-4711"
"""The key that the server takes."""


@dataclass(frozen=True)
class Fault:
    """An answer that is none."""

    status: int
    """HTTP status."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Extra headers, such as Retry-After."""
    message: str = "out of order"
    """What the server says."""
    done: bool = False
    """The request was carried out all the same; only its answer got lost."""


@dataclass
class Namespace:
    """Vectors by id with metadata, and when each can be seen."""

    vectors: dict[str, Any] = field(default_factory=dict)
    seen_from: dict[str, float] = field(default_factory=dict)

    def visible(self) -> list[str]:
        return [key for key in self.vectors if self.seen_from[key] <= time.monotonic()]


@dataclass
class FakePinecone:
    """The server: `url` is the host, `requests` what came in, `faults` what the next requests to a path are answered."""

    delay: float = 0.0
    """Seconds until what was written is seen (eventual consistency)."""
    starting: int = 0
    """Looks at a new index that find it not ready."""
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    indexes: dict[str, dict[str, Any]] = field(default_factory=dict)
    namespaces: dict[tuple[str, str], Namespace] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def count(self, path: str) -> int:
        """Requests to a path."""
        return sum(asked == path for _, asked, _ in self.requests)

    def fail(self, path: str, *faults: Fault) -> None:
        """The next requests to a path are answered so."""
        self.faults[path] = list(faults)

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

    def reply(self, method: str, path: str, body: Any, key: str) -> tuple[int, Any, Mapping[str, str]]:
        """Status, JSON and headers for a request."""
        index, path = path.split("/", 3)[2:] if path.startswith("/at/") else ("", path)
        path = path if path.startswith("/") else f"/{path}"
        with self.lock:
            self.requests.append((method, path, body))
            if key != KEY:
                return 401, _error("UNAUTHENTICATED", f"Invalid API Key {key}"), {}
            if waiting := self.faults.get(path):
                fault = waiting.pop(0)
                if fault.done:
                    self._answer(method, index, path, body)
                return fault.status, _error("INTERNAL", fault.message), fault.headers
            return (*self._answer(method, index, path, body), {})

    def _answer(self, method: str, index: str, path: str, body: Any) -> Answer:
        if path == "/indexes":
            return self._create(body)
        if path.startswith("/indexes/"):
            return self._describe(path.removeprefix("/indexes/"))
        if path.startswith("/namespaces/") and method == "DELETE":
            gone = self.namespaces.pop((index, path.removeprefix("/namespaces/")), None)
            return (202, {}) if gone else (404, _error("NOT_FOUND", "no such namespace"))
        calls = {"/vectors/upsert": self._upsert, "/query": self._query, "/describe_index_stats": self._stats}
        return calls[path](index, body) if path in calls else (404, _error("NOT_FOUND", path))

    def _create(self, body: Any) -> Answer:
        name = body["name"]
        if name in self.indexes:
            return 409, _error("ALREADY_EXISTS", "Resource already exists")
        place = {"environment": "fake", **body["deployment"]}
        common = {"name": name, "schema": body["schema"], "deployment": place, "host": f"{self.url}/at/{name}"}
        self.indexes[name] = {**common, "deletion_protection": "disabled", "looks": self.starting}
        return 201, self._model(name, looked=False)

    def _describe(self, name: str) -> Answer:
        return (200, self._model(name)) if name in self.indexes else (404, _error("NOT_FOUND", f"Resource {name} not found"))

    def _model(self, name: str, looked: bool = True) -> dict[str, Any]:
        index = self.indexes[name]
        ready = index["looks"] <= 0
        index["looks"] -= looked
        state = {"ready": ready, "state": "Ready" if ready else "Initializing"}
        return {**{key: value for key, value in index.items() if key != "looks"}, "status": state}

    def _upsert(self, index: str, body: Any) -> Answer:
        space = self.namespaces.setdefault((index, body["namespace"]), Namespace())
        for vector in body["vectors"]:
            if any(value is None or value == [] for value in vector["metadata"].values()):
                return 400, _error("INVALID_ARGUMENT", "metadata holds null or an empty list")
            space.vectors[vector["id"]] = vector
            space.seen_from[vector["id"]] = time.monotonic() + self.delay
        return 200, {"upsertedCount": len(body["vectors"])}

    def _stats(self, index: str, _body: Any) -> Answer:
        (dense,) = self.indexes[index]["schema"]["fields"].values()
        counts = {name: {"vectorCount": len(space.visible())} for (at, name), space in self.namespaces.items() if at == index}
        total = sum(each["vectorCount"] for each in counts.values())
        shape = {"dimension": dense["dimension"], "metric": dense["metric"], "vectorType": "dense"}
        return 200, {"namespaces": counts, "totalVectorCount": total, "indexFullness": 0.0, **shape}

    def _query(self, index: str, body: Any) -> Answer:
        space = self.namespaces.get((index, body["namespace"]), Namespace())
        found = [key for key in space.visible() if holds(body.get("filter") or {}, space.vectors[key]["metadata"])]
        asked = np.asarray(body["vector"])
        scores = {key: float(np.asarray(space.vectors[key]["values"]) @ asked) for key in found}
        best = sorted(scores, key=lambda key: -scores[key])[: body["topK"]]
        matches = [{"id": key, "score": scores[key]} for key in best]
        return 200, {"matches": matches, "namespace": body["namespace"], "usage": {"readUnits": 1}}


def holds(condition: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether metadata fulfils a filter: $and, $or, and by field $eq, $in and $nin, of which a list needs one member."""
    return all(_holds(name, wanted, metadata) for name, wanted in condition.items())


def _holds(name: str, wanted: Any, metadata: Mapping[str, Any]) -> bool:
    if name == "$and":
        return all(holds(part, metadata) for part in wanted)
    if name == "$or":
        return any(holds(part, metadata) for part in wanted)
    ((operator, value),) = wanted.items()
    values = {"$eq": [value], "$in": value, "$nin": value}[operator]
    had = metadata.get(name)
    found = any(each in values for each in (had if isinstance(had, list) else [had]))
    return found is not (operator == "$nin")


def _error(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}, "status": 0}


def _handler(fake: FakePinecone) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            asked = json.loads(body) if body else None
            status, said, headers = fake.reply(self.command, self.path, asked, self.headers.get("api-key", ""))
            written = json.dumps(said).encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815

        def log_message(self, *_arguments: object) -> None:
            """Nothing: a test's output is its own."""

    return Handler
