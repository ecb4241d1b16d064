"""A corpus of nine documents with real indexes, and traces through it made by hand."""

from collections.abc import Mapping, Sequence
from functools import cache

from harness.answerability.threshold import Threshold
from harness.attribution.attribute import attribute
from harness.attribution.stations import Attribution
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.hashing import Hashing
from harness.fusion import ReciprocalRankFusion
from harness.pipeline import Depth, IndexedPipeline, Pipeline
from harness.reranking.lexical import Lexical
from harness.retrieval.sparse import BM25
from harness.types import Answer, Assessment, Chunk, Document, Query, Question, Ranking, Span, Trace
from tests.builders import question, ranking

TAU = 0.9
DEPTH = Depth(candidates=4, reranked=3, shown=2)
WHOLE = (0, 40)
"""The evidence of a document: its first forty characters."""

TEXTS = {
    "a": "The probe runs on two cells of the AA size. One probe.",
    "b": "The probe needs water for an hour, and the probe rests after it. Two probes.",
    "c": "The probe is blue, probe covers are blue and probe boxes are blue: probe, probe, probe.",
    "d": "The probe ships on Monday, a second probe ships on Friday, a third probe on demand.",
    "e": "The probe costs nine euros with all of the many cables that somebody may ever want to have.",
    "split": "Half of this stands in one chunk, and half of it stands in another one.",
    "holes": "Only the start of this document is in a chunk, the rest of it is nowhere.",
    "secret": "Acme pays seven euros for every probe that they order from us this year.",
    "old": "Firmware one kept the readings of a probe for seven days and then forgot.",
}
DOCUMENTS = tuple(
    Document(name, text, tenant="acme" if name == "secret" else "", valid_to="2025-01-01" if name == "old" else "")
    for name, text in TEXTS.items()
)
CUTS = {"split": ((0, 25), (25, 71)), "holes": ((0, 20),)}
CHUNKS = {
    (name, start): Chunk(Span(name, start, end), text[start:end])
    for name, text in TEXTS.items()
    for start, end in CUTS.get(name, ((0, len(text)),))
}


@cache
def system(calibrated: bool = True) -> IndexedPipeline:
    """The indexed corpus; only BM25, and its chunks are those of `CHUNKS`."""
    from harness.reranking.none import NoReranker

    recipe = Pipeline(
        chunker=Recursive(),
        embedder=Hashing(),
        retrievers={"bm25": BM25()},
        fuser=ReciprocalRankFusion(),
        reranker=Lexical() if calibrated else NoReranker(),
        context=TopPassages(max_tokens=60),
        answerability=Threshold(0.5),
        depth=DEPTH,
    )
    chunks = tuple(CHUNKS.values())
    return IndexedPipeline(recipe, DOCUMENTS, chunks, {"bm25": BM25().index(chunks, Hashing())}, "2026-01-01")


def place(names: str) -> Ranking:
    """`a b split+25` as a ranking: documents by name, a later chunk by its start."""
    parts = [item.partition("+") for item in names.split()]
    return ranking(*(CHUNKS[name, int(start or 0)] for name, _, start in parts))


def passed(
    bm25: str = "",
    dense: str = "",
    fused: str = "",
    reranked: str = "",
    context: str = "",
    answer: Answer | None = None,
    **fields: object,
) -> Trace:
    """A trace by the names of what stood in each ranking."""
    return Trace(
        "q1",
        (Query("probe"),),
        {"bm25": place(bm25), "dense": place(dense)},
        place(fused),
        place(reranked),
        place(context),
        answer=answer,
        **fields,  # type: ignore[arg-type]
    )


def asking(*documents: str, **fields: object) -> Question:
    """A question that needs the first forty characters of each document."""
    return question(evidence=[[(name, *WHOLE)] for name in documents], **fields)


def fate(asked: Question, trace: Trace | None, known: IndexedPipeline | None = None, depth: Depth = DEPTH) -> Attribution:
    """What became of one question."""
    traces: Mapping[str, Trace] = {asked.question_id: trace} if trace else {}
    questions: Sequence[Question] = [asked]
    return attribute(questions, traces, TAU, depth, known)[asked.question_id]


def cited(text: str, *documents: str) -> Answer:
    """An answer with citations of the first chunks of documents."""
    return Answer(" ".join([text, *(f"[{CHUNKS[name, 0].chunk_id}]" for name in documents)]))


REFUSAL = Answer("I cannot find this in the knowledge base.", refused=True, refusal_reason="extractive: best overlap 0.16")


def judged(confidence: float, answerable: bool) -> Assessment:
    """What answerability said."""
    return Assessment(answerable, confidence)
