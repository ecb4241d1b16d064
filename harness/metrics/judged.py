"""What the judged metrics mean. They are computed in harness.judging; a judge is not deterministic."""

from harness.metrics.base import Description

_RAGAS = "Es et al. 2023 (Ragas), arXiv 2309.15217"
_CHECKER = "Ru et al. 2024 (RAGChecker), arXiv 2408.08067"
_ALCE = "Gao et al. 2023 (ALCE), arXiv 2305.14627"
_TREC_RAG = "Thakur et al. 2025 (TREC RAG 2024 support), arXiv 2504.15205"
_NUGGETS = "Pradeep et al. 2024 (AutoNuggetizer), arXiv 2411.09607"

_ROWS = (
    ("faithfulness", "Faithfulness", "claims of the answer that the passages shown support / claims", _RAGAS),
    ("answer_relevancy", "Answer relevancy", "similarity of questions generated from the answer to the question", _RAGAS),
    ("context_precision", "Context precision", "mean precision at the ranks of relevant passages", _RAGAS),
    ("context_recall", "Context recall", "statements of the reference that the passages shown support / statements", _RAGAS),
    ("self_knowledge", "Self-knowledge", "right claims that no passage shown supports / claims", _CHECKER),
    ("context_utilization", "Context utilisation", "reference claims in both passages and answer / those in passages", _CHECKER),
    ("citation_recall", "Citation recall", "sentences that their cited passages together entail / sentences", _ALCE),
    ("citation_precision", "Citation precision", "citations without which their sentence is not entailed / citations", _ALCE),
    ("citation_support", "Citation support", "support of sentences by their citations: full 1, partial .5, none 0", _TREC_RAG),
    (
        "answer_correctness",
        "Answer correctness",
        "nuggets of the question that the answer states, .5 for partial / nuggets",
        _NUGGETS,
    ),
    ("nugget_recall", "Nugget recall", "nuggets of the question that the answer states, .5 for partial / nuggets", _NUGGETS),
)
_WORSE = (
    ("hallucination", "Hallucination", "wrong claims that no passage shown supports / claims", _CHECKER),
    ("noise_sensitivity", "Noise sensitivity", "wrong claims that a passage shown supports / claims", _CHECKER),
)

JUDGED = (
    *(Description(*row, kind="judged", deterministic=False) for row in _ROWS),
    *(Description(*row, kind="judged", deterministic=False, higher_is_better=False) for row in _WORSE),
)
"""Descriptions of every judged metric, by id."""
