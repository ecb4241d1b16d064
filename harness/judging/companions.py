"""Faithfulness' companions (Ru et al. 2024, RAGChecker, arXiv 2408.08067): where wrong and right claims come from.

A claim of the answer is right when the question's reference supports it, and grounded when the passages shown do. RAGChecker
asks about each passage by itself; here the passages are read together, as everywhere in this project.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.judging.reading import Finding, Reading, told


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Claims of the answer, each with whether it is right and grounded."""

    claims: Sequence[str]
    right: Sequence[bool]
    grounded: Sequence[bool]

    def share(self, right: bool, grounded: bool, what: str) -> Finding:
        """The share of claims of one kind, named."""
        rows = zip(self.claims, self.right, self.grounded, strict=True)
        kind = [claim for claim, is_right, is_grounded in rows if (is_right, is_grounded) == (right, grounded)]
        return Finding(
            len(kind) / len(self.claims),
            told(f"{len(kind)} of {len(self.claims)} claims are {what}", [repr(item) for item in kind]),
        )


def hallucination(reading: Reading) -> Finding:
    """Wrong claims that no passage shown supports / claims."""
    return _share(reading, right=False, grounded=False, what="wrong and not in the passages")


def self_knowledge(reading: Reading) -> Finding:
    """Right claims that no passage shown supports / claims."""
    return _share(reading, right=True, grounded=False, what="right and not in the passages")


def noise_sensitivity(reading: Reading) -> Finding:
    """Wrong claims that the passages shown support / claims."""
    return _share(reading, right=False, grounded=True, what="wrong and in the passages")


def context_utilization(reading: Reading) -> Finding:
    """Claims of the reference that both passages and answer support / those that the passages support."""
    if reason := _nothing_to_compare(reading):
        return Finding(None, reason)
    claims = reading.reference_claims()
    found = [
        claim for claim, verdict in zip(claims, reading.verdicts(claims, reading.passages), strict=True) if verdict.supported
    ]
    if not found:
        return Finding(None, "the passages shown support no claim of the reference")
    verdicts = reading.verdicts(found, [reading.bare_answer])
    left = [claim for claim, verdict in zip(found, verdicts, strict=True) if not verdict.supported]
    used = len(found) - len(left)
    headline = f"{used} of {len(found)} reference claims in the passages are in the answer"
    return Finding(used / len(found), told(headline, [f"left out: {claim!r}" for claim in left]))


def _share(reading: Reading, right: bool, grounded: bool, what: str) -> Finding:
    if reason := _nothing_to_compare(reading):
        return Finding(None, reason)
    claims = reading.claims()
    if not claims:
        return Finding(None, "the answer states no claim")
    by_reference = reading.verdicts(claims, [reading.question.reference])
    by_passages = reading.verdicts(claims, reading.passages)
    found = _Sorted(claims, [item.supported for item in by_reference], [item.supported for item in by_passages])
    return found.share(right, grounded, what)


def _nothing_to_compare(reading: Reading) -> str:
    return reading.unanswered or ("" if reading.question.reference.strip() else "the question has no reference")
