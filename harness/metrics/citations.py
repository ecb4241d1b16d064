"""Citations of an answer: were the cited passages shown, do they touch the evidence, which sentences cite nothing?

Deterministic, against the passages shown and the question's evidence. A refusal and a missing answer cite nothing and
are not applicable, but for the invariant: a refusal may hide a citation that a draft invented.
"""

import re
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from harness.generation.citations import cited_ids
from harness.generation.statements import statements
from harness.metrics.base import Measure, without_evidence
from harness.metrics.coverage import touches
from harness.text import words
from harness.types import Evidence, Question, Score, Span, Trace

_NO_FACT = re.compile(r"^\s{0,3}#{1,6}\s|[?？؟:：]\W*$")


class _Cited(Measure):
    """A metric of an answer that was given."""

    kind: ClassVar[str] = "citations"

    def score(self, question: Question, trace: Trace) -> Score:
        """Not applicable to refusals and without an answer."""
        if trace.answer is None:
            return self.not_applicable(question, "no answer was generated")
        if trace.answer.refused:
            return self.not_applicable(question, "refused")
        return self.of_answer(question, trace, trace.answer.text)

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """The metric on the text of an answer."""
        raise NotImplementedError


@dataclass(frozen=True)
class CitationValidity(_Cited):
    """Which share of the distinct cited ids was shown; an answer that cites nothing is uncited_claim_rate's business."""

    family: ClassVar[str] = "citation_validity"
    label: ClassVar[str] = "Citation validity"
    formula: ClassVar[str] = "distinct cited ids that were shown / distinct cited ids"
    source: ClassVar[str] = "this project"

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """Not applicable when nothing is cited."""
        cited, known = cited_ids(text), shown(trace)
        if not cited:
            return self.not_applicable(question, "cites nothing")
        return self.scored(question, sum(item in known for item in cited) / len(cited))


@dataclass(frozen=True)
class InventedCitations(_Cited):
    """How many distinct ids the model cited that were never shown: an invariant, zero tolerated.

    An invention that verification took out, or that it turned into a refusal, is an invention all the same.
    """

    family: ClassVar[str] = "invented_citations"
    label: ClassVar[str] = "Invented citations"
    formula: ClassVar[str] = "number of distinct ids cited by any draft or by the answer that were not shown"
    source: ClassVar[str] = "this project"
    kind: ClassVar[str] = "invariant"
    higher_is_better: ClassVar[bool] = False
    high: ClassVar[float] = inf

    def score(self, question: Question, trace: Trace) -> Score:
        """The count, with the ids as the remark; a refusal counts what its drafts cited."""
        if (answer := trace.answer) is None:
            return self.not_applicable(question, "no answer was generated")
        told = dict.fromkeys((*answer.citations, *(() if answer.refused else cited_ids(answer.text))))
        known = shown(trace)
        invented = [item for item in dict.fromkeys((*answer.draft_citations, *told)) if item not in known]
        caught = [item for item in invented if item not in told]
        remarks = (
            f"not shown: {', '.join(invented)}" if invented else "",
            f"taken out by verification: {', '.join(caught)}" if caught else "",
            "refused" if answer.refused else "",
        )
        return self.scored(question, len(invented), "; ".join(filter(None, remarks)))


@dataclass(frozen=True)
class ForbiddenCitations(_Cited):
    """How many distinct passages the answer cites that its question forbids."""

    family: ClassVar[str] = "forbidden_citations"
    label: ClassVar[str] = "Forbidden citations"
    formula: ClassVar[str] = "number of distinct cited passages that share a character with a forbidden span"
    source: ClassVar[str] = "this project"
    higher_is_better: ClassVar[bool] = False
    high: ClassVar[float] = inf

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """The count, with the ids as the remark; not applicable when the question forbids nothing."""
        if not question.forbid:
            return self.not_applicable(question, "the question forbids nothing")
        known, forbidden = shown(trace), Evidence(question.forbid)
        cited = [item for item in cited_ids(text) if item in known and touches(known[item], forbidden)]
        return self.scored(question, len(cited), f"forbidden: {', '.join(cited)}" if cited else "")


@dataclass(frozen=True)
class CitationCorrectness(_Cited):
    """Which share of the distinct cited ids is a shown passage that touches the evidence; an invented id does not."""

    family: ClassVar[str] = "citation_correctness"
    label: ClassVar[str] = "Citation correctness"
    formula: ClassVar[str] = "cited passages that share a character with the evidence / distinct cited ids"
    source: ClassVar[str] = "gold-based counterpart of citation precision, Gao et al. 2023 (ALCE), arXiv 2305.14627"

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """Not applicable without evidence or when nothing is cited."""
        cited, known = cited_ids(text), shown(trace)
        if reason := without_evidence(question) or ("" if cited else "cites nothing"):
            return self.not_applicable(question, reason)
        right = [item for item in cited if item in known and any(touches(known[item], group) for group in question.evidence)]
        return self.scored(question, len(right) / len(cited))


@dataclass(frozen=True)
class CitationCoverage(_Cited):
    """Which share of the evidence is pointed at by a citation; an answer that cites nothing covers nothing."""

    family: ClassVar[str] = "citation_coverage"
    label: ClassVar[str] = "Citation coverage"
    formula: ClassVar[str] = "evidence groups that a cited passage touches / evidence groups"
    source: ClassVar[str] = "gold-based counterpart of citation recall, Gao et al. 2023 (ALCE), arXiv 2305.14627"

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """Not applicable without evidence."""
        if reason := without_evidence(question):
            return self.not_applicable(question, reason)
        known = shown(trace)
        passages = [known[item] for item in cited_ids(text) if item in known]
        covered = [any(touches(passage, group) for passage in passages) for group in question.evidence]
        return self.scored(question, sum(covered) / len(covered))


@dataclass(frozen=True)
class UncitedClaimRate(_Cited):
    """Which share of the sentences that state something carries no citation."""

    family: ClassVar[str] = "uncited_claim_rate"
    label: ClassVar[str] = "Uncited claim rate"
    formula: ClassVar[str] = "sentences that state a fact and carry no citation / sentences that state a fact"
    source: ClassVar[str] = "this project; sentence level as in Gao et al. 2023 (ALCE), arXiv 2305.14627"
    higher_is_better: ClassVar[bool] = False

    def of_answer(self, question: Question, trace: Trace, text: str) -> Score:
        """Not applicable when no sentence states anything (only questions, headings or nothing)."""
        carried = claims(text)
        if not carried:
            return self.not_applicable(question, "no sentence states a fact")
        return self.scored(question, sum(not cited for cited in carried) / len(carried))


def shown(trace: Trace) -> dict[str, Span]:
    """Span of every passage the generator was shown, by chunk_id."""
    return {hit.chunk.chunk_id: hit.chunk.span for hit in trace.context.hits}


def claims(text: str) -> list[bool]:
    """Per sentence that states a fact, whether it carries a citation.

    Headings, questions, and lines that introduce a list state none. Which citation belongs to which sentence is told by
    `statements`: `Fact. [a]` and a line `[a] Fact.` are both cited.
    """
    return [bool(item.ids) for item in statements(text) if _states_a_fact(item.text)]


def _states_a_fact(sentence: str) -> bool:
    return bool(words(sentence)) and not _NO_FACT.search(sentence)
