"""PostgreSQL with the extension pgvector, 0.7 or newer.

The server filters in the WHERE clause of the query that ranks. It chooses by itself between the graph (hnsw) and a comparison of
all admitted rows, which is what it does in small tables and behind narrow filters. Where the graph gives fewer rows than were
asked for, the same query is asked again without it.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
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
    shorter_list,
    unreachable,
)
from harness.types import Chunk, Filter

if TYPE_CHECKING:
    import psycopg

COLUMNS = {
    "doc_id": "text",
    "chunk_id": "text",
    "kind": "text",
    "tenant": "text",
    "acl": "text[]",
    "source": "text",
    "author": "text",
    "updated_at": "text",
    "valid_from": "text",
    "valid_to": "text",
    "place": "text",
}
"""A row's payload and its SQL types."""
LONGEST = {"vector": 2000, "halfvec": 4000}
"""Dimensions that a graph can index, by type."""
OLDEST = (0, 7)
"""First version of the extension with halfvec."""
ITERATIVE = (0, 8)
"""First version of the extension that goes on searching where the filter turned rows away."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", hide_input_in_errors=True))
class PgVector:
    """Tables in PostgreSQL, one for each content.

    The levels of a graph's nodes are drawn at random by the server, so that two builds of one table may differ in far
    neighbours; `index: none` has no graph.
    """

    dsn_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] = "HARNESS_POSTGRES"
    """Name of the environment variable that holds the connection string; the string itself is never written in a config."""
    schema: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]{0,62}$")] = "harness"
    """Schema of the tables that are kept; made where there is none."""
    type: Literal["halfvec", "vector"] = "halfvec"
    """Numbers of 2 or of 4 bytes."""
    index: Literal["hnsw", "none"] = "hnsw"
    """A graph of neighbours, or none: every admitted row is compared."""
    m: Annotated[int, Field(ge=2, le=100)] = 16
    """Neighbours of a node."""
    ef_construction: Annotated[int, Field(ge=4, le=1000)] = 64
    """Candidates looked at when a node is added; at least twice m."""
    ef_search: Annotated[int, Field(ge=1, le=1000)] = 100
    """Candidates looked at in a search; never fewer than the rows asked for, up to 1000."""
    keep: bool = False
    """Keep the table for the next run; otherwise it is a temporary table, which the server drops with the connection."""

    def __post_init__(self) -> None:
        if self.index == "hnsw" and self.ef_construction < 2 * self.m:
            raise ConfigError(f"ef_construction={self.ef_construction} is less than twice m={self.m}; pgvector needs that many")

    @property
    def exact(self) -> bool:
        """Whether there is no graph and nothing is rounded."""
        return self.index == "none" and self.type == "vector"

    def check(self) -> None:
        """Finds a missing package or variable before anything is asked.

        Raises:
            ConfigError: with the line that installs the package, or the variable's name.
        """
        needs("psycopg", "pgvector")
        needs("pgvector", "pgvector")
        self._dsn()

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> "PgTable":
        """The vectors in a table; one that is kept and whole is used again.

        Raises:
            ConfigError: as `check` does.
            StageError: when the server cannot be reached, has no pgvector of that age, or refuses the rows.
        """
        self.check()
        limit = LONGEST[self.type]
        if self.index == "hnsw" and vectors.shape[1] > limit:
            raise StageError(
                f"pgvector indexes up to {limit} dimensions of type {self.type}, the vectors have {vectors.shape[1]}; "
                "choose index: none, or halfvec in place of vector"
            )
        connection = self._connect()
        try:
            iterative = _extension(connection) >= ITERATIVE
            name = self._filled(connection, vectors, entries)
            table = PgTable(self, connection, iterative, name, vectors.shape[1], entries)
        except BaseException:
            connection.close()
            raise
        goes_with(table, connection.close)
        return table

    def _dsn(self) -> str:
        dsn = os.environ.get(self.dsn_env, "").strip()
        if not dsn:
            raise ConfigError(
                f"environment variable {self.dsn_env!r} is unset; the store pgvector needs a connection string in it (dsn_env), "
                "such as postgresql://user:password@localhost/name. Export it and run again"
            )
        return dsn

    def _connect(self) -> "psycopg.Connection[Any]":
        import psycopg

        try:
            return psycopg.connect(self._dsn(), autocommit=True, connect_timeout=10)
        except psycopg.Error as error:
            kind = type(error).__name__
        raise unreachable(
            f"PostgreSQL does not answer to the connection string in {self.dsn_env!r} ({kind}); what it said may hold the password "
            "and is not shown",
            f'start the server, or mend the string; it holds once this connects: psql "${self.dsn_env}"',
        )

    def _filled(self, connection: "psycopg.Connection[Any]", vectors: Vectors, entries: Sequence[Chunk]) -> Any:
        """The table's name as SQL; its rows and its graph are written in one transaction, so that a table is whole or absent."""
        from psycopg import sql

        graph = [self.m, self.ef_construction] if self.index == "hnsw" else []
        name = collection_name(vectors, entries, [self.type, self.index, *graph])
        table = sql.Identifier(self.schema, name) if self.keep else sql.Identifier("pg_temp", name)
        with _explained(f"table {name!r}"), connection.transaction():
            if self.keep:
                connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [self.schema])
                connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema)))
                if _stands(connection, self.schema, name):
                    return table
            self._fill(connection, table, vectors, entries)
        return table

    def _fill(self, connection: "psycopg.Connection[Any]", table: Any, vectors: Vectors, entries: Sequence[Chunk]) -> None:
        from pgvector import HalfVector, Vector
        from psycopg import sql

        number = HalfVector if self.type == "halfvec" else Vector
        columns = {"row": "bigint", "embedding": f"{self.type}({vectors.shape[1]})", **COLUMNS}
        written = sql.SQL(", ").join(sql.SQL("{} {}").format(sql.Identifier(key), sql.SQL(kind)) for key, kind in columns.items())
        connection.execute(sql.SQL("CREATE {} TABLE {} ({})").format(sql.SQL("" if self.keep else "TEMPORARY"), table, written))
        with (
            connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} FROM STDIN WITH (FORMAT BINARY)").format(table)) as copy,
        ):
            copy.set_types(["int8", self.type, *(kind for kind in COLUMNS.values())])
            for row, (vector, entry) in enumerate(zip(vectors, entries, strict=True)):
                kept = payload(entry)
                copy.write_row((row, number(vector), *(kept[column] for column in COLUMNS)))
        if self.index == "hnsw":
            graph = "CREATE INDEX ON {} USING hnsw (embedding {}) WITH (m = {}, ef_construction = {})"
            parts = (table, sql.SQL(f"{self.type}_ip_ops"), sql.Literal(self.m), sql.Literal(self.ef_construction))
            connection.execute(sql.SQL(graph).format(*parts))
        connection.execute(sql.SQL("ANALYZE {}").format(table))


