"""Qdrant: all vectors in memory inside this process, or a server with a graph.

Inside this process every admitted vector is compared. Nothing is kept then: what the package would write can run code when it is
read; a server keeps its collections itself.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Self
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.llm.urls import bare_url
from harness.protocols import Vectors
from harness.retrieval.stores.leaving import goes_with
from harness.retrieval.stores.shared import (
    Found,
    admits_nothing,
    best_first,
    collection_name,
    needs,
    nothing,
    payload,
    secret,
    shorter_list,
    unreachable,
)
from harness.types import Chunk, Filter

BATCH = 1000
"""Rows sent at once."""
GRAPH = (16, 100, 128)
"""m, construction_ef and search_ef where none are given."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", hide_input_in_errors=True))
class Qdrant:
    """A Qdrant collection, searched by cosine; its filter is one of Qdrant's own, which it applies before it ranks."""

    url: str = ""
    """A server, such as http://localhost:6333; empty searches inside this process."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable with the server's key; empty sends none."""
    keep: bool = False
    """Keep a server's collection for the next run, which attaches it when the content is the same."""
    m: Annotated[int, Field(ge=2, le=1024, strict=True)] = GRAPH[0]
    """Server: neighbours of an entry in the graph."""
    construction_ef: Annotated[int, Field(ge=4, le=65536, strict=True)] = GRAPH[1]
    """Server: candidates kept while an entry is put into the graph."""
    search_ef: Annotated[int, Field(ge=1, le=65536, strict=True)] = GRAPH[2]
    """Server: candidates kept while a query walks the graph."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        plain = {"api_key_env": "", "keep": False, **dict(zip(("m", "construction_ef", "search_ef"), GRAPH, strict=True))}
        given = [name for name, value in plain.items() if getattr(self, name) != value]
        if given and not self.url:
            raise ValueError(f"only a server reads {', '.join(given)}; give its url, or leave this out")
        if self.url:
            bare_url(self.url, "url of qdrant", with_key=bool(self.api_key_env))
        return self

    @property
    def exact(self) -> bool:
        """True inside this process; a server walks a graph."""
        return not self.url

    def check(self) -> None:
        """Finds a missing package or variable.

        Raises:
            ConfigError: with the line that installs the package, or the variable's name.
        """
        needs("qdrant_client", "qdrant")
        secret(self.api_key_env, "the store qdrant")

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "QdrantTable":
        """The vectors in a collection, filled or attached.

        Raises:
            ConfigError: as `check` does.
            StageError: when the server cannot be reached or refuses.
        """
        self.check()
        name = collection_name(vectors, entries, [self.m, self.construction_ef])
        name = name if self.keep else f"{name}_{uuid4().hex[:8]}"
        client = self._client()
        complete = self._complete(client, name, len(entries))
        table = QdrantTable(self, client, name, entries)
        elsewhere = f"The collection {name!r} of the qdrant server {self.url!r}" if self.url and not self.keep else ""
        goes_with(table, partial(self._leave, client, name), elsewhere)
        if not complete:
            with _failures(self.url):
                self._fill(client, name, vectors, entries)
        return table

    def _client(self) -> Any:
        from qdrant_client import QdrantClient

        if not self.url:
            return QdrantClient(":memory:")
        key = secret(self.api_key_env, "the store qdrant")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Api key is used with an insecure connection", UserWarning)
            return QdrantClient(url=self.url, api_key=key or None, check_compatibility=False, timeout=60)

    def _complete(self, client: Any, name: str, count: int) -> bool:
        """Whether all rows are there already.

        Raises:
            StageError: when the server cannot be reached or refuses.
        """
        try:
            with _failures(self.url):
                return bool(client.collection_exists(name) and client.count(name, exact=True).count == count)
        except StageError as error:
            failed = str(error)
        client.close()
        raise unreachable(failed, "start the server, or mend store.url; look at the key in store.api_key_env")

    def _fill(self, client: Any, name: str, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        from qdrant_client import models

        client.delete_collection(name)
        client.create_collection(
            name,
            vectors_config=models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE),
            hnsw_config=models.HnswConfigDiff(m=self.m, ef_construct=self.construction_ef) if self.url else None,
        )
        for field in ("doc_id", "kind", "tenant", "acl") if self.url else ():
            client.create_payload_index(name, field, models.PayloadSchemaType.KEYWORD)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Local mode is not recommended", UserWarning)
            for start in range(0, len(entries), BATCH):
                rows = range(start, min(start + BATCH, len(entries)))
                kept = [payload(entries[row]) for row in rows]
                batch = models.Batch(ids=list(rows), vectors=vectors[start : start + BATCH].tolist(), payloads=kept)
                client.upsert(name, batch, wait=True)

    def _leave(self, client: Any, name: str) -> None:
        try:
            if self.url and not self.keep:
                with _failures(self.url):
                    client.delete_collection(name)
        finally:
            client.close()


class QdrantTable:
    """A filled collection."""

    def __init__(self, recipe: Qdrant, client: Any, name: str, entries: Sequence[Chunk]) -> None:
        self._recipe, self._client, self._name = recipe, client, name
        self._documents = frozenset(entry.span.doc_id for entry in entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first.

        Raises:
            StageError: when the server cannot be reached or refuses.
        """
        from qdrant_client import models

        if admits_nothing(admitted):
            return nothing()
        ef = models.SearchParams(hnsw_ef=max(self._recipe.search_ef, depth)) if self._recipe.url else None
        with _failures(self._recipe.url):
            points = self._client.query_points(
                self._name,
                query=vector.tolist(),
                query_filter=condition(admitted, self._documents),
                search_params=ef,
                limit=depth,
                with_payload=False,
            ).points
        return best_first([point.id for point in points], [point.score for point in points], depth)


def condition(admitted: Filter, documents: frozenset[str]) -> Any:
    """A filter as Qdrant's."""
    from qdrant_client.models import FieldCondition, IsEmptyCondition, MatchAny, PayloadField
    from qdrant_client.models import Filter as Conditions

    def among(field: str, values: list[str]) -> FieldCondition:
        return FieldCondition(key=field, match=MatchAny(any=values))

    must: list[Any] = []
    if (persona := admitted.persona) is not None:
        open_to_all = IsEmptyCondition(is_empty=PayloadField(key="acl"))
        must.append(among("tenant", ["", persona]))
        must.append(Conditions(should=[open_to_all, among("acl", [persona])]) if persona else open_to_all)
    if admitted.kinds is not None:
        must.append(among("kind", sorted(admitted.kinds)))
    names, inside = shorter_list(admitted.allowed, documents)
    if inside:
        must.append(among("doc_id", names))
    return Conditions(must=must, must_not=[among("doc_id", names)] if names and not inside else None)


@contextmanager
def _failures(url: str) -> Iterator[None]:
    """Turns what the client raises about its server into a StageError, without the key."""
    from qdrant_client.http.exceptions import ApiException

    try:
        yield
    except ApiException as error:
        reason = str(error).strip().splitlines()
        raise StageError(f"the qdrant server {url!r} did not answer: {reason[0] if reason else type(error).__name__}") from None
