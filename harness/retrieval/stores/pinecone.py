"""Pinecone, a service that keeps vectors elsewhere.

Written against the Python client 10 and tested with a local server that speaks as much of the API as is used here; the service
itself was never asked. Its limits (10,000 rows an answer, 2 MB a request, 10,000 values of `$in` or `$nin`) are those of its
documentation. Requests count in the budget of the command, as calls without a known price.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal, TypeVar
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.llm.calling import Patience, Retryable, called
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
)
from harness.spending import Held
from harness.types import Chunk, Filter, Usage

Result = TypeVar("Result")

DEEPEST = 10_000
"""Rows that one query gives at most."""
MOST_VALUES = 10_000
"""Values of one `$in` or `$nin`."""
MOST_VECTORS = 100
"""Vectors of one request, fewer where they are long."""
REQUEST_BYTES = 1_500_000
"""Bytes of one request, with room to the limit."""
NUMBER_BYTES = 22
"""Bytes of a number as JSON."""
METADATA_BYTES = 2_000
"""Bytes of a row's metadata, reckoned."""
FIRST_LOOK, LONGEST_LOOK = 0.1, 2.0
"""Seconds between two looks whether what was written can be seen: doubled from the first to the longest."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", hide_input_in_errors=True))
class Pinecone:
    """Indexes of Pinecone, one for each dimension of embeddings, in which each content has a namespace of its own.

    An index is made where there is none, and never deleted.
    """

    index: Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$")] = "harness"
    """What the names of the indexes start with; the dimension follows, as in harness-384."""
    host: str = "https://api.pinecone.io"
    """URL of the API that makes and finds indexes."""
    cloud: Literal["aws", "gcp", "azure"] = "aws"
    """Where a new index lies."""
    region: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")] = "us-east-1"
    """Where in that cloud."""
    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = "PINECONE_API_KEY"
    """Name of the environment variable that holds the key."""
    timeout: Annotated[float, Field(gt=0)] = 30
    """Seconds for one attempt."""
    attempts: Annotated[int, Field(ge=1, le=20)] = 4
    """Requests for one answer at most: the first and its retries."""
    deadline: Annotated[float, Field(gt=0)] = 120
    """Seconds until an index must be ready, and until all that was written must be seen."""
    keep: bool = False
    """Keep the namespace for the next run; otherwise it is deleted with the table."""

    def __post_init__(self) -> None:
        bare_url(self.host, "host of pinecone", with_key=True)

    @property
    def exact(self) -> bool:
        """False: how the service searches is its own affair."""
        return False

    def check(self) -> None:
        """Finds a missing package or variable before anything is asked.

        Raises:
            ConfigError: with the line that installs the package, or the variable's name.
        """
        needs("pinecone", "pinecone")
        secret(self.api_key_env, "the store pinecone")

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "PineconeTable":
        """The vectors in a namespace; one that is kept and complete is used again.

        Raises:
            ConfigError: as `check` does.
            StageError: when the service refuses, stays away, or does not show what was written within the deadline.
        """
        self.check()
        name = collection_name(vectors, entries, "cosine")
        namespace = name if self.keep else f"{name}-{uuid4().hex[:8]}"
        index = self._opened(vectors.shape[1])
        table = PineconeTable(self, index, namespace, entries)
        elsewhere = "" if self.keep else f"The namespace {namespace!r} of the Pinecone index '{self.index}-{vectors.shape[1]}'"
        goes_with(table, partial(_let_go, index, "" if self.keep else namespace), elsewhere)
        if not self.keep or self._count(index, namespace) < len(vectors):
            self._fill(index, namespace, vectors, entries)
            self._until(f"all {len(vectors)} vectors are seen", lambda: self._count(index, namespace) >= len(vectors))
        return table

    def _opened(self, dimension: int) -> Any:
        """The client of the index for this dimension."""
        import pinecone

        once, name = pinecone.RetryConfig(max_retries=0), f"{self.index}-{dimension}"
        key = secret(self.api_key_env, "the store pinecone")
        with pinecone.Pinecone(api_key=key, host=self.host, timeout=self.timeout, retry_config=once) as client:
            if not self.asked("find the index", lambda: client.indexes.exists(name)):
                with suppress(ExistsError):
                    self.asked("make the index", lambda: self._made(client, name, dimension))
            self._until("the index is ready", lambda: client.indexes.describe(name).status.ready)
            index = client.index(name)
        # The client of an index takes no retry_config: its transport is told here that retries are not its business.
        index._http._client._transport._config = once
        stats = self.asked("read the index", index.describe_index_stats)
        if (stats.dimension, stats.metric or "cosine") not in ((dimension, "cosine"), (dimension, "dotproduct")):
            index.close()
            raise StageError(
                f"the index {name!r} of Pinecone has vectors of {stats.dimension} dimensions by {stats.metric}, {dimension} by "
                "cosine are needed; give another name as store.index"
            )
        return index

    def _made(self, client: Any, name: str, dimension: int) -> Any:
        place = {"deployment_type": "managed", "cloud": self.cloud, "region": self.region}
        return client.indexes.create(name=name, dimension=dimension, metric="cosine", deployment=place, timeout=-1)

    def _fill(self, index: Any, namespace: str, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        size = max(1, min(MOST_VECTORS, REQUEST_BYTES // (NUMBER_BYTES * vectors.shape[1] + METADATA_BYTES)))
        for start in range(0, len(entries), size):
            rows = range(start, min(start + size, len(entries)))
            batch = [{"id": str(row), "values": vectors[row].tolist(), "metadata": metadata(entries[row])} for row in rows]
            self.asked("write vectors", partial(index.upsert, vectors=batch, namespace=namespace))

    def _count(self, index: Any, namespace: str) -> int:
        """Vectors of a namespace that can be seen."""
        stats = self.asked("count vectors", index.describe_index_stats)
        return stats.namespaces[namespace].vector_count if namespace in stats.namespaces else 0

    def _until(self, what: str, holds: Callable[[], bool]) -> None:
        end, wait = time.monotonic() + self.deadline, FIRST_LOOK
        while not self.asked(f"see whether {what}", holds):
            if time.monotonic() + wait > end:
                raise StageError(f"Pinecone: it did not come about that {what} within deadline={self.deadline:g} s")
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_LOOK)

    def asked(self, what: str, call: Callable[[], Result]) -> Result:
        """What the service answers, asked again where that may help.

        Raises:
            ExhaustedError: when the budget of the command is spent, or the rate limit.
            StageError: when the attempts or the time are used up, or the service refuses. The key is never part of it.
        """
        patience = Patience(self.timeout, self.attempts, self.deadline)

        def send(_seconds: float, held: Held) -> Result:
            return self._attempt(what, call)

        return called(f"Pinecone ({what})", self.host, send, patience, Usage(), priced=False)

    def _attempt(self, what: str, call: Callable[[], Result]) -> Result:
        from pinecone import errors

        passing = (errors.RateLimitError, errors.ServiceError, errors.PineconeTimeoutError, errors.PineconeConnectionError)
        try:
            return call()
        except errors.PineconeError as error:
            failed = error
        said = " ".join(str(failed).split())[:300].replace(secret(self.api_key_env, "the store pinecone"), "***")
        if isinstance(failed, passing):
            raise Retryable(said, getattr(failed, "retry_after", None), isinstance(failed, errors.RateLimitError))
        if isinstance(failed, errors.ConflictError):
            raise ExistsError(said)
        refused = isinstance(failed, errors.UnauthorizedError | errors.ForbiddenError)
        hint = f"; look at the key in {self.api_key_env!r}" if refused else ""
        raise StageError(f"Pinecone refused to {what}: {said}{hint}")


class ExistsError(StageError):
    """What was to be made is there already, perhaps by an attempt whose answer got lost."""


class PineconeTable:
    """A filled namespace and the client of its index, which threads may share."""

    def __init__(self, recipe: Pinecone, index: Any, namespace: str, entries: Sequence[Chunk]) -> None:
        self._recipe = recipe
        self._index = index
        self._namespace = namespace
        self._documents = frozenset(entry.span.doc_id for entry in entries)

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first; of more than 10,000 the best 10,000, which is all that Pinecone gives.

        Raises:
            StageError: when the service fails, or the filter needs more than 10,000 values.
        """
        if admits_nothing(admitted):
            return nothing()
        depth, wanted = min(depth, DEEPEST), conditions(admitted, self._documents)
        answer = self._recipe.asked(
            "search",
            lambda: self._index.query(
                top_k=depth,
                vector=vector.tolist(),
                namespace=self._namespace,
                filter=wanted,
                include_values=False,
                include_metadata=False,
            ),
        )
        return best_first([int(match.id) for match in answer.matches], [match.score for match in answer.matches], depth)


