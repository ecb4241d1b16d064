"""Golden questions and the evidence that answers them."""

from dataclasses import dataclass

from harness.types.text import Span


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that must be found: any of its alternatives will do."""

    alternatives: tuple[Span, ...]
    """Spans that state it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation before the question."""

    role: str
    """user or assistant."""
    content: str
    """What was said."""


@dataclass(frozen=True, slots=True)
class Nugget:
    """One fact that a right answer states (Pradeep et al. 2024, arXiv 2411.09607)."""

    text: str
    """The fact as a sentence."""
    vital: bool = True
    """Whether an answer without it is incomplete; the others are worth having."""


@dataclass(frozen=True, slots=True)
class Question:
    """One golden question; the fields are those of golden_sets/*/questions.jsonl."""

    question_id: str
    """Unique in the set, never reused."""
    text: str
    """What is asked."""
    kind: str = "factoid"
    """factoid, multi_hop, table, code, unanswerable, ..."""
    evidence: tuple[Evidence, ...] = ()
    """All of these are needed (AND); inside each any alternative will do (OR)."""
    answers: tuple[str, ...] = ()
    """Accepted short answers."""
    reference: str = ""
    """A full reference answer."""
    nuggets: tuple[Nugget, ...] = ()
    """Facts that a right answer states."""
    answerable: bool = True
    """False: the right behaviour is to refuse."""
    reason: str = ""
    """Why it cannot be answered (refusal_reason)."""
    history: tuple[Turn, ...] = ()
    """Turns before the question, oldest first."""
    persona: str = ""
    """Tenant of the asker."""
    as_of: str = ""
    """ISO date on which it is asked."""
    forbid: tuple[Span, ...] = ()
    """What must not be retrieved or cited; a whole document is its full span."""
    canaries: tuple[str, ...] = ()
    """Words that only an answer which obeys a planted instruction holds."""
    conflict: bool = False
    """Sources disagree; both must be cited."""
    tags: tuple[str, ...] = ()
    """Free labels for slices."""
    split: str = "test"
    """tune is for choosing, test for the claim."""
    group: str = ""
    """Source document or story: the cluster of the statistics."""