class PgTable:
    """A filled table and the one connection that it is asked by, one search at a time."""

    def __init__(
        self,
        recipe: PgVector,
        connection: "psycopg.Connection[Any]",
        iterative: bool,
        name: Any,
        dimensions: int,
        entries: Sequence[Chunk],
    ) -> None:
        self._recipe = recipe
        self._connection = connection
        self._iterative = iterative
        self._name = name
        self._dimensions = dimensions
        self._documents = frozenset(entry.span.doc_id for entry in entries)
        self._lock = threading.Lock()

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        """Rows and cosines, best first.

        Raises:
            StageError: when the server fails.
        """
        if admits_nothing(admitted):
            return nothing()
        with self._lock, _explained("search"), self._connection.transaction():
            if self._recipe.index == "none":
                return self._asked(vector, admitted, depth)
            self._set("hnsw.ef_search", min(max(self._recipe.ef_search, depth), 1000))
            if self._iterative:
                self._set("hnsw.iterative_scan", "relaxed_order")
            found = self._asked(vector, admitted, depth)
            if len(found[0]) == depth:
                return found
            self._set("enable_indexscan", "off")
            return self._asked(vector, admitted, depth)

    def _set(self, name: str, value: object) -> None:
        self._connection.execute("SELECT set_config(%s, %s, true)", [name, str(value)])

    def _asked(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> Found:
        from pgvector import Vector
        from psycopg import sql

        conditions, values = _conditions(admitted, self._documents)
        query = sql.SQL(
            "SELECT row, -(embedding <#> %(vector)s::{kind}) FROM {table} WHERE {conditions} "
            "ORDER BY embedding <#> %(vector)s::{kind} LIMIT %(depth)s"
        ).format(
            kind=sql.SQL(f"{self._recipe.type}({self._dimensions})"),
            table=self._name,
            conditions=sql.SQL(" AND ").join(map(sql.SQL, conditions)),
        )
        bound = {**values, "vector": Vector(vector).to_text(), "depth": depth}
        rows = self._connection.execute(query, bound).fetchall()
        return best_first([row for row, _ in rows], [cosine for _, cosine in rows], depth)


def _conditions(admitted: Filter, documents: frozenset[str]) -> tuple[list[str], dict[str, Any]]:
    """The parts of the WHERE clause over a table of these documents, fixed texts all, and the values that are bound to them."""
    conditions = ["true"]
    values: dict[str, Any] = {}
    if admitted.persona is not None:
        values["persona"] = admitted.persona
        conditions.append("(tenant = '' OR tenant = %(persona)s)")
        conditions.append("(cardinality(acl) = 0 OR (%(persona)s <> '' AND %(persona)s = ANY(acl)))")
    names, inside = shorter_list(admitted.allowed, documents)
    if inside or names:
        values["names"] = names
        conditions.append("doc_id = ANY(%(names)s)" if inside else "doc_id <> ALL(%(names)s)")
    if admitted.kinds is not None:
        values["kinds"] = sorted(admitted.kinds)
        conditions.append("kind = ANY(%(kinds)s)")
    return conditions, values


def _stands(connection: "psycopg.Connection[Any]", schema: str, name: str) -> bool:
    found = connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s", [schema, name])
    return found.fetchone() is not None


def _extension(connection: "psycopg.Connection[Any]") -> tuple[int, ...]:
    """The extension's version, created where the server has it, with its types made known to the connection.

    Raises:
        StageError: when there is none, or it is older than 0.7.
    """
    from pgvector.psycopg import register_vector

    with _explained("extension 'vector' (Debian: apt install postgresql-17-pgvector)"):
        connection.execute("SET client_min_messages = error")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        assert row is not None
        version = tuple(int(part) for part in str(row[0]).split("."))
        if version < OLDEST:
            raise StageError(f"the server has pgvector {row[0]}; 0.7 or newer is needed: ALTER EXTENSION vector UPDATE")
        register_vector(connection)
    return version


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Turns what the server or the driver says into a StageError."""
    import psycopg

    try:
        yield
    except (psycopg.Error, UnicodeEncodeError) as error:
        said = str(error).partition("\n")[0]
    else:
        return
    raise StageError(f"PostgreSQL refused {what}: {said}")
