"""The composed config as an Experiment of plain objects, with every fault of the config reported at once."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
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
from harness.cache import CachedEmbedder, CachedLLM, CachedReranker, Tally
from harness.errors import ConfigError, HarnessError, Problem
from harness.fingerprint import fingerprint
from harness.gates.gate import Gate
from harness.pipeline import Depth, Pipeline
from harness.protocols import Judge
from harness.reporting.configs import safe_overrides
from harness.store import Store
from harness.tracking.mlflow_sink import MLflow

STAGES = ("chunker", "embedder", "fuser", "hyde", "reranker", "context", "answerability", "generator", "verification")
DOES = {
    "chunker": "chunk",
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
OPTIONAL = frozenset({"generator", "verification", "judge", "gate", "tracking"})
"""Slots whose option `none` is an empty file: the slot is left out."""


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Settings:
    """What config.yaml sets beside the slots."""

    golden_set: Annotated[str, Field(min_length=1)] = "smoke"
    """Name of a golden set, or a folder's path."""
    split: Literal["all", "tune", "test"] = "all"
    """Which questions are asked."""
    runs_dir: Annotated[str, Field(min_length=1)] = "reports/runs"
    """Where run folders go."""
    reports_dir: Annotated[str, Field(min_length=1)] = "reports"
    """Where accepted baselines lie."""
    workers: Annotated[int, Field(ge=1, le=64, strict=True)] = 2
    """Questions answered at once; the results do not depend on it."""
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

    @property
    def fingerprint(self) -> str:
        """Of everything in the config that can change a result."""
        inert = {"runs_dir", "reports_dir", "workers", "tracking", "gate", "golden_set"}
        return fingerprint({key: value for key, value in self.config.items() if key not in inert})


def name_of(overrides: list[Override]) -> str:
    """The experiment's name, or `default`."""
    return next((str(item.value) for item in overrides if item.key == "experiment"), "default").replace("/", "-")


def build(overrides: list[Override], store: Store, made: dict[str, Any] | None = None) -> Experiment:
    """Composes, checks and instantiates; no model is loaded.

    Args:
        overrides: one cell.
        store: where stage outputs are cached.
        made: stages of other cells by fingerprint, shared so that a sweep loads each model once.

    Raises:
        ConfigError: with every fault of every slot.
    """
    config, unnamed = compose_known(overrides)
    problems = check_targets(config)
    if problems:
        raise ConfigError("The config names code that it may not.", problems)
    objects, problems = _objects(config, {} if made is None else made)
    problems = unnamed + problems
    if not problems:
        problems = _mismatches(objects) + _unready(objects)
    if problems:
        raise ConfigError("The config does not hold.", problems)
    tally = Tally()
    return Experiment(
        name=name_of(overrides),
        pipeline=_pipeline(objects, store, tally),
        judge=_with_cached_llm(objects["judge"], store, tally),
        gate=objects["gate"],
        tracking=objects["tracking"],
        settings=objects["settings"],
        config=config,
        overrides=safe_overrides(item.text for item in overrides if item.key != "experiment"),
        tally=tally,
    )


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


def _unready(objects: dict[str, Any]) -> list[Problem]:
    """Language models that cannot be asked, such as one whose key is not in the environment."""
    problems = []
    for slot, stage in objects.items():
        check = getattr(getattr(stage, "llm", None), "check", None)
        try:
            if check:
                check()
        except ConfigError as error:
            problems.append(
                Problem("F010", f"{slot}.llm", str(error), "Every question would fail.", "set it, or choose another option")
            )
    return problems


def _pipeline(objects: dict[str, Any], store: Store, tally: Tally) -> Pipeline:
    stages = {name: _with_cached_llm(objects[name], store, tally) for name in STAGES}
    stages["embedder"] = CachedEmbedder(stages["embedder"], store, tally)
    if hasattr(stages["reranker"], "scores"):
        stages["reranker"] = CachedReranker(stages["reranker"], store, tally)
    return Pipeline(retrievers=objects["retrievers"], depth=objects["depth"], **stages)


def _with_cached_llm(stage: Any, store: Store, tally: Tally) -> Any:
    if is_dataclass(stage) and not isinstance(stage, type) and hasattr(stage, "llm"):
        return replace(stage, llm=CachedLLM(stage.llm, store, tally))
    return stage


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
