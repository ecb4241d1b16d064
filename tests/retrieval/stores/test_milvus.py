"""Milvus Lite, really run; of a server only what comes before the first answer."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import ConfigError, StageError
from harness.protocols import VectorStore
from harness.retrieval.stores import milvus, shared
from harness.retrieval.stores.milvus import Milvus, expression, literal
from harness.types import Filter
from tests.contracts.vector_store import FREE, NASTY, KeptStoreContract, VectorStoreContract, entry, rows, units
from tests.retrieval.stores.through_cli import ROOT, in_a_process, with_faiss
from tests.retrieval.stores.through_dense import ThroughDense

ENTRIES = [entry(f"{row}.md") for row in range(6)]


class TestMilvusLite(VectorStoreContract, KeptStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Milvus()

    @pytest.fixture
    def at(self) -> Callable[[Path], VectorStore]:
        return lambda path: Milvus(path="" if path == Path() else str(path))

    def shut(self, folder: Path) -> None:
        milvus._stop(folder)


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> VectorStore:
        return Milvus()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", '"plain"'),
        ('a"b', r'"a\"b"'),
        ("a'b", '"a\'b"'),
        ("end\\", r'"end\\"'),
        ('\\" or true', r'"\\\" or true"'),
        ("a\nb\tc\rd", r'"a\nb\tc\rd"'),
        ("{t}", '"{t}"'),
    ],
)
def test_a_value_is_written_as_one_string(text: str, written: str) -> None:
    assert literal(text) == written


def test_a_filter_in_the_language_of_milvus() -> None:
    """Only lists that the collection has, and that admit the asker, are named; and the shorter list of documents."""
    lists = [(), ("ann",), ("bob", 'a"b'), ("bob",)]
    five = frozenset({"a.md", "b.md", "c.md", "d.md", "e.md"})
    admitted = Filter("ann", frozenset({"b.md", "a.md", "gone.md"}), frozenset({"prose"}))
    assert expression(admitted, lists, five) == (
        r'doc_id in ["a.md", "b.md"] and kind in ["prose"] and tenant in ["", "ann"] and acl in ["[\"ann\"]", "[]"]'
    )
    assert expression(Filter(allowed=five - {"c.md"}), lists, five) == 'doc_id not in ["c.md"]'
    assert expression(Filter("zoe"), lists, five) == 'tenant in ["", "zoe"] and acl in ["[]"]'
    assert expression(Filter(""), [("",), ()], five) == 'tenant in [""] and acl in ["[]"]'
    assert expression(FREE, lists, five) == ""


def test_an_asker_whom_no_list_admits_finds_nothing_even_where_no_row_is_open() -> None:
    table = Milvus().table(units(1, 2), [entry("a.md", acl=("ann",)), entry("b.md", tenant="acme")])
    assert rows(table, units(2, 1)[0], Filter("zoe")) == []
    assert rows(table, units(2, 1)[0], Filter("ann")) == [0]


def test_what_is_kept_beside_a_vector() -> None:
    made = entry("a.md", 3, "acme", ("ann", NASTY[1]), "table", author="Ann", source="s.md", valid_to="2027-01-01")
    table = Milvus().table(units(3, 1), [made])
    (row,) = table._client.query(table._name, filter="row == 0", output_fields=list(milvus.TEXTS))
    assert {name: row[name] for name in milvus.TEXTS} == {**shared.payload(made), "acl": '["ann", "a\\"b"]'}


def test_searches_go_on_after_another_table_of_the_same_folder_is_gone(tmp_path: Path) -> None:
    first, second = (Milvus(path=str(tmp_path)).table(units(3, 6), ENTRIES) for _ in range(2))
    wanted = rows(second, units(4, 1)[0])
    del first
    assert rows(second, units(4, 1)[0]) == wanted


def test_a_folder_that_another_process_has_open_is_an_error(tmp_path: Path) -> None:
    store = Milvus(path=str(tmp_path))
    store.table(units(3, 6), ENTRIES)
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    milvus._stop(folder)
    held = milvus.import_module("milvus_lite.db").MilvusLite(milvus._lite(folder))
    with pytest.raises(StageError, match="which one process at a time may open"):
        store.table(units(3, 6), ENTRIES)
    held.close()
    assert len(rows(store.table(units(3, 6), ENTRIES), units(4, 1)[0])) == 6


def test_a_temporary_collection_leaves_no_server_behind() -> None:
    servers = milvus.import_module("milvus_lite.server_manager").server_manager_instance._servers
    before = set(servers)
    table = Milvus().table(units(3, 6), ENTRIES)
    assert len(set(servers) - before) == 1
    del table
    assert set(servers) == before


def test_rows_that_milvus_refuses_leave_no_folder_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(StageError, match=r"Milvus refused the rows: .*'author'.* 70000 exceeds max_length=65535"):
        Milvus().table(units(3, 1), [entry("a.md", author="x" * 70_000)])
    assert list(tmp_path.iterdir()) == []


def test_the_log_of_pymilvus_stays_silent_also_where_it_fails(capfd: pytest.CaptureFixture[str]) -> None:
    table = Milvus().table(units(3, 6), ENTRIES)
    with pytest.raises(StageError, match="Milvus refused the search"):
        table.nearest(units(3, 1, 5)[0], FREE, 3)
    logging.getLogger("milvus_lite.engine").error("not for the user")
    logging.getLogger("pymilvus.decorators").error("not for the user")
    assert capfd.readouterr() == ("", "")


def test_a_file_of_variables_is_not_read_into_the_environment(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MILVUS_URI=http://elsewhere:19530\n")
    code = (
        "from harness.retrieval.stores.milvus import _pymilvus; _pymilvus(); import os; "
        "print([name for name in os.environ if name in ('MILVUS_URI', 'PYTHON_DOTENV_DISABLED')])"
    )
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_proxy_of_the_environment_is_not_asked_for_what_lies_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert len(rows(Milvus().table(units(3, 6), ENTRIES), units(4, 1)[0])) == 6


def test_a_server_that_cannot_be_reached_is_a_stage_error() -> None:
    threads = threading.active_count()
    with pytest.raises(StageError, match=r"Milvus refused the connection: .*127\.0\.0\.1:9"):
        Milvus(uri="http://127.0.0.1:9").table(units(3, 6), ENTRIES)
    assert threading.active_count() <= threads + 1


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"uri": "http://me:hunter2@localhost:19530"}, "must be a bare http"),
        ({"uri": "http://db.example.org:19530", "api_key_env": "MILVUS_TOKEN"}, "over http to another machine"),
        ({"uri": "http://localhost?token=hunter2"}, "must be a bare http"),
        ({"uri": "./milvus.db"}, "whose path is the folder of Milvus Lite"),
        ({"uri": "http://localhost:19530", "path": "here"}, "a path and a uri"),
        ({"api_key_env": "MILVUS_TOKEN"}, "are for a server"),
        ({"keep": True}, "are for a server"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: dict[str, object], why: str) -> None:
    with pytest.raises(ConfigError, match=why) as refused:
        Milvus(**settings)  # type: ignore[arg-type]
    assert "hunter2" not in str(refused.value)


def test_a_token_in_the_config_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="api_key_env") as refused:
        Milvus(uri="http://localhost:19530", api_key_env="root:hunter2")
    assert "hunter2" not in str(refused.value)


def test_an_unset_variable_is_named_before_anything_is_asked() -> None:
    with pytest.raises(ConfigError, match="environment variable 'NOT_SET' is unset; the store milvus needs it"):
        Milvus(uri="http://127.0.0.1:9", api_key_env="NOT_SET").check()


@pytest.mark.parametrize("package", ["pymilvus", "milvus_lite"])
def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    found = shared.find_spec
    monkeypatch.setattr(shared, "find_spec", lambda name: None if name == package else found(name))
    with pytest.raises(ConfigError, match=rf"{package}.* pip install .rag-harness\[milvus\]."):
        Milvus().check()


def test_a_run_by_the_command_line_finds_what_faiss_finds_and_leaks_nothing(tmp_path: Path) -> None:
    """It ends by itself, and prints nothing but its report."""
    assert in_a_process(tmp_path, "store=milvus") == (with_faiss(), [])
    assert with_faiss()["leaks"] == {"tenant_leaks": 0.0}
