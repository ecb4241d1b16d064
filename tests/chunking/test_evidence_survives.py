"""What people marked in documents is still there after cutting."""

from pathlib import Path

import pytest

from harness.chunking.fixed import Fixed
from harness.chunking.markdown import Markdown
from harness.chunking.propositions import Propositions
from harness.chunking.recursive import Recursive
from harness.chunking.semantic import Semantic
from harness.chunking.sentence_window import SentenceWindow
from harness.chunking.two_tier import TwoTier
from harness.embedding.hashing import Hashing
from harness.golden.formats import beir
from harness.golden.formats.foreign import store
from harness.golden.golden_set import load
from harness.golden.unreachable import unreachable
from harness.protocols import Chunker
from tests.contracts.chunker import own
from tests.golden.public import ROOT, public

CHUNKERS = [
    Fixed(),
    Recursive(),
    Recursive(size=64, overlap=0.3),
    Markdown(),
    Markdown(size=64, overlap=0),
    TwoTier(),
    SentenceWindow(),
    Propositions(),
    Semantic(Hashing(), threshold=0.1),
]
SHIPPED = sorted(path.parent for path in (ROOT / "golden_sets").glob("*/golden_set.yaml"))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
@pytest.mark.parametrize("chunker", CHUNKERS, ids=repr)
def test_no_chunker_loses_evidence_of_a_shipped_set(chunker: Chunker, folder: object) -> None:
    golden = load(folder)  # type: ignore[arg-type]
    chunks = own([chunk for document in golden.documents for chunk in chunker.chunk(document)])
    assert unreachable(golden, chunks, golden.coverage) == []


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_the_default_chunker_keeps_every_quote_of_a_shipped_set_inside_one_chunk(folder: object) -> None:
    golden = load(folder)  # type: ignore[arg-type]
    spans = [chunk.span for document in golden.documents for chunk in Markdown().chunk(document)]
    quotes = [span for question in golden.questions for evidence in question.evidence for span in evidence.alternatives]
    cut = [
        quote
        for quote in quotes
        if not any(span.doc_id == quote.doc_id and span.start <= quote.start and quote.end <= span.end for span in spans)
    ]
    assert cut == []


@pytest.mark.public_data
def test_recursive_loses_no_span_of_the_chunking_evaluation_and_cuts_few(tmp_path: Path) -> None:
    golden = store(beir.read(public("chunking_eval")), tmp_path / "chunking_eval")
    assert golden is not None
    assert sum(len(evidence.alternatives) for question in golden.questions for evidence in question.evidence) == 790
    chunks = [chunk for document in golden.documents for chunk in Recursive(size=200, overlap=0.1).chunk(document)]
    assert unreachable(golden, chunks, 0.9) == []
    whole = [chunk.span for chunk in chunks]
    spans = [span for question in golden.questions for evidence in question.evidence for span in evidence.alternatives]
    kept = sum(
        any(other.doc_id == span.doc_id and other.start <= span.start and span.end <= other.end for other in whole)
        for span in spans
    )
    assert kept / len(spans) > 0.75
