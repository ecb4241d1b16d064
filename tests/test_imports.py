"""Importing the harness is quick and safe: every module by itself, nothing heavy, no output, no file."""

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from harness import protocols, types

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("mlflow", "ragas", "litellm", "faiss", "onnxruntime", "datasets", "sklearn", "datasketch", "docx", "tree_sitter")
MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages(harness.__path__, "harness.")
    if name != "harness.__main__" and "_shipped" not in name
)
IMPORT_ALL = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
print(json.dumps(sorted(sys.modules)))
"""


Imported = tuple["subprocess.CompletedProcess[str]", Path]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """A fresh interpreter that imported every module, and the empty folder in which it did."""
    folder = tmp_path_factory.mktemp("empty")
    command = [sys.executable, "-c", IMPORT_ALL, json.dumps(MODULES)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False), folder


def test_every_module_can_be_imported(imported: Imported) -> None:
    assert imported[0].returncode == 0, imported[0].stderr
    assert set(MODULES) <= set(json.loads(imported[0].stdout))


@pytest.mark.parametrize("package", HEAVY)
def test_no_import_loads_a_heavy_package(imported: Imported, package: str) -> None:
    assert package not in json.loads(imported[0].stdout)


def test_importing_says_nothing_and_writes_nothing(imported: Imported) -> None:
    done, folder = imported
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
    assert list(folder.iterdir()) == []


def test_there_are_as_many_modules_as_files() -> None:
    files = [path for path in (ROOT / "harness").rglob("*.py") if path.name not in ("__init__.py", "__main__.py")]
    packages = [path for path in (ROOT / "harness").rglob("__init__.py") if path.parent != ROOT / "harness"]
    assert len(MODULES) == len(files) + len(packages)


@pytest.mark.parametrize("name", types.__all__)
def test_every_public_record_exists_and_says_what_it_is(name: str) -> None:
    record = getattr(types, name)
    assert record.__name__ == name
    assert record.__doc__
    assert not record.__doc__.startswith(f"{name}(")  # not the one that dataclass makes up


def test_public_records_are_listed_in_alphabetical_order_and_once() -> None:
    assert list(types.__all__) == sorted(set(types.__all__))


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_for(name: str) -> None:
    assert (importlib.import_module(name).__doc__ or "").strip()


PROTOCOLS = [
    name
    for name, kind in vars(protocols).items()
    if getattr(kind, "_is_protocol", False) and kind.__module__ == protocols.__name__
]


def test_every_stage_of_the_pipeline_has_a_protocol() -> None:
    assert {"Chunker", "Embedder", "Retriever", "Fuser", "Reranker", "Generator", "Metric", "Judge", "LLM"} <= set(PROTOCOLS)
    assert all(getattr(protocols, name).__doc__ for name in PROTOCOLS)
