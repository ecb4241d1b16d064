"""What every vector store must do. Subclass `VectorStoreContract` and give the class-scoped fixture `store`, a classmethod.

A store that keeps its collections in a folder subclasses `KeptStoreContract` too and gives `at`, which makes one with that path.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from harness.errors import ConfigError, StageError
from harness.protocols import Vectors, VectorStore, VectorTable
from harness.retrieval.stores.leaving import leave
from harness.types import Chunk, Filter, Origin
from tests.builders import chunk

FREE = Filter()
TENANTS = ("", "", "acme", "globex")
LISTS: tuple[tuple[str, ...], ...] = ((), (), ("ann",), ("ann", "bob"), ("acme",))
KINDS = ("prose", "table", "summary")
NASTY = (
    "x' OR '1'='1",
    'a"b',
    "'; DROP TABLE entries; --",
    "back\\slash\\",
    "per%cent_",
    "{curly} [square]",
    '{"$ne": ""}',
    "naïve/Ünïcode—文書 🙂.md",
    "line\nbreak\ttab",
    "x' OR true OR doc_id = '",
)
"""Strings that would change a query into which they are pasted."""


def units(seed: int, count: int, dimension: int = 32) -> Vectors:
    """Random unit vectors."""
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def entry(doc_id: str, place: int = 0, tenant: str = "", acl: tuple[str, ...] = (), kind: str = "prose", **origin: str) -> Chunk:
    """A chunk of a document that these may see."""
    return chunk(doc_id, place, place + 1, "x", kind=kind, place="lines 1-2", origin=Origin(tenant, acl, **origin))


WORLD = [
    entry(f"d{row // 2}.md", row, TENANTS[row // 2 % 4], LISTS[row // 2 % 5], KINDS[row % 3], author="Ann O'Hara")
    for row in range(1000)
]
"""A thousand entries of 500 documents of two tenants and three access lists, in three kinds."""
VECTORS = units(1, 1000)
QUERIES = units(2, 8)


def opens(item: Chunk, admitted: Filter) -> bool:
    """Whether an asker may find an entry, in the words of the rule."""
    tenant, acl = item.origin.tenant, item.origin.acl
    if admitted.persona is not None and tenant != "" and tenant != admitted.persona:
        return False
    if admitted.persona is not None and len(acl) > 0 and admitted.persona not in acl:
        return False
    if admitted.allowed is not None and item.span.doc_id not in admitted.allowed:
        return False
    return admitted.kinds is None or item.kind in admitted.kinds


def best(vectors: Vectors, entries: Sequence[Chunk], asked: Vectors, admitted: Filter, depth: int) -> list[int]:
    """The rows that brute force in numpy finds."""
    cosines = vectors.astype(np.float64) @ asked.astype(np.float64)
    return [int(row) for row in np.argsort(-cosines) if opens(entries[row], admitted)][:depth]


def rows(table: VectorTable, asked: Sequence[float] | Vectors, admitted: Filter = FREE, depth: int = 10) -> list[int]:
    """The rows that a table finds."""
    return table.nearest(np.asarray(asked, dtype=np.float32), admitted, depth)[0].tolist()


FILTERS = {
    "free": FREE,
    "nobody": Filter(persona=""),
    "ann": Filter(persona="ann"),
    "tenant acme": Filter(persona="acme"),
    "tenant globex": Filter(persona="globex"),
    "a stranger": Filter(persona="zoe"),
    "half of the documents": Filter(allowed=frozenset(f"d{number}.md" for number in range(0, 500, 2))),
    "nearly all documents": Filter(allowed=frozenset(f"d{number}.md" for number in range(495))),
    "one document": Filter(allowed=frozenset({"d77.md"})),
    "tables": Filter(kinds=frozenset({"table"})),
    "two kinds": Filter(kinds=frozenset({"table", "summary"})),
    "everything at once": Filter("acme", frozenset(f"d{number}.md" for number in range(300)), frozenset({"prose", "summary"})),
}
EMPTY = {
    "no document": Filter(allowed=frozenset()),
    "no kind": Filter(kinds=frozenset()),
    "unknown document": Filter(allowed=frozenset({"absent.md"})),
    "unknown kind": Filter(kinds=frozenset({"absent"})),
    "another's document": Filter(persona="globex", allowed=frozenset({"d2.md"})),
}


class VectorStoreContract:
    tolerance = 1e-5
    """How far a cosine may be from that in float64."""

    @pytest.fixture(scope="class")
    @classmethod
    def world(cls, store: VectorStore) -> VectorTable:
        """The table of the thousand."""
        return store.table(VECTORS, WORLD)

    @pytest.mark.parametrize("depth", [10, 100])
    @pytest.mark.parametrize("admitted", FILTERS.values(), ids=FILTERS)
    def test_it_finds_what_brute_force_finds(self, store: VectorStore, world: VectorTable, admitted: Filter, depth: int) -> None:
        """An approximate index may miss one in twenty, but gives as many."""
        hits = total = 0
        for asked in QUERIES[:5]:
            expected, found = best(VECTORS, WORLD, asked, admitted, depth), rows(world, asked, admitted, depth)
            assert len(found) == len(set(found)) == len(expected)
            assert all(opens(WORLD[row], admitted) for row in found)
            assert found == expected or not store.exact
            hits, total = hits + len(set(found) & set(expected)), total + len(expected)
        assert hits / total >= (1.0 if store.exact else 0.95)

    @pytest.mark.parametrize("admitted", EMPTY.values(), ids=EMPTY)
    def test_a_filter_that_admits_nothing_finds_nothing(self, world: VectorTable, admitted: Filter) -> None:
        found, cosines = world.nearest(QUERIES[0], admitted, 10)
        assert (len(found), len(cosines)) == (0, 0)

    @pytest.mark.parametrize("number", [0, 333, 499])
    def test_a_filter_that_admits_one_document_of_500_finds_both_of_its_entries(self, world: VectorTable, number: int) -> None:
        found = rows(world, -VECTORS[2 * number], Filter(allowed=frozenset({f"d{number}.md"})))
        assert sorted(found) == [2 * number, 2 * number + 1]

    def test_a_filter_that_admits_one_entry_of_a_thousand_finds_it(self, world: VectorTable) -> None:
        assert rows(world, -VECTORS[666], Filter("ann", frozenset({"d333.md"}), frozenset({KINDS[0]}))) == [666]

    def test_it_gives_the_cosines_best_first(self, world: VectorTable) -> None:
        found, cosines = world.nearest(QUERIES[3], FREE, 50)
        assert cosines.tolist() == sorted(cosines, reverse=True)
        assert cosines == pytest.approx(VECTORS[found].astype(float) @ QUERIES[3].astype(float), abs=self.tolerance)
        assert (found.dtype, cosines.dtype) == (np.int64, np.float64)

    def test_a_depth_beyond_the_size_gives_each_row_once_and_no_padding(self, world: VectorTable) -> None:
        assert sorted(rows(world, QUERIES[1], FREE, 5000)) == list(range(1000))

    def test_the_same_search_gives_the_same_rows_and_cosines(self, world: VectorTable) -> None:
        first, second = (world.nearest(QUERIES[5], FILTERS["ann"], 30) for _ in range(2))
        assert [part.tolist() for part in first] == [part.tolist() for part in second]

    def test_threads_may_search_at_once(self, world: VectorTable) -> None:
        asks = [(asked, admitted) for asked in QUERIES[:2] for admitted in FILTERS.values()]
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(lambda ask: rows(world, *ask), asks)) == [rows(world, *ask) for ask in asks]

    def test_cosines_by_hand(self, store: VectorStore) -> None:
        """Vectors of other signs and of no likeness are found too."""
        vectors = np.array([[0, 1], [-1, 0], [0.6, 0.8], [1, 0]], dtype=np.float32)
        found, cosines = store.table(vectors, [entry(f"{row}.md") for row in range(4)]).nearest(vectors[3], FREE, 9)
        assert found.tolist() == [3, 2, 0, 1]
        assert cosines == pytest.approx([1, 0.6, 0, -1], abs=self.tolerance)

    def test_one_vector_is_found(self, store: VectorStore) -> None:
        assert rows(store.table(units(3, 1), [entry("only.md")]), units(4, 1)[0]) == [0]

    @pytest.mark.parametrize("depth", [3, 40, 60])
    def test_equal_vectors_have_equal_cosines(self, store: VectorStore, depth: int) -> None:
        vectors = np.concatenate([np.repeat(units(5, 1), 40, axis=0), units(6, 20)])
        table = store.table(vectors, [entry(f"{row}.md") for row in range(60)])
        found, cosines = table.nearest(units(5, 1)[0], FREE, depth)
        assert len(found) == depth
        assert set(found[:40].tolist()) <= set(range(40))
        assert len(set(cosines[:40].tolist())) == 1

    def test_a_chunk_may_have_several_rows(self, store: VectorStore) -> None:
        one, two = entry("one.md"), entry("two.md")
        table = store.table(units(7, 4), [one, two, one, one])
        assert sorted(rows(table, units(8, 1)[0])) == [0, 1, 2, 3]
        assert sorted(rows(table, units(8, 1)[0], Filter(allowed=frozenset({"one.md"})))) == [0, 2, 3]

    def test_tables_side_by_side_do_not_see_each_other(self, store: VectorStore) -> None:
        first = store.table(units(9, 5, 8), [entry(f"first{row}.md") for row in range(5)])
        second = store.table(units(10, 3, 4), [entry(f"second{row}.md") for row in range(3)])
        assert sorted(rows(first, units(11, 1, 8)[0])) == [0, 1, 2, 3, 4]
        assert sorted(rows(second, units(11, 1, 4)[0])) == [0, 1, 2]

    def test_two_tables_of_the_same_content_both_answer(self, store: VectorStore) -> None:
        first, second = (store.table(units(12, 6), [entry(f"{row}.md") for row in range(6)]) for _ in range(2))
        assert sorted(rows(first, units(13, 1)[0])) == sorted(rows(second, units(13, 1)[0])) == [0, 1, 2, 3, 4, 5]

    @pytest.fixture(scope="class")
    @classmethod
    def hostile(cls, store: VectorStore) -> VectorTable:
        """Row 0 is everybody's; each string names a document, a tenant, a list of two, and a kind."""
        entries = [entry("plain.md")]
        for text in NASTY:
            entries += [
                entry(text),
                entry("t.md", 1, tenant=text),
                entry("l.md", 2, acl=("ann", text)),
                entry("k.md", 3, kind=text),
            ]
        return store.table(units(14, len(entries)), entries)

    @pytest.mark.parametrize("place", range(len(NASTY)), ids=[ascii(text) for text in NASTY])
    def test_a_value_is_never_read_as_a_part_of_the_query(self, hostile: VectorTable, place: int) -> None:
        text, start = NASTY[place], 1 + 4 * place
        asked = units(15, 1)[0]
        everybody = [0, *(row for each in range(len(NASTY)) for row in (1 + 4 * each, 4 + 4 * each))]
        assert sorted(rows(hostile, asked, Filter(allowed=frozenset({text})), 99)) == [start]
        assert sorted(rows(hostile, asked, Filter(allowed=frozenset({text, "plain.md"})), 99)) == [0, start]
        assert sorted(rows(hostile, asked, Filter(kinds=frozenset({text})), 99)) == [start + 3]
        assert sorted(rows(hostile, asked, Filter(persona=text), 99)) == sorted([*everybody, start + 1, start + 2])
        assert sorted(rows(hostile, asked, Filter(persona=f"{text} "), 99)) == everybody

    def test_a_list_is_matched_by_whole_names(self, store: VectorStore) -> None:
        """Nor does an asker without a name stand in a list that holds an empty name."""
        lists: list[tuple[str, ...]] = [("ann",), ("anna", "an"), ("ann,bob",), ("Ann",), ("",), ("bob", "ann")]
        table = store.table(units(16, 6), [entry(f"{row}.md", acl=names) for row, names in enumerate(lists)])
        asked = units(17, 1)[0]
        wanted = {"ann": [0, 5], "an": [1], "bob": [5], "ann,bob": [2], "ANN": [], "": [], "%": []}
        assert {name: sorted(rows(table, asked, Filter(persona=name))) for name in wanted} == wanted


