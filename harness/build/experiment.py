"""The composed config as an Experiment of plain objects, with every fault of the config reported at once."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

from harness.build.compose import compose_known
from harness.build.idle import idle
from harness.build.instances import checked, instance
from harness.build.mismatches import mismatches
from harness.build.overrides import Override
from harness.build.ready import unpriced, unready
from harness.build.sources import suggestion
from harness.build.targets import check_targets
from harness.cache import CachedEmbedder, CachedLLM, CachedReranker, CachedSupport, Tally
from harness.errors import ConfigError, Problem
from harness.fingerprint import digest, fingerprint
from harness.gates.gate import Gate
from harness.nesting import parts_of
from harness.pipeline import Depth, Pipeline
from harness.protocols import Judge
from harness.recordings import Recordings
from harness.reporting.configs import safe_overrides
from harness.spending import Budget
from harness.store import Store
from harness.tracking.mlflow_sink import MLflow

STAGES = (
    "duplicates",
    "chunker",
    "doc2query",
    "embedder",
    "history",
    "rewrite",
    "subqueries",
    "hyde",
    "route",
    "fuser",
    "reranker",
    "context",
    "answerability",
    "generator",
    "verification",
)
DOES = {
    "duplicates": "apply",
    "chunker": "chunk",
    "doc2query": "questions",
    "embedder": "embed",
    "store": "table",
    "retrievers": "index",
    "history": "standalone",
    "rewrite": "transform",
    "subqueries": "transform",
    "hyde": "transform",
    "route": "transform",
    "fuser": "fuse",
    "reranker": "rerank",
    "context": "build",
    "answerability": "assess",
    "generator": "generate",
    "verification": "verify",
    "judge": "judge",
    "gate": "check",
    "tracking": "log_run",
}
"""The method by which a stage of each slot is known."""
OPTIONAL = frozenset(
    {
        *("doc2query", "history", "rewrite", "subqueries", "hyde", "route"),
        *("generator", "verification", "judge", "gate", "tracking"),
    }
)
"""Slots whose option `none` is an empty file: the slot is left out."""


@pydantic_dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Settings:
    """What config.yaml sets beside the slots."""

    golden_set: Annotated[str, Field(min_length=1)] = "smoke"
    """Name of a golden set, or a folder's path."""
    split: Literal["all", "tune", "test"] = "all"
    """Which questions are asked."""
    index: str = ""
    """Folder of an index on disk that is asked; empty builds one in memory."""
    runs_dir: Annotated[str, Field(min_length=1)] = "reports/runs"
    """Where run folders go."""
    reports_dir: Annotated[str, Field(min_length=1)] = "reports"
    """Where accepted baselines lie."""
    workers: Annotated[int, Field(ge=1, le=64, strict=True)] = 2
    """Questions answered at once; the results do not depend on it."""
    repeats: Annotated[int, Field(ge=1, le=20, strict=True)] = 1
    """How often each question is asked; more than once tells which scores flip."""
    ks: Annotated[tuple[Annotated[int, Field(ge=1, le=10_000)], ...], Field(min_length=1)] = (1, 3, 5, 10, 20)
    """Depths at which ranking metrics are reported."""
    budget: Budget = Budget()
    """Limits of everything the command sends to models; of a sweep all of it."""


@dataclass(frozen=True)
class Experiment:
    """A named variant, ready to run."""

    name: str
    """Experiment name; also the name of its accepted baseline."""
    pipeline: Pipeline
    """The stages."""
    judge: Judge | None
    """Scores what needs a reader."""
    gate: Gate | None
    """Rules against the accepted baseline."""
    tracking: MLflow | None
    """Where runs are logged."""
    settings: Settings
    """Everything else."""
    config: Mapping[str, Any]
    """The resolved config."""
    overrides: tuple[str, ...]
    """What the command line changed."""
    tally: Tally
    """Cache hits by stage."""
    recordings: Recordings
    """Completions recorded for the experiment, and those that a run uses."""
    notices: tuple[str, ...] = ()
    """Settings that change nothing beside the others, one sentence each."""
    lacks: tuple[Problem, ...] = ()
    """Keys that a run would need and that are not there: told of an experiment that sends nothing, refused of any other."""

    @property
    def fingerprint(self) -> str:
        """Of everything in the config that can change a result, the words of a synonym file included."""
        inert = {"runs_dir", "reports_dir", "workers", "budget", "tracking", "gate", "golden_set", "index"}
        kept = {key: value for key, value in self.config.items() if key not in inert}
        file = (self.config.get("rewrite") or {}).get("file", "")
        return fingerprint(kept, digest(Path(file).read_bytes())) if file else fingerprint(kept)


