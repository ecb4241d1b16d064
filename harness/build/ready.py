"""Whether the models of a config can be asked, before anything is asked of them."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.errors import ConfigError, Problem
from harness.llm.remote import Remote
from harness.nesting import parts_of

_UNSET = re.compile(r"^environment variable '(\w+)' is unset")
_COMMAND = re.compile(r"""pip install ("[^"]+"|'[^']+'|\S+)""")
_WHY = {"chunker": "No document of source code could be cut.", "context": "No passage could be counted."}
"""What fails without a stage's `ready`, and without the tokenizer of the context."""
_UNASKED = "Nothing that it is asked would be answered."


def unready(objects: dict[str, Any], replayable: bool = True, lacks: list[Problem] | None = None) -> list[Problem]:
    """Stages and parts of stages that cannot be used here, such as a model whose key is not in the environment.

    One problem for all that lack the same. Only a language model's answers are recorded: `--replay` is no remedy for another.

    Args:
        objects: what the config made, by slot.
        replayable: whether the command can replay.
        lacks: takes the problems that are only a missing key, where nothing is sent.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for place, check, why in _checks(objects):
        try:
            check()
        except ConfigError as error:
            unset = _UNSET.match(str(error))
            found.setdefault((unset.group() if unset else str(error), why), {})[place] = str(error)
    problems = [_problem(what, why, places, replayable) for (what, why), places in found.items()]
    if lacks is None:
        return problems
    lacks += [problem for problem in problems if _UNSET.match(problem.what)]
    return [problem for problem in problems if not _UNSET.match(problem.what)]


def _checks(objects: dict[str, Any]) -> Iterator[tuple[str, Callable[[], None], str]]:
    """Every check with its place in the config and what fails without it."""
    for slot, stage in objects.items():
        for place, model in _models(stage, slot):
            shared = place.startswith("retrievers.") and place.endswith(".store") and model == objects.get("store")
            yield "store" if shared else place, model.check, _WHY["context"] if place == "context" else _UNASKED
        if hasattr(stage, "ready"):
            yield slot, stage.ready, _WHY["chunker"]


def _problem(lacking: str, why: str, places: Mapping[str, str], replayable: bool) -> Problem:
    """F010 for all places that lack the same, with what each says; the fix is the command that mends it."""
    said = set(places.values())
    what = said.pop().removesuffix(" Export it and run again") if len(said) == 1 else lacking
    unset, command = _UNSET.match(lacking), _COMMAND.search(lacking)
    fix = f"export {unset.group(1)}=..." if unset else command.group() if command else "give another, or choose another option"
    recorded = replayable and all(place.rpartition(".")[2] == "llm" for place in places)
    fix += ", or answer from recorded completions with --replay" if recorded else ""
    return Problem("F010", ", ".join(places), what, why, fix)


def unpriced(objects: dict[str, Any]) -> list[Problem]:
    """Models without a price under a budget of money, which could then not be kept."""
    limit = objects["settings"].budget.cost
    if not limit:
        return []
    models = [found for slot, stage in objects.items() for found in remotes(stage, slot)]
    return [
        Problem(
            "F012",
            place,
            f"model {model.model!r} has no price in the bundled table",
            f"budget.cost={limit} could not be kept.",
            "budget.cost=0 with a limit on budget.calls or budget.tokens, or a model that is listed",
        )
        for place, model in models
        if not model.priced
    ]


def remotes(stage: Any, place: str) -> Iterator[tuple[str, Remote]]:
    """Every client of a remote model in a stage, with its place in the config."""
    if isinstance(stage, Remote):
        yield place, stage
    for name, part in _parts(stage).items():
        yield from remotes(part, f"{place}.{name}")


def _models(stage: Any, place: str) -> Iterator[tuple[str, Any]]:
    """The stage and every part of it that can be checked before it is asked, with its place in the config.

    A gate checks something else, and a store is checked where a retriever holds it.
    """
    if hasattr(stage, "check") and place not in ("gate", "store"):
        yield place, stage
    for name, part in _parts(stage).items():
        yield from _models(part, f"{place}.{name}")


def _parts(stage: Any) -> Mapping[str, Any]:
    return stage if isinstance(stage, Mapping) else parts_of(stage)
