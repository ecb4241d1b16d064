"""From questions and traces to the station at which each question's evidence was lost.

What the candidates of a question lack is looked for again, in every index down to its last chunk: that gives the depth which
would have found it. With several queries the best rank counts, for each query is searched to the same depth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from harness.attribution.library import Library
from harness.attribution.remedies import confidence, remedy
from harness.attribution.stations import ORDER, RETRIEVAL, Attribution, GroupLoss, Station
from harness.generation.citations import cited_ids
from harness.metrics.answer import plain
from harness.metrics.citations import shown
from harness.metrics.coverage import NEVER, find, touches
from harness.metrics.truthfulness import stands_in
from harness.pipeline import Depth, IndexedPipeline
from harness.types import Query, Question, Ranking, Trace

Ranks = Mapping[str, Sequence[int]]
"""Retriever to the rank of each evidence group among all chunks."""


def attribute(
    questions: Sequence[Question],
    traces: Mapping[str, Trace],
    tau: float,
    depth: Depth,
    system: IndexedPipeline | None = None,
) -> dict[str, Attribution]:
    """The attribution of every question, by question_id.

    Args:
        questions: those that were asked.
        traces: by question_id; a question without one failed.
        tau: share of an evidence span that must be covered.
        depth: the depths of the run.
        system: what was asked, to be searched deeper. From stored traces alone, what is not in the corpus, hidden or destroyed
            by chunking cannot be told from what lies below the depth, and ranks beyond the candidates are unknown.
    """
    library = Library(system) if system else None
    asked = [question for question in questions if question.question_id in traces and question.evidence]
    lost = [item for item in asked if NEVER in find(item.evidence, _candidates(traces[item.question_id]), tau).ranks]
    deeper = _search(lost, traces, tau, library) if library and lost else {}
    found: dict[str, Attribution] = {}
    for question in questions:
        name = question.question_id
        trace = traces.get(name)
        found[name] = (
            _Case(question, trace, tau, depth, library, deeper.get(name, {})).attribution()
            if trace
            else Attribution(name, Station.ERROR)
        )
    return found


def _candidates(trace: Trace) -> Ranking:
    """Every hit of every retriever; the order means nothing."""
    return Ranking.of(hit for ranking in trace.retrieved.values() for hit in ranking.hits)


def _search(lost: Sequence[Question], traces: Mapping[str, Trace], tau: float, library: Library) -> dict[str, Ranks]:
    """By question_id; each index is searched once, for all queries of all questions, with what their askers may see."""
    asked: list[tuple[Question, Query]] = []
    for question in lost:
        allowed = library.allowed(question)
        asked += [(question, replace(query, allowed=allowed)) for query in traces[question.question_id].queries]
    ranks: dict[str, dict[str, Sequence[int]]] = {question.question_id: {} for question in lost}
    for name, index in library.system.indexes.items():
        rankings = index.search([query for _, query in asked], len(library.system.chunks))
        for (question, _), ranking in zip(asked, rankings, strict=True):
            mine, here = ranks[question.question_id], find(question.evidence, ranking, tau).ranks
            mine[name] = tuple(map(min, mine.get(name, here), here))
    return dict(ranks)


def states(question: Question, trace: Trace) -> bool | None:
    """Whether an accepted answer stands in the answer, by the rule of truthfulness; None when there is none to stand in it."""
    if trace.answer is None or trace.answer.refused or not question.answers:
        return None
    return any(stands_in(accepted, plain(trace.answer.text)) for accepted in question.answers)


@dataclass(frozen=True)
class _Case:
    """One question that was asked, and everything that decides where its evidence was lost."""

    question: Question
    trace: Trace
    tau: float
    depth: Depth
    library: Library | None
    deeper: Ranks

    def attribution(self) -> Attribution:
        """The earliest loss of the groups."""
        name, stated = self.question.question_id, states(self.question, self.trace)
        if not self.question.evidence or not self.question.answerable:
            station = self._without_evidence()
            return Attribution(name, station, remedy=confidence(self.trace, station, self.library), stated=stated)
        groups = tuple(self._group(number, bool(stated)) for number in range(len(self.question.evidence)))
        station = min((group.station for group in groups), key=ORDER.index)
        remedies = dict.fromkeys(group.remedy for group in groups if group.station is station and group.remedy)
        return Attribution(name, station, groups, "; ".join(remedies), stated)

    def _without_evidence(self) -> Station:
        answer = self.trace.answer
        if self.question.answerable or answer is None:
            return Station.NOTHING_TO_FIND
        return Station.RIGHTLY_REFUSED if answer.refused else Station.ANSWERED_ALTHOUGH_UNANSWERABLE

    def _group(self, number: int, stated: bool) -> GroupLoss:
        station = self._use(number, stated) if self._rank(self.trace.context, number) else self._loss(number)
        group, library = self.question.evidence[number], self.library
        loss = GroupLoss(
            number=number,
            station=station,
            ranks=self._ranks(number),
            searched=len(library.system.chunks) if library and self.deeper else self.depth.candidates,
            quote=library.quote(group) if library and station in RETRIEVAL else "",
        )
        return replace(loss, remedy=remedy(loss, self.question, self.trace, self.depth, self.tau, library))

    def _rank(self, ranking: Ranking, number: int) -> int | None:
        rank = find(self.question.evidence, ranking, self.tau).ranks[number]
        return None if rank == NEVER else rank

    def _ranks(self, number: int) -> dict[str, int | None]:
        placed = {name: self._rank(ranking, number) for name, ranking in self.trace.stations().items()}
        return {**placed, **{name: None if ranks[number] == NEVER else ranks[number] for name, ranks in self.deeper.items()}}

    def _loss(self, number: int) -> Station:
        """Where a group that is not in the context was lost."""
        if unreachable := self._unreachable(number):
            return unreachable
        if not self._rank(_candidates(self.trace), number):
            return Station.BELOW_DEPTH
        rank = self._rank(self.trace.reranked, number)
        if not rank:
            return Station.LOST_IN_FUSION
        return Station.CUT_BY_RERANKER if rank > self.depth.shown else Station.CUT_BY_CONTEXT

    def _unreachable(self, number: int) -> Station | None:
        if self.library is None:
            return None
        evidence = self.question.evidence
        if find(evidence, self.library.chunks(evidence), self.tau).ranks[number] == NEVER:
            return Station.NOT_IN_CORPUS
        seen = find(evidence, self.library.chunks(evidence, self.library.allowed(self.question)), self.tau)
        if seen.ranks[number] == NEVER:
            return Station.HIDDEN
        return Station.DESTROYED_BY_CHUNKING if seen.whole[number] == NEVER else None

    def _use(self, number: int, stated: bool) -> Station:
        """What the answer made of a group that was shown."""
        answer = self.trace.answer
        if answer is None:
            return Station.SHOWN
        if answer.refused:
            return Station.REFUSED_ALTHOUGH_PRESENT
        passages, group = shown(self.trace), self.question.evidence[number]
        if any(touches(passages[name], group) for name in cited_ids(answer.text) if name in passages):
            return Station.ANSWERED
        return Station.USED_BUT_NOT_CITED if stated else Station.SHOWN_BUT_UNUSED
