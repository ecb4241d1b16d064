"""`harness gate --selftest`: how often the gate is wrong, measured on the recorded scores of a finished run."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.cli.console import note, out
from harness.gates.baseline import Baseline
from harness.gates.gate import Gate
from harness.gates.selftest import NAIVE, Caught, FalseAlarms, Rate, SelfTest, selftest
from harness.reporting.escape import clean
from harness.reporting.names import number
from harness.store import write_json
from harness.types import RunRecord

if TYPE_CHECKING:
    from rich.table import Table

FILE = "selftest.json"
"""Written into the run's folder."""


def measure(gate: Gate, record: RunRecord, accepted: Baseline | None, calibrated: Collection[str], folder: Path) -> int:
    """Prints what the gate is worth on this run and keeps it.

    Returns:
        0 when it holds, 1 when it is red too often, 3 when no rule catches half of the largest drops, 4 when unmeasured.
    """
    found = selftest(gate, record, accepted, calibrated)
    write_json(folder / FILE, as_json(found))
    console = out()
    if found.deciding:
        console.print(_false_alarms(found))
    if found.caught:
        console.print(_caught(found))
    for rule, why in found.left_out.items():
        note(clean(f"not measured: {rule}: {why}"))
    console.print(_verdict(found), soft_wrap=True, markup=False)
    if not found.deciding:
        return 4
    return 1 if not found.holds else 3 if _blind(found) else 0


def _blind(found: SelfTest) -> bool:
    """Whether no rule catches half of the largest drops that were injected into it."""
    largest = max((item.drop for item in found.caught), default=0.0)
    return not any(item.drop == largest and item.red.n and item.red.share >= 0.5 for item in found.caught)


def as_json(found: SelfTest) -> dict[str, Any]:
    """The self-test as JSON types; every rate with its count, n, share and 95 % interval."""
    return {
        "alpha": found.alpha,
        "caught": [_row(item) for item in found.caught],
        "deciding_rules": found.deciding,
        "false_alarms": [_row(item) for item in found.false_alarms],
        "holds": found.holds,
        "identical_but_red": list(found.identical),
        "left_out": dict(found.left_out),
        "seed": found.seed,
        "simulations": found.simulations,
    }


def _row(item: FalseAlarms | Caught) -> dict[str, Any]:
    return {part.name: _plain(getattr(item, part.name)) for part in fields(item)}


def _plain(value: Any) -> Any:
    if isinstance(value, Rate):
        return value.as_json()
    return round(value, 6) if isinstance(value, float) else value


def _false_alarms(found: SelfTest) -> "Table":
    head = ("Unchanged pipeline, rerun with", "red", "naive", "inconclusive", "n")
    rows = [
        (clean(item.noise), _share(item.red), _share(item.naive), _share(item.undecided), str(item.red.n))
        for item in found.false_alarms
    ]
    title = f"False alarms of the whole gate (naive: the mean must not drop by more than {NAIVE:g})"
    return _table(title, head, rows)


def _caught(found: SelfTest) -> "Table":
    """A line a rule, a column a drop; what is neither caught nor passed is inconclusive."""
    drops = sorted({item.drop for item in found.caught})
    fates = {(item.rule, item.drop): item for item in found.caught}
    rows = []
    for rule in dict.fromkeys(item.rule for item in found.caught):
        mine = [fates.get((rule, drop)) for drop in drops]
        first = next(item for item in mine if item)
        rows.append((clean(rule), str(first.questions), number(first.detectable), *(_fate(item) for item in mine)))
    naive = [_mean([item.naive for item in found.caught if item.drop == drop]) for drop in drops]
    rows.append(("naive, over all rules", "", "", *naive))
    return _table("Drops of one rule's mean that are caught", ("", "n", "sees", *(f"-{drop:.2f}" for drop in drops)), rows)


def _fate(item: Caught | None) -> str:
    """`80%`, with the share that passed if any did; a dash where the mean could not fall so far."""
    if item is None or not item.red.n:
        return "–"
    passed = f", {_percent(item.passed.share)}% pass" if item.passed.count else ""
    return f"{_percent(item.red.share)}%{passed}"


def _mean(rates: Sequence[Rate]) -> str:
    n = sum(rate.n for rate in rates)
    return f"{_percent(sum(rate.count for rate in rates) / n)}%" if n else "–"


def _share(rate: Rate) -> str:
    """`80%`: share of pairs; its interval is in the file."""
    return f"{_percent(rate.share)}%" if rate.n else "–"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}" if share >= 0.1 or not share else f"{100 * share:.1f}"


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _verdict(found: SelfTest) -> str:
    if not found.false_alarms:
        return "Nothing was measured: no difference rule of this gate can be compared on this run."
    if not found.deciding:
        return "The gate was not measured: every rule that was tested is advisory, so none of them can fail the gate."
    if found.identical:
        return f"The gate does not hold: identical scores are red in {', '.join(found.identical)}."
    if not found.holds:
        return f"The gate does not hold: it is red more often than the {found.alpha:g} that it declares."
    told = (
        f"Identical scores: 0 red. Declared: a false red in at most {found.alpha:.1%} of unchanged runs; measured above, "
        f"each rate on {found.simulations} simulated pairs (seed {found.seed}); intervals are in {FILE}. Under gate.strict=true an inconclusive rule is red too."
    )
    if _blind(found):
        told += " The gate is blind: no rule catches half of the largest drops. Add questions, or give rules a floor."
    return told
