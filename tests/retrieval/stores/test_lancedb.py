"""LanceDB, really run."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from harness.errors import ConfigError
from harness.retrieval.stores import shared
from harness.retrieval.stores.lancedb import LanceDB, condition
from harness.types import Filter
from tests.contracts.vector_store import (
    FILTERS,
    QUERIES,
    VECTORS,
    WORLD,
    KeptStoreContract,
    VectorStoreContract,
    best,
    entry,
    rows,
    units,
)
from tests.offline import offline
from tests.retrieval.stores.through_dense import ThroughDense


class TestLanceDB(VectorStoreContract, KeptStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> LanceDB:
        return LanceDB()

    @pytest.fixture
    def at(self) -> Callable[[str], LanceDB]:
        return lambda path: LanceDB(path=path)


class TestLanceDBWithAGraph(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> LanceDB:
        return LanceDB(index="ivf_hnsw_sq")


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> LanceDB:
        return LanceDB()


def test_a_row_carries_its_origin(tmp_path: Path) -> None:
    import lancedb

    item = entry(
        "a'b.md", 0, "acme", ("ann", "bob"), author="Ann O'Hara", source="s3://a", updated_at="2026-01-02", valid_from="2026"
    )
    LanceDB(path=str(tmp_path)).table(units(1, 1, 4), [item])
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    (row,) = lancedb.connect(folder).open_table("entries").to_arrow().to_pylist()
    assert {name: value for name, value in row.items() if name not in ("vector", "row")} == {
        "doc_id": "a'b.md",
        "chunk_id": item.chunk_id,
        "kind": "prose",
        "tenant": "acme",
        "acl": ["ann", "bob"],
        "source": "s3://a",
        "author": "Ann O'Hara",
        "updated_at": "2026-01-02",
        "valid_from": "2026",
        "valid_to": "",
        "place": "lines 1-2",
    }


@pytest.mark.parametrize(
    ("admitted", "sql"),
    [
        (Filter(), ""),
        (Filter(persona=""), "tenant IN ('', '') AND (array_length(acl) = 0)"),
        (Filter(persona="o'h"), "tenant IN ('', 'o''h') AND (array_length(acl) = 0 OR array_has(acl, 'o''h'))"),
        (Filter(allowed=frozenset({"a", "zz"})), "doc_id IN ('a')"),
        (Filter(allowed=frozenset({"a", "b"})), "doc_id NOT IN ('c')"),
        (Filter(allowed=frozenset({"a", "b", "c"})), ""),
        (Filter(allowed=frozenset({"zz"})), "false"),
        (Filter(kinds=frozenset({"table", "code"})), "kind IN ('code', 'table')"),
    ],
)
def test_a_filter_is_sql(admitted: Filter, sql: str) -> None:
    assert condition(admitted, frozenset({"a", "b", "c"})) == sql


@pytest.mark.parametrize("index", ["ivf_flat", "ivf_pq"])
def test_an_index_is_built_and_says_that_it_is_not_exact(index: str) -> None:
    store = LanceDB(index=index, partitions=4, probes=4, refine=50)  # type: ignore[arg-type]
    table = store.table(VECTORS, WORLD)
    assert not store.exact
    assert table._table.index_stats("vector_idx").num_indexed_rows == 1000
    for admitted in FILTERS.values():
        wanted, found = best(VECTORS, WORLD, QUERIES[0], admitted, 10), rows(table, QUERIES[0], admitted, 10)
        assert len(set(found) & set(wanted)) >= 0.9 * len(wanted) == 0.9 * len(found)


def test_few_rows_have_no_index_and_are_all_compared() -> None:
    table = LanceDB(index="ivf_pq").table(units(1, 20), [entry(f"{row}.md") for row in range(20)])
    asked = units(2, 1)[0]
    assert rows(table, asked) == np.argsort(-(units(1, 20) @ asked))[:10].tolist()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"probes": 5}, "change nothing with index=flat"),
        ({"index": "ivf_flat", "ef": 50}, "ef changes nothing with index=ivf_flat"),
        ({"index": "hnsw"}, "Input should be 'flat', 'ivf_flat'"),
        ({"url": "x"}, "Unexpected keyword argument"),
    ],
)
def test_settings_that_would_do_nothing_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        LanceDB(**settings)  # type: ignore[arg-type]


def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"'lancedb' is not installed; .*pip install .*\[lancedb\]"):
        LanceDB().check()


def test_nothing_asks_for_the_network() -> None:
    with offline() as asked:
        table = LanceDB().table(units(1, 5), [entry(f"{row}.md") for row in range(5)])
        assert len(rows(table, units(2, 1)[0])) == 5
    assert asked == []
