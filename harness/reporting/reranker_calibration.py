"""What a reranker's scores mean, learned on tune: on the terminal and as a conf file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.reporting.escape import one_line
from harness.reporting.names import interval, number
from harness.statistics.separation import Separation

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True, slots=True)
class Fit:
    """How well scores and probabilities fit what was relevant."""

    passages: int
    """Reranked passages."""
    relevant: int
    """Those that cover evidence of their question."""
    auroc: Separation
    """What the scores tell apart; a curve that never descends leaves it as it is."""
    brier_before: float
    """Mean squared error of the reranker's scores taken for probabilities; lower is better."""
    brier_after: float
    """Of the probabilities."""
    brier_constant: float
    """Of the share of relevant passages said of each."""
    mean_before: float
    """Mean score."""
    mean_after: float
    """Mean probability; the share of relevant passages is what it should be."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A curve with its evidence."""

    method: str
    """platt or isotonic."""
    reranker: str
    """Identity of the reranker."""
    run: str
    """Run whose traces were read."""
    golden_set: str
    """Name and version."""
    questions: str
    """SHA-256 of the golden set's questions."""
    settings: Mapping[str, Any]
    """The curve's numbers."""
    tune: Fit
    """On the questions that it was learned on."""
    test: Fit | None
    """On others; None where the run asked none."""


def terminal(found: Learned) -> "RenderableType":
    """A table of both splits."""
    from rich.table import Table

    table = Table(title=one_line(f"{found.method} on {found.golden_set}, run {found.run}"), title_justify="left")
    for name in ("", "tune", "test"):
        table.add_column(name)
    fits = [found.tune, *([found.test] if found.test else [])]
    for name, values in (
        ("Passages (relevant)", [f"{fit.passages:,} ({fit.relevant:,})" for fit in fits]),
        ("AUROC of the score", [_ends(fit.auroc) for fit in fits]),
        ("Brier score of the score", [number(fit.brier_before) for fit in fits]),
        ("Brier score calibrated", [number(fit.brier_after) for fit in fits]),
        ("Brier score of the share said of each", [number(fit.brier_constant) for fit in fits]),
        ("Mean score", [number(fit.mean_before) for fit in fits]),
        ("Mean probability", [number(fit.mean_after) for fit in fits]),
        ("Share of relevant passages", [number(fit.relevant / fit.passages) for fit in fits]),
    ):
        table.add_row(name, *values)
    return table


def _ends(found: Separation) -> str:
    return "–" if found.value is None else f"{number(found.value)} ({interval(found.low, found.high)})"


def option(found: Learned, reranker: Mapping[str, Any]) -> str:
    """The conf file."""
    import yaml

    told = [
        f"# The reranker of {one_line(found.run)}, its scores made probabilities that a passage holds evidence ({found.method}).",
        f"# Written by `harness calibrate reranker --method {found.method}` from tune questions of {one_line(found.golden_set)}",
        f"# ({found.tune.passages} passages, {found.tune.relevant} of them relevant).",
    ]
    if found.test:
        told.append(
            f"# On its test questions ({found.test.passages} passages): Brier score {found.test.brier_after:.4f}, of the plain score "
            f"{found.test.brier_before:.4f}; AUROC {_ends(found.test.auroc)}."
        )
    body = {
        "_target_": "harness.reranking.calibrated.Calibrated",
        "holds_for": found.reranker,
        "method": found.method,
        **found.settings,
        "reranker": dict(reranker),
    }
    return "\n".join(told) + "\n" + yaml.safe_dump(body, sort_keys=False, allow_unicode=True, width=120)
