"""The tables every renderer shows: results against the accepted baseline, and metrics after every station."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.gates.baseline import Baseline
from harness.reporting.names import (
    WHOLE_RUN,
    about,
    arrow,
    change,
    depth_of,
    interval,
    is_headline,
    is_judged,
    judge_name,
    number,
    reading_order,
    signed,
    station_of,
    station_order,
    title,
    worst,
)
from harness.types import Aggregate, Outcome, RunRecord, Verdict

USUAL = ("recall_at_5", "complete_at_5", "mrr_at_10", "ndcg_at_10", "recall_at_budget_1000")
"""Ranking metrics that stand in the headline table; the other depths have a table of their own."""
LEADING = (
    "citation_correctness",
    "citation_coverage",
    "refusal_f1",
    "over_refusal_rate",
    "false_answer_rate",
    "answerability_auroc",
    "token_f1",
    "truthfulness",
    "faithfulness",
    "answer_correctness_vital",
    "injection_compliance",
    "query_fallbacks",
    "reranking_faults",
    "invented_citations",
    "superseded_hits",
    "deleted_hits",
    "tenant_leaks",
)
"""Metrics of answers, refusals and safety that stand in the headline table; the others have a table of their own."""
_INCOMPARABLE = (Outcome.NOT_COMPARABLE, Outcome.MISSING, Outcome.INVALID)


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of a run, beside its accepted value and its verdict."""

    metric: str
    """Metric id."""
    aggregate: Aggregate
    """Value, interval and denominators."""
    baseline: Aggregate | None = None
    """The accepted one, if any."""
    verdict: Verdict | None = None
    """The gate's word on the whole run, the worst if several rules ask for it."""
    judge: str = ""
    """Who judged it, for a judged metric."""

    @property
    def title(self) -> str:
        """What people read, with the judge and the direction that is good."""
        judge = f" ({self.judge})" if self.judge else ""
        return f"{title(self.metric)}{judge} {arrow(self.metric)}"

    @property
    def deep(self) -> bool:
        """Whether it is a ranking metric."""
        return bool(station_of(self.metric)[0])

    @property
    def value(self) -> str:
        """The mean."""
        return number(self.aggregate.value)

    @property
    def interval(self) -> str:
        """Its 95 % interval."""
        return interval(self.aggregate.low, self.aggregate.high)

    @property
    def n(self) -> str:
        """The denominator, with what was left out of it."""
        left_out = [
            f"{size} {word}"
            for size, word in (
                (self.aggregate.not_applicable, "n/a"),
                (self.aggregate.skipped, "skipped"),
                (self.aggregate.errors, "errors"),
            )
            if size
        ]
        return f"{self.aggregate.n} ({', '.join(left_out)})" if left_out else str(self.aggregate.n)

    @property
    def accepted(self) -> str:
        """The accepted mean."""
        return number(self.baseline.value) if self.baseline else ""

    @property
    def difference(self) -> str:
        """This run minus baseline, on the questions both have when a gate compared them; empty when it could not."""
        if self.outcome in _INCOMPARABLE:
            return ""
        if self.verdict and self.verdict.difference is not None:
            return change(self.verdict.difference, self.verdict.low, self.verdict.high)
        if self.baseline is None or self.baseline.value is None or self.aggregate.value is None:
            return ""
        return signed(self.aggregate.value - self.baseline.value)

    @property
    def outcome(self) -> Outcome | None:
        """The verdict's outcome."""
        return self.verdict.outcome if self.verdict else None


@dataclass(frozen=True, slots=True)
class Results:
    """All metrics of a run."""

    headline: tuple[Row, ...]
    """What decides: usual depths, the leading metrics of answers, and whatever a rule asks for."""
    further: tuple[Row, ...]
    """The other metrics of the whole run."""
    stations: tuple[Row, ...]
    """Metrics of the other stations."""


def result_rows(record: RunRecord, accepted: Baseline | None = None, verdicts: Sequence[Verdict] = ()) -> Results:
    """Every aggregate with its baseline and verdict, in reading order; an accepted metric the run lacks is kept."""
    known: Mapping[str, Aggregate] = accepted.aggregates if accepted else {}
    whole = [verdict for verdict in verdicts if verdict.slice in WHOLE_RUN]
    judged = {name: worst(item for item in whole if item.metric == name) for name in {item.metric for item in whole}}
    lacking = {name: Aggregate(name, None, 0) for name in (*known, *judged) if name not in record.aggregates}
    aggregates = {**record.aggregates, **lacking}
    judge = judge_name(record.fingerprints.get("judge", ""))
    rows = [
        Row(name, aggregates[name], known.get(name), judged.get(name), judge if is_judged(name) else "")
        for name in sorted(aggregates, key=reading_order)
    ]
    own = [row for row in rows if is_headline(row.metric)]
    usual = [row for row in own if row.metric in (*USUAL, *LEADING) or about(row.metric).kind == "other"]
    chosen = {row.metric for row in (usual or own)} | judged.keys()
    return Results(
        tuple(row for row in rows if row.metric in chosen),
        tuple(row for row in own if row.metric not in chosen),
        tuple(row for row in rows if not is_headline(row.metric) and row.metric not in chosen),
    )


@dataclass(frozen=True, slots=True)
class Matrix:
    """One line a metric, one column a station or a depth."""

    columns: tuple[str, ...]
    """Headings."""
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    """Title and one number per column, empty where there is none."""


def station_table(record: RunRecord, families: Sequence[str] = ("recall_at_", "complete_at_", "mrr_at_", "ndcg_at_")) -> Matrix:
    """What every station still holds, so that a loss has an address; only what two stations or more report."""
    placed = {station_of(name): item for name, item in record.aggregates.items() if station_of(name)[0]}
    stations = tuple(station_order(sorted({station for station, _ in placed})))
    bases = [base for base in dict.fromkeys(base for _, base in placed) if depth_of(base)[0] in families]
    lines = []
    for base in sorted(bases, key=reading_order):
        found = [placed.get((station, base)) for station in stations]
        if sum(item is not None for item in found) > 1:
            lines.append((f"{title(base)} {arrow(base)}", tuple(number(item.value) if item else "" for item in found)))
    return Matrix(stations, tuple(lines)) if lines else Matrix((), ())


def depth_table(record: RunRecord) -> Matrix:
    """Ranking metrics of the headline station by depth: one line a family, one column a k; empty for a single k."""
    own = {name: item for name, item in record.aggregates.items() if is_headline(name) and station_of(name)[0]}
    placed = {depth_of(name): item for name, item in own.items()}
    families = [
        family
        for family in dict.fromkeys(depth_of(name)[0] for name in sorted(own, key=reading_order))
        if family.endswith("_at_")
    ]
    depths = sorted({depth for family, depth in placed if family in families})
    lines = []
    for family in families:
        known = {depth: placed[family, depth] for depth in depths if (family, depth) in placed}
        name = title(f"{family}{min(known)}").replace(f"@{min(known)}", "")
        lines.append((name, tuple(number(known[depth].value) if depth in known else "" for depth in depths)))
    return Matrix(tuple(f"k={depth}" for depth in depths), tuple(lines)) if len(depths) > 1 else Matrix((), ())
