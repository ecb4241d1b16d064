"""The matrix of options: each chunker with each way of asking and each policy for copies really cuts and indexes a corpus.

That every option of every group composes and builds is held in tests/build. Here the keyless ones do their work on fernhill, and on
real documentation where that is present; those that ask a language model are answered by a scripted server, on few documents.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from harness.answerability.never import NeverRefuse
from harness.build.experiment import build_pipeline
from harness.build.overrides import parse
from harness.build.sources import groups
from harness.context import TopPassages
from harness.corpus.duplicates import Duplicates
from harness.corpus.loader import load_folder
from harness.embedding.hashing import Hashing
from harness.fusion import ReciprocalRankFusion
from harness.golden.golden_set import GoldenSet, load
from harness.golden.unreachable import unreachable
from harness.pipeline import IndexedPipeline, Pipeline
from harness.protocols import Chunker, QuestionWriter
from harness.reranking.none import NoReranker
from harness.resources import shipped_root
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.store import Store
from harness.types import Chunk, Document
from tests.builders import question
from tests.fake_openai import FakeOpenAI, Reply, ok
from tests.golden.public import public

Stage = Callable[..., Any]
"""slot, option and further words to the stage."""

ROOT = shipped_root()
SLOTS = ("chunker", "doc2query", "duplicates")
ASKING = [
    (slot, option)
    for slot in SLOTS
    for option in groups()[slot]
    if "_target_: harness.llm." in (ROOT / "conf" / slot / f"{option}.yaml").read_text("utf-8")
]
"""Options that ask a language model."""
CHUNKERS, WRITERS, POLICIES = ([item for item in groups()[slot] if (slot, item) not in ASKING] for slot in SLOTS)
ORIGINAL, COPY = "policies/returns.md", "policies/returns2.md"


@dataclass(frozen=True)
class Once:
    """A chunker and a writer of questions that do each piece of work once, however many indexes are built of it."""

    chunker: Chunker
    writer: QuestionWriter | None
    chunks: dict[str, Sequence[Chunk]] = field(default_factory=dict)
    asked: dict[str, Sequence[str]] = field(default_factory=dict)

    def chunk(self, document: Document) -> Sequence[Chunk]:
        if document.doc_id not in self.chunks:
            self.chunks[document.doc_id] = self.chunker.chunk(document)
        return self.chunks[document.doc_id]

    def questions(self, chunk: Chunk) -> Sequence[str]:
        assert self.writer is not None
        if chunk.chunk_id not in self.asked:
            self.asked[chunk.chunk_id] = self.writer.questions(chunk)
        return self.asked[chunk.chunk_id]


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """Makes the stage of an option once, with hashing where it embeds."""
    store = Store(tmp_path_factory.mktemp("matrix") / "stages.sqlite")

    @cache
    def made(slot: str, option: str, *words: str) -> Any:
        found = getattr(build_pipeline(parse([f"{slot}={option}", *words])[0], store, [slot])[0], slot)
        return replace(found, embedder=Hashing()) if hasattr(found, "embedder") else found

    return made


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    """Fernhill, with a copy of one document in its corpus."""
    found = load(ROOT / "golden_sets" / "fernhill")
    original = next(item for item in found.documents if item.doc_id == ORIGINAL)
    return replace(found, documents=(*found.documents, replace(original, doc_id=COPY)))


@pytest.fixture(scope="module")
def once(stage: Stage) -> Callable[[str, str], Once]:
    """The chunker of an option with the writer of another."""
    cut: Mapping[str, dict[str, Sequence[Chunk]]] = {option: {} for option in CHUNKERS}
    return cache(lambda option, writer: Once(stage("chunker", option), stage("doc2query", writer), cut[option]))


@pytest.fixture(scope="module")
def real_documents(tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, ...]:
    """Documentation of three projects, through the loaders."""
    folder = tmp_path_factory.mktemp("real")
    for line in (public("real_docs") / "corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        path = folder / row["_id"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(row["text"], "utf-8")
    return load_folder(folder).documents


@pytest.fixture(scope="module")
def server() -> Iterator[FakeOpenAI]:
    """Answers whoever asks for propositions or questions."""
    with FakeOpenAI() as fake:
        fake.script("scripted", _scripted)
        yield fake


def _scripted(request: Mapping[str, Any]) -> Reply:
    shown = request["messages"][-1]["content"]
    if shown.startswith("<<<heading "):
        lines = [line.removeprefix("| ") for line in shown.partition("<<<passage ")[2].splitlines()[1:-1]]
        return ok(json.dumps({"propositions": [lines[0], lines[-1][-40:]]}))
    return ok(json.dumps({"questions": ["What does the returned device need?"]}))


def indexed(documents: Sequence[Document], part: Once, policy: Any = None) -> IndexedPipeline:
    """Words and hashing over the chunks, fused."""
    return Pipeline(
        chunker=part,
        embedder=Hashing(),
        retrievers={"bm25": BM25(), "dense": Dense()},
        fuser=ReciprocalRankFusion(),
        reranker=NoReranker(),
        context=TopPassages(),
        answerability=NeverRefuse(),
        duplicates=policy or Duplicates(),
        doc2query=part if part.writer else None,
    ).index(documents)


def faults(document: Document, chunks: Sequence[Chunk]) -> list[str]:
    """What a chunker must not do: lose characters, change words, repeat ids, leave a chunk where no search gets to it."""
    covered = bytearray(len(document.text))
    for chunk in chunks:
        covered[chunk.span.start : chunk.span.end] = b"\1" * len(chunk.span)
    lost = [place for place, letter in enumerate(document.text) if not letter.isspace() and not covered[place]]
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    led_to = {chunk.parent for chunk in chunks if chunk.parent and chunk.searched}
    found = {
        f"loses {len(lost)} characters from {lost[:1]} on": bool(lost),
        "repeats an id": len(by_id) != len(chunks),
        "changes words": any(chunk.text != document.text[chunk.span.start : chunk.span.end] for chunk in chunks),
        "names a parent that is not there": not {chunk.parent for chunk in chunks if chunk.parent} <= by_id.keys(),
        "has a child outside of its parent": any(
            _outside(chunk, by_id[chunk.parent]) for chunk in chunks if chunk.parent in by_id
        ),
        "has a chunk that nothing finds": any(not chunk.searched and chunk.chunk_id not in led_to for chunk in chunks),
        "has search_text without a parent": any(chunk.search_text and not chunk.parent for chunk in chunks),
    }
    return [f"{document.doc_id} {fault}" for fault, is_so in found.items() if is_so]


def _outside(child: Chunk, parent: Chunk) -> bool:
    return not (parent.span.start <= child.span.start and child.span.end <= parent.span.end)


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_chunker_keeps_all_of_fernhill(chunker: str, golden: GoldenSet, once: Callable[[str, str], Once]) -> None:
    cutter = once(chunker, "none")
    assert [fault for item in golden.documents for fault in faults(item, cutter.chunk(item))] == []


@pytest.mark.parametrize("chunker", CHUNKERS)
def test_the_evidence_of_every_question_is_in_the_chunks_of_every_chunker(
    chunker: str, golden: GoldenSet, once: Callable[[str, str], Once]
) -> None:
    chunks = [chunk for item in golden.documents for chunk in once(chunker, "none").chunk(item)]
    assert unreachable(golden, chunks, golden.coverage) == []


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("chunker", CHUNKERS)
def test_every_chunker_works_with_every_writer_of_questions_and_every_policy_for_copies(
    chunker: str, writer: str, policy: str, golden: GoldenSet, once: Callable[[str, str], Once], stage: Stage
) -> None:
    system = indexed(golden.documents, once(chunker, writer), stage("duplicates", policy))
    found = system.answer(question(text="Which parcels are refused without an RMA number?")).fused
    texts = {(hit.chunk.span.start, hit.chunk.text) for hit in found.hits}
    assert len(found) == len({hit.chunk.chunk_id for hit in found.hits}) >= 20
    assert not any(hit.chunk.parent for hit in found.hits)
    assert any(hit.chunk.span.doc_id == ORIGINAL for hit in found.top(10).hits)
    copies = {item.doc_id: item.copies for item in system.documents}
    assert (COPY in copies, copies[ORIGINAL]) == (policy == "keep", (COPY,) if policy == "link" else ())
    assert len(texts) > 10
    assert {chunk.span.doc_id for chunk in system.chunks} == {item.doc_id for item in system.documents}


@pytest.mark.public_data
@pytest.mark.parametrize("chunker", CHUNKERS)
def test_a_chunker_keeps_and_indexes_all_of_real_documentation(
    chunker: str, stage: Stage, real_documents: tuple[Document, ...]
) -> None:
    part = Once(stage("chunker", chunker), stage("doc2query", "none"))
    assert len(real_documents) > 100
    assert [fault for item in real_documents for fault in faults(item, part.chunk(item))] == []
    hits = indexed(real_documents, part).answer(question(text="How is a hydra config composed?")).fused.top(5).hits
    assert any("hydra" in hit.chunk.span.doc_id for hit in hits)


def test_the_options_that_ask_a_language_model_are_these() -> None:
    assert ASKING == [("chunker", "proposition_llm"), ("doc2query", "llm")]


@pytest.mark.parametrize(("slot", "option"), ASKING)
def test_an_option_that_asks_a_language_model_cuts_and_indexes_what_it_replies(
    slot: str, option: str, golden: GoldenSet, stage: Stage, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    model = stage(slot, option, f"{slot}.llm.model=openai/scripted", f"{slot}.llm.api_base={server.url}")
    part = Once(model, None) if slot == "chunker" else Once(stage("chunker", "markdown"), model)
    documents = [item for item in golden.documents if item.doc_id in (ORIGINAL, "prices/price-list.csv")]
    assert [fault for item in documents for fault in faults(item, part.chunk(item))] == []
    system = indexed(documents, part)
    assert any(chunk.parent if slot == "chunker" else chunk.questions for chunk in system.chunks)
    assert system.answer(question(text="What does the returned device need?")).fused.hits[0].chunk.span.doc_id == ORIGINAL
