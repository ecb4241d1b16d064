"""Milvus: Milvus Lite inside this process, its files in a folder, or a server.

Milvus Lite answers pymilvus over a port of the loopback interface that asks for no password: other users of the machine can read
it while a run lasts. It knows no templates of filter expressions, so values are written as string literals, escaped; see
`literal`. It reads an array of each row in Python, so an access list is one string, and a search names the lists that hold the
asker. pymilvus writes its own log to the terminal; here it is silent, and what failed is a StageError.
"""

import json
import logging
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.llm.urls import bare_url
from harness.protocols import Vectors
from harness.retrieval.filters import admits
from harness.retrieval.stores.leaving import PATIENCE, goes_with, remove
from harness.retrieval.stores.shared import (
    Found,
    admits_nothing,
    best_first,
    collection_name,
    folder_of,
    needs,
    nothing,
    payload,
    secret,
    shorter_list,
    unreachable,
)
from harness.types import Chunk, Filter

TEXTS = ("doc_id", "chunk_id", "kind", "tenant", "acl", "source", "author", "updated_at", "valid_from", "valid_to", "place")
"""Fields of a row beside its number and vector, each one string."""
LONGEST = 65535
"""Bytes of a string."""
DEEPEST = 16384
"""Rows that one search gives at most."""
BATCH = 1000
"""Rows of one insertion."""
NO_FILE = "PYTHON_DOTENV_DISABLED"
"""The environment variable that keeps python-dotenv from reading a file."""
ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
"""The escapes that both Milvus Lite and the server read inside of a string literal."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", hide_input_in_errors=True))
class Milvus:
    """A collection in Milvus for each content. Every admitted vector is compared (index FLAT).

    The graph of Milvus Lite (HNSW) is not offered: behind a narrow filter and among equal vectors it left out nearer rows.
    """

    path: str = ""
    """Folder of Milvus Lite, where complete collections are used again; empty is a temporary one."""
    uri: str = ""
    """URL of a server, such as http://localhost:19530, in place of Milvus Lite."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable with the server's token (`user:password` or a key); empty sends none."""
    keep: bool = False
    """Keep a server's collection for the next run; those in a `path` are always kept."""

    def __post_init__(self) -> None:
        if self.uri:
            bare_url(self.uri, "uri of milvus, whose path is the folder of Milvus Lite,", with_key=bool(self.api_key_env))
        if self.uri and self.path:
            raise ConfigError("milvus has a path and a uri; give the folder of Milvus Lite or the URL of a server")
        if not self.uri and (self.api_key_env or self.keep):
            raise ConfigError("api_key_env and keep of milvus are for a server; give its uri")

    @property
    def exact(self) -> bool:
        """True."""
        return True

    def check(self) -> None:
        """Finds a missing package or variable before anything is asked.

        Raises:
            ConfigError: with the line that installs the package, or the variable's name.
        """
        needs("pymilvus", "milvus")
        if not self.uri:
            needs("milvus_lite", "milvus")
        secret(self.api_key_env, "the store milvus")

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "MilvusTable":
        """The vectors in a collection; one that is kept and complete is used again.

        Raises:
            ConfigError: as `check` does.
            StageError: when Milvus cannot be reached, or refuses the rows.
        """
        self.check()
        name = collection_name(vectors, entries, "FLAT")
        return self._served(name, vectors, entries) if self.uri else self._embedded(name, vectors, entries)

    def _embedded(self, name: str, vectors: Vectors, entries: Sequence[Chunk]) -> "MilvusTable":
        def build(folder: Path) -> None:
            try:
                with _client(_lite(folder)) as client:
                    self._fill(client, name, vectors, entries)
            finally:
                _stop(folder)

        folder = folder_of(self.path, name, build)
        client = _opened(_lite(folder))
        table = MilvusTable(client, name, entries)
        goes_with(table, partial(_closed, client, folder, not self.path))
        with _explained("the collection"):
            client.load_collection(name)
        return table

    def _served(self, name: str, vectors: Vectors, entries: Sequence[Chunk]) -> "MilvusTable":
        token = secret(self.api_key_env, "the store milvus")
        try:
            client = _opened(self.uri, token)
        except StageError as error:
            failed = str(error)
        else:
            return self._attached(client, name, vectors, entries)
        raise unreachable(failed, "start the server, or mend store.uri; look at the token in store.api_key_env")

    def _attached(self, client: Any, name: str, vectors: Vectors, entries: Sequence[Chunk]) -> "MilvusTable":
        from uuid import uuid4

        name = name if self.keep else f"{name}_{uuid4().hex[:8]}"
        table = MilvusTable(client, name, entries)
        elsewhere = "" if self.keep else f"The collection {name!r} of Milvus at {self.uri!r}"
        goes_with(table, partial(_let_go, client, "" if self.keep else name), elsewhere)
        with _explained("the collection"):
            if not client.has_collection(name) or _count(client, name) != len(vectors):
                client.drop_collection(name)
                self._fill(client, name, vectors, entries)
            client.load_collection(name)
        return table

    def _fill(self, client: Any, name: str, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        with _explained("the rows"):
            schema, index = _schema(vectors.shape[1]), client.prepare_index_params()
            index.add_index("vector", index_type="FLAT", metric_type="IP")
            client.create_collection(name, schema=schema, consistency_level="Strong")
            client.create_index(name, index, sync=False)
            for start in range(0, len(entries), BATCH):
                batch = enumerate(entries[start : start + BATCH], start)
                client.insert(name, [{"row": row, "vector": vectors[row], **_texts(entry)} for row, entry in batch])
            client.flush(name)


class MilvusTable:
    """A loaded collection and its client, which threads may share."""

    def __init__(self, client: Any, name: str, entries: Sequence[Chunk]) -> None:
        self._client = client
        self._name = name
        self._lists = frozenset(entry.origin.acl for entry in entries)
        self._documents = frozenset(entry.span.doc_id for entry in entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first; of more than 16384 the best 16384, which is all that Milvus gives.

        Raises:
            StageError: when Milvus fails.
        """
        if admits_nothing(admitted):
            return nothing()
        depth, wanted = min(depth, DEEPEST), expression(admitted, self._lists, self._documents)
        with _explained("the search"):
            (hits,) = self._client.search(self._name, [vector], anns_field="vector", filter=wanted, limit=depth)
        return best_first([hit["row"] for hit in hits], [hit["distance"] for hit in hits], depth)


def expression(admitted: Filter, lists: Collection[tuple[str, ...]], documents: frozenset[str]) -> str:
    """A filter in the language of Milvus, over a collection with these access lists and documents."""
    names, inside = shorter_list(admitted.allowed, documents)
    parts = [f"doc_id {'in' if inside else 'not in'} {_literals(names)}"] if inside or names else []
    if admitted.kinds is not None:
        parts.append(f"kind in {_literals(admitted.kinds)}")
    if admitted.persona is not None:
        admitting = [json.dumps(names) for names in {(), *lists} if admits("", names, admitted.persona)]
        parts += [f"tenant in {_literals({'', admitted.persona})}", f"acl in {_literals(admitting)}"]
    return " and ".join(parts)


def literal(text: str) -> str:
    """A string literal that stands for exactly this text."""
    return f'"{text.translate(ESCAPES)}"'


def _literals(texts: Collection[str]) -> str:
    return f"[{', '.join(map(literal, sorted(texts)))}]"


def _texts(entry: Chunk) -> dict[str, str]:
    kept = payload(entry)
    return {**kept, "acl": json.dumps(kept["acl"])}


def _schema(dimensions: int) -> Any:
    from pymilvus import DataType, MilvusClient

    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("row", DataType.INT64, is_primary=True)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
    for name in TEXTS:
        schema.add_field(name, DataType.VARCHAR, max_length=LONGEST)
    return schema


def _count(client: Any, name: str) -> int:
    client.load_collection(name)
    return int(client.query(name, output_fields=["count(*)"])[0]["count(*)"])


def _lite(folder: Path) -> str:
    """What pymilvus takes for a database of Milvus Lite."""
    return str(folder / "milvus.db")


@lru_cache(maxsize=1)
def _pymilvus() -> Any:
    """pymilvus, with its log and that of Milvus Lite off, and without the file `.env` that it would read into the environment."""
    before = os.environ.get(NO_FILE)
    os.environ[NO_FILE] = "true"
    try:
        import pymilvus
    finally:
        del os.environ[NO_FILE]
        os.environ.update({NO_FILE: before} if before is not None else {})
    for name in ("milvus_lite", "pymilvus", "pymilvus.milvus_client", "pymilvus.bulk_writer"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return pymilvus


def _opened(uri: str, token: str = "") -> Any:
    """A client. A proxy that the environment names is not asked for the loopback interface."""
    pymilvus = _pymilvus()
    local = uri.endswith(".db")
    proxied = int(not local)
    with _explained(f"the folder {uri!r}, which one process at a time may open" if local else "the connection"):
        return pymilvus.MilvusClient(uri, token=token, grpc_options={"grpc.enable_http_proxy": proxied})


@contextmanager
def _client(uri: str) -> Iterator[Any]:
    client = _opened(uri)
    try:
        yield client
    finally:
        client.close()


def _stop(folder: Path) -> None:
    """Ends the server of Milvus Lite for a folder."""
    import_module("milvus_lite.server_manager").server_manager_instance.release_server(_lite(folder))


def _closed(client: Any, folder: Path, temporary: bool) -> None:
    """What happens when a folder's table goes. The server of a kept folder may serve another table and ends with the process."""
    client.close()
    if temporary:
        _stop(folder)
        remove(folder)


def _let_go(client: Any, dropped: str) -> None:
    """What happens when the table of a server goes."""
    try:
        if dropped:
            with _explained("to drop it"):
                client.drop_collection(dropped, timeout=PATIENCE)
    finally:
        client.close()


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Turns what pymilvus raises into a StageError."""
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, ValueError, UnicodeEncodeError) as error:
        said = " ".join(str(getattr(error, "message", error)).split())[:300]
    else:
        return
    raise StageError(f"Milvus refused {what}: {said}")
