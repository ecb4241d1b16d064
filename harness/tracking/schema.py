"""Where MLflow's sqlite file lies, and how it comes to be.

Two processes that let MLflow create the same new file both fail and leave it broken ("duplicate column name"), and
so does one that is killed half way. So the schema is made in a scratch folder, under a lock, and put in place whole.
"""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from harness.store import write_atomic

_SQLITE = "sqlite:///"
_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
    "MLFLOW_LOGGING_LEVEL": "ERROR",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}


def quiet_environment() -> None:
    """Telemetry, price look-ups, long retries and chatter off, unless the user set them; before mlflow is imported."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("mlflow").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.ERROR)


@contextmanager
def quiet() -> Iterator[None]:
    """Calls into mlflow without the deprecation warnings of its own dependencies (sqlalchemy, pandas)."""
    quiet_environment()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", FutureWarning)
        yield


def absolute(uri: str) -> str:
    """The tracking URI with a relative sqlite path resolved against the current folder; a query such as ?timeout=9 stays."""
    _, mark, query = uri.partition("?")
    return f"{_SQLITE}{_path(uri).as_posix()}{mark}{query}" if is_file(uri) else uri


def is_file(uri: str) -> bool:
    """Whether the URI names a sqlite file."""
    return uri.startswith(_SQLITE) and uri.removeprefix(_SQLITE).partition("?")[0] not in ("", ":memory:")


def ensure(uri: str) -> None:
    """Makes the sqlite file with MLflow's schema, once, however many processes ask at the same time."""
    path = _path(uri)
    if not is_file(uri) or path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"{path.parent.as_posix()} cannot be written")
    lock = path.with_name(f".{path.name}.lock")
    with FileLock(lock, timeout=60):
        if not path.exists():
            write_atomic(path, empty_store())
    lock.unlink(missing_ok=True)


def empty_store() -> bytes:
    """A sqlite file that holds MLflow's schema and its default experiment."""
    from mlflow import MlflowClient

    with TemporaryDirectory(prefix="harness-mlflow-", ignore_cleanup_errors=True) as scratch:
        path = Path(scratch) / "new.db"
        MlflowClient(tracking_uri=f"{_SQLITE}{path.as_posix()}").search_experiments(max_results=1)
        return path.read_bytes()


def artifact_root(uri: str) -> str | None:
    """Where artifacts go: `mlruns` beside the sqlite file; None leaves it to the server."""
    return (_path(uri).parent / "mlruns").as_uri() if is_file(uri) else None


def _path(uri: str) -> Path:
    return Path(uri.removeprefix(_SQLITE).partition("?")[0]).absolute()
