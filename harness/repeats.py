"""The same questions asked several times: one score per question, and how often it flipped.

A pipeline of language models may answer the same question differently. Asked once, that noise cannot be told from a
change; asked several times, a score is the mean over the repeats, and a question whose score flips is known by name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from statistics import fmean
from typing import Any, TypeVar

from harness.evaluation import Answers
from harness.protocols import LLM, Progress
from harness.types import Completion, Failure, Request, Score, State

_Stage = TypeVar("_Stage")

_OWN = 1_000
"""Repeats that a stage may number by itself within one of ours."""
_DECIMALS = 6
"""Values that agree to so many decimals are the same."""

Flips = dict[str, dict[str, float]]
"""Metric to question_id to the share of the later repeats that differ from the first."""


@dataclass(frozen=True)
class Again:
    """A language model asked for one repeat: no cache below it answers with what another repeat was told."""

    inner: LLM
    """Who is asked."""
    number: int
    """Of the repeat, from 1."""

    @property
    def identity(self) -> str:
        """The inner model's: a repeat is no other model."""
        return self.inner.identity

    def complete(self, request: Request) -> Completion:
        """The completion of this repeat."""
        return self.inner.complete(replace(request, repeat=self.number * _OWN + request.repeat))


def again(stage: _Stage, number: int) -> _Stage:
    """A stage, or a pipeline of stages, whose language models are asked for a repeat; the first, 0, is the stage itself."""
    return _again(stage, number) if number else stage


def _again(value: Any, number: int) -> Any:
    if hasattr(value, "complete") and not isinstance(value, type):
        return Again(value, number)
    if isinstance(value, tuple | list):
        return type(value)([_again(item, number) for item in value])
    if isinstance(value, Mapping):
        return {name: _again(item, number) for name, item in value.items()}
    return _with_parts(value, number) if is_dataclass(value) and not isinstance(value, type) else value


def _with_parts(stage: Any, number: int) -> Any:
    """The stage itself unless one of its parts is, or holds, a language model."""
    parts = {item.name: getattr(stage, item.name) for item in fields(stage) if item.init}
    asked = {name: _again(part, number) for name, part in parts.items()}
    changed = {name: part for name, part in asked.items() if part is not parts[name] and part != parts[name]}
    return replace(stage, **changed) if changed else stage


def named(progress: Progress, number: int, repeats: int) -> Progress:
    """The progress of one repeat."""
    return progress if repeats == 1 else lambda what, done, total: progress(f"{what}, repeat {number + 1}", done, total)


def joined(answers: Sequence[Answers]) -> Answers:
    """The first repeat's traces, and every question that failed in any repeat."""
    failed: dict[str, Failure] = {}
    for number, item in enumerate(answers):
        for failure in item.failures:
            error = failure.error if len(answers) == 1 else f"repeat {number + 1}: {failure.error}"
            failed.setdefault(failure.question_id, replace(failure, error=error))
    return Answers(answers[0].traces, tuple(failed.values()))


def folded(repeats: Sequence[Sequence[Score]]) -> tuple[tuple[Score, ...], Flips]:
    """One score per metric and question, in the order of the first repeat, and the flips.

    An error in any repeat is an error, and so is a score that a repeat lacks. Otherwise the score is the mean over the repeats
    that have a number, and says in how many of them that is; without any number it is skipped if a repeat was, else not
    applicable. A metric that applies in one repeat and not in another has flipped.
    """
    if len(repeats) == 1:
        return tuple(repeats[0]), {}
    found = [{(item.metric, item.question_id): item for item in scores} for scores in repeats]
    scores, flips = [], Flips()
    for key in dict.fromkeys(key for known in found for key in known):
        lacking = Score(*key, None, State.ERROR, "no score")
        first, *later = (known.get(key, lacking) for known in found)
        scores.append(_fold([first, *later]))
        if differ := sum(_seen(item) != _seen(first) for item in later):
            flips.setdefault(key[0], {})[key[1]] = round(differ / len(later), _DECIMALS)
    return tuple(scores), flips


def _seen(score: Score) -> tuple[State, float | None]:
    return score.state, None if score.value is None else round(score.value, _DECIMALS)


def _fold(scores: Sequence[Score]) -> Score:
    for number, item in enumerate(scores):
        if item.state is State.ERROR:
            return replace(item, reason=f"repeat {number + 1} of {len(scores)}: {item.reason}")
    values = [item.value for item in scores if item.value is not None]
    if not values:
        return next((item for item in scores if item.state is State.SKIPPED), scores[0])
    first = next(item for item in scores if item.value is not None)
    if len({_seen(item) for item in scores}) == 1:
        return first
    of = f"mean of {len(values)}" if len(values) == len(scores) else f"mean of the {len(values)} with a number, of {len(scores)}"
    return replace(first, value=fmean(values), reason=f"{of} repeats; first: {first.reason}".rstrip(": "))
