from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest

from harness.errors import ConfigError, StageError
from harness.protocols import VectorStore
from harness.retrieval.stores.milvus import Milvus
from harness.retrieval.stores.pgvector import PgVector
from harness.retrieval.stores.qdrant import Qdrant
from harness.retrieval.stores.shared import (
    COMPLETE,
    admits_nothing,
    best_first,
    collection_name,
    failures,
    folder_of,
    needs,
    secret,
    shorter_list,
)
from harness.types import Filter
from tests.contracts.vector_store import entry, units

KNOWN = frozenset({"a", "b", "c"})


def test_the_best_come_first_and_equal_ones_by_row() -> None:
    found, cosines = best_first([4, 9, 1, 2], [0.5, 0.9, 0.5, 0.1], 3)
    assert (found.tolist(), cosines.tolist()) == ([9, 1, 4], [0.9, 0.5, 0.5])


@pytest.mark.parametrize(
    ("allowed", "names", "inside"),
    [
        (None, [], False),
        (frozenset({"a"}), ["a"], True),
        (frozenset({"a", "c", "elsewhere"}), ["b"], False),
        (KNOWN | {"elsewhere"}, [], False),
        (frozenset({"elsewhere"}), [], True),
        (frozenset(), [], True),
    ],
)
def test_the_shorter_list_of_documents_is_named(allowed: frozenset[str] | None, names: list[str], inside: bool) -> None:
    assert shorter_list(allowed, KNOWN) == (names, inside)


def test_only_an_empty_set_admits_nothing() -> None:
    assert admits_nothing(Filter(allowed=frozenset()))
    assert admits_nothing(Filter(kinds=frozenset()))
    assert not admits_nothing(Filter(persona=""))


def test_a_name_tells_content_and_recipe_apart() -> None:
    vectors, entries = units(1, 2), [entry("a.md"), entry("b.md")]
    name = collection_name(vectors, entries, ["x", 1])
    others = [
        collection_name(units(2, 2), entries, ["x", 1]),
        collection_name(vectors, entries[::-1], ["x", 1]),
        collection_name(vectors, [entry("a.md", acl=("ann",)), entries[1]], ["x", 1]),
        collection_name(vectors, entries, ["x", 2]),
    ]
    assert collection_name(vectors.copy(), list(entries), ["x", 1]) == name
    assert len({name, *others}) == 5
    assert len(name) == 33 and name.isalnum()


def test_an_unfinished_folder_is_emptied_and_built_anew(tmp_path: Path) -> None:
    (tmp_path / "h1").mkdir()
    (tmp_path / "h1" / "half").touch()
    folder = folder_of(str(tmp_path), "h1", lambda place: (place / "rows").touch())
    assert sorted(path.name for path in folder.iterdir()) == [COMPLETE, "rows"]


def test_a_build_that_fails_leaves_no_complete_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(place: Path) -> None:
        (place / "half").touch()
        raise RuntimeError

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for path in ("", str(tmp_path / "kept")):
        with pytest.raises(RuntimeError):
            folder_of(path, "h1", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert not list(tmp_path.rglob(COMPLETE))


@pytest.mark.parametrize("path", ["/dev/null/x", "a\0b", "~nobody-of-that-name/x", "x" * 300])
def test_a_path_that_cannot_be_written_to_is_named_with_a_remedy(path: str) -> None:
    with pytest.raises(ConfigError, match=r"cannot be written to: .+\. Give a folder of your own") as failure:
        folder_of(path, "h1", lambda _: None)
    assert f"store.path={path!r}" in str(failure.value)


@pytest.mark.parametrize("path", ["", "kept"])
def test_a_disk_that_is_full_is_named_with_a_remedy(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_place: Path) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(ConfigError, match=r"cannot be written to: No space left on device\. Give a folder"):
        folder_of(path, "h1", full)
    assert list(tmp_path.glob("harness-store-*")) == []


def test_a_folder_for_temporary_ones_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    with pytest.raises(ConfigError, match="TMPDIR"):
        folder_of("", "h1", lambda _: None)


def test_what_a_library_raises_is_a_stage_error_and_nothing_else_is() -> None:
    with pytest.raises(StageError, match=r"^it failed: line one line two$"), failures("it failed", ValueError):
        raise ValueError("line one\nline two")
    with pytest.raises(StageError, match=r"^it failed: OSError$"), failures("it failed", OSError):
        raise OSError
    with pytest.raises(KeyError), failures("it failed", ValueError):
        raise KeyError


def test_a_package_that_is_there_is_not_asked_for() -> None:
    needs("numpy", "none")
    with pytest.raises(ConfigError, match=r"'no_such_package' is not installed; .*\[chroma\]"):
        needs("no_such_package", "chroma")


def test_a_key_comes_from_the_environment_or_is_named_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", " s3cret ")
    assert (secret("A_KEY", "the store"), secret("", "the store")) == ("s3cret", "")
    with pytest.raises(ConfigError, match="'NO_SUCH_KEY' is unset; the store needs it"):
        secret("NO_SUCH_KEY", "the store")


def test_no_row_is_an_empty_answer() -> None:
    found, cosines = best_first([], [], 5)
    assert (found.dtype, cosines.dtype, len(found)) == (np.int64, np.float64, 0)


@pytest.mark.parametrize(
    ("store", "named"),
    [
        (PgVector("HARNESS_DEAD"), "HARNESS_DEAD"),
        (Qdrant(url="http://127.0.0.1:9"), "http://127.0.0.1:9"),
        (Milvus(uri="http://127.0.0.1:9"), "127.0.0.1:9"),
    ],
    ids=["pgvector", "qdrant", "milvus"],
)
def test_a_server_that_is_not_there_is_a_problem_with_a_code_and_a_fix(
    store: VectorStore, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_DEAD", "postgresql://me@127.0.0.1:9/x")
    with pytest.raises(StageError, match="The vector store cannot be reached") as failure:
        store.table(units(1, 2), [entry("a.md"), entry("b.md")])
    (problem,) = failure.value.problems
    assert (problem.code, problem.where) == ("F015", "store")
    assert named in problem.what
    assert problem.fix.startswith("start the server")
