"""Two runs side by side, as every renderer of a comparison shows them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.comparison.result import Changed, Flip, Row, RunComparison
from harness.metrics.base import Description
from harness.reporting.comparison_facts import facts, idle, notes, settings
from harness.reporting.comparison_passages import Shown, shown
from harness.reporting.names import about, arrow, change, count, depth_of, higher_is_better, number, reading_order, title
from harness.reporting.questions import expectation
from harness.reporting.tables import result_rows
from harness.types import Question, RunRecord

UNKNOWN = "text unknown: the golden set is not at hand, or the question was edited since"
"""What stands for a question whose text cannot be shown."""
DECIDING = (
    "recall_at_",
    "complete_at_",
    "mrr_at_",
    "citation_correctness",
    "citation_coverage",
    "over_refusal_rate",
    "false_answer_rate",
    "truthfulness",
    "faithfulness",
    "answer_correctness_vital",
)
"""Metrics that decide, as far as the runs have them; of a ranking metric the usual depth. Invariants join them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One metric, as text."""

    title: str
    """Metric with the direction that is good."""
    a: str
    """Mean of A."""
    b: str
    """Mean of B."""
    difference: str
    """B - A with its interval, or why it cannot be compared."""
    p: str
    """Adjusted p."""
    n: str
    """Questions compared, with those that only one side has a number for."""
    tally: str
    """`+12 −5 =313`: questions on which B is better, worse and equal."""
    verdict: str
    """better or worse where the adjusted p is below 0.05; else empty."""
    row: Row
    """The numbers."""

    @property
    def problem(self) -> bool:
        """Whether it could not be compared."""
        return bool(self.row.problem)

    @property
    def idle(self) -> bool:
        """An invariant that holds on both sides: nothing to tell."""
        return idle(self.row)


@dataclass(frozen=True, slots=True)
class Case:
    """A question that changed."""

    question_id: str
    """The question."""
    text: str
    """What is asked."""
    expected: str
    """What the golden set asks for; empty when unknown."""
    direction: str
    """better, worse or mixed."""
    where: str
    """What became of its evidence, or the first ranking whose recall differs."""
    values: tuple[tuple[str, str, str], ...]
    """Metric, A, B: those that differ."""
    shown: Shown | None
    """Passages and answers side by side; None where neither side has traces."""

    @property
    def headline(self) -> str:
        """`Recall@5 ↑ 1.000 → 0.000` of the first metric that differs."""
        name, then, now = self.values[0]
        return f"{name} {then} → {now}"


@dataclass(frozen=True, slots=True)
class Refusals:
    """Questions whose refusal flipped in one way."""

    heading: str
    """Such as answered by A, refused by B: can be answered."""
    verdict: str
    """What is said of it, such as B is right; empty without questions."""
    right: bool | None
    """Whether B does what it should; None when that is unknown."""
    questions: tuple[tuple[str, str], ...]
    """Id and text."""


@dataclass(frozen=True, slots=True)
class View:
    """A comparison in words."""

    name: str
    """Both sides."""
    found: RunComparison
    """Where the words come from."""
    facts: tuple[tuple[str, str, str], ...]
    """What is compared: label, A, B."""
    settings: tuple[tuple[str, str, str], ...]
    """Settings that differ: name, A, B."""
    notes: tuple[str, ...]
    """How to read it."""
    lines: tuple[Line, ...]
    """Metrics that decide."""
    further: tuple[Line, ...]
    """The other metrics."""
    cases: tuple[Case, ...]
    """Questions that changed, the biggest changes first."""
    refusals: tuple[Refusals, ...]
    """The four ways in which a refusal can flip, by verdict, also those with no question; empty when a side gave no answers."""

    def of(self, direction: str) -> tuple[Case, ...]:
        """The cases of one direction."""
        return tuple(case for case in self.cases if case.direction == direction)

    @property
    def tally(self) -> str:
        """`3 questions better, 5 worse, 1 mixed, 321 unchanged`."""
        same = len(self.found.questions) - len(self.cases)
        sizes = {name: len(self.of(name)) for name in ("better", "worse", "mixed")}
        mixed = f", {sizes['mixed']} mixed" if sizes["mixed"] else ""
        return f"{count(sizes['better'], 'question')} better, {sizes['worse']} worse{mixed}, {same} unchanged"


def metrics_of(a: RunRecord, b: RunRecord) -> tuple[list[Description], list[Description]]:
    """The metrics that have scores per question in one of the runs: those that decide, and the further ones.

    Of ranking metrics it is the usual depths after the last station.
    """
    scored = {score.metric for record in (a, b) for score in record.scores if score.value is not None}
    tables = [result_rows(record) for record in (a, b)]
    rows = {row.metric for table in tables for row in table.headline}
    rows |= {row.metric for table in tables for row in table.further if about(row.metric).kind != "retrieval"}
    known = [about(metric) for metric in sorted(rows & scored, key=reading_order)]
    first = [item for item in known if _base(item.metric) in DECIDING or item.kind == "invariant"]
    return first, [item for item in known if item not in first]


def _base(metric: str) -> str:
    """`recall_at_` of recall_at_5, else the metric itself."""
    return depth_of(metric)[0]


def view(found: RunComparison, questions: Mapping[str, Question]) -> View:
    """A comparison in words.

    Args:
        found: the comparison.
        questions: those whose text is known to be what was asked, by id.
    """
    a, b = found.a, found.b
    return View(
        name=_name(a.record, b.record),
        found=found,
        facts=tuple(row for row in facts(a, b) if row[1] or row[2]),
        settings=tuple(settings(a.record, b.record)),
        notes=tuple(notes(found)),
        lines=tuple(map(_line, found.rows)),
        further=tuple(map(_line, found.further)),
        cases=tuple(_case(found, item, questions.get(item.question_id)) for item in found.changed),
        refusals=tuple(_refusals(found.flips, questions)) if found.flips is not None else (),
    )


def _name(a: RunRecord, b: RunRecord) -> str:
    """Both experiments, or both run ids where it is one experiment."""
    one = a.experiment == b.experiment
    return f"{a.run_id} → {b.run_id}" if one else f"{a.experiment} → {b.experiment}"


def _line(row: Row) -> Line:
    alone = [f"{size} only in {side}" for side, size in (("A", row.only_a), ("B", row.only_b)) if size]
    sized = f"{row.n} ({', '.join(alone)})" if alone else str(row.n)
    head = f"{title(row.metric)} {arrow(row.metric)}"
    if row.problem:
        return Line(head, number(row.a), number(row.b), row.problem, "", "", "", "", row)
    sure = row.adjusted is not None and row.adjusted < 0.05
    return Line(
        title=head,
        a=number(row.a),
        b=number(row.b),
        difference=change(row.difference, row.low, row.high),
        p=p_words(row.adjusted),
        n=sized,
        tally=f"+{row.wins} −{row.losses} ={row.ties}",
        verdict=_direction(row) if sure else "",
        row=row,
    )


def _direction(row: Row) -> str:
    rose = (row.difference or 0.0) > 0
    return "better" if rose is higher_is_better(row.metric) else "worse"


def p_words(value: float | None) -> str:
    """`0.012`, or `< 0.001`."""
    return "" if value is None else "< 0.001" if value < 0.001 else f"{value:.3f}"


def _case(found: RunComparison, item: Changed, question: Question | None) -> Case:
    return Case(
        question_id=item.question_id,
        text=question.text if question else UNKNOWN,
        expected=expectation(question) if question else "",
        direction=item.direction,
        where=_where(item),
        values=tuple((f"{title(name)} {arrow(name)}", number(then), number(now)) for name, then, now in item.values),
        shown=shown(found, item.question_id, question),
    )


def _where(item: Changed) -> str:
    """`answered → cut by reranker`, else the first ranking whose recall differs, else what differs without it."""
    before, after = (name.replace("_", " ") for name in (item.lost_a, item.lost_b))
    if before and after and before != after:
        return f"{before} → {after}"
    if item.first:
        return f"recall in {item.first} {number(item.recall[0])} → {number(item.recall[1])}"
    if before and after:
        return f"{before} in both"
    ranked = any(about(name).kind == "retrieval" for name, _, _ in item.values)
    return "recall alike, another order" if ranked else "recall alike, another answer"


def _refusals(flips: Iterable[Flip], questions: Mapping[str, Question]) -> Iterable[Refusals]:
    known = tuple(flips)
    for now_refused in (True, False):
        for answerable in (True, False):
            rows = [item for item in known if (item.now_refused, item.answerable) == (now_refused, answerable)]
            way = "answered by A, refused by B" if now_refused else "refused by A, answered by B"
            heading = f"{way}; {'can be answered' if answerable else 'must be refused'}"
            if not rows:
                yield Refusals(heading, "", None, ())
            for verdict, right in sorted({(_verdict(item), item.right) for item in rows}, key=lambda pair: pair[0]):
                same = [item for item in rows if _verdict(item) == verdict]
                texts = tuple((item.question_id, _text(questions.get(item.question_id))) for item in same)
                yield Refusals(heading, verdict, right, texts)


def _verdict(flip: Flip) -> str:
    """What B does there, as far as the scores say."""
    if flip.right is None:
        return "unknown whether B is right"
    if flip.answerable and flip.correct is False:
        return "B is wrong, A answered wrongly" if flip.now_refused else "B answered wrongly"
    return "B is right" if flip.right else "B is wrong"


def _text(question: Question | None) -> str:
    return question.text if question else UNKNOWN
