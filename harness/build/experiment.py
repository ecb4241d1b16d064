"""The composed config as an Experiment of plain objects, with every fault of the config reported at once."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass as checked
from pydantic_core import ArgsKwargs

from harness.answerability import Threshold
from harness.build.compose import compose_known
from harness.build.overrides import Override
from harness.build.sources import suggestion
from harness.build.targets import check_targets
from harness.cache import CachedEmbedder, CachedLLM, CachedReranker, CachedSupport, Tally
from harness.errors import ConfigError, HarnessError, Problem
from harness.fingerprint import fingerprint
from harness.gates.gate import Gate
from harness.nesting import parts_of
from harness.pipeline import Depth, Pipeline
from harness.protocols import Judge
from harness.recordings import Recordings
from harness.reporting.configs import safe_overrides
from harness.store import Store
from harness.tracking.mlflow_sink import MLflow

STAGES = (
    "duplicates",
    "chunker",
    "doc2query",
    "embedder",
    "fuser",
    "hyde",
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
    "retrievers": "index",
    "fuser": "fuse",
    "hyde": "transform",
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
OPTIONAL = frozenset({"doc2query", "generator", "verification", "judge", "gate", "tracking"})
"""Slots whose option `none` is an empty file: the slot is left out."""


@checked(frozen=True, config=ConfigDict(extra="forbid"))
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

    @property
    def fingerprint(self) -> str:
        """Of everything in the config that can change a result."""
        inert = {"runs_dir", "reports_dir", "workers", "tracking", "gate", "golden_set", "index"}
        return fingerprint({key: value for key, value in self.config.items() if key not in inert})


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
) -> Experiment:
    """Composes, checks and instantiates; no model is loaded.

    Args:
        overrides: one cell.
        store: where stage outputs are cached.
        made: stages of other cells by fingerprint, shared so that a sweep loads each model once.
        replay: whether language models are answered for by what was recorded; none is then looked for.
        fixed: config by slot that stands whatever is composed, such as that of an index on disk.
        replayable: whether the command can `--replay` what was recorded, as advice for a model that cannot be asked.

    Raises:
        ConfigError: with every fault of every slot.
    """
    config, objects = _holding(
        overrides, {} if made is None else made, fixed or {}, lambda found: _faults(found, replay, replayable)
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
    )


def build_pipeline(overrides: list[Override], store: Store, asked: Sequence[str]) -> Pipeline:
    """The pipeline alone, of which only the stages of these slots will be asked: models of the others need not be there.

    Raises:
        ConfigError: with every fault of the config.
    """
    _, objects = _holding(overrides, {}, {}, lambda found: _unready({slot: found[slot] for slot in asked}, replayable=False))
    return _pipeline(objects, _caches(store, Tally(), Recordings(), replay=False))


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
    slots = (*STAGES, "judge", "gate", "tracking")
    objects: dict[str, Any] = {}
    problems: list[Problem] = []
    known = {*slots, "retrievers", "depth", *(field.name for field in fields(Settings))}
    unknown = sorted(set(config) - known)
    problems += [
        Problem("F004", key, "no such setting", "It would change nothing.", suggestion(key, sorted(known))) for key in unknown
    ]
    for slot in slots:
        objects[slot] = _instance(config.get(slot), slot, problems, made)
    recipes = config.get("retrievers") or {}
    objects["retrievers"] = {name: _instance(node, f"retrievers.{name}", problems, made) for name, node in recipes.items()}
    if not recipes:
        problems.append(Problem("F004", "retrievers", "no retriever is configured", fix="retrievers=hybrid, bm25 or dense"))
    objects["depth"] = _checked(Depth, config.get("depth") or {}, "depth.", problems)
    plain = {key: value for key, value in config.items() if key in known - {*slots, "retrievers", "depth"}}
    objects["settings"] = _checked(Settings, plain, "", problems)
    return objects, problems


def _instance(node: Any, slot: str, problems: list[Problem], made: dict[str, Any]) -> Any:
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    if not node:
        if slot not in OPTIONAL:
            problems.append(
                Problem("F004", slot, "is empty", "The pipeline cannot do without it.", f"choose an option of {slot}")
            )
        return None
    if not isinstance(node, dict) or "_target_" not in node:
        problems.append(Problem("F001", slot, f"is {node!r}", fix=f"choose an option: {slot}=NAME"))
        return None
    key = json.dumps(node, sort_keys=True, default=str)
    try:
        if key not in made:
            made[key] = instantiate(node, _convert_="all")
        if hasattr(made[key], DOES[slot.partition(".")[0]]):
            return made[key]
        problems.append(Problem("F001", slot, f"{node['_target_']!r} is no {slot}", fix=f"choose an option: {slot}=NAME"))
        return None
    except InstantiationException as error:
        problems += _instantiation_problems(error, slot)
        return None


def _instantiation_problems(error: Exception, slot: str) -> list[Problem]:
    place = re.search(r"full_key: (\S+)", str(error))
    where = f"{slot}.{place.group(1)}" if place else slot
    for cause in _causes(error):
        if isinstance(cause, ValidationError):
            return _validation_problems(cause, f"{where}.")
        if isinstance(cause, HarnessError):
            return list(cause.problems) or [Problem("F001", where, str(cause))]
    return [Problem("F001", where, str(error.__cause__ or error).splitlines()[0])]


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause = error.__cause__
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _checked(kind: type, values: Mapping[str, Any], prefix: str, problems: list[Problem]) -> Any:
    try:
        return kind(**values)
    except ValidationError as error:
        problems += _validation_problems(error, prefix)
        return None


def _validation_problems(error: ValidationError, prefix: str) -> list[Problem]:
    problems = []
    for item in error.errors(include_url=False):
        where = (prefix + ".".join(str(part) for part in item["loc"])).strip(".")
        given = "" if item["type"] == "missing" or "key" in where else f", got {_shortly(item['input'])}"
        what = "no such setting" if item["type"] == "unexpected_keyword_argument" else f"{item['msg']}{given}"
        fix = "see `python -m harness run --cfg` for the settings of this slot" if what == "no such setting" else ""
        problems.append(Problem("F001", where, what, fix=fix))
    return problems


def _shortly(value: Any) -> str:
    text = f"a group of {len(value.kwargs or {})} settings" if isinstance(value, ArgsKwargs) else repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."


def _faults(objects: dict[str, Any], replay: bool, replayable: bool) -> list[Problem]:
    return _mismatches(objects) + ([] if replay else _unready(objects, replayable))


def _mismatches(objects: dict[str, Any]) -> list[Problem]:
    found = []
    if min(objects["settings"].ks) > objects["depth"].reranked:
        what = f"no k is within depth.reranked={objects['depth'].reranked}"
        found.append(
            Problem("F008", f"ks={list(objects['settings'].ks)}", what, "Recall@k could not be computed.", "add a smaller k")
        )
    threshold = isinstance(objects["answerability"], Threshold) and objects["generator"] is not None
    if not threshold or objects["reranker"].calibrated:
        return found
    return [
        *found,
        Problem(
            "F007",
            f"answerability.minimum={objects['answerability'].minimum}",
            f"the reranker {type(objects['reranker']).__name__} gives no score in [0, 1]",
            "A threshold on rank scores would refuse everything or nothing.",
            "answerability=never, or reranker=cross_encoder or lexical",
        ),
    ]


def _unready(objects: dict[str, Any], replayable: bool = True) -> list[Problem]:
    """Models, nested ones included, that cannot be asked, such as one whose key is not in the environment.

    Only a language model's answers are recorded: `--replay` is no remedy for another.
    """
    problems = []
    unasked, uncut = "Nothing that it is asked would be answered.", "No document of source code could be cut."
    checks = [(place, model.check, unasked) for slot, stage in objects.items() for place, model in _models(stage, slot)]
    checks += [(slot, stage.ready, uncut) for slot, stage in objects.items() if hasattr(stage, "ready")]
    for place, check, why in checks:
        try:
            check()
        except ConfigError as error:
            replayed = replayable and place.rpartition(".")[2] == "llm"
            fix = "provide it, choose another option, or answer from recorded completions with --replay"
            fix = fix if replayed else "provide it, or choose another option"
            problems.append(Problem("F010", place, str(error), why, fix))
    return problems


def _models(stage: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Every part of a stage that can be checked before it is asked, with its place in the config."""
    for name, part in parts_of(stage).items():
        if hasattr(part, "check"):
            yield f"{place}.{name}", part
        yield from _models(part, f"{place}.{name}")


def _caches(store: Store, tally: Tally, recordings: Recordings, replay: bool) -> Mapping[str, Callable[[Any], Any]]:
    """What puts a model of each name behind its cache."""
    return {
        "llm": lambda model: CachedLLM(model, store, tally, recordings, replay),
        "embedder": lambda model: CachedEmbedder(model, store, tally),
        "support": lambda model: CachedSupport(model, store, tally),
        "reranker": lambda model: CachedReranker(model, store, tally),
    }


def _pipeline(objects: dict[str, Any], caches: Mapping[str, Callable[[Any], Any]]) -> Pipeline:
    stages = {name: _cached(objects[name], caches) for name in STAGES}
    stages["embedder"] = caches["embedder"](stages["embedder"])
    if hasattr(stages["reranker"], "scores"):
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
    gate = _instance(config.get("gate"), "gate", problems, {}) if not problems else None
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
