"""What can be compared: a run folder with all its traces, or a record alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness import runs
from harness.attribution.stations import Attribution, decode
from harness.errors import StoreError
from harness.gates.baseline import Baseline, as_record
from harness.types import RunRecord, Trace

RUN, BASELINE, LOGGED = "run", "accepted baseline", "MLflow run"
"""Kinds of sides."""
ATTRIBUTIONS = "attribution.json"
"""File of a run folder that says where evidence was lost."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared."""

    name: str
    """As it was asked for."""
    kind: str
    """run, accepted baseline or MLflow run."""
    record: RunRecord
    """Scores, aggregates and config."""
    traces: Mapping[str, Trace] | None = None
    """By question_id; None where only scores are kept."""
    attributions: Mapping[str, Attribution] | None = None
    """By question_id; None where nothing says at which station evidence was lost."""


def of_run(name: str, folder: Path) -> Side:
    """A finished run's folder.

    Raises:
        StoreError: when it is not finished or damaged.
    """
    record = runs.load(folder)
    try:
        traces = runs.load_traces(folder)
        losses = decode(runs.read_json(folder / ATTRIBUTIONS)) if (folder / ATTRIBUTIONS).exists() else None
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise StoreError(
            f"the traces of run folder {str(folder)!r} are damaged ({reason}); run the same command again"
        ) from error
    return Side(name, RUN, record, traces, losses)


def of_baseline(name: str, accepted: Baseline) -> Side:
    """An accepted baseline, which holds no traces."""
    return Side(name, BASELINE, as_record(accepted))
