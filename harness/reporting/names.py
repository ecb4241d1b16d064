"""How metrics, numbers and outcomes are called where people read them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from harness.errors import ConfigError
from harness.metrics.base import HEADLINE, Description
from harness.metrics.catalog import describe
from harness.metrics.judged import JUDGED
from harness.types import Aggregate, Outcome, Verdict

LAST_STATIONS = ("fused", "reranked", "context")
"""Stations after the retrievers, in the order of the pipeline."""

KINDS = ("retrieval", "citations", "refusal", "answer", "judged", "invariant")
"""Kinds of metric in the order in which reports show them."""

FAMILIES = ("recall_at_", "recall_at_budget_", "complete_at_", "success_at_", "mrr_at_", "ndcg_at_")
"""Families of ranking metrics in the order in which reports show them; the others follow by name."""

MARKS = {
    Outcome.PASS: "✓",
    Outcome.IMPROVED: "▲",
    Outcome.REGRESSED: "✗",
    Outcome.INCONCLUSIVE: "?",
    Outcome.MISSING: "∅",
    Outcome.INVALID: "!",
    Outcome.NOT_COMPARABLE: "≠",
}
"""A sign beside each outcome, so that colour is never the only carrier."""

_WORST_FIRST = (
    Outcome.INVALID,
    Outcome.MISSING,
    Outcome.NOT_COMPARABLE,
    Outcome.REGRESSED,
    Outcome.INCONCLUSIVE,
    Outcome.IMPROVED,
    Outcome.PASS,
)


P_VALUE = "p (Holm, one-sided)"
"""Heading of the p-values of gates."""

GATE_NUMBERS = (
    "Intervals of differences are two-sided 95 % and of one rule alone; p is one-sided and adjusted over the rules; "
    "the bound in the reason is one-sided."
)
"""Why an interval without 0 can stand beside a large p."""

WHOLE_RUN = ("all", "test")
"""Slices whose verdict stands for the run as a whole; a gate claims on test."""

JUDGED_IDS = frozenset(item.metric for item in JUDGED)
"""Metrics that need a judge."""


def overall(verdicts: Iterable[Verdict]) -> Outcome | None:
    """The outcome that decides: the worst of the rules that are not advisory; None when there is no such rule."""
    deciding = [verdict for verdict in verdicts if not verdict.advisory]
    return worst(deciding).outcome if deciding else None


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict that weighs most: one that can fail the gate before an advisory one, then by outcome."""
    return min(verdicts, key=lambda verdict: (verdict.advisory, _WORST_FIRST.index(verdict.outcome)))


@lru_cache(maxsize=4096)
def about(metric: str) -> Description:
    """The catalogue's word on a metric; one it does not know, such as a plugin's, is shown under its own id."""
    try:
        return describe(metric)
    except ConfigError:
        return Description(metric, metric, "", "", "other")


@lru_cache(maxsize=4096)
def station_of(metric: str) -> tuple[str, str]:
    """A metric id as (station, id within it); the station is empty for what is no ranking metric."""
    station, _, base = metric.rpartition("/")
    return station or (HEADLINE if about(base).kind == "retrieval" else ""), base


def is_headline(metric: str) -> bool:
    """Whether it speaks of the whole run, not of one station on the way."""
    return "/" not in metric


def depth_of(base: str) -> tuple[str, int]:
    """`recall_at_5` as (recall_at_, 5); 0 for a metric without a depth."""
    family = base.rstrip("0123456789")
    return family, int(base[len(family) :] or 0)


def reading_order(metric: str) -> tuple[int, str, int, str, int]:
    """Sort key: retrieval, citations, refusals, answers, judgements, counts; then station, family and depth."""
    station, base = station_of(metric)
    family, depth = depth_of(base)
    return _rank(about(base).kind, KINDS), station, _rank(family, FAMILIES), family, depth


def _rank(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def is_judged(metric: str) -> bool:
    """Whether a judge scored it; a judged number is shown with its judge."""
    return metric in JUDGED_IDS


def judge_name(identity: str) -> str:
    """`support proxy`: the first word of a judge's identity, as it stands beside its scores; empty without a judge."""
    return identity.partition(" ")[0].replace("_", " ")


def title(metric: str) -> str:
    """What people read: `Recall@5`, or `Recall@5 (dense)` for a station."""
    return about(metric).title


def higher_is_better(metric: str) -> bool:
    """Whether more of it is good."""
    return about(metric).higher_is_better


def arrow(metric: str) -> str:
    """↑ when more is good, ↓ when less is."""
    return "↑" if higher_is_better(metric) else "↓"


def station_order(names: Iterable[str]) -> list[str]:
    """Stations as the pipeline passes them: retrievers as they come, then fused, reranked, context."""
    unique = list(dict.fromkeys(names))
    first = [name for name in unique if name not in LAST_STATIONS]
    return first + [name for name in LAST_STATIONS if name in unique]


def number(value: float | None, missing: str = "–") -> str:
    """Three decimals, or whole with thousands separators from 100 on."""
    if value is None:
        return missing
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}"


def signed(value: float | None, missing: str = "–") -> str:
    """A difference with its sign; zero has none."""
    if value is None:
        return missing
    return f"{value:+,.0f}" if abs(value) >= 100 else "0.000" if abs(value) < 0.0005 else f"{value:+.3f}"


def interval(low: float | None, high: float | None) -> str:
    """`0.781–0.902`, `-0.254 to -0.086`, or nothing when an end is unknown."""
    if low is None or high is None:
        return ""
    return f"{number(low)}{' to ' if low < 0 else '–'}{number(high)}"


def change(difference: float | None, low: float | None = None, high: float | None = None) -> str:
    """`-0.050 (-0.090 to -0.010)`: a difference with its interval, where there is one."""
    ends = "" if low is None or high is None else f" ({signed(low)} to {signed(high)})"
    return f"{signed(difference)}{ends}"


def word(outcome: Outcome) -> str:
    """`✗ regressed`, `≠ not comparable`."""
    return f"{MARKS[outcome]} {outcome.value.replace('_', ' ')}"


def verdict_words(verdicts: Sequence[Verdict]) -> str:
    """`✗ regressed: 1 of 3 rules`, or that nothing was decided."""
    deciding = [verdict for verdict in verdicts if not verdict.advisory]
    if not deciding:
        return "nothing decided: every rule is advisory" if verdicts else "not gated: nothing was compared"
    outcome = worst(deciding).outcome
    named = sum(verdict.outcome is outcome for verdict in deciding)
    return f"{word(outcome)}: {named} of {count(deciding, 'rule')}"


def rule_title(verdict: Verdict) -> str:
    """The metric's title, with the slice unless it is all questions."""
    return title(verdict.metric) if verdict.slice == "all" else f"{title(verdict.metric)} on {verdict.slice}"


def compared_on(verdicts: Iterable[Verdict], aggregates: Mapping[str, Aggregate]) -> str:
    """A remark when the gates compared fewer questions than the means beside them; empty when they did not."""
    sizes = {metric: aggregate.n for metric, aggregate in aggregates.items()}
    compared = [verdict for verdict in verdicts if verdict.difference is not None]
    fewer = {verdict.slice for verdict in compared if verdict.n < sizes.get(verdict.metric, 0)}
    named = " and ".join(sorted(fewer - {"all"}))
    return f"Differences are paired: on {f'{named} questions'.strip()} scored in both runs." if fewer else ""


def count(items: int | Sequence[object], noun: str) -> str:
    """`1 question`, `3 questions`."""
    size = items if isinstance(items, int) else len(items)
    return f"{size:,} {noun}" if size == 1 else f"{size:,} {noun}s"
