"""What the judged metrics mean. They are computed in harness.judging; a judge is not deterministic."""

from harness.metrics.base import Description

_RAGAS = "Es et al. 2023 (Ragas), arXiv 2309.15217"
_CHECKER = "Ru et al. 2024 (RAGChecker), arXiv 2408.08067"
_ALCE = "Gao et al. 2023 (ALCE), arXiv 2305.14627"
_TREC_RAG = "Thakur et al. 2025 (TREC RAG 2024 support), arXiv 2504.15205"
_NUGGETS = "Pradeep et al. 2024 (AutoNuggetizer), arXiv 2411.09607"

_ROWS = (
    ("faithfulness", "Faithfulness", "mean support of the answer's claims by the passages shown / claims", _RAGAS),
    ("answer_relevancy", "Answer relevancy", "similarity of questions generated from the answer to the question", _RAGAS),
    ("context_precision", "Context precision", "mean precision at the ranks of relevant passages", _RAGAS),
    ("context_recall", "Context recall", "statements of the reference that the passages shown support / statements", _RAGAS),
    ("self_knowledge", "Self-knowledge", "right claims that no passage shown supports / claims", _CHECKER),
    ("context_utilization", "Context utilisation", "reference claims in both passages and answer / those in passages", _CHECKER),
    ("citation_recall", "Citation recall", "sentences that their cited passages together support / sentences", _ALCE),
    (
        "citation_precision",
        "Citation precision",
        "citations of supported sentences that support alone or are needed / citations, invented ones included",
        _ALCE,
    ),
    (
        "citation_support_recall",
        "Citation support recall",
        "support of each sentence by its best citation, full 1, partial .5, none 0 / sentences",
        _TREC_RAG,
    ),
    (
        "citation_support_precision",
        "Citation support precision",
        "support of its sentence by each citation, full 1, partial .5, none 0 / citations, invented ones included",
        _TREC_RAG,
    ),
    (
        "answer_correctness_strict_vital",
        "Answer correctness (strict vital)",
        "vital nuggets of the question that the answer states in full / vital nuggets",
        _NUGGETS,
    ),
    (
        "answer_correctness_vital",
        "Answer correctness (vital)",
        "vital nuggets of the question that the answer states, .5 for a part / vital nuggets",
        _NUGGETS,
    ),
    (
        "answer_correctness_all",
        "Answer correctness (all)",
        "nuggets of the question that the answer states, .5 for a part / nuggets",
        _NUGGETS,
    ),
)
_WORSE = (
    ("hallucination", "Hallucination", "wrong claims that no passage shown supports / claims", _CHECKER),
    ("noise_sensitivity", "Noise sensitivity", "wrong claims that the passages shown support / claims", _CHECKER),
)

JUDGED = (
    *(Description(*row, kind="judged", deterministic=False) for row in _ROWS),
    *(Description(*row, kind="judged", deterministic=False, higher_is_better=False) for row in _WORSE),
)
"""Descriptions of every judged metric, by id."""
