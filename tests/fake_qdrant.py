"""A loopback HTTP server that speaks as much of Qdrant's REST API as the store uses; the package's own local mode answers."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from qdrant_client import QdrantClient, models

KEY = "qd-secret-key-0815"
"""The key that the server takes."""


class FakeQdrant:
    """The server: `requests` is what came in; with `broken` it answers 500 to searches."""

    def __init__(self) -> None:
        self.local, self.lock = QdrantClient(":memory:"), threading.Lock()
        self.requests: list[tuple[str, str, Any]] = []
        self.broken = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"fake": self}))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.local.close()

    def answer(self, verb: str, path: str, body: Any) -> Any:
        """What Qdrant puts into `result`."""
        _, _, name, *rest = path.partition("?")[0].split("/")
        match (verb, *rest):
            case ("GET", "exists"):
                return {"exists": self.local.collection_exists(name)}
            case ("DELETE",):
                return self.local.delete_collection(name)
            case ("PUT",):
                asked = models.CreateCollection.model_validate(body)
                return self.local.create_collection(name, vectors_config=asked.vectors)
            case ("PUT", "index"):
                return {"operation_id": 0, "status": "completed"}
            case ("POST", "points", "count"):
                return {"count": self.local.count(name).count}
            case ("PUT", "points"):
                return self.local.upsert(name, models.PointsBatch.model_validate(body).batch).model_dump(mode="json")
            case ("POST", "points", "query"):
                query = models.QueryRequest.model_validate(body)
                found = self.local.query_points(
                    name, query=query.query, query_filter=query.filter, limit=query.limit, with_payload=False
                )
                return found.model_dump(mode="json")
        raise AssertionError(f"{verb} {path} is not known")


class _Handler(BaseHTTPRequestHandler):
    fake: FakeQdrant
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answered("GET")

    def do_PUT(self) -> None:
        self._answered("PUT")

    def do_POST(self) -> None:
        self._answered("POST")

    def do_DELETE(self) -> None:
        self._answered("DELETE")

    def _answered(self, verb: str) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        self.fake.requests.append((verb, self.path, body))
        if self.headers.get("api-key") != KEY:
            self._send(403, {"status": {"error": f"Forbidden: {self.headers.get('api-key')}"}})
        elif self.fake.broken:
            self._send(500, {"status": {"error": "out of order"}})
        else:
            with self.fake.lock:
                self._send(200, {"result": self.fake.answer(verb, self.path, body), "status": "ok", "time": 0.0})

    def _send(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Says nothing."""
