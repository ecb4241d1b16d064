"""What each stage must do. A stage is a frozen recipe; what it builds (an index, a session) is apart from it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from harness.types import (
    Answer,
    Assessment,
    Chunk,
    Completion,
    Document,
    Filter,
    Query,
    Question,
    Ranking,
    Request,
    Score,
    Support,
    Trace,
)

Vectors = NDArray[np.float32]
"""float32[n, d], each row of unit length."""

Rows = NDArray[np.int64]
"""Row numbers."""

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, done so far, total)."""


def silent(_what: str, _done: int, _total: int) -> None:
    """The progress that nobody sees."""


class LLM(Protocol):
    """A language model behind one call; retries, budget, price and cache are the client's business."""

    @property
    def identity(self) -> str:
        """Model, base URL and every parameter that can change a completion."""
        ...

    def complete(self, request: Request) -> Completion: ...


class DuplicatePolicy(Protocol):
    """Marks documents that repeat others, and says which are searched."""

    def apply(self, documents: Sequence[Document]) -> Sequence[Document]:
        """The documents to be searched, in their order, with `copy_of` and `copies` filled."""
        ...


class Chunker(Protocol):
    """Cuts a document into chunks; the union of their spans covers all non-blank characters.

    A chunk may lead to another of the same document (`parent`): the index finds the one, the asker is shown the other.
    """

    def chunk(self, document: Document) -> Sequence[Chunk]: ...


class QuestionWriter(Protocol):
    """Writes questions that a chunk answers (doc2query), to be indexed beside its text."""

    @property
    def identity(self) -> str:
        """Rules or model, with every parameter that can change a question."""
        ...

    def questions(self, chunk: Chunk) -> Sequence[str]:
        """Distinct questions; empty for a chunk that answers none."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> str:
        """Model, revision, dimension and normalisation: an index never mixes identities."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, d]."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries, float32[n, d]; some models put an instruction before a query."""
        ...


class VectorTable(Protocol):
    """Vectors in a store, ready to be asked."""

    def nearest(self, vector: NDArray[np.float32], admitted: Filter, depth: int) -> tuple[Rows, NDArray[np.float64]]:
        """Rows and cosines of the nearest entries, best first, at most `depth`; fewer only where the filter admits fewer.

        The store itself applies the filter, before it ranks.
        """
        ...


class VectorStore(Protocol):
    """A frozen recipe that keeps vectors with the metadata of their chunks and finds the nearest among those that a filter admits."""

    @property
    def exact(self) -> bool:
        """Whether every admitted vector is compared, in full precision."""
        ...

    def table(self, vectors: Vectors, entries: Sequence[Chunk]) -> VectorTable:
        """The vectors in the store; `entries[i]` is the chunk of row i, and a chunk may have several rows."""
        ...


class Index(Protocol):
    """The built thing that answers queries."""

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k hits per query; only documents in `query.allowed`; no zero-score hits."""
        ...


@runtime_checkable
class Retriever(Protocol):
    """A frozen recipe that builds an index from chunks."""

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> Index: ...


class HistoryRewriter(Protocol):
    """Makes the last turn of a conversation a question that stands alone."""

    def standalone(self, question: Question) -> tuple[Question, Query]:
        """The question with another text, its history kept, and the query that it starts with, with notes or a fallback."""
        ...


class QueryTransformer(Protocol):
    """A step from queries to queries: rewording, splitting, hypothetical passages, routing."""

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """At least one query; the first is the one that rerankers and answerability read."""
        ...


class Fuser(Protocol):
    """Many rankings in, one out."""

    def fuse(self, rankings: Mapping[str, Ranking]) -> Ranking:
        """Rankings by the name of what made them: a retriever, or a query of several."""
        ...


class PassageScorer(Protocol):
    """Scores each passage for a query on its own, so that a pair's score can be cached."""

    @property
    def identity(self) -> str:
        """Model, revision and every parameter that can change a score."""
        ...

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score in [0, 1] per passage."""
        ...


class Reranker(Protocol):
    """Orders a ranking anew: a permutation, with scores in [0, 1] where `calibrated`."""

    @property
    def calibrated(self) -> bool:
        """Whether its scores lie in [0, 1], so that a threshold on them means something."""
        ...

    def rerank(self, query: Query, ranking: Ranking) -> Ranking: ...


class ContextBuilder(Protocol):
    """From a ranking to the passages shown."""

    def build(self, ranking: Ranking, shown: int) -> Ranking: ...


class Answerability(Protocol):
    """Is there anything good enough to answer from?"""

    def assess(self, query: Query, stations: Mapping[str, Ranking]) -> Assessment:
        """`stations` are each retriever's ranking by name, then fused, reranked and context."""
        ...


class Generator(Protocol):
    """Writes an answer from passages, each claim with its `[chunk_id]`."""

    def generate(self, question: Question, passages: Ranking) -> Answer: ...


class Verifier(Protocol):
    """Checks an answer's citations against the passages shown and acts on what it finds."""

    def verify(self, answer: Answer, question: Question, passages: Ranking, generator: Generator) -> Answer: ...


class Metric(Protocol):
    """A number per question."""

    @property
    def name(self) -> str: ...

    def score(self, question: Question, trace: Trace) -> Score: ...


class ClaimSplitter(Protocol):
    """Splits an answer into claims that can each be true or false."""

    @property
    def identity(self) -> str:
        """Rules or model, with every parameter that can change a claim."""
        ...

    def split(self, text: str) -> Sequence[str]:
        """The claims in order, without citations; empty for a refusal and for small talk."""
        ...


class SupportModel(Protocol):
    """Reads whether passages, taken together, support a claim."""

    @property
    def identity(self) -> str:
        """A short name (the first word, shown beside every score), then version and every parameter that can change a verdict."""
        ...

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim. Passages are read whole: what does not fit is a StageError, never a cut."""
        ...


class Judge(Protocol):
    """Scores that need a reader's judgement; carries an identity that stands beside every score."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Ids of the metrics it scores."""
        ...

    @property
    def identity(self) -> str: ...

    def judge(self, question: Question, trace: Trace) -> Sequence[Score]: ...


class System(Protocol):
    """What `evaluate` asks."""

    def answer(self, question: Question) -> Trace: ...
