"""The order of the stages, and nothing else.

question -> standing alone -> queries (reworded, split, with hypothetical passages, routed) -> one ranking per retriever
-> fused -> reranked -> context -> answerable? -> answer -> verified
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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
from harness.fusion import by_turns
from harness.protocols import (
    Answerability,
    Chunker,
    ContextBuilder,
    DuplicatePolicy,
    Embedder,
    Fuser,
    Generator,
    HistoryRewriter,
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
from harness.spending import spent
from harness.text import REFUSAL, count_tokens
from harness.types import Answer, Assessment, Chunk, Document, Origin, Query, Question, Ranking, Trace, Usage

QUERY_STEPS = ("rewrite", "subqueries", "hyde", "route")
"""Slots of the steps from queries to queries, in their order."""


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Depth:
    """How many hits each step passes on; shown <= reranked <= candidates."""

    candidates: Annotated[int, Field(ge=1)] = 50
    """Hits a retriever returns."""
    reranked: Annotated[int, Field(ge=1)] = 20
    """Fused hits the reranker reads."""
    shown: Annotated[int, Field(ge=1)] = 5
    """Passages the generator is shown."""
    channels: dict[str, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    """Hits of single retrievers by name, in place of `candidates`."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.shown <= self.reranked <= self.candidates:
            raise ValueError(
                f"shown={self.shown} <= reranked={self.reranked} <= candidates={self.candidates} does not hold: "
                "a step cannot pass on more than it gets"
            )
        return self

    def of(self, retriever: str) -> int:
        """Hits that a retriever returns."""
        return self.channels.get(retriever, self.candidates)


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
    history: HistoryRewriter | None = None
    """Makes the last turn of a conversation stand alone."""
    rewrite: QueryTransformer | None = None
    """Rewords queries."""
    subqueries: QueryTransformer | None = None
    """Splits or multiplies queries."""
    hyde: QueryTransformer | None = None
    """Gives queries a hypothetical passage."""
    route: QueryTransformer | None = None
    """Decides which retrievers and which kinds of chunk a query is for."""
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
        """Indexes chunks that are already cut. Query steps that have a `learn` are given the documents and what is searched of them.

        Raises:
            CorpusError: when there is none.
            StageError: when a chunk leads to none of its own document.
        """
        if not chunks:
            raise CorpusError(f"{len(documents)} documents give no chunk; add text to the corpus or change chunker")
        origins = {document.doc_id: _origin(document) for document in documents}
        placed = [replace(chunk, origin=origins.get(chunk.span.doc_id, Origin())) for chunk in chunks]
        entries = [chunk for chunk in placed if chunk.searched]
        embedder = fitted(self.embedder, entries)
        indexes: dict[str, Index] = {}
        larger = parents(placed)
        for name, retriever in sorted(self.retrievers.items()):
            built = retriever.index(entries, embedder, progress)
            indexes[name] = ExpandingIndex(built, larger, len(entries)) if larger else built
        steps = {name: getattr(self, name) for name in QUERY_STEPS}
        learned = {name: step.learn(documents, entries) for name, step in steps.items() if hasattr(step, "learn")}
        return IndexedPipeline(replace(self, **learned), tuple(documents), tuple(chunks), indexes, as_of)


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

        Documents that an index has withdrawn are among `documents` and have no chunk. A retriever adds what its index says of
        itself, such as `dense_recall_at_10_of_own_vectors`.
        """
        cut = {chunk.span.doc_id for chunk in self.chunks}
        tokens = [count_tokens(chunk.text) for chunk in self.chunks if not chunk.parent]
        return {
            "documents": sum(not item.deleted_at or item.doc_id in cut for item in self.documents),
            "chunks": len(tokens),
            "entries": sum(chunk.searched for chunk in self.chunks),
            "mean_chunk_tokens": round(sum(tokens) / len(tokens), 3),
            "max_chunk_tokens": max(tokens),
            **{
                f"{name}_{key}": value
                for name, index in sorted(self.indexes.items())
                for key, value in getattr(index, "statistics", {}).items()
            },
        }

    @property
    def notices(self) -> tuple[str, ...]:
        """What weakens the indexes, by retriever."""
        found = ((name, getattr(index, "notices", ())) for name, index in sorted(self.indexes.items()))
        return tuple(f"{name}: {notice}" for name, notices in found for notice in notices)

    def answer(self, question: Question) -> Trace:
        """Takes a question through all stages and keeps what each one did."""
        clock = _Clock()
        question, queries = self._queries(question, clock)
        retrieved = self._retrieve(queries, clock)
        recipe, depth = self.recipe, self.recipe.depth
        with clock("fuse"):
            fused = self._fuse(retrieved)
        with clock("rerank"):
            reranked = recipe.reranker.rerank(queries[0], fused.top(depth.reranked))
        with clock("context"):
            context = recipe.context.build(reranked, depth.shown)
        found = Trace(question.question_id, queries, retrieved, fused, reranked, context)
        assessment, answer = self._answer(question, found, clock)
        return replace(found, assessment=assessment, answer=answer, seconds=dict(clock.seconds), usage=dict(clock.usage))

    def _queries(self, question: Question, clock: "_Clock") -> tuple[Question, tuple[Query, ...]]:
        """The question made to stand alone, and the queries of all steps; what the asker may see is on them before and after each."""
        recipe, persona = self.recipe, question.persona
        allowed = self._visible(persona, question.as_of or self.as_of)
        queries = [Query(question.text, persona=persona, allowed=allowed)]
        if recipe.history is not None and question.history:
            with clock("history"):
                question, query = recipe.history.standalone(question)
                queries = [query]
        for name in QUERY_STEPS:
            step: QueryTransformer | None = getattr(recipe, name)
            queries = [replace(query, persona=persona, allowed=allowed) for query in queries]
            if step is not None:
                with clock(name):
                    queries = list(step.transform(question, queries))
        return question, tuple(replace(query, persona=persona, allowed=allowed) for query in queries)

    def _visible(self, persona: str, day: str) -> frozenset[str]:
        """Ids of the documents that an asker may see on a day, found once for each pair."""
        if (persona, day) not in self._seen:
            self._seen[persona, day] = visible(self.documents, persona, day)
        return self._seen[persona, day]

    @cached_property
    def _seen(self) -> dict[tuple[str, str], frozenset[str]]:
        return {}

    def _retrieve(self, queries: Sequence[Query], clock: "_Clock") -> dict[str, Ranking]:
        """The ranking of each retriever; several are asked at once."""
        if len(self.indexes) == 1:
            return {name: self._search(name, queries, clock) for name in self.indexes}
        clocks = {name: _Clock() for name in self.indexes}
        waiting = {name: self._channels.submit(self._search, name, queries, clocks[name]) for name in self.indexes}
        retrieved = {name: future.result() for name, future in waiting.items()}
        for part in clocks.values():
            clock.take(part)
        return retrieved

    def _search(self, name: str, queries: Sequence[Query], clock: "_Clock") -> Ranking:
        asked = [query for query in queries if query.retrievers is None or name in query.retrievers]
        with clock(f"retrieve_{name}"):
            depth = self.recipe.depth.of(name)
            rankings = self.indexes[name].search(asked, depth) if asked else []
            if any(query.part for query in asked):
                return by_turns(rankings).top(depth)
            return self._fuse({f"query {place}": ranking for place, ranking in enumerate(rankings, start=1)}).top(depth)

    @cached_property
    def _channels(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.indexes) * 4, thread_name_prefix="retrieve")

    def _fuse(self, rankings: Mapping[str, Ranking]) -> Ranking:
        return next(iter(rankings.values())) if len(rankings) == 1 else self.recipe.fuser.fuse(rankings)

    def _answer(self, question: Question, found: Trace, clock: "_Clock") -> tuple[Assessment | None, Answer | None]:
        recipe, context = self.recipe, found.context
        if recipe.generator is None:
            return None, None
        assessment = recipe.answerability.assess(found.queries[0], found.stations())
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
        self.usage: dict[str, Usage] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        with measured() as took, spent() as bill:
            yield
        name = stage if took.known else f"{stage}{CACHED}"
        self.seconds[name] = round(self.seconds.get(name, 0.0) + took.seconds, 6)
        if bill.usage != Usage():
            self.usage[stage] = self.usage.get(stage, Usage()) + bill.usage

    def take(self, other: "_Clock") -> None:
        """Takes over what another one has measured."""
        self.seconds |= other.seconds
        self.usage |= other.usage


def _origin(document: Document) -> Origin:
    return Origin(
        tenant=document.tenant,
        acl=document.acl,
        valid_from=document.valid_from,
        valid_to=document.valid_to,
        source=document.source,
        author=document.author,
        updated_at=document.updated_at,
    )
