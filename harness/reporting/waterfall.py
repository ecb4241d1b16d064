"""How many questions each station of the pipeline loses, from the first to the answer that cites its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.attribution.stations import Attribution, Station, waterfall
from harness.reporting.names import count
from harness.types import Question

_LEFT = {
    Station.ERROR: "asked without an error",
    Station.NOT_IN_CORPUS: "evidence in the corpus",
    Station.HIDDEN: "visible to the asker",
    Station.DESTROYED_BY_CHUNKING: "whole in a chunk, or put together again by the context",
    Station.BELOW_DEPTH: "among the candidates of the retrievers",
    Station.LOST_IN_FUSION: "among the fused hits that the reranker reads",
    Station.CUT_BY_RERANKER: "ranked within the passages shown",
    Station.CUT_BY_CONTEXT: "in the context",
    Station.REFUSED_ALTHOUGH_PRESENT: "answered",
    Station.SHOWN_BUT_UNUSED: "stated or cited",
    Station.USED_BUT_NOT_CITED: "cited",
}


def words(station: Station) -> str:
    """`below depth`, `cut by reranker`."""
    return station.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Line:
    """One station of the waterfall."""

    label: str
    """What holds for the questions that are left."""
    left: int
    """Questions left."""
    lost: int = 0
    """Questions lost on the way here."""
    how: str = ""
    """What happened to the lost ones."""


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Where the questions of a run lost their evidence."""

    lines: tuple[Line, ...] = ()
    """From all questions with evidence to the last station; empty when nothing is known."""
    columns: tuple[str, ...] = ()
    """Stations at which something was lost, then what is left: the columns of the kinds."""
    kinds: tuple[tuple[str, int, tuple[int, ...]], ...] = ()
    """Kind of question, how many there are, and one count per column, the kind that keeps least first; empty for one kind."""
    remark: str = ""
    """How many of the answers that cite their evidence hold an accepted answer."""

    @property
    def total(self) -> int:
        """Questions at the top."""
        return self.lines[0].left if self.lines else 0

    @property
    def sentence(self) -> str:
        """`87 of 330 questions cited; lost: 27 below depth, 44 lost in fusion`; empty when nothing is known."""
        if not self.lines:
            return ""
        lost = [f"{line.lost:,} {line.how}" for line in self.lines if line.lost]
        kept = f"{self.lines[-1].left:,} of {count(self.total, 'question')} {self.lines[-1].label}"
        return f"{kept}; {', '.join(lost)}" if lost else kept


def summarise_losses(attributions: Mapping[str, Attribution], questions: Sequence[Question]) -> Waterfall:
    """The waterfall of a run's answerable questions, as a whole and by kind; empty without such questions."""
    asked = [question for question in questions if question.answerable and question.question_id in attributions]
    steps = waterfall(attributions, {question.question_id for question in asked})
    total = steps[0].lost + steps[0].left
    if not total:
        return Waterfall()
    shown = [step for step in steps if step.station is not Station.ERROR or step.lost]
    lines = [Line("answerable, with evidence", total)]
    lines += [Line(_LEFT[step.station], step.left, step.lost, words(step.station)) for step in shown]
    losing = [step.station for step in steps if step.lost]
    rows = [_kind(kind, asked, attributions, losing) for kind in sorted({question.kind for question in asked})]
    kinds = sorted((row for row in rows if row[1]), key=lambda row: (row[2][-1] / row[1], row[0]))
    kinds = kinds if len(kinds) > 1 else []
    columns = (*map(words, losing), lines[-1].label)
    return Waterfall(tuple(lines), columns, tuple(kinds), _stated(attributions))


def _kind(
    kind: str, asked: Sequence[Question], attributions: Mapping[str, Attribution], losing: Sequence[Station]
) -> tuple[str, int, tuple[int, ...]]:
    steps = waterfall(attributions, {question.question_id for question in asked if question.kind == kind})
    lost = {step.station: step.lost for step in steps}
    return kind, steps[0].lost + steps[0].left, (*(lost[station] for station in losing), steps[-1].left)


def _stated(attributions: Mapping[str, Attribution]) -> str:
    cited = [item.stated for item in attributions.values() if item.station is Station.ANSWERED and item.stated is not None]
    whole = f"answers that cite all of the evidence, {sum(cited):,} hold an accepted answer."
    return f"Of {len(cited):,} {whole}" if cited else ""
