"""A choice of when to refuse, with its evidence: on the terminal and as a conf file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.answerability.calibrated import Calibrated
from harness.answerability.signals import SIGNALS
from harness.reporting.escape import clean, one_line
from harness.reporting.names import interval, number, signed, title
from harness.statistics.separation import Separation
from harness.types import Aggregate

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_OPENINGS = {
    "threshold": "Refuse before generation when the best passage's rerank score is below `minimum`",
    "margin": "Refuse before generation when the best passage scores low or hardly more than the second",
    "classifier": "Refuse before generation when a logistic model over several signals finds an answer unlikely",
}
_SETTINGS = {
    "minimum": "lowest rerank score of the best passage to answer from",
    "margin": "least lead of the best passage's rerank score over the second",
    "intercept": "log-odds where every signal is at its mean",
}
_SOURCE = {
    "run": "experiment and fingerprint of its config",
    "golden_set": "its questions of the split tune",
    "questions": "SHA-256 of questions.jsonl",
    "reranker": "identity",
    "embedder": "identity",
    "retrieval": "by slot of what makes the retrievers' scores: a fingerprint of its settings",
    "n": "tune questions",
    "auroc": "of the confidence on test",
}
"""What a comment says of each setting."""
_ALONE = {"margin": " (the lead alone; the minimum is not in it)"}
"""What a confidence is not the whole of."""


@dataclass(frozen=True, slots=True)
class Row:
    """One signal."""

    name: str
    """Its name."""
    tune: Separation
    """AUROC on tune."""
    test: Separation
    """AUROC on test."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What a rule does on the test questions."""

    chosen: tuple[Aggregate, ...]
    """The rule that was chosen."""
    current: tuple[Aggregate, ...]
    """The run's own; empty where the run assessed nothing."""
    changes: tuple[Aggregate, ...]
    """Chosen less current, on the same questions; empty where there is no current one, or a class is absent."""

    @property
    def change(self) -> Aggregate | None:
        """That of the grounded refusal F1, which rules are chosen by."""
        return next((item for item in self.changes if item.metric == "grounded_refusal_f1"), None)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was chosen, on which questions, and what it does on others."""

    method: str
    """threshold, margin or classifier."""
    target: str
    """Class that the conf file names."""
    settings: Mapping[str, Any]
    """Its numbers."""
    source: Calibrated
    """Where they come from."""
    tune: tuple[int, int]
    """Answerable and unanswerable questions."""
    test: tuple[int, int]
    """The same on test."""
    left_out: int
    """Questions without a trace."""
    signals: tuple[Row, ...]
    """What each signal tells apart, best on tune first."""
    constant: tuple[str, ...]
    """Signals that are the same for every tune question."""
    confidence: Row
    """What the rule's confidence tells apart; of a classifier the tune figure is of groups left out of training."""
    objective: float
    """Grounded refusal F1 on tune, the number it was chosen by; of a classifier on groups left out of training."""
    rates: Rates
    """What it does on test."""
    curve: tuple[tuple[str, ...], ...]
    """Answered, risk and confidence on test."""

    def as_json(self) -> str:
        """All of it."""
        return json.dumps(asdict(self), indent=2, allow_nan=False)


