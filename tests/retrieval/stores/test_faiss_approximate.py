"""The approximate stores of faiss: a graph, lists, and rounded vectors."""

from functools import cache

import faiss
import numpy as np
import pytest
from pydantic import ValidationError

from harness.protocols import VectorStore
from harness.retrieval.stores.faiss_hnsw import Hnsw
from harness.retrieval.stores.faiss_ivf import Ivf
from harness.retrieval.stores.faiss_scalar import Quantized
from harness.retrieval.stores.faiss_table import FaissTable, one_thread
from harness.types import Filter
from tests.contracts.vector_store import VECTORS, WORLD, VectorStoreContract, best, entry, rows, units

STORES: dict[str, Hnsw | Ivf | Quantized] = {
    "graph": Hnsw(),
    "lists": Ivf(),
    "float16": Quantized(),
    "int8": Quantized("int8"),
}


class TestHnsw(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Hnsw()


class TestIvf(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Ivf(lists=16, nprobe=15)


class TestFloat16(VectorStoreContract):
    tolerance = 1e-3

    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Quantized("float16")


class TestInt8(VectorStoreContract):
    tolerance = 1e-2

    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Quantized("int8")


@cache
def table(name: str) -> FaissTable:
    return STORES[name].table(VECTORS, WORLD)


@pytest.mark.parametrize("name", STORES)
def test_built_twice_it_is_the_same_byte_for_byte(name: str) -> None:
    first, second = (faiss.serialize_index(STORES[name].table(VECTORS, WORLD).index) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("name", STORES)
def test_it_does_not_call_itself_exact(name: str) -> None:
    assert not STORES[name].exact


def test_building_leaves_the_number_of_threads_as_it_was() -> None:
    before = faiss.omp_get_max_threads()
    with pytest.raises(ZeroDivisionError), one_thread():
        assert faiss.omp_get_max_threads() == 1
        raise ZeroDivisionError
    assert faiss.omp_get_max_threads() == before


@pytest.mark.parametrize("count", [1, 3, 10, 50, 200])
@pytest.mark.parametrize("name", ["graph", "lists"])
def test_a_filter_down_to_few_of_a_thousand_still_gives_as_many_hits_as_there_are(name: str, count: int) -> None:
    """With the breadth of a free search a graph found 24 of 100 under a filter that admits 2 %. Random vectors fall into no lists."""
    documents = frozenset(f"d{number}.md" for number in range(0, 500, 500 // count))
    admitted = Filter(allowed=documents)
    wanted = [best(VECTORS, WORLD, asked, admitted, 10) for asked in units(3, 20)]
    found = [rows(table(name), asked, admitted) for asked in units(3, 20)]
    assert [len(each) for each in found] == [len(each) for each in wanted]
    share = np.mean([len(set(one) & set(other)) / len(other) for one, other in zip(found, wanted, strict=True)])
    assert share >= (1.0 if count <= 50 else {"graph": 0.9, "lists": 0.6}[name])


def test_a_narrow_filter_widens_the_walk_and_a_narrower_one_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 500 of 1,000 a breadth of 64 becomes 128; at 200 it would be 320, and 200 comparisons are fewer."""
    walks: list[int] = []
    made = faiss.SearchParametersHNSW

    class Watched(made):  # type: ignore[misc, valid-type]
        def __setattr__(self, name: str, value: object) -> None:
            if name == "efSearch":
                walks.append(int(value))  # type: ignore[call-overload]
            super().__setattr__(name, value)

    monkeypatch.setattr(faiss, "SearchParametersHNSW", Watched)
    for share in (1, 2, 5):
        rows(table("graph"), VECTORS[0], Filter(allowed=frozenset(f"d{number}.md" for number in range(0, 500, share))))
    assert walks == [64, 128]


def test_under_a_filter_that_admits_a_quarter_a_quarter_of_the_lists_becomes_all_of_them() -> None:
    quarter = Filter(allowed=frozenset(f"d{number}.md" for number in range(0, 500, 4)))
    assert [rows(table("lists"), q, quarter) for q in units(3, 20)] == [
        best(VECTORS, WORLD, q, quarter, 10) for q in units(3, 20)
    ]
    assert [rows(table("lists"), q) for q in units(3, 20)] != [best(VECTORS, WORLD, q, Filter(), 10) for q in units(3, 20)]


def test_a_wider_search_finds_more() -> None:
    def recall(store: VectorStore) -> float:
        held, entries = units(4, 2000, 64), [entry(f"{row}.md") for row in range(2000)]
        made = store.table(held, entries)
        queries = units(5, 50, 64)
        return float(np.mean([len({*rows(made, q)} & {*best(held, entries, q, Filter(), 10)}) / 10 for q in queries]))

    graphs = [recall(Hnsw(m=4, ef_search=breadth)) for breadth in (10, 40, 160)]
    lists = [recall(Ivf(nprobe=count)) for count in (1, 8, 64)]
    assert graphs == sorted(set(graphs))
    assert lists == sorted(set(lists))
    assert lists[-1] == 1.0


def test_there_are_at_most_as_many_lists_as_vectors_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    small = Ivf(lists=64).table(units(6, 5), [entry(f"{row}.md") for row in range(5)])
    assert small.index.nlist == 5
    assert sorted(rows(small, units(7, 1)[0])) == [0, 1, 2, 3, 4]
    assert capfd.readouterr() == ("", "")


def test_rounded_vectors_take_a_half_and_a_quarter_of_the_memory() -> None:
    sizes = {name: table(name).index.sa_code_size() for name in ("float16", "int8")}
    assert sizes == {"float16": 2 * 32, "int8": 32}


@pytest.mark.parametrize("precision", ["float16", "int8"])
def test_what_has_nothing_in_common_has_a_cosine_of_zero_after_rounding(precision: str) -> None:
    held = np.zeros((3, 8), dtype=np.float32)
    held[0, :3], held[1, 4:6], held[2, 7] = 3**-0.5, -(2**-0.5), 1
    _, cosines = (
        Quantized(precision)
        .table(held, [entry(f"{row}.md") for row in range(3)])
        .nearest(  # type: ignore[arg-type]
            np.eye(8, dtype=np.float32)[3], Filter(), 3
        )
    )
    assert cosines == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "settings", "named"),
    [
        (Hnsw, {"m": 1}, "m"),
        (Hnsw, {"ef_construction": 0}, "ef_construction"),
        (Hnsw, {"ef_search": 0}, "ef_search"),
        (Hnsw, {"ef_search": 64.5}, "ef_search"),
        (Hnsw, {"efSearch": 64}, "efSearch"),
        (Ivf, {"lists": 0}, "lists"),
        (Ivf, {"nprobe": "all"}, "nprobe"),
        (Quantized, {"precision": "int4"}, "precision"),
    ],
)
def test_a_wrong_setting_is_named(kind: type, settings: dict[str, object], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        kind(**settings)