def _let_go(index: Any, deleted: str) -> None:
    """What happens when a table goes: one attempt to delete its namespace."""
    from pinecone.errors import NotFoundError, PineconeError

    try:
        if deleted:
            with suppress(NotFoundError):
                index.delete_namespace(name=deleted)
    except PineconeError as error:
        raise StageError(f"Pinecone did not delete it ({type(error).__name__})") from None
    finally:
        index.close()


def metadata(entry: Chunk) -> dict[str, Any]:
    """A row's payload, with `open` where nobody is named: lists are never empty."""
    kept = payload(entry)
    named = {"acl": kept.pop("acl")}
    return {**kept, "open": True} if not named["acl"] else {**kept, **named, "open": False}


def conditions(admitted: Filter, documents: frozenset[str]) -> Mapping[str, Any] | None:
    """A filter in the language of Pinecone over a namespace of these documents; None is everything.

    Raises:
        StageError: when it needs more values than the service takes.
    """
    names, inside = shorter_list(admitted.allowed, documents)
    if len(names) > MOST_VALUES:
        raise StageError(f"Pinecone takes {MOST_VALUES:,} values in a filter, {len(names):,} of doc_id are needed")
    parts: list[dict[str, Any]] = [{"doc_id": {"$in" if inside else "$nin": names}}] if inside or names else []
    if admitted.kinds is not None:
        parts.append({"kind": {"$in": sorted(admitted.kinds)}})
    if admitted.persona is not None:
        named = [{"acl": {"$in": [admitted.persona]}}] if admitted.persona else []
        parts += [
            {"tenant": {"$in": sorted({"", admitted.persona})}},
            {"$or": [{"open": {"$eq": True}}, *named]},
        ]
    return {"$and": parts} if parts else None
