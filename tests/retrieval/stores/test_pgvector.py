"""pgvector in a real PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from harness.errors import ConfigError, StageError
from harness.protocols import VectorStore
from harness.retrieval.stores import pgvector, shared
from harness.retrieval.stores.pgvector import PgVector
from harness.types import Filter
from tests.contracts.vector_store import FILTERS, FREE, QUERIES, VECTORS, WORLD, VectorStoreContract, best, entry, rows, units
from tests.postgres import postgres
from tests.retrieval.stores.through_cli import on_smoke, with_faiss
from tests.retrieval.stores.through_dense import ThroughDense

VARIABLE = "HARNESS_POSTGRES"
FORCED = "HARNESS_POSTGRES_WITH_GRAPH"
ENTRIES = [entry(f"{row}.md") for row in range(6)]


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    with postgres() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def named(dsn: str) -> Iterator[None]:
    """The server by two names; by the second it takes the graph even where the table is so small that it would not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, dsn)
        patch.setenv(FORCED, f"{dsn}&options=-c%20enable_seqscan%3Doff")
        yield


@pytest.fixture
def kept(dsn: str) -> Iterator[PgVector]:
    """Keeps its tables in a schema that goes with the test."""
    yield PgVector(VARIABLE, schema="kept", keep=True)
    asked(dsn, "DROP SCHEMA IF EXISTS kept CASCADE")


def asked(dsn: str, query: str, *values: object) -> list[Any]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        cursor = connection.execute(query, values)
        return cursor.fetchall() if cursor.description else []


def tables(dsn: str) -> list[str]:
    return [name for (name,) in asked(dsn, "SELECT relname FROM pg_class WHERE relname ~ '^h[0-9a-f]{32}$'")]


class TestHalfvec(VectorStoreContract):
    tolerance = 1e-3

    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return PgVector(VARIABLE)


