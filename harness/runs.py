"""A run's folder: made once, resumed after a crash, read back by gates and reports.

config.yaml     the resolved config
run.json        what varies: id, time, overrides, environment, the key by which an interrupted run is found again; its digest
                covers config.yaml too
traces.jsonl    one finished question a line, appended while running
chunks.jsonl    the chunks that traces name
scores.jsonl    every metric on every question, one question a line
results.json    aggregates and fingerprints: same inputs, same bytes; its presence says that the run is finished
attribution.json  at which station each question's evidence was lost
gate.json, comment.md, report.md, report.html, junit.xml
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from harness import scores
from harness.errors import StoreError
from harness.fingerprint import canonical, digest, fingerprint
from harness.jsonl import parse_json
from harness.store import Journal, write_atomic, write_json
from harness.traces import decode, decode_chunk, encode, encode_chunk
from harness.types import Aggregate, Chunk, Failure, RunRecord, Trace

_DECIMALS = 9


@dataclass(frozen=True)
class RunFolder:
    """One run's folder, locked by this process while the run is going on."""

    path: Path
    """The folder; its name is the run_id."""
    created: str
    """ISO time of the first start."""
    lock: FileLock
    """Held while the run is going on; a crash frees it."""

    @cached_property
    def journal(self) -> Journal:
        """Finished questions."""
        return Journal(self.path / "traces.jsonl")

    def finished(self, chunks: Mapping[str, Chunk], repeat: int = 0) -> dict[str, Trace]:
        """Traces of one repeat that an earlier, interrupted start kept.

        Raises:
            StoreError: when a line of them was changed.
        """
        try:
            records = [record for record in self.journal.read() if record.get("repeat", 0) == repeat]
            return {record["question_id"]: decode(record, chunks) for record in records}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise StoreError(f"{str(self.journal.path)!r} is damaged ({reason}); delete its folder and run again") from error

    def keep(self, trace: Trace, repeat: int = 0) -> None:
        """Keeps a finished question of one repeat."""
        self.journal.append({**encode(trace), "repeat": repeat})


def open_run(runs_dir: Path, name: str, key: str) -> RunFolder:
    """The newest unfinished run with this key that nobody is working on, or a new folder.

    Args:
        runs_dir: where runs lie.
        name: start of a new folder's name.
        key: fingerprint of everything that decides the run's results.
    """
    for path in sorted(runs_dir.glob("*/run.json"), reverse=True):
        if (created := _unfinished(path, key)) and (lock := _locked(path.parent)):
            if _unfinished(path, key):
                return RunFolder(path.parent, created, lock)
            lock.release()
    now = datetime.now(UTC)
    folder = runs_dir / f"{now:%Y%m%d-%H%M%S}{now.microsecond // 1000:03d}-{name}-{secrets.token_hex(3)}"
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the run folder {str(folder)!r}: {error.strerror}; set runs_dir to a folder you can write"
        ) from error
    created = now.isoformat(timespec="seconds")
    lock = _locked(folder)
    if lock is None:
        raise StoreError(f"run folder {str(folder)!r} is in use by another process")
    write_json(folder / "run.json", {"run_id": folder.name, "created": created, "key": key})
    return RunFolder(folder, created, lock)


def _unfinished(path: Path, key: str) -> str:
    """When the run of this run.json was started, if it has this key and no results; empty otherwise or when unreadable."""
    try:
        started = read_json(path)
    except StoreError:
        return ""
    mine = isinstance(started, dict) and started.get("key") == key and not (path.parent / "results.json").exists()
    return str(started["created"]) if mine and "created" in started else ""


def _locked(folder: Path) -> FileLock | None:
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return None
    return lock


def save(folder: Path, record: RunRecord, key: str, traces: Iterable[Trace], chunks: Sequence[Chunk], config: str) -> None:
    """Writes all of a run but its results; `seal` finishes it when the reports stand too."""
    write_atomic(folder / "config.yaml", config)
    shown = list(traces)
    Journal(folder / "traces.jsonl").rewrite(map(encode, shown))
    named = {hit.chunk.chunk_id for trace in shown for ranking in trace.stations().values() for hit in ranking.hits}
    write_lines(folder / "chunks.jsonl", [encode_chunk(chunk) for chunk in chunks if chunk.chunk_id in named])
    write_atomic(folder / "scores.jsonl", "".join(scores.lines(record.scores)))
    varying = {
        "run_id": record.run_id,
        "created": record.created,
        "key": key,
        "overrides": list(record.overrides),
        "environment": dict(record.environment),
        "latency": dict(record.latency),
    }
    write_varying(folder, varying)


def write_varying(folder: Path, varying: Mapping[str, Any]) -> None:
    """Writes `run.json`, the last but one file, with a digest of it and of the config beside it.

    `results.json` cannot hold that digest: places and times would vary it between two runs of the same command.
    """
    write_json(folder / "run.json", {**varying, "digest": _varying_digest(varying, folder)})


def _varying_digest(varying: Mapping[str, Any], folder: Path) -> str:
    return fingerprint(varying, digest((folder / "config.yaml").read_bytes()))


def seal(folder: Path, record: RunRecord) -> None:
    """Writes `results.json`, the last file: a run that has one is whole. Its digest covers the scores beside it too."""
    stable = results(record)
    write_json(folder / "results.json", {**stable, "digest": _digest(stable, folder)})


