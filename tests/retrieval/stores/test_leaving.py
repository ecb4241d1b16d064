"""What stays behind when a table, or the process, goes: nothing, or its name is said."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.errors import StageError
from harness.retrieval.stores.leaving import goes_with, leave, remove, temporary_folder
from tests.fake_pinecone import KEY as PINECONE_KEY
from tests.fake_pinecone import FakePinecone, Fault
from tests.fake_qdrant import KEY as QDRANT_KEY
from tests.fake_qdrant import FakeQdrant
from tests.retrieval.stores.through_cli import ROOT, WORDS


class Table:
    """Anything that goes."""


@pytest.fixture(autouse=True)
def _nothing_open() -> Iterator[None]:
    leave()
    yield
    leave()


def test_what_goes_with_a_table_is_closed_once() -> None:
    closed: list[int] = []
    table = Table()
    goes_with(table, lambda: closed.append(1))
    del table
    assert closed == [1]
    assert (leave(), closed) == ([], [1])


def test_leaving_closes_what_is_open_and_deletes_temporary_folders() -> None:
    closed: list[int] = []
    tables = [Table(), Table()]
    for place, table in enumerate(tables):
        goes_with(table, lambda place=place: closed.append(place))  # type: ignore[misc]
    unfinished, gone = temporary_folder(), temporary_folder()
    remove(gone)
    assert unfinished.is_dir() and not gone.exists()
    assert leave() == []
    assert (sorted(closed), unfinished.exists()) == ([0, 1], False)


def test_what_could_not_be_deleted_elsewhere_is_said_once() -> None:
    def refuse() -> None:
        raise StageError("the server did not answer")

    early, late = Table(), Table()
    goes_with(early, refuse, "The collection 'h1'")
    goes_with(late, refuse, "The collection 'h2'")
    del early
    assert leave() == [f"The collection '{name}' is still there: the server did not answer." for name in ("h1", "h2")]
    assert leave() == []


def test_who_does_not_answer_is_not_waited_for() -> None:
    silent = threading.Event()
    tables = [Table() for _ in range(3)]
    for place, table in enumerate(tables):
        goes_with(table, silent.wait, f"The collection 'h{place}'")  # type: ignore[arg-type]
    begun = time.monotonic()
    said = leave(0.2)
    assert time.monotonic() - begun < 0.2 * len(tables) + 5
    assert said == [f"The collection 'h{place}' is still there: no answer within 0.2 s." for place in range(3)]
    silent.set()


WAITING = """
import time
from pathlib import Path

from harness.reranking.none import NoReranker


class Waiting(NoReranker):
    def rerank(self, query, ranking):
        Path("asked").touch()
        time.sleep(60)
"""


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A run that has asked its store, and waits."""
    for name in ("tmp", "conf/reranker"):
        (folder / name).mkdir(parents=True)
    (folder / "waiting.py").write_text(WAITING)
    (folder / "conf" / "reranker" / "waiting.yaml").write_text("_target_: waiting.Waiting\n")
    variables = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}:{folder}",
        "HARNESS_CACHE_DIR": str(folder / "cache"),
        "TMPDIR": str(folder / "tmp"),
        "HARNESS_PLUGINS": "waiting",
        "PINECONE_API_KEY": PINECONE_KEY,
        "QDRANT_KEY": QDRANT_KEY,
    }
    command = [sys.executable, "-m", "harness", "run", *WORDS, "generator=none", "reranker=waiting", *words]
    process = subprocess.Popen(command, cwd=folder, env=variables, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        while not (folder / "asked").exists():
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()


def stopped(process: subprocess.Popen[str], by: signal.Signals) -> str:
    """What a run says that a signal ends."""
    process.send_signal(by)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + by, said
    assert "Traceback" not in said
    return said


def test_a_run_that_a_signal_ends_leaves_no_temporary_collection(tmp_path: Path) -> None:
    with running(tmp_path, "store=milvus") as process:
        assert len(list((tmp_path / "tmp").glob("harness-store-*"))) == 1
        stopped(process, signal.SIGINT)
    assert list((tmp_path / "tmp").glob("harness-store-*")) == []


def test_a_run_that_a_signal_ends_deletes_its_collection_on_a_server(tmp_path: Path) -> None:
    words = ("store=qdrant", "store.api_key_env=QDRANT_KEY")
    with FakeQdrant() as fake, running(tmp_path, *words, f"store.url={fake.url}") as run:
        assert len(fake.local.get_collections().collections) == 1
        stopped(run, signal.SIGINT)
        assert fake.local.get_collections().collections == []


def test_a_run_that_cannot_delete_its_namespace_says_its_name(tmp_path: Path) -> None:
    with FakePinecone() as fake, running(tmp_path, "store=pinecone", f"store.host={fake.url}") as run:
        ((_, namespace),) = fake.namespaces
        fake.fail(f"/namespaces/{namespace}", Fault(500))
        said = stopped(run, signal.SIGTERM)
    assert f"The namespace {namespace!r} of the Pinecone index 'harness-" in said
    assert "is still there: Pinecone did not delete it" in said
    assert PINECONE_KEY not in said
