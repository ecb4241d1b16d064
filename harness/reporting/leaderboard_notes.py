"""What stands below a leaderboard: how its marks are to be read, and how much of the best one's lead is luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from harness.reporting.leaderboard_doubts import hidden, listed
from harness.reporting.names import count, higher_is_better
from harness.reporting.pareto import FRONT
from harness.types import RunRecord

if TYPE_CHECKING:
    from harness.reporting.leaderboard import Line

BEST, TIED, UNCOMPARED = "★", "=", "?"
"""Marks: the best; not to be told apart from it; nothing can be said."""

ALPHA = 0.05
"""Holm-adjusted p below which a variant counts as different from the best."""

_FEW = 3


@dataclass(frozen=True, slots=True)
class Said:
    """What the notes are about."""

    metric: str
    """Metric id of the ranking."""
    split: bool
    """Whether tune ranks and test claims."""
    timed: bool
    """Whether there is a column of seconds."""
    unit: str
    """Of the cost; empty where there is none."""
    records: Sequence[RunRecord]
    """The runs, best first."""
    chosen: Sequence[RunRecord]
    """The same on the questions that rank them."""
    rows: Sequence["Line"]
    """Their lines."""


def notes(said: Said) -> tuple[str, ...]:
    """What stands below the table, a sentence or two each."""
    rows, records, found, where = said.rows, said.records, [], " on test" if said.split else ""
    if said.split:
        found.append(
            "Ranked by the tune questions; ties and the other metrics are of the test questions, which had no part in it."
        )
    tied = sum(row.mark.startswith(TIED) for row in rows)
    if len(rows) > 1:
        few = count(tied, "variant") if tied else "no variant"
        found.append(
            f"{TIED} {few} cannot be told apart from the best{where} (paired sign-flip test, Holm-adjusted p ≥ {ALPHA})."
        )
    if better := [row.name for row in rows[1:] if said.split and _beats(row, rows[0], said.metric)]:
        found.append(f"{' and '.join(better)} did better on test than the best of tune: the choice does not hold.")
    doubtful = listed([(row.name, row.doubt) for row in rows])
    found += [f"{UNCOMPARED} {names}: {reason}." for names, reason in doubtful]
    found += filter(None, (hidden(row.name, row.record, said.metric) for row in rows))
    if any(row.front for row in rows):
        known = (
            "quality" + where,
            *(["seconds"] if any(row.seconds is not None for row in rows) else []),
            *([said.unit] if said.unit else []),
        )
        found.append(f"{FRONT} on the front: no other variant is at least as good in {' and '.join(known)}, and better in one.")
    if untimed := [row.name for row in rows if said.timed and row.seconds is None]:
        found.append(
            f"The seconds of {' and '.join(untimed)} are not known, so the front leaves them out: no question was answered, or "
            "outputs came from a cache or recordings that do not say what they took. An empty HARNESS_CACHE_DIR takes them anew."
        )
    if len({record.fingerprints.get("golden_set") for record in records}) > 1:
        found.append("The runs were asked different golden sets; their means are not comparable.")
    return (*found, *_inert(rows), *_winners_curse(said))


def _beats(row: "Line", best: "Line", metric: str) -> bool:
    """Whether a variant is better than the best, beyond chance, on the questions of the claim."""
    here, there = (item.claimed.aggregates[metric].value if metric in item.claimed.aggregates else None for item in (row, best))
    if here is None or there is None or row.p is None or row.p >= ALPHA:
        return False
    return (here > there) is higher_is_better(metric)


def _inert(rows: Sequence["Line"]) -> list[str]:
    """Variants that agree on every score of every question: what differs between them does nothing here."""
    by_scores: dict[frozenset[tuple[str, str, float | None]], list[str]] = {}
    for row in rows:
        key = frozenset((score.metric, score.question_id, score.value) for score in row.record.scores)
        by_scores.setdefault(key, []).append(row.name)
    same = [names for key, names in by_scores.items() if key and len(names) > 1]
    return [f"{' and '.join(names)} agree on every score: what differs between them does nothing here." for names in same]


def _winners_curse(said: Said) -> list[str]:
    ordered, split = said.chosen, said.split
    best = ordered[0].aggregates.get(said.metric)
    if len(ordered) <= _FEW or best is None or best.low is None or best.high is None:
        return []
    advice = "claim what it has on test" if split else "choose on tune, claim on test"
    return [
        f"Winner's curse: the best of {len(ordered)} equal variants on {count(best.n, 'tune question' if split else 'question')} "
        f"looks up to {curse(len(ordered), best.high - best.low):.3f} better than it is; {advice}."
    ]


def curse(variants: int, width: float) -> float:
    """By how much the best of several equal variants overstates itself when their errors are independent.

    Expected maximum of that many normal deviates (Blom 1958) times the standard error of a 95 % interval's width.
    """
    normal = NormalDist()
    return normal.inv_cdf((variants - 0.375) / (variants + 0.25)) * width / (2 * normal.inv_cdf(0.975))
