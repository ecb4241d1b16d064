"""A real MLflow store for every test: the schema is made once per session and copied."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.tracking import schema
from harness.tracking.mlflow_sink import MLflow


@pytest.fixture(scope="session")
def empty_store() -> bytes:
    """The bytes of a new store."""
    with schema.quiet():
        return schema.empty_store()


@pytest.fixture
def sink(empty_store: bytes, tmp_path: Path) -> Iterator[MLflow]:
    """A sink over a store of its own."""
    path = tmp_path / "mlflow.db"
    path.write_bytes(empty_store)
    yield MLflow(uri=f"sqlite:///{path.as_posix()}")
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    for uri in [uri for uri in SqlAlchemyStore._engine_map if tmp_path.as_posix() in uri]:
        SqlAlchemyStore._engine_map.pop(uri).dispose()
