"""Quality, latency and cost at once: which variants no other one beats.

A variant is on the front when no other is at least as good in all that is known of both and better in one of them. As good in
quality means not significantly worse: a paired sign-flip test on the questions both answered, one pair at a time. Seconds and
cost are compared to two digits, for the third is noise. A variant whose seconds are not known takes no part where others' are,
nor does one without scores that can be compared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from harness.reporting.latency import duration
from harness.reporting.names import number
from harness.reporting.outcomes import BLUE, LINE, SOFT, Plot
from harness.statistics.paired import sign_flip
from harness.types import Usage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FRONT = "◆"
"""Mark of a variant on the front."""
ALPHA = 0.05
"""Two-sided p below which one variant counts as worse than another."""


@dataclass(frozen=True, slots=True)
class Point:
    """One variant."""

    name: str
    """As the leaderboard calls it."""
    scores: Mapping[str, float]
    """question_id to quality, higher is better; empty where it cannot be compared."""
    groups: Mapping[str, str]
    """question_id to its cluster."""
    seconds: float | None = None
    """Mean seconds per question, as if nothing had come from a cache; None where that is not known."""
    cost: float | None = None
    """US dollars or tokens per question."""


def front(points: Sequence[Point]) -> list[bool]:
    """Whether each variant is on the front; all are False where quality alone is known, or of one variant alone the seconds."""
    timed = any(point.seconds is not None for point in points)
    priced = all(point.cost is not None for point in points)
    known = [place for place, point in enumerate(points) if point.scores and (point.seconds is not None or not timed)]
    if len(known) < 2 or not (timed or priced):
        return [False] * len(points)
    prices = [(_digits(point.seconds) if timed else 0.0, _digits(point.cost) if priced else 0.0) for point in points]
    worse: dict[tuple[int, int], bool] = {}

    def is_worse(one: int, other: int) -> bool:
        if (one, other) not in worse:
            worse[one, other] = significantly_worse(points[one], points[other])
        return worse[one, other]

    def beats(one: int, other: int) -> bool:
        cheaper = [here <= there for here, there in zip(prices[one], prices[other], strict=True)]
        if one == other or not all(cheaper) or is_worse(one, other):
            return False
        return prices[one] != prices[other] or is_worse(other, one)

    return [place in known and not any(beats(one, place) for one in known) for place in range(len(points))]


def significantly_worse(one: Point, other: Point) -> bool:
    """Whether the first has a lower mean than the second beyond chance; True where they share no question."""
    shared = sorted(one.scores.keys() & other.scores.keys())
    if not shared:
        return True
    losses = [one.scores[name] - other.scores[name] for name in shared]
    return sum(losses) < 0 and 2 * sign_flip(losses, [one.groups.get(name, name) for name in shared]) < ALPHA


def _digits(value: float | None) -> float:
    return inf if value is None else float(f"{value:.2g}")


def per_question(usage: Mapping[str, Usage], asked: Mapping[str, int], unknown: bool = False) -> tuple[str, dict[str, float]]:
    """What a question costs, by run_id, and its unit: US dollars where any run cost some, else tokens; empty without a call.

    Where a price is `unknown` it is tokens: a model without a price is not the cheapest.
    """
    if not any(item.calls for item in usage.values()):
        return "", {}
    paid = not unknown and any(item.cost for item in usage.values())
    spent = {name: item.cost if paid else float(item.input_tokens + item.output_tokens) for name, item in usage.items()}
    return "US dollars" if paid else "tokens", {name: value / max(1, asked.get(name, 1)) for name, value in spent.items()}


def price(value: float | None, unit: str) -> str:
    """`$0.00120` or `1,204`."""
    if value is None:
        return "–"
    return f"${value:.5f}" if unit == "US dollars" else f"{value:,.0f}"


@dataclass(frozen=True, slots=True)
class Dot:
    """One variant in a picture."""

    label: str
    """Its number in the table."""
    name: str
    """The variant."""
    across: float
    """Seconds or cost."""
    quality: float
    """Mean."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    """Upper end."""
    front: bool
    """Whether it is on the front."""


def scatter(title: str, quality: str, unit: str, dots: Sequence[Dot]) -> Plot:
    """Quality against seconds or cost.

    Args:
        title: heading of the picture.
        quality: what the metric is called.
        unit: seconds, US dollars or tokens.
        dots: the variants.
    """
    rows = tuple(
        (dot.label, dot.name, duration(dot.across) if unit == "seconds" else price(dot.across, unit), number(dot.quality))
        for dot in dots
    )

    def draw(axes: "Axes") -> None:
        for dot in dots:
            low, high = (dot.low, dot.high) if dot.low is not None and dot.high is not None else (dot.quality, dot.quality)
            axes.plot([dot.across, dot.across], [low, high], color=LINE, linewidth=2.0, zorder=1)
            axes.scatter(
                [dot.across],
                [dot.quality],
                s=46,
                marker="D" if dot.front else "o",
                zorder=2,
                linewidths=0,
                color=BLUE if dot.front else SOFT,
            )
            axes.annotate(dot.label, (dot.across, dot.quality), xytext=(6, 4), textcoords="offset points", color=SOFT)
        ends = [end for dot in dots for end in (dot.quality, dot.low, dot.high) if end is not None]
        room = 0.08 * (max(ends) - min(ends)) or 0.05
        axes.set(xlabel=f"{unit} per question", ylabel=quality, ylim=(min(ends) - room, max(ends) + room))
        axes.set_xlim(0, 1.15 * max(dot.across for dot in dots) or 1.0)
        axes.grid(visible=True, color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)

    legend = f"{FRONT} on the front; the upright lines are 95 % intervals; numbers are rows of the table."
    return Plot(title, "", legend, ("", "Variant", f"{unit} per question".capitalize(), quality), rows, draw)
