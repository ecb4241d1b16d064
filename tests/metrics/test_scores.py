"""Scores over a small set, end to end: the denominators are those that people expect."""

import pytest

from harness.evaluation import Answers, aggregate, score
from harness.metrics.catalog import default_metrics
from harness.types import Aggregate, Answer, Failure, Trace
from tests.builders import chunk, question, ranking

GOLD, NOISE = chunk("a.md", 0, 50), chunk("z.md", 0, 50)
ASKED = [
    question("found", evidence=[[("a.md", 0, 50)]], answers=("yes",)),
    question("second", evidence=[[("a.md", 0, 50)]], answers=("yes",)),
    question("refused", evidence=[[("a.md", 0, 50)]], answers=("yes",)),
    question("hidden", answerable=False),
    question("failed", evidence=[[("a.md", 0, 50)]]),
]


def left(name: str, *chunks: object, text: str = "", refused: bool = False) -> Trace:
    found = ranking(*chunks)  # type: ignore[arg-type]
    return Trace(
        name, retrieved={"bm25": found}, fused=found, reranked=found, context=found, answer=Answer(text, refused=refused)
    )


@pytest.fixture(scope="module")
def aggregates() -> dict[str, Aggregate]:
    traces = [
        left("found", GOLD, NOISE, text=f"Yes [{GOLD.chunk_id}]."),
        left("second", NOISE, GOLD, text=f"Yes [{NOISE.chunk_id}]."),
        left("refused", text="No.", refused=True),
        left("hidden", NOISE, text="Surely [feedc0ffee00]."),
    ]
    answers = Answers({item.question_id: item for item in traces}, (Failure("failed", "pipeline", "boom"),))
    metrics = default_metrics(["bm25", "reranked"], generation=True, ks=(1, 2))
    return aggregate(score(ASKED, answers, metrics), {})


@pytest.mark.parametrize(
    ("metric", "value", "n", "not_applicable"),
    [
        ("recall_at_1", 1 / 3, 3, 1),
        ("bm25/recall_at_2", 2 / 3, 3, 1),
        ("mrr_at_10", 1.5 / 3, 3, 1),
        ("citation_validity", 2 / 3, 3, 1),
        ("invented_citations", 1 / 4, 4, 0),
        ("citation_correctness", 1 / 2, 2, 2),
        ("citation_coverage", 1 / 2, 2, 2),
        ("uncited_claim_rate", 0.0, 3, 1),
        ("over_refusal_rate", 1 / 3, 3, 1),
        ("false_answer_rate", 1.0, 1, 3),
        ("refusal_recall", 0.0, 1, 3),
        ("refusal_precision", 0.0, 1, 3),
        ("exact_match", 2 / 3, 3, 1),
        ("tenant_leaks", 0.0, 4, 0),
    ],
)
def test_means_have_the_right_denominators(
    aggregates: dict[str, Aggregate], metric: str, value: float | None, n: int, not_applicable: int
) -> None:
    found = aggregates[metric]
    assert (found.n, found.not_applicable, found.errors) == (n, not_applicable, 1)
    assert found.value == (None if value is None else pytest.approx(value))
