"""A project folder, and the command line inside it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli import job
from harness.cli.main import main
from tests.cli.project import write_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small user's repository, as current folder, with cold caches."""
    monkeypatch.chdir(write_project(tmp_path))
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "160")
    job._load.cache_clear()
    return tmp_path


@pytest.fixture
def harness(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Runs a command; gives exit code and everything printed."""

    def call(*words: str) -> tuple[int, str]:
        code = main(list(words))
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call
