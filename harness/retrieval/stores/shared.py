"""What vector stores share: a row's payload, names by content, folders, ranks, and checks before anything is asked."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from harness.errors import ConfigError, Problem, StageError
from harness.fingerprint import canonical
from harness.protocols import Rows, Vectors
from harness.retrieval.stores.leaving import remove, temporary_folder
from harness.store import write_atomic
from harness.types import Chunk, Filter

Found = tuple[Rows, NDArray[np.float64]]
"""Rows and cosines, best first."""

COMPLETE = "COMPLETE"
"""File in a collection's folder that is written after its last row."""


def payload(entry: Chunk) -> dict[str, Any]:
    """What a store keeps beside the vector of an entry: strings, and `acl`, a list of strings.

    The kind of a chunk may be asked for, who may see it must be; the rest is for whoever looks into the store.
    """
    origin = entry.origin
    return {
        "doc_id": entry.span.doc_id,
        "chunk_id": entry.chunk_id,
        "kind": entry.kind,
        "tenant": origin.tenant,
        "acl": list(origin.acl),
        "source": origin.source,
        "author": origin.author,
        "updated_at": origin.updated_at,
        "valid_from": origin.valid_from,
        "valid_to": origin.valid_to,
        "place": entry.place,
    }


def collection_name(vectors: Vectors, entries: Sequence[Chunk], recipe: object) -> str:
    """`h` and 32 hex digits of SHA-256 over vectors, payloads in their order and whatever of the recipe shapes the collection."""
    content = sha256(canonical([recipe, list(vectors.shape), *map(payload, entries)]).encode("utf-8", "surrogatepass"))
    content.update(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
    return f"h{content.hexdigest()[:32]}"


def admits_nothing(admitted: Filter) -> bool:
    """Whether a filter names no document or no kind, so that a store need not be asked."""
    return (admitted.allowed is not None and not admitted.allowed) or (admitted.kinds is not None and not admitted.kinds)


def shorter_list(allowed: frozenset[str] | None, known: frozenset[str]) -> tuple[list[str], bool]:
    """The documents of a table that may be found, and True; or those that may not, and False, where these are fewer.

    A query then carries half of the table's doc_ids at most; none that may not be found is no condition.
    """
    inside = known if allowed is None else known & allowed
    outside = known - inside
    return (sorted(inside), True) if len(inside) <= len(outside) else (sorted(outside), False)


def nothing() -> Found:
    """No row."""
    return np.empty(0, dtype=np.int64), np.empty(0)


def best_first(rows: Sequence[int] | Rows, cosines: Sequence[float] | NDArray[Any], depth: int) -> Found:
    """At most `depth` rows by falling cosine, equal ones by row, whatever the order in which a store gave them."""
    numbers, scores = np.asarray(rows, dtype=np.int64), np.asarray(cosines, dtype=np.float64)
    order = np.lexsort((numbers, -scores))[:depth]
    return numbers[order], scores[order]


def needs(package: str, extra: str) -> None:
    """Finds a missing package before anything is asked, without importing it.

    Raises:
        ConfigError: with the line that installs it.
    """
    if find_spec(package) is None:
        raise ConfigError(f'the package {package!r} is not installed; install it with: pip install "rag-harness[{extra}]"')


def secret(variable: str, asked_by: str) -> str:
    """The key in an environment variable; empty where no variable is named.

    Raises:
        ConfigError: when the variable is unset; names it, never the key.
    """
    key = os.environ.get(variable, "").strip() if variable else ""
    if variable and not key:
        raise ConfigError(
            f"environment variable {variable!r} is unset; {asked_by} needs it (api_key_env). Export it and run again"
        )
    return key


def folder_of(path: str, name: str, build: Callable[[Path], None]) -> Path:
    """The folder of a complete collection, built where there is none.

    Args:
        path: the folder of all collections; empty builds in a temporary one, see `leaving`.
        name: the collection's name, by its content: see `collection_name`.
        build: writes the collection into an empty folder and closes it.

    Raises:
        ConfigError: when the folder cannot be made or written to.
    """
    if not path:
        with _writing("the temporary folder (TMPDIR)", OSError):
            return _built(temporary_folder(), build)
    with _writing(f"store.path={path!r}", OSError, RuntimeError, ValueError):
        home = Path(path).expanduser().absolute()
        home.mkdir(parents=True, exist_ok=True)
    folder = home / name
    with _writing(f"store.path={path!r}", OSError), FileLock(home / f"{name}.lock"):
        if not (folder / COMPLETE).is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            build(folder)
            write_atomic(folder / COMPLETE, f"{name}\n")
    return folder


def _built(folder: Path, build: Callable[[Path], None]) -> Path:
    try:
        build(folder)
    except BaseException:
        remove(folder)
        raise
    return folder


@contextmanager
def _writing(where: str, *kinds: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kinds as error:
        said = getattr(error, "strerror", None) or str(error)
    else:
        return
    raise ConfigError(f"{where} cannot be written to: {said}. Give a folder of your own with room in it")


@contextmanager
def failures(what: str, *kinds: type[Exception]) -> Iterator[None]:
    """Turns what a library raises into a StageError, which begins with what failed."""
    try:
        yield
    except kinds as error:
        said = " ".join(str(error).split())[:300] or type(error).__name__
    else:
        return
    raise StageError(f"{what}: {said}")


def unreachable(what: str, fix: str) -> StageError:
    """The error of a server that does not answer when an index is to be built on it."""
    return StageError("The vector store cannot be reached.", [Problem("F015", "store", what, fix=fix)])
