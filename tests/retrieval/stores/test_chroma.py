"""Chroma, really run."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from harness.errors import ConfigError
from harness.retrieval.stores import chroma, shared
from harness.retrieval.stores.chroma import Chroma, conditions, metadata
from harness.types import Filter
from tests.contracts.vector_store import FREE, KeptStoreContract, VectorStoreContract, entry, rows, units
from tests.offline import offline
from tests.retrieval.stores.through_dense import ThroughDense

KNOWN = frozenset({"a", "b", "c"})


class TestChroma(VectorStoreContract, KeptStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Chroma:
        return Chroma()

    @pytest.fixture
    def at(self) -> Callable[[str], Chroma]:
        return lambda path: Chroma(path=path)


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Chroma:
        return Chroma()


def test_a_row_carries_its_origin_and_whether_its_list_is_empty() -> None:
    listed = metadata(entry("a.md", 0, "acme", ("ann", "bob"), author="Ann O'Hara"))
    assert (listed["acl"], listed["open"], listed["tenant"], listed["author"]) == (["ann", "bob"], False, "acme", "Ann O'Hara")
    free = metadata(entry("a.md"))
    assert free["open"]
    assert set(listed) - set(free) == {"acl"}


@pytest.mark.parametrize(
    ("admitted", "where"),
    [
        (FREE, None),
        (Filter(persona=""), {"$and": [{"tenant": {"$in": ["", ""]}}, {"open": True}]}),
        (
            Filter(persona="ann"),
            {"$and": [{"tenant": {"$in": ["", "ann"]}}, {"$or": [{"open": True}, {"acl": {"$contains": "ann"}}]}]},
        ),
        (Filter(allowed=frozenset({"a", "zz"})), {"doc_id": {"$in": ["a"]}}),
        (Filter(allowed=frozenset({"a", "b"})), {"doc_id": {"$nin": ["c"]}}),
        (Filter(kinds=frozenset({"table", "code"})), {"kind": {"$in": ["code", "table"]}}),
    ],
)
def test_a_filter_is_a_where(admitted: Filter, where: object) -> None:
    assert list(conditions(admitted, KNOWN)) == [where]


@pytest.mark.parametrize("names", [{"zz"}, set()])
def test_a_filter_that_names_no_known_document_asks_nothing(names: set[str]) -> None:
    assert list(conditions(Filter(allowed=frozenset(names)), KNOWN)) == []


@pytest.mark.parametrize("count", [4, 7, 12])
def test_more_documents_than_a_query_can_name_are_asked_for_in_parts(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite refuses a query of more than 32,766 values."""
    vectors, asked = units(1, 20), units(2, 1)[0]
    table = Chroma().table(vectors, [entry(f"{row}.md") for row in range(20)])
    allowed = Filter(allowed=frozenset(f"{row}.md" for row in range(count)))
    whole = table.nearest(asked, allowed, 5)
    monkeypatch.setattr(chroma, "MOST_NAMES", 3)
    found, cosines = table.nearest(asked, allowed, 5)
    assert found.tolist() == whole[0].tolist()
    assert cosines == pytest.approx(whole[1], abs=1e-6)
    assert len(list(conditions(allowed, frozenset(f"{row}.md" for row in range(20))))) > 1


def test_entries_that_no_walk_of_the_graph_reaches_are_found_all_the_same() -> None:
    """Among 3,000 equal vectors the graph loses a few of the hundred others: Chroma itself then answers with 96 of 100."""
    vectors = np.concatenate([np.repeat(units(30, 1), 3000, axis=0), units(31, 100)])
    table = Chroma().table(vectors, [entry(f"{row}.md", kind="same" if row < 3000 else "other") for row in range(3100)])
    others = Filter(kinds=frozenset({"other"}))
    found = rows(table, vectors[0], others, 200)
    assert sorted(found) == list(range(3000, 3100))
    assert found == (3000 + np.argsort(-(vectors[3000:].astype(float) @ vectors[0].astype(float)))).tolist()


def test_the_environment_cannot_make_it_the_client_of_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma reads a file `.env` of the current folder, and the environment."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("CHROMA_API_IMPL=chromadb.api.fastapi.FastAPI\nCHROMA_SERVER_HOST=db.example.org\n")
    monkeypatch.setenv("CHROMA_API_IMPL", "chromadb.api.fastapi.FastAPI")
    monkeypatch.setenv("CHROMA_OTEL_COLLECTION_ENDPOINT", "http://otel.example.org")
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "true")
    with offline() as asked:
        table = Chroma().table(units(1, 5), [entry(f"{row}.md") for row in range(5)])
        assert len(rows(table, units(2, 1)[0])) == 5
    settings = table._collection._client._system.settings
    assert (settings.anonymized_telemetry, settings.chroma_otel_collection_endpoint) == (False, "")
    assert asked == []


def test_settings_that_it_has_not_are_refused() -> None:
    with pytest.raises(ValidationError, match="Unexpected keyword argument"):
        Chroma(space="l2")  # type: ignore[call-arg]


def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"'chromadb' is not installed; .*pip install .*\[chroma\]"):
        Chroma().check()
