"""What the answerability signal is worth, in numbers and as two plots.

The plots are SVG text for a page that forbids everything from outside: no script, no link, no font, colours of the page.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any

from harness.metrics.calibration import Reliability
from harness.metrics.risk import RiskCoverage
from harness.reporting.names import count, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_SLACK = 1e-9
SOFT, BLUE, LINE = "#010203", "#010204", "#010205"
"""Colours of a plot that the page's own take the place of, so that it follows light and dark."""
_COLOURS = {SOFT: "var(--soft)", BLUE: "var(--blue)", LINE: "var(--line)"}
"""Stand-ins that become the page's own colours, so that a plot follows it into the dark."""
_SETTINGS: Any = {
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_FOREIGN = re.compile(r'\A.*?(?=<svg)|<metadata>.*?</metadata>|<style[^>]*>.*?</style>| id="[a-zA-Z0-9.]+_\d+"', re.DOTALL)
"""What stands before the picture, and what would speak of the whole page: its style, and names that another plot has too."""
_FONT = re.compile(r" font-family: [^;]*;")
_SIZE = re.compile(r'width="[\d.]+pt" height="[\d.]+pt" ')


@dataclass(frozen=True, slots=True)
class Plot:
    """Numbers, and a picture of them."""

    name: str
    """Heading."""
    remark: str
    """What the numbers are, in a sentence or two."""
    legend: str
    """What else the picture shows."""
    head: tuple[str, ...]
    """Headings of the numbers."""
    rows: tuple[tuple[str, ...], ...]
    """The numbers."""
    draw: Callable[["Axes"], None]
    """Draws the picture."""

    def svg(self) -> str:
        """The picture as an element of a page."""
        return _element(self.draw, self.name)


def plots(risk: RiskCoverage, reliability: Reliability) -> tuple[Plot, ...]:
    """Risk against coverage, and confidence against what could be answered; what is not known is left out."""
    return (*([_risk(risk)] if risk.points else []), *([_reliability(reliability)] if reliability.bins else []))


def _risk(risk: RiskCoverage) -> Plot:
    chosen = dict.fromkeys(next(point for point in risk.points if point[1] >= share - _SLACK) for share in _COVERAGES)
    rows = tuple((f"{covered:.0%}", number(lost), f"{threshold:.3g}") for threshold, covered, lost in chosen)
    remark = (
        "If only the questions with the highest signals are answered: the share of them whose evidence was not in the context. "
        f"Area under the curve {number(risk.area)} over {count(risk.n, 'question')}; less is better."
    )

    def draw(axes: "Axes") -> None:
        covered, lost = [point[1] for point in risk.points], [point[2] for point in risk.points]
        axes.plot(covered, lost, color=BLUE, linewidth=1.6)
        axes.axhline(lost[-1], color=SOFT, linewidth=0.8, linestyle=":")
        _frame(axes, "share of questions answered", "risk", max(lost))

    legend = "Dotted: all are answered."
    return Plot("Risk and coverage", remark, legend, ("Answered", "Risk", "Threshold"), rows, draw)


def _reliability(reliability: Reliability) -> Plot:
    rows = tuple(
        (f"{item.low:.1f}–{item.high:.1f}", f"{item.n:,}", number(item.confidence), number(item.answerable))
        for item in reliability.bins
    )
    remark = (
        "The share of questions whose evidence was in the context, by confidence. "
        f"Expected calibration error {number(reliability.error)}; less is better."
    )

    def draw(axes: "Axes") -> None:
        most = max(item.n for item in reliability.bins)
        places, shares = [item.confidence for item in reliability.bins], [item.answerable for item in reliability.bins]
        axes.plot([0, 1], [0, 1], color=SOFT, linewidth=0.8, linestyle=":")
        axes.plot(places, shares, color=BLUE, linewidth=1.0)
        axes.scatter(places, shares, s=[12 + 90 * item.n / most for item in reliability.bins], color=BLUE, linewidths=0)
        _frame(axes, "confidence", "share answerable from the context", 1.0)

    legend = "On the dotted line a confidence is what it says; a larger dot is more questions."
    return Plot("Reliability", remark, legend, ("Confidence", "n", "Mean", "Answerable"), rows, draw)


def _frame(axes: "Axes", across: str, up: str, highest: float) -> None:
    axes.set(xlabel=across, ylabel=up, xlim=(0, 1.02), ylim=(0, max(0.1, highest) * 1.06))
    axes.grid(visible=True, color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _element(draw: "Callable[[Axes], None]", name: str) -> str:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    written = StringIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**_SETTINGS, "svg.hashsalt": name})
        figure = Figure(figsize=(4.6, 3.0), layout="tight")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        figure.savefig(written, format="svg", transparent=True, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    plain = _SIZE.sub("", _FONT.sub("", _FOREIGN.sub("", written.getvalue())))
    for stand_in, colour in _COLOURS.items():
        plain = plain.replace(stand_in, colour)
    return plain.replace("<svg ", f'<svg class="plot" role="img" aria-label="{escape(name)}" ', 1)