def terminal(found: Calibration) -> "RenderableType":
    """Tables of signals, of risk and coverage, and of the rates before and after."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [
        Text(clean(f"{found.method} on {found.source.golden_set}, run {found.source.run}"), "bold"),
        Text(f"tune {_sizes(found.tune)}; test {_sizes(found.test)}; {found.left_out} without a trace"),
        *([Text(f"the same for every tune question, so left out: {', '.join(found.constant)}")] if found.constant else []),
        _table("AUROC of each signal", ("Signal", "tune", "95 %", "test", "95 %"), [_auroc(row) for row in found.signals]),
        _table("The rule's confidence", ("", "tune", "95 %", "test", "95 %"), [_auroc(found.confidence)]),
        *([Text(f"AUROC of the confidence{_ALONE[found.method]}")] if found.method in _ALONE else []),
        _table("Risk and coverage on test", ("Answered", "Risk", "Confidence"), found.curve),
        _table("On test, before generation", ("", "n", "chosen", "95 %", "the run's own", "95 %"), _rates(found.rates)),
        *(
            [_table("Chosen less the run's own, paired", ("", "n", "", "95 %"), _differences(found.rates))]
            if found.rates.changes
            else []
        ),
        *(Text(line) for line in _verdict(found)),
        Text("Chosen: " + ", ".join(_setting(name, value) for name, value in found.settings.items())),
    ]
    return Group(*parts)


def option(found: Calibration) -> str:
    """The conf file."""
    sizes = f"{found.tune[0]} answerable, {found.tune[1]} unanswerable"
    new = {item.metric: _with_ends(item) for item in found.rates.chosen}
    lines = [
        f"# {_OPENINGS[found.method]}; chosen on {one_line(found.source.golden_set)}.",
        f"# Written by `harness calibrate refusal --method {found.method}` from its tune questions ({sizes}).",
        f"# On its test questions ({found.test[0]} and {found.test[1]}): AUROC of the confidence{_ALONE.get(found.method, '')} "
        f"{_ends(found.confidence.test)};",
        *(f"# {title(metric)} {words}" for metric, words in new.items()),
        *(f"# {line}" for line in _verdict(found)),
        f"_target_: {found.target}",
        *_settings(found.settings),
        "calibrated:              # other models, retrievers or query steps than those whose scores are read are refused",
        *(f"  {name}: {json.dumps(value)}   # {_SOURCE[name]}" for name, value in asdict(found.source).items()),
    ]
    return "\n".join(lines) + "\n"


def _settings(settings: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, value in settings.items():
        if name != "signals":
            what = "lowest probability to answer from" if name == "minimum" and "signals" in settings else _SETTINGS[name]
            lines.append(f"{name}: {json.dumps(value)}   # {what}")
            continue
        lines.append("signals:                 # weight * (signal - mean) / scale is added to the log-odds of being answerable")
        for key, item in value.items():
            numbers = ", ".join(f"{part}: {json.dumps(item[part])}" for part in ("weight", "mean", "scale"))
            lines.append(f"  {key}: {{{numbers}}}   # {SIGNALS[key].what}")
    return lines


def _setting(name: str, value: Any) -> str:
    return (
        f"{len(value)} {name if len(value) > 1 else name.removesuffix('s')}"
        if isinstance(value, Mapping)
        else f"{name}={value:.6g}"
    )


def _sizes(sizes: tuple[int, int]) -> str:
    return f"{sizes[0]} answerable and {sizes[1]} unanswerable questions"


def _auroc(row: Row) -> tuple[str, ...]:
    return row.name, *(part for item in (row.tune, row.test) for part in (number(item.value), interval(item.low, item.high)))


def _ends(item: Separation | Aggregate) -> str:
    ends = interval(item.low, item.high)
    return f"{number(item.value)}{f' ({ends})' if ends else ''}"


def _with_ends(item: Aggregate) -> str:
    return f"{_ends(item)}, n = {item.n}"


def _rates(rates: Rates) -> list[tuple[str, ...]]:
    own = {item.metric: item for item in rates.current}
    rows: list[tuple[str, ...]] = []
    for item in rates.chosen:
        other = own.get(item.metric)
        before = (number(other.value), interval(other.low, other.high)) if other else ("–", "")
        rows.append((title(item.metric), str(item.n), number(item.value), interval(item.low, item.high), *before))
    return rows


def _differences(rates: Rates) -> list[tuple[str, ...]]:
    return [
        (title(item.metric), str(item.n), signed(item.value), _interval(item) if item.low is not None else "")
        for item in rates.changes
    ]


def _interval(item: Aggregate) -> str:
    return f"{signed(item.low)} to {signed(item.high)}"


def _verdict(found: Calibration) -> list[str]:
    """The number it was chosen by on both splits, and whether test tells the rule from the run's own."""
    new = {item.metric: item for item in found.rates.chosen}.get("grounded_refusal_f1")
    seen = "on groups left out of training" if found.method == "classifier" else "on the questions it was chosen on"
    lines = [f"Grounded refusal F1 on tune {number(found.objective)} ({seen}), on test {_ends(new) if new else number(None)}"]
    own = found.rates.change
    if own is None:
        return [*lines, "Whether it is better than the run's own rule is not known: test has no such comparison"]
    told = own.low is not None and own.high is not None and not own.low <= 0 <= own.high
    ends = f" ({_interval(own)})" if own.low is not None else ""
    verdict = ("it is higher" if (own.value or 0) > 0 else "it is lower") if told else "it cannot be told from the run's own"
    return [*lines, f"Less that of the run's own rule, on the same test questions: {signed(own.value)}{ends}; {verdict}"]


def _table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(name, "bold"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(head):
        table.add_column(column, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    return table
