"""What a gate declares, checked as a whole: one wrong rule and none is used."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from math import isinf
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, GateError, Problem
from harness.metrics.base import Description
from harness.metrics.catalog import describe, known_words, nearest


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Rule:
    """One metric and what is asked of it."""

    metric: str
    """Metric id, such as recall_at_5 or dense/recall_at_5."""
    kind: Literal["difference", "invariant", "floor"] = "difference"
    """difference: not worse than the accepted baseline; invariant: 0 on every question; floor: at least `floor`."""
    floor: Annotated[float, Field(allow_inf_nan=False)] | None = None
    """Least mean allowed (most, where lower is better); a difference rule may carry one too."""
    margin: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.05
    """A pass means that a drop this large can be ruled out."""
    practical_floor: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.01
    """Mean drops below this are never called a regression."""
    split: Literal["test", "tune", "all"] | None = None
    """Which questions count; without it all for an invariant, else test."""
    slice: str = ""
    """A label such as kind:table or language:de: of those questions, the ones that carry it. Empty is all of them."""
    advisory: bool | None = None
    """True: shown, cannot fail the gate. False: it can, even by an uncalibrated judge. None: only a calibrated judge can."""

    @property
    def description(self) -> Description:
        """What the metric is."""
        return describe(self.metric)

    @property
    def scope(self) -> str:
        """The split that is looked at."""
        return self.split or ("all" if self.kind == "invariant" else "test")

    @property
    def where(self) -> str:
        """The questions that are looked at, in words: `test`, `kind:table, test` or `kind:table`."""
        if not self.slice:
            return self.scope
        return self.slice if self.scope == "all" else f"{self.slice}, {self.scope}"

    def is_advisory(self, calibrated: Collection[str]) -> bool:
        """Whether it cannot fail the gate, given the metrics whose judge is calibrated."""
        judged = self.description.kind == "judged" and self.metric not in calibrated
        return judged if self.advisory is None else self.advisory


def parse_rules(given: object) -> tuple[Rule, ...]:
    """Rules from a gate file.

    Raises:
        GateError: with every fault of every rule, or when there is no rule at all.
    """
    if isinstance(given, str) or not isinstance(given, Sequence) or not given:
        raise GateError(
            f"rules is {given!r}: a gate without rules passes everything. List at least one rule such as "
            "{metric: recall_at_5}, or choose gate=none."
        )
    problems = [problem for place, item in enumerate(given) for problem in _problems(f"rules.{place}", item)]
    rules = () if problems else tuple(item if isinstance(item, Rule) else Rule(**item) for item in given)
    problems += _repeated(rules)
    if problems:
        raise GateError("The gate's rules are wrong; all are checked or none.", problems)
    return rules


def _repeated(rules: Sequence[Rule]) -> list[Problem]:
    asked = [(rule.metric, rule.kind, rule.where) for rule in rules]
    return [
        Problem("T002", f"rules.{place}", f"asks {key[0]!r} a second time as {key[1]} on {key[2]!r}", fix="remove one")
        for place, key in enumerate(asked)
        if key in asked[:place]
    ]


def _problems(where: str, item: object) -> list[Problem]:
    if isinstance(item, Mapping):
        known = [field.name for field in fields(Rule)]
        unknown = [
            Problem("T001", f"{where}.{key}", "no such key", fix=_words(str(key), known)) for key in item if key not in known
        ]
        if unknown:
            return unknown
        try:
            item = Rule(**item)
        except ValidationError as error:
            return [_fault(where, fault) for fault in error.errors(include_url=False)]
    if not isinstance(item, Rule):
        return [Problem("T001", where, f"is {item!r}", fix="write a mapping such as {metric: recall_at_5}")]
    return _unknown(where, item) or _contradictions(where, item)


def _fault(where: str, fault: Any) -> Problem:
    place = ".".join([where, *(str(part) for part in fault["loc"])])
    given = "" if fault["type"].startswith("missing") else f", got {fault['input']!r}"
    return Problem("T002", place, f"{fault['msg']}{given}")


def _unknown(where: str, rule: Rule) -> list[Problem]:
    try:
        describe(rule.metric)
    except ConfigError:
        near = nearest(rule.metric)
        fix = f"did you mean {near}?" if near else f"known: {known_words()}"
        return [Problem("T001", f"{where}.metric", f"no metric is called {rule.metric!r}", fix=fix)]
    return []


def _contradictions(where: str, rule: Rule) -> list[Problem]:
    found = []
    if rule.kind == "floor" and rule.floor is None:
        found.append(Problem("T002", f"{where}.floor", f"is missing for {rule.metric!r}", fix="give the least mean allowed"))
    if rule.kind == "invariant" and rule.floor is not None:
        found.append(Problem("T002", f"{where}.floor", f"means nothing: {rule.metric!r} must be 0", fix="leave it out"))
    low, high = rule.description.low, rule.description.high
    if rule.floor is not None and not low <= rule.floor <= high:
        what = f"{rule.floor:g} is outside of {low:g} to {high:g}, what {rule.metric!r} can be"
        found.append(Problem("T002", f"{where}.floor", what, "It would always hold, or never.", "give a value that it can have"))
    if rule.kind == "difference" and rule.margin >= high - low:
        what = f"{rule.margin:g} is no less than the whole range of {rule.metric!r}"
        found.append(Problem("T002", f"{where}.margin", what, "It would let any drop pass.", "give a smaller margin"))
    if rule.kind == "invariant" and not isinf(rule.description.high):
        what = f"{rule.metric!r} is no count that must be 0"
        found.append(Problem("T002", f"{where}.kind", what, fix="kind: difference, or floor with a value"))
    if rule.slice in ("all", "tune", "test"):
        found.append(Problem("T002", f"{where}.slice", f"{rule.slice!r} is a split", fix=f"split: {rule.slice}"))
    return found


def _words(key: str, known: Sequence[str]) -> str:
    near = get_close_matches(key, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
