"""What failed on one question of a run, and at which station, from its scores and its trace."""

import re
from collections.abc import Mapping

from harness.types import Trace

_RECALL = re.compile(r"(?:(.+)/)?recall_at_(\d+)")
_CITATIONS = {"citation_correctness": 1.0, "citation_validity": 1.0, "invented_citations": 0.0, "forbidden_citations": 0.0}
"""Metrics of citations and the value of a good answer."""


def what_failed(answerable: bool, scores: Mapping[str, float], trace: Trace | None, error: str = "") -> tuple[str, str] | None:
    """Station and words of the first thing that went wrong; None when nothing did.

    A question that should be answered fails when evidence is missing among the passages shown, when it is refused, or when
    a citation is wrong; one that should be refused, when it is answered.
    """
    if trace is None:
        return "error", f"it could not be asked: {error or 'no trace was kept'}"
    refused = trace.answer is not None and trace.answer.refused
    if not answerable:
        answered = trace.answer is not None and not refused
        return ("false_answer", "it was answered although it should be refused") if answered else None
    if lost := _lost(scores):
        return lost
    if trace.answer is not None and refused:
        station = trace.answer.refusal_reason.partition(":")[0].strip()
        known = station if station in ("answerability", "generator", "verification") else "generator"
        return known, f"it was refused although it can be answered ({trace.answer.refusal_reason[:200]})"
    wrong = [f"{name} {scores[name]:.2f}" for name, good in _CITATIONS.items() if scores.get(name, good) != good]
    return ("citation", f"its citations are wrong ({', '.join(wrong)})") if wrong else None


def _lost(scores: Mapping[str, float]) -> tuple[str, str] | None:
    """The first station after which evidence was missing for good, when some was missing among the passages shown."""
    recall = _deepest(scores)
    shown = recall.get("context", recall.get("reranked"))
    if shown is None or shown >= 1:
        return None
    retrieved = [value for name, value in recall.items() if name not in ("fused", "reranked", "context")]
    fused, reranked = recall.get("fused", 1.0), recall.get("reranked", 1.0)
    words = f"{shown:.0%} of its evidence was among the passages shown"
    if fused < 1:
        return ("retrieval" if max(retrieved, default=0.0) < 1 else "fusion"), words
    return ("reranking" if reranked < 1 else "context"), words


def _deepest(scores: Mapping[str, float]) -> dict[str, float]:
    """Recall at the greatest depth by station; the plain metric is that of the reranked hits."""
    depths: dict[str, int] = {}
    values: dict[str, float] = {}
    for name, value in scores.items():
        if found := _RECALL.fullmatch(name):
            station, depth = found[1] or "reranked", int(found[2])
            if depth > depths.get(station, 0):
                depths[station], values[station] = depth, value
    return values
