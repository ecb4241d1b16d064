"""One question under one judge: what the answer states, what was shown, and each verdict asked for once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.cache import checked_verdicts
from harness.errors import StageError
from harness.generation.citations import without_citations
from harness.generation.statements import Statement
from harness.judging.claims import stating
from harness.protocols import ClaimSplitter, SupportModel
from harness.types import Question, Support, Trace

UNSHOWN = Support(0.0, False, "there is no passage that could support it")
"""The verdict on any claim where no passage stands behind it; no model is asked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a metric found on a question."""

    value: float | None
    """The number; None: the metric does not apply."""
    reason: str
    """How it came about, or why it does not apply."""


class Reading:
    """The answer to one question as its judged metrics read it.

    A failure of splitter or support model is kept like a verdict: whoever needs that very verdict gets the error again, and
    nobody else does.
    """

    def __init__(
        self, question: Question, trace: Trace, splitter: ClaimSplitter, support: SupportModel, partial_at: float
    ) -> None:
        self.question = question
        self.answer = trace.answer
        self.passages = tuple(hit.chunk.indexed_text for hit in trace.context.hits)
        self.by_id = {hit.chunk.chunk_id: hit.chunk.indexed_text for hit in trace.context.hits}
        self._splitter = splitter
        self._support = support
        self._partial_at = partial_at
        self._kept: dict[Any, Any] = {}

    @property
    def unanswered(self) -> str:
        """Why there is nothing to read: no answer or a refusal; empty otherwise."""
        if self.answer is None:
            return "no answer was generated"
        return "the answer is a refusal" if self.answer.refused else ""

    @cached_property
    def bare_answer(self) -> str:
        """The answer's text without citations."""
        return without_citations(self.answer.text) if self.answer else ""

    @cached_property
    def sentences(self) -> list[Statement]:
        """The answer's sentences that state something, with what they cite."""
        return stating(self.answer.text) if self.answer else []

    def claims(self) -> Sequence[str]:
        """The answer's claims."""
        text = self.answer.text if self.answer else ""
        return self._once(("claims", text), lambda: tuple(self._splitter.split(text)))  # type: ignore[no-any-return]

    def reference_claims(self) -> Sequence[str]:
        """The claims of the question's reference."""
        text = self.question.reference
        return self._once(("claims", text), lambda: tuple(self._splitter.split(text)))  # type: ignore[no-any-return]

    def verdicts(self, claims: Sequence[str], passages: Sequence[str]) -> list[Support]:
        """One verdict per claim by the passages together; blank passages are none.

        Raises:
            StageError: when the support model failed on one of them.
        """
        shown = tuple(passage for passage in passages if passage.strip())
        if not shown:
            return [UNSHOWN for _ in claims]
        new = [claim for claim in dict.fromkeys(claims) if (claim, shown) not in self._kept]
        if new:
            self._kept |= self._asked(new, shown)
        return [self._found((claim, shown)) for claim in claims]

    def degree(self, verdict: Support) -> float:
        """1 for full, .5 for partial and 0 for no support."""
        if verdict.supported:
            return 1.0
        return 0.5 if verdict.probability >= self._partial_at else 0.0

    def _asked(self, claims: Sequence[str], shown: tuple[str, ...]) -> dict[Any, Support | StageError]:
        try:
            given = checked_verdicts(self._support.support(claims, shown), claims, self._support.identity)
        except StageError as error:
            return {(claim, shown): error for claim in claims}
        return {(claim, shown): verdict for claim, verdict in zip(claims, given, strict=True)}

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._kept:
            try:
                self._kept[key] = make()
            except StageError as error:
                self._kept[key] = error
        return self._found(key)

    def _found(self, key: Any) -> Any:
        if isinstance(self._kept[key], StageError):
            raise self._kept[key]
        return self._kept[key]


def faults(claims: Sequence[str], verdicts: Sequence[Support]) -> list[str]:
    """Every claim that is not supported, with the reason."""
    pairs = zip(claims, verdicts, strict=True)
    return [f"{claim!r}: {verdict.reason or 'not supported'}" for claim, verdict in pairs if not verdict.supported]


def told(headline: str, details: Sequence[str]) -> str:
    """A reason: what was counted, then every fault."""
    return "; ".join([headline, *details])