def name_of(overrides: list[Override]) -> str:
    """The experiment's name, or `default`."""
    return next((str(item.value) for item in overrides if item.key == "experiment"), "default").replace("/", "-")


def build(
    overrides: list[Override],
    store: Store,
    made: dict[str, Any] | None = None,
    replay: bool = False,
    fixed: Mapping[str, Any] | None = None,
    replayable: bool = True,
    sending: bool = True,
) -> Experiment:
    """Composes, checks and instantiates; no model is loaded.

    Args:
        overrides: one cell.
        store: where stage outputs are cached.
        made: stages of other cells by fingerprint, shared so that a sweep loads each model once.
        replay: whether language models are answered for by what was recorded; none is then looked for.
        fixed: config by slot that stands whatever is composed, such as that of an index on disk.
        replayable: whether the command can `--replay` what was recorded, as advice for a model that cannot be asked.
        sending: whether models will be asked; if not, the keys that a run would need are told in `lacks`.

    Raises:
        ConfigError: with every fault of every slot.
    """
    lacks: list[Problem] = []
    config, objects = _holding(
        overrides,
        {} if made is None else made,
        fixed or {},
        lambda found: mismatches(found) + _unusable(found, replay, replayable, None if sending else lacks),
    )
    tally, recordings = Tally(), Recordings()
    caches = _caches(store, tally, recordings, replay)
    return Experiment(
        name=name_of(overrides),
        pipeline=_pipeline(objects, caches),
        judge=_cached(objects["judge"], caches),
        gate=objects["gate"],
        tracking=objects["tracking"],
        settings=objects["settings"],
        config=config,
        overrides=safe_overrides(item.text for item in overrides if item.key != "experiment"),
        tally=tally,
        recordings=recordings,
        notices=tuple(idle(objects)),
        lacks=tuple(lacks),
    )


def build_pipeline(overrides: list[Override], store: Store, asked: Sequence[str]) -> tuple[Pipeline, Budget]:
    """The pipeline alone, of which only the stages of these slots will be asked, and what they may spend.

    Models of the other slots need not be there.

    Raises:
        ConfigError: with every fault of the config.
    """
    _, objects = _holding(overrides, {}, {}, lambda found: unready({slot: found[slot] for slot in asked}, replayable=False))
    return _pipeline(objects, _caches(store, Tally(), Recordings(), replay=False)), objects["settings"].budget


