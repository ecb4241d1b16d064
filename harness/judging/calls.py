"""How often a judge of claims asks its models, for an answer of a size that is taken as usual."""

from collections.abc import Collection

from harness.judging.yes_no import YesNoSupport
from harness.protocols import ClaimSplitter, SupportModel

SENTENCES = 3
"""Sentences of the answer, each with one claim and one citation."""
_CITED = frozenset({"citation_recall", "citation_precision", "citation_support_recall", "citation_support_precision"})
_COMPANIONS = frozenset({"hallucination", "self_knowledge", "noise_sensitivity", "context_utilization"})


def calls_of(metrics: Collection[str], splitter: ClaimSplitter, support: SupportModel) -> int:
    """Calls for one question, at most: claims are split once, and each pair of claims and passages is read once."""
    support = getattr(support, "inner", support)
    cited, compared = bool(_CITED & set(metrics)), bool(_COMPANIONS & set(metrics))
    nuggets = any(name.startswith("answer_correctness_") for name in metrics)
    whole = ("faithfulness" in metrics or compared) + 3 * compared + nuggets
    single = SENTENCES * 3 * cited
    splits = (1 + compared) * hasattr(splitter, "llm")
    if not hasattr(support, "llm"):
        return splits
    return splits + whole * (SENTENCES if isinstance(support, YesNoSupport) else 1) + single