class TestThroughTheGraph(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return PgVector(FORCED, type="vector", ef_search=60)


class TestWithoutAGraph(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return PgVector(VARIABLE, type="vector", index="none")


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return PgVector(VARIABLE, type="vector", index="none")


def test_the_servers_extension_is_new_enough_for_halfvec_and_iterative_scans(dsn: str) -> None:
    PgVector(VARIABLE).table(units(1, 6), ENTRIES)
    ((version,),) = asked(dsn, "SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    assert tuple(map(int, version.split("."))) >= pgvector.ITERATIVE


@pytest.mark.parametrize(
    ("kind", "index", "exact"), [("vector", "none", True), ("halfvec", "none", False), ("vector", "hnsw", False)]
)
def test_only_whole_numbers_without_a_graph_are_exact(kind: Any, index: Any, exact: bool) -> None:
    assert PgVector(VARIABLE, type=kind, index=index).exact is exact


def test_settings_reach_the_table_and_its_graph(dsn: str, kept: PgVector) -> None:
    PgVector(VARIABLE, "kept", m=7, ef_construction=33, keep=True).table(units(1, 6, 4), ENTRIES)
    ((made,),) = asked(dsn, "SELECT indexdef FROM pg_indexes WHERE schemaname = 'kept'")
    ((kind,),) = asked(
        dsn,
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE attname = 'embedding' AND relkind = 'r' AND nspname = 'kept'",
    )
    assert made.endswith("USING hnsw (embedding halfvec_ip_ops) WITH (m='7', ef_construction='33')")
    assert kind == "halfvec(4)"


def test_the_graph_is_what_answers_where_the_server_chooses_it() -> None:
    table = PgVector(FORCED).table(VECTORS, WORLD)
    used = "SELECT idx_scan FROM pg_stat_xact_user_tables WHERE relid = %s::regclass"
    with table._connection.transaction():
        found = table._asked(QUERIES[0], FREE, 10)[0].tolist()
        assert table._connection.execute(used, [table._name.as_string()]).fetchone() == (1,)
    assert len(set(found) & set(best(VECTORS, WORLD, QUERIES[0], FREE, 10))) >= 9


def test_an_older_server_answers_narrow_filters_without_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgvector, "ITERATIVE", (99,))
    table = PgVector(FORCED, ef_search=10).table(VECTORS, WORLD)
    narrow = FILTERS["everything at once"]
    assert len(rows(table, QUERIES[0], narrow, 40)) == 40
    assert rows(table, -VECTORS[154], Filter(allowed=frozenset({"d77.md"})))[-1] == 154


def test_an_extension_without_halfvec_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgvector, "OLDEST", (99, 0))
    with pytest.raises(StageError, match=r"the server has pgvector 0\.\d+\.\d+; .* ALTER EXTENSION vector UPDATE"):
        PgVector(VARIABLE).table(units(1, 6), ENTRIES)


def test_a_temporary_table_goes_with_its_connection(dsn: str) -> None:
    before = set(tables(dsn))
    table = PgVector(VARIABLE).table(units(2, 6), ENTRIES)
    assert len(set(tables(dsn)) - before) == 1
    connection = table._connection
    del table
    assert connection.closed


def test_a_kept_table_is_attached_again_and_not_written_anew(dsn: str, kept: PgVector) -> None:
    wanted = rows(kept.table(units(3, 6), ENTRIES), units(4, 1)[0])
    written = asked(dsn, "SELECT oid, relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace ORDER BY oid")
    assert rows(kept.table(units(3, 6), ENTRIES), units(4, 1)[0]) == wanted
    assert asked(dsn, "SELECT oid, relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace ORDER BY oid") == written


@pytest.mark.parametrize("change", ["vectors", "tenant", "graph"])
def test_another_content_is_another_table(dsn: str, kept: PgVector, change: str) -> None:
    kept.table(units(3, 6), ENTRIES)
    entries = [entry(f"{row}.md", tenant="acme" if change == "tenant" else "") for row in range(6)]
    store = PgVector(VARIABLE, "kept", index="none" if change == "graph" else "hnsw", keep=True)
    store.table(units(9 if change == "vectors" else 3, 6), entries)
    assert asked(dsn, "SELECT count(*) FROM pg_tables WHERE schemaname = 'kept'") == [(2,)]


def test_a_table_whose_rows_the_server_refuses_is_not_there_at_all(dsn: str, kept: PgVector) -> None:
    with pytest.raises(StageError, match=r"PostgreSQL refused table 'h[0-9a-f]{32}'"):
        kept.table(units(3, 2), [ENTRIES[0], entry("b.md", author="nul\0byte")])
    assert asked(dsn, "SELECT count(*) FROM pg_tables WHERE schemaname = 'kept'") == [(0,)]


def test_what_is_kept_beside_a_vector(dsn: str, kept: PgVector) -> None:
    made = entry(
        "a.md", 3, "acme", ("ann", "bob"), "table", author="Ann", source="s.md", updated_at="2026-01-02", valid_to="2027-01-01"
    )
    kept.table(units(3, 1), [made])
    ((name,),) = asked(dsn, "SELECT tablename FROM pg_tables WHERE schemaname = 'kept'")
    ((row,),) = asked(dsn, f"SELECT row_to_json(t) FROM kept.{name} t")
    del row["embedding"]
    assert row == {"row": 0, **shared.payload(made)}


def test_a_graph_of_too_many_dimensions_is_refused_before_anything_is_written() -> None:
    with pytest.raises(
        StageError, match="up to 2000 dimensions of type vector, the vectors have 2001; choose index: none, or halfvec"
    ):
        PgVector(VARIABLE, type="vector").table(units(1, 1, 2001), ENTRIES[:1])


def test_an_unset_variable_is_named_before_anything_is_asked() -> None:
    with pytest.raises(ConfigError, match="environment variable 'NOT_SET' is unset"):
        PgVector("NOT_SET").check()


@pytest.mark.parametrize("package", ["psycopg", "pgvector"])
def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    found = shared.find_spec
    monkeypatch.setattr(shared, "find_spec", lambda name: None if name == package else found(name))
    with pytest.raises(ConfigError, match=rf"{package}.* pip install .rag-harness\[pgvector\]."):
        PgVector(VARIABLE).check()


def test_a_connection_string_in_the_config_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="dsn_env") as refused:
        PgVector(dsn_env="postgresql://me:hunter2@localhost/x")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://me:hunter2@127.0.0.1:9/x",
        "postgresql://me:hun@hunter2@localhost/x",
        "postgres..hunter2",
        "host='hunter2",
        "hunter2://x",
    ],
)
def test_a_connection_that_fails_names_the_variable_and_never_the_password(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("BROKEN", text)
    with pytest.raises(StageError, match="'BROKEN'") as refused:
        PgVector("BROKEN").table(units(1, 6), ENTRIES)
    assert "hunter2" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


def test_a_graph_that_pgvector_would_refuse_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="ef_construction=20 is less than twice m=16"):
        PgVector(VARIABLE, ef_construction=20)


def test_a_server_that_goes_away_is_a_stage_error(dsn: str) -> None:
    table = PgVector(VARIABLE).table(units(1, 6), ENTRIES)
    asked(dsn, "SELECT pg_terminate_backend(%s)", table._connection.info.backend_pid)
    with pytest.raises(StageError, match="PostgreSQL refused search"):
        table.nearest(units(1, 1)[0], FREE, 3)


def test_a_run_by_the_command_line_finds_what_faiss_finds_and_leaks_nothing(dsn: str, tmp_path: Path) -> None:
    assert on_smoke(tmp_path, "store=pgvector") == with_faiss()
    assert with_faiss()["leaks"] == {"tenant_leaks": 0.0}
    written = [path.read_text() for path in tmp_path.rglob("reports/**/*.*")]
    assert written
    assert not [text for text in written if dsn in text or "harness@" in text]


def test_a_run_without_the_variable_ends_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(AssertionError, match=f"environment variable '{VARIABLE}' is unset"):
        on_smoke(tmp_path, "store=pgvector")
