"""How far a question's words stand in its evidence: where all do, word matching alone solves it; where none does, it cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from harness.terms import stems
from harness.types import Document, Question

# fmt: off
ASKING = (
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "do", "does", "did", "can", "could", "should", "would",
    "may", "must", "has", "have", "had", "am", "been", "were", "i", "me", "my", "we", "us", "our", "you", "your", "its", "from", "about",
    "many", "much",
)
# fmt: on
"""Words of asking, which say nothing of what is asked; left out beside the stop words of `harness.terms`."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Lexical overlap of questions with their evidence."""

    n: int
    """Questions with evidence and at least one content word."""
    median: float | None
    """Median share of a question's content stems that its evidence holds; None without such questions."""
    none: tuple[str, ...]
    """Ids of the questions that share no stem with their evidence."""

    @property
    def none_share(self) -> float:
        """Share of such questions, 0 to 1."""
        return len(self.none) / self.n if self.n else 0.0


def shares(questions: Sequence[Question], documents: Sequence[Document]) -> dict[str, float]:
    """By question_id the share of its content stems found in any of its evidence, 0 to 1.

    Questions without evidence or without content words are left out.
    """
    texts = {document.doc_id: document.text for document in documents}
    asked = [question for question in questions if question.evidence]
    asking = frozenset(word for found in stems(ASKING) for word in found)
    wanted = [frozenset(found) - asking for found in stems([question.text for question in asked])]
    held = [frozenset(found) for found in stems([_evidence(question, texts) for question in asked])]
    return {
        question.question_id: len(words & evidence) / len(words)
        for question, words, evidence in zip(asked, wanted, held, strict=True)
        if words
    }


def summarised(found: Mapping[str, float]) -> Overlap:
    """The overlap of the questions whose shares are given."""
    none = tuple(sorted(name for name, share in found.items() if share == 0))
    return Overlap(len(found), median(found.values()) if found else None, none)


def _evidence(question: Question, texts: Mapping[str, str]) -> str:
    spans = [span for evidence in question.evidence for span in evidence.alternatives]
    return "\n".join(texts[span.doc_id][span.start : span.end] for span in spans)
