"""What language models took, by stage. A price that nobody knows is said to be unknown: it is no 0."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.types import Trace, Usage

HEAD = ("Language models", "Calls", "Input tokens", "Output tokens", "US dollars")
"""Headings of the rows."""
_UNKNOWN = "unknown"
_ORDER = ("history", "rewrite", "subqueries", "hyde", "route", "retrieve", "rerank", "generate", "verify")
_UNASKED = ("judge", "chunker", "doc2query")
"""Slots whose models no question asks."""
_SLOTS = {"rerank": ("reranker",), "generate": ("generator",), "verify": ("verification", "generator")}
"""Where the models of a stage stand in the config, of those that are not called like their slot."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Calls, tokens and money."""

    rows: tuple[tuple[str, ...], ...] = ()
    """A row a stage, then all of them, then what a question took; as `HEAD` says. Empty without a language model."""
    remark: str = ""
    """Whose price is not known; empty where all are."""


def costs(traces: Sequence[Trace], config: Mapping[str, Any]) -> Costs:
    """What the stages of all questions took.

    Args:
        traces: the questions asked.
        config: the run's, which names the models of each stage.
    """
    stages: dict[str, Usage] = {}
    for trace in traces:
        for stage, took in _by_stage(trace).items():
            stages[stage] = stages.get(stage, Usage()) + took
    stages = {stage: stages[stage] for stage in sorted(stages, key=_place) if stages[stage].calls}
    if not stages:
        return Costs()
    nameless = {stage: unpriced(_models(stage, config)) for stage in stages}
    whole, unknown = sum(stages.values(), Usage()), sorted({name for names in nameless.values() for name in names})
    rows = [_row(stage, took, 1, bool(nameless[stage])) for stage, took in stages.items()]
    rows += [_row("in all", whole, 1, bool(unknown)), _row("per question", whole, len(traces), bool(unknown))]
    return Costs(tuple(rows), f"No price known for {', '.join(unknown)}." if unknown else "")


def unpriced(config: Any) -> list[str]:
    """Names of the models in a config, or a part of one, whose price nobody knows. A local model costs nothing."""
    return sorted(set(_unpriced(config, "")))


def unpriced_questions(config: Mapping[str, Any]) -> list[str]:
    """Those of the models that questions ask."""
    return unpriced({name: value for name, value in config.items() if name not in _UNASKED})


def _place(stage: str) -> tuple[int, str]:
    """Stages in the order of the pipeline, whatever order a trace names them in."""
    kind = "retrieve" if stage.startswith("retrieve_") else stage
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER), stage


def _unpriced(config: Any, key: str) -> Iterator[str]:
    if isinstance(config, list | tuple):
        for item in config:
            yield from _unpriced(item, "")
    if not isinstance(config, Mapping):
        return
    target = str(config.get("_target_", ""))
    if "api_base" in config and "model" in config:
        from harness.llm.prices import priced

        yield from [] if priced(str(config["model"])) else [str(config["model"])]
    elif key == "llm" and not target.startswith("harness."):
        yield target.rpartition(".")[2] or key
    for name, value in config.items():
        yield from _unpriced(value, name)


def _by_stage(trace: Trace) -> Mapping[str, Usage]:
    """A trace that does not tell it by stage knows what its answer took."""
    if trace.usage or trace.answer is None:
        return trace.usage
    return {"generate": trace.answer.usage}


def _models(stage: str, config: Mapping[str, Any]) -> Any:
    """The part of a config that a stage's models stand in; one without a price where the config does not say."""
    slots = ("retrievers", "embedder") if stage.startswith("retrieve_") else _SLOTS.get(stage, (stage,))
    found = [config[slot] for slot in slots if config.get(slot)]
    return found or {"llm": {"_target_": f"the models of {stage}"}}


def _row(name: str, took: Usage, share: int, unknown: bool) -> tuple[str, ...]:
    sizes = (took.calls, took.input_tokens, took.output_tokens)
    shown = [f"{size:,}" if share == 1 else f"{size / share:,.1f}" for size in sizes]
    return (name, *shown, dollars(took.cost / share, unknown))


def dollars(cost: float, unknown: bool) -> str:
    """`0.2500`, `0.000031`, `free`, `unknown`, or `at least 0.2500` where a part of it is unknown."""
    if not cost:
        return _UNKNOWN if unknown else "free"
    told = f"{cost:,.4f}" if cost >= 0.01 else f"{cost:.6f}" if cost >= 5e-7 else "less than 0.000001"
    return f"at least {told}" if unknown else told
