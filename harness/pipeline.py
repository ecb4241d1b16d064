"""The order of the stages, and nothing else.

question -> queries -> one ranking per retriever -> fused -> reranked -> context -> answerable? -> answer -> verified
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass as checked

from harness.corpus.duplicates import Duplicates
from harness.elapsed import CACHED, measured
from harness.embedding.fitting import fitted
from harness.errors import CorpusError, StageError
from harness.protocols import (
    Answerability,
    Chunker,
    ContextBuilder,
    DuplicatePolicy,
    Embedder,
    Fuser,
    Generator,
    Index,
    Progress,
    QueryTransformer,
    QuestionWriter,
    Reranker,
    Retriever,
    Verifier,
    silent,
)
from harness.retrieval.expanding import ExpandingIndex, parents
from harness.retrieval.filters import visible
from harness.text import REFUSAL, count_tokens
from harness.types import Answer, Assessment, Chunk, Document, Query, Question, Ranking, Trace


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Depth:
    """How many hits each step passes on; shown <= reranked <= candidates."""

    candidates: Annotated[int, Field(ge=1)] = 50
    """Hits a retriever returns."""
    reranked: Annotated[int, Field(ge=1)] = 20
    """Fused hits the reranker reads."""
    shown: Annotated[int, Field(ge=1)] = 5
    """Passages the generator is shown."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.shown <= self.reranked <= self.candidates:
            raise ValueError(
                f"shown={self.shown} <= reranked={self.reranked} <= candidates={self.candidates} does not hold: "
                "a step cannot pass on more than it gets"
            )
        return self