def _digest(stable: Mapping[str, Any], folder: Path) -> str:
    return fingerprint(stable, digest((folder / "scores.jsonl").read_bytes()))


def results(record: RunRecord) -> dict[str, Any]:
    """What `results.json` holds: nothing that varies between two runs of the same command."""
    return {
        "experiment": record.experiment,
        "golden_set": record.golden_set,
        "golden_version": record.golden_version,
        "fingerprints": dict(record.fingerprints),
        "statistics": dict(record.statistics),
        "metrics": {name: _rounded(asdict(item)) for name, item in record.aggregates.items()},
        "failures": [asdict(failure) for failure in record.failures],
        "groups": dict(record.groups),
        "splits": dict(record.splits),
        "labels": {name: list(labels) for name, labels in record.labels.items()},
        "repeats": record.repeats,
        "flips": {metric: dict(sorted(shares.items())) for metric, shares in sorted(record.flips.items())},
        "contents": {kind: dict(sorted(marks.items())) for kind, marks in sorted(record.contents.items())},
    }


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    values.pop("metric")
    return {name: round(value, _DECIMALS) if isinstance(value, float) else value for name, value in values.items()}


def latency(traces: Iterable[Trace]) -> dict[str, dict[str, float]]:
    """Median and 95th percentile of seconds per stage, nearest rank."""
    seconds: dict[str, list[float]] = {}
    for trace in traces:
        for stage, value in trace.seconds.items():
            seconds.setdefault(stage, []).append(value)
    return {stage: {"p50": _percentile(values, 0.5), "p95": _percentile(values, 0.95)} for stage, values in seconds.items()}


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[ceil(share * len(values)) - 1]


def load(folder: Path) -> RunRecord:
    """A finished run's record.

    Raises:
        StoreError: when the folder holds no finished run.
    """
    if not (folder / "results.json").exists():
        raise StoreError(f"{str(folder)!r} holds no finished run (no results.json); run the same command again to resume it")
    try:
        return _record(folder)
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise StoreError(f"run folder {str(folder)!r} is damaged ({reason}); run the same command again") from error


def _record(folder: Path) -> RunRecord:
    stable, varying = read_json(folder / "results.json"), read_json(folder / "run.json")
    if "digest" not in stable and "metrics" in stable:
        raise StoreError(f"run folder {str(folder)!r} was written by an earlier version; run the same command again")
    if stable.pop("digest", "") != _digest(stable, folder):
        raise ValueError("results.json or scores.jsonl is not what the run wrote")
    _check_varying(varying, folder)
    return RunRecord(
        run_id=varying["run_id"],
        created=varying["created"],
        experiment=stable["experiment"],
        config=_read_yaml(folder / "config.yaml"),
        overrides=tuple(varying["overrides"]),
        fingerprints=stable["fingerprints"],
        environment=varying["environment"],
        latency=varying["latency"],
        statistics=stable["statistics"],
        scores=scores.read(folder / "scores.jsonl"),
        failures=tuple(Failure(**row) for row in stable["failures"]),
        aggregates={name: Aggregate(metric=name, **values) for name, values in stable["metrics"].items()},
        groups=stable["groups"],
        splits=stable["splits"],
        labels={name: tuple(labels) for name, labels in stable.get("labels", {}).items()},
        repeats=stable.get("repeats", 1),
        flips=stable.get("flips", {}),
        contents=stable.get("contents", {}),
        golden_set=stable["golden_set"],
        golden_version=stable["golden_version"],
    )


def _check_varying(varying: Mapping[str, Any], folder: Path) -> None:
    """That run.json and config.yaml were not edited; a record of a tracking store, which keeps no key, has no digest either."""
    told = {name: value for name, value in varying.items() if name != "digest"}
    if "key" in varying and varying.get("digest") != _varying_digest(told, folder):
        raise ValueError("run.json or config.yaml is not what the run wrote")


def load_traces(folder: Path) -> dict[str, Trace]:
    """A finished run's traces by question_id."""
    chunks = {chunk.chunk_id: chunk for chunk in map(decode_chunk, read_lines(folder / "chunks.jsonl"))}
    return {record["question_id"]: decode(record, chunks) for record in Journal(folder / "traces.jsonl").read()}


def newest(runs_dir: Path) -> Path:
    """The newest finished run's folder.

    Raises:
        StoreError: when there is none.
    """
    finished = sorted(runs_dir.glob("*/results.json"), key=lambda path: (path.stat().st_mtime_ns, path.parent.name))
    if not finished:
        raise StoreError(
            f"no finished run in {str(runs_dir)!r}; start one with `python -m harness run +experiment=hybrid_rerank`"
        )
    return finished[-1].parent


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """JSON lines, one row each, atomically."""
    write_atomic(path, "".join(canonical(row) + "\n" for row in rows))


def read_lines(path: Path) -> list[Any]:
    """The rows of a JSON lines file."""
    return [parse_json(line) for line in path.read_bytes().split(b"\n") if line]


def read_json(path: Path) -> Any:
    """A JSON file's content.

    Raises:
        StoreError: when it is damaged.
    """
    try:
        return parse_json(path.read_bytes())
    except (ValueError, OSError) as error:
        raise StoreError(f"{str(path)!r} is damaged: {error}; delete its folder and run again") from error


def _read_yaml(path: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise StoreError(f"{str(path)!r} is damaged: {error}; run the same command again") from error