class KeptStoreContract:
    """Collections in a folder: complete ones are attached again, half-built ones are built anew."""

    Maker = Callable[[str], VectorStore]

    def shut(self, folder: Path) -> None:
        """Ends what this process keeps open of a collection whose table is gone."""

    def test_a_collection_is_kept_and_attached_again_without_repeating_rows(self, at: Maker, tmp_path: Path) -> None:
        entries = [entry(f"{row}.md") for row in range(6)]
        first = at(str(tmp_path / "kept")).table(units(20, 6), entries)
        wanted = rows(first, units(21, 1)[0], FREE, 99)
        size = collections(tmp_path / "kept")
        for _ in range(2):
            assert rows(at(str(tmp_path / "kept")).table(units(20, 6), entries), units(21, 1)[0], FREE, 99) == wanted
        assert collections(tmp_path / "kept") == size
        assert len(size) == 1

    def test_a_collection_outlives_its_table(self, at: Maker, tmp_path: Path) -> None:
        entries = [entry(f"{row}.md") for row in range(6)]
        wanted = rows(at(str(tmp_path)).table(units(20, 6), entries), units(21, 1)[0])
        changed = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("COMPLETE")}
        assert rows(at(str(tmp_path)).table(units(20, 6), entries), units(21, 1)[0]) == wanted
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("COMPLETE")} == changed
        assert len(changed) == 1

    def test_a_half_built_collection_is_built_anew(self, at: Maker, tmp_path: Path) -> None:
        entries = [entry(f"{row}.md") for row in range(6)]
        wanted = rows(at(str(tmp_path)).table(units(20, 6), entries), units(21, 1)[0])
        (mark,) = tmp_path.rglob("COMPLETE")
        mark.unlink()
        assert rows(at(str(tmp_path)).table(units(20, 6), entries), units(21, 1)[0], FREE, 99) == wanted
        assert mark.is_file()

    @pytest.mark.parametrize("change", ["vectors", "tenant", "order"])
    def test_another_content_is_another_collection(self, at: Maker, tmp_path: Path, change: str) -> None:
        entries = [entry(f"{row}.md") for row in range(6)]
        kept = at(str(tmp_path)).table(units(20, 6), entries)
        vectors = units(22, 6) if change == "vectors" else units(20, 6)
        tenant = "acme" if change == "tenant" else ""
        entries = [entry(f"{row}.md", tenant=tenant) for row in range(6)]
        other = at(str(tmp_path)).table(vectors, entries[::-1] if change == "order" else entries)
        assert len(collections(tmp_path)) == 2
        assert sorted(rows(kept, units(21, 1)[0], Filter(persona=""))) == [0, 1, 2, 3, 4, 5]
        assert len(rows(other, units(21, 1)[0], Filter(persona=""))) == (0 if change == "tenant" else 6)

    def test_a_path_that_cannot_be_written_to_is_an_error_with_the_path_and_a_remedy(self, at: Maker) -> None:
        with pytest.raises(ConfigError, match=r"store.path='/dev/null/x' cannot be written to: .*\. Give a folder of your own"):
            at("/dev/null/x").table(units(20, 6), [entry(f"{row}.md") for row in range(6)])

    def test_a_damaged_collection_is_an_error_with_its_folder(self, at: Maker, tmp_path: Path) -> None:
        entries = [entry(f"{row}.md") for row in range(6)]
        at(str(tmp_path)).table(units(20, 6), entries)
        (folder,) = (mark.parent for mark in tmp_path.rglob("COMPLETE"))
        self.shut(folder)
        for path in folder.rglob("*"):
            if path.is_file() and path.name != "COMPLETE":
                path.write_bytes(b"damaged")
        with pytest.raises(StageError, match=folder.name):
            rows(at(str(tmp_path)).table(units(20, 6), entries), units(21, 1)[0])

    def test_a_temporary_collection_is_deleted_with_its_table_or_when_the_process_leaves(
        self, at: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        tables = [at("").table(units(20, 6), [entry(f"{row}.md") for row in range(6)]) for _ in range(2)]
        assert len(list(tmp_path.iterdir())) == 2
        del tables[0]
        assert len(list(tmp_path.iterdir())) == 1
        leave()
        assert list(tmp_path.iterdir()) == []


def collections(folder: Path) -> list[str]:
    """The folders of collections."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir())