@dataclass(frozen=True)
class Pipeline:
    """A frozen recipe; `index` builds the system that answers."""

    chunker: Chunker
    """Document to chunks."""
    embedder: Embedder
    """Text to vectors, for dense retrieval."""
    retrievers: Mapping[str, Retriever]
    """First-stage retrieval by name."""
    fuser: Fuser
    """Several rankings to one."""
    hyde: QueryTransformer
    """Question to queries."""
    reranker: Reranker
    """Orders the head of the fused ranking."""
    context: ContextBuilder
    """Picks the passages shown."""
    answerability: Answerability
    """Refuses before generation."""
    duplicates: DuplicatePolicy = field(default_factory=Duplicates)
    """Marks copies, and says which documents are searched."""
    doc2query: QuestionWriter | None = None
    """Writes questions that a chunk answers."""
    generator: Generator | None = None
    """Writes the answer; None is a retrieval-only run."""
    verification: Verifier | None = None
    """Checks the citations."""
    depth: Depth = field(default_factory=Depth)
    """How many hits each step passes on."""

    def chunks(self, documents: Sequence[Document], progress: Progress = silent) -> list[Chunk]:
        """The chunks of all documents, in document order, with the questions they answer.

        Raises:
            StageError: when a chunk would never be found; it names the chunker and the document.
        """
        found: list[Chunk] = []
        for place, document in enumerate(documents):
            progress("chunk documents", place, len(documents))
            found += self._asked(self._cut(document))
        progress("chunk documents", len(documents), len(documents))
        return found

    def _cut(self, document: Document) -> Sequence[Chunk]:
        chunks = self.chunker.chunk(document)
        led = {chunk.parent for chunk in chunks}
        if lost := [chunk for chunk in chunks if not chunk.searched and chunk.chunk_id not in led]:
            raise StageError(
                f"chunker {type(self.chunker).__name__} made a chunk of {document.doc_id!r}, {lost[0].place or lost[0].chunk_id}, that "
                "is not searched and to which no other leads: it would never be found"
            )
        return chunks

    def _asked(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """The chunks with the questions that those without a parent answer; where such a one is not searched, its first child has them."""
        if self.doc2query is None:
            return chunks
        whole = [chunk for chunk in chunks if not chunk.parent]
        firsts = {chunk.parent: chunk.chunk_id for chunk in reversed(chunks)}
        holders = [chunk.chunk_id if chunk.searched else firsts[chunk.chunk_id] for chunk in whole]
        asked = {holder: tuple(self.doc2query.questions(chunk)) for holder, chunk in zip(holders, whole, strict=True)}
        return [replace(chunk, questions=asked.get(chunk.chunk_id, ())) for chunk in chunks]

    def index(self, documents: Sequence[Document], as_of: str = "", progress: Progress = silent) -> "IndexedPipeline":
        """Chunks and indexes a corpus; `as_of` is the day on which undated questions are asked.

        Raises:
            CorpusError: when the documents give no chunk.
        """
        kept = self.duplicates.apply(documents)
        return self.over(kept, self.chunks(kept, progress), as_of, progress)

    def over(
        self, documents: Sequence[Document], chunks: Sequence[Chunk], as_of: str = "", progress: Progress = silent
    ) -> "IndexedPipeline":
        """Indexes chunks that are already cut.

        Raises:
            CorpusError: when there is none.
        """
        if not chunks:
            raise CorpusError(f"{len(documents)} documents give no chunk; add text to the corpus or change chunker")
        entries = [chunk for chunk in chunks if chunk.searched]
        embedder = fitted(self.embedder, entries)
        indexes: dict[str, Index] = {}
        larger = parents(chunks)
        for name, retriever in sorted(self.retrievers.items()):
            built = retriever.index(entries, embedder, progress)
            indexes[name] = ExpandingIndex(built, larger, len(entries)) if larger else built
        return IndexedPipeline(self, tuple(documents), tuple(chunks), indexes, as_of)


@dataclass(frozen=True)
class IndexedPipeline:
    """A pipeline over one corpus: the built-in System."""

    recipe: Pipeline
    """The stages."""
    documents: tuple[Document, ...]
    """The corpus."""
    chunks: tuple[Chunk, ...]
    """What was indexed."""
    indexes: Mapping[str, Index]
    """Built index by retriever name."""
    as_of: str = ""
    """Day on which undated questions are asked."""

    @cached_property
    def by_id(self) -> dict[str, Chunk]:
        """The chunks by chunk_id."""
        return {chunk.chunk_id: chunk for chunk in self.chunks}

    @cached_property
    def statistics(self) -> dict[str, float]:
        """Documents that can be asked, chunks that can be shown, entries of the index and tokens per chunk.

        Documents that an index has withdrawn are among `documents` and have no chunk.
        """
        cut = {chunk.span.doc_id for chunk in self.chunks}
        tokens = [count_tokens(chunk.text) for chunk in self.chunks if not chunk.parent]
        return {
            "documents": sum(not item.deleted_at or item.doc_id in cut for item in self.documents),
            "chunks": len(tokens),
            "entries": sum(chunk.searched for chunk in self.chunks),
            "mean_chunk_tokens": round(sum(tokens) / len(tokens), 3),
            "max_chunk_tokens": max(tokens),
        }

    def answer(self, question: Question) -> Trace:
        """Takes a question through all stages and keeps what each one did."""
        clock = _Clock()
        queries = self._queries(question, clock)
        retrieved = self._retrieve(queries, clock)
        recipe, depth = self.recipe, self.recipe.depth
        with clock("fuse"):
            fused = self._fuse(list(retrieved.values()))
        with clock("rerank"):
            reranked = recipe.reranker.rerank(queries[0], fused.top(depth.reranked))
        with clock("context"):
            context = recipe.context.build(reranked, depth.shown)
        assessment, answer = self._answer(question, queries[0], reranked, context, clock)
        return Trace(question.question_id, queries, retrieved, fused, reranked, context, assessment, answer, dict(clock.seconds))

    def _queries(self, question: Question, clock: "_Clock") -> tuple[Query, ...]:
        allowed = visible(self.documents, question.persona, question.as_of or self.as_of)
        with clock("query"):
            return tuple(replace(query, allowed=allowed) for query in self.recipe.hyde.transform(question))

    def _retrieve(self, queries: Sequence[Query], clock: "_Clock") -> dict[str, Ranking]:
        retrieved = {}
        for name, index in self.indexes.items():
            with clock(f"retrieve_{name}"):
                retrieved[name] = self._fuse(index.search(queries, self.recipe.depth.candidates))
        return retrieved

    def _fuse(self, rankings: Sequence[Ranking]) -> Ranking:
        return rankings[0] if len(rankings) == 1 else self.recipe.fuser.fuse(rankings)

    def _answer(
        self, question: Question, query: Query, reranked: Ranking, context: Ranking, clock: "_Clock"
    ) -> tuple[Assessment | None, Answer | None]:
        recipe = self.recipe
        if recipe.generator is None:
            return None, None
        assessment = recipe.answerability.assess(query, reranked)
        if not assessment.answerable:
            return assessment, Answer(REFUSAL, refused=True, refusal_reason=f"answerability: {assessment.reason}")
        with clock("generate"):
            answer = recipe.generator.generate(question, context)
        if recipe.verification is not None:
            with clock("verify"):
                answer = recipe.verification.verify(answer, question, context, recipe.generator)
        return assessment, answer


class _Clock:
    """Seconds per stage, as if nothing had come from a cache; where that is not known the stage's name ends in `CACHED`."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        with measured() as took:
            yield
        name = stage if took.known else f"{stage}{CACHED}"
        self.seconds[name] = round(self.seconds.get(name, 0.0) + took.seconds, 6)