def _holding(
    overrides: list[Override], made: dict[str, Any], fixed: Mapping[str, Any], faults: Callable[[dict[str, Any]], list[Problem]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The composed config and what it makes by slot; `faults` is asked for more once each slot holds by itself."""
    composed, unnamed = compose_known(overrides)
    config = {**composed, **fixed}
    if forbidden := check_targets(config):
        raise ConfigError("The config names code that it may not.", forbidden)
    objects, unmade = _objects(config, made)
    if problems := (unnamed + unmade) or faults(objects):
        raise ConfigError("The config does not hold.", problems)
    return config, objects


def _objects(config: dict[str, Any], made: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    slots = (*STAGES, "store", "judge", "gate", "tracking")
    objects: dict[str, Any] = {}
    problems: list[Problem] = []
    known = {*slots, "retrievers", "depth", *(field.name for field in fields(Settings))}
    unknown = sorted(set(config) - known)
    problems += [
        Problem("F004", key, "no such setting", "It would change nothing.", suggestion(key, sorted(known))) for key in unknown
    ]
    for slot in slots:
        objects[slot] = _stage(config.get(slot), slot, problems, made)
    objects["retrievers"] = _retrievers(config, problems, made)
    objects["depth"] = checked(Depth, config.get("depth") or {}, "depth.", problems)
    plain = {key: value for key, value in config.items() if key in known - {*slots, "retrievers", "depth"}}
    objects["settings"] = checked(Settings, plain, "", problems)
    return objects, problems


def _stage(node: Any, slot: str, problems: list[Problem], made: dict[str, Any]) -> Any:
    if not node:
        if slot not in OPTIONAL:
            problems.append(
                Problem("F004", slot, "is empty", "The pipeline cannot do without it.", f"choose an option of {slot}")
            )
        return None
    if not isinstance(node, dict) or "_target_" not in node:
        problems.append(Problem("F001", slot, f"is {node!r}", fix=f"choose an option: {slot}=NAME"))
        return None
    key, faults = json.dumps(node, sort_keys=True, default=str), list[Problem]()
    stage = made[key] if key in made else instance(node, slot, faults)
    if not faults and not hasattr(stage, DOES[slot.partition(".")[0]]):
        faults.append(Problem("F001", slot, f"{node['_target_']!r} is no {slot}", fix=f"choose an option: {slot}=NAME"))
    problems += faults
    return None if faults else made.setdefault(key, stage)


def _retrievers(config: Mapping[str, Any], problems: list[Problem], made: dict[str, Any]) -> dict[str, Any]:
    """The retrievers by name. What is wrong with the slot `store`, which they hold, is told of the slot alone."""
    recipes = config.get("retrievers") or {}
    if not recipes:
        problems.append(Problem("F004", "retrievers", "no retriever is configured", fix="retrievers=hybrid, bm25 or dense"))
    found = {}
    for name, node in recipes.items():
        faults: list[Problem] = []
        found[name] = _stage(node, f"retrievers.{name}", faults, made)
        held = isinstance(node, dict) and node.get("store") == config.get("store")
        problems += [fault for fault in faults if not held or not fault.where.startswith(f"retrievers.{name}.store")]
    return found


def _unusable(objects: dict[str, Any], replay: bool, replayable: bool, lacks: list[Problem] | None) -> list[Problem]:
    """What of the config cannot be used here. A replay asks no model; without sending, `lacks` takes what is only missing a key."""
    if replay:
        return unready({"context": objects["context"]}, replayable)
    return unready(objects, replayable, lacks) + unpriced(objects)


def _caches(store: Store, tally: Tally, recordings: Recordings, replay: bool) -> Mapping[str, Callable[[Any], Any]]:
    """What puts a model of each name behind its cache."""
    return {
        "llm": lambda model: CachedLLM(model, store, tally, recordings, replay),
        "embedder": lambda model: CachedEmbedder(model, store, tally),
        "support": lambda model: CachedSupport(model, store, tally),
        "reranker": lambda model: CachedReranker(model, store, tally) if hasattr(model, "scores") else model,
    }


def _pipeline(objects: dict[str, Any], caches: Mapping[str, Callable[[Any], Any]]) -> Pipeline:
    stages = {name: _cached(objects[name], caches) for name in STAGES}
    stages["embedder"] = caches["embedder"](stages["embedder"])
    stages["reranker"] = caches["reranker"](stages["reranker"])
    return Pipeline(retrievers=objects["retrievers"], depth=objects["depth"], **stages)


def _cached(stage: Any, caches: Mapping[str, Callable[[Any], Any]]) -> Any:
    """The stage with its models behind their caches, those of its parts included."""
    parts = {name: _cached(part, caches) for name, part in parts_of(stage).items()}
    kept = {name: caches[name](part) if name in caches else part for name, part in parts.items()}
    return replace(stage, **kept) if kept else stage


def gate_of(config: Mapping[str, Any]) -> Gate | None:
    """The gate of a finished run's config; None when it ran without one.

    Raises:
        ConfigError: when its rules are wrong.
    """
    problems = check_targets({"gate": config.get("gate")})
    gate = _stage(config.get("gate"), "gate", problems, {}) if not problems else None
    if problems:
        raise ConfigError("The gate does not hold.", problems)
    return gate if isinstance(gate, Gate) else None


def as_yaml(config: Mapping[str, Any]) -> str:
    """The resolved config as YAML."""
    import yaml

    return yaml.safe_dump(dict(config), sort_keys=True, allow_unicode=True)


def resolve(path: str) -> Path:
    """A folder of the settings, absolute, relative to where the command was started."""
    return Path(path).absolute()
