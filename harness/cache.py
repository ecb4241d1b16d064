"""Caches at the expensive calls, over the content-addressed store.

The key is the fingerprint of everything that can change the output: the model's identity, its code and every input. Two variants
of a sweep that agree up to some stage share that stage's work, and a second run of the same variant repeats none of it.
Failures and cut-off completions are never kept.
"""

import inspect
import json
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from harness.embedding.checks import unit_vectors
from harness.errors import StageError
from harness.fingerprint import digest, fingerprint
from harness.protocols import LLM, Embedder, PassageScorer, Vectors
from harness.reranking.ordering import read_texts, reordered
from harness.resources import PACKAGE
from harness.store import Store
from harness.types import Completion, Query, Ranking, Request, Usage

_BATCH = 32


_HELPERS = ("local_models.py", "onnx_floats.py", "terms.py", "text.py")
_ENGINES = ("numpy", "onnxruntime", "scikit-learn", "tokenizers")


@lru_cache
def code_of(kind: type) -> str:
    """Digest of the code and the engines behind a local stage, part of its cache keys.

    A stage that was broken or mended answers anew, from whatever its old code had left. Completions of language models
    are kept under their request alone: those calls may be paid for.
    """
    source = Path(inspect.getfile(kind))
    own = kind.__module__.startswith("harness.")
    files = [*sorted(source.parent.glob("*.py")), *(PACKAGE / name for name in _HELPERS)] if own else [source]
    engines = [f"{name} {version(name)}" for name in _ENGINES if find_spec(name.replace("scikit-learn", "sklearn"))]
    return fingerprint([digest(path.read_bytes()) for path in files], engines)


class Tally:
    """Counts of calls answered from the cache and calls made, by stage; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.hits: Counter[str] = Counter()
        self.misses: Counter[str] = Counter()

    def add(self, stage: str, hits: int, misses: int) -> None:
        """Adds to a stage's counts."""
        with self._lock:
            self.hits[stage] += hits
            self.misses[stage] += misses

    def lines(self) -> list[str]:
        """One line a stage: `rerank: 640 of 640 from the cache`."""
        stages = sorted({*self.hits, *self.misses})
        return [f"{stage}: {self.hits[stage]:,} of {self.hits[stage] + self.misses[stage]:,} from the cache" for stage in stages]


@dataclass(frozen=True)
class CachedEmbedder:
    """An embedder that embeds each text once."""

    inner: Embedder
    """The embedder that does the work."""
    store: Store
    """Where vectors are kept."""
    tally: Tally = field(default_factory=Tally)
    """Counts hits and misses."""

    @property
    def identity(self) -> str:
        """The inner embedder's identity."""
        return self.inner.identity

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Passage vectors, float32[n, d]."""
        return self._embed("passage", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Query vectors, float32[n, d]."""
        return self._embed("query", texts)

    def _embed(self, role: str, texts: Sequence[str]) -> Vectors:
        keys = [fingerprint(code_of(type(self.inner)), self.identity, role, text) for text in texts]
        found = {key: np.frombuffer(raw, dtype="<f4") for key, raw in self.store.get_many("embed", keys).items()}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        self.tally.add("embed", len(texts) - len(missing), len(missing))
        pending = list(missing.items())
        for start in range(0, len(pending), _BATCH):
            part = pending[start : start + _BATCH]
            call = self.inner.embed if role == "passage" else self.inner.embed_queries
            given = [text for _, text in part]
            vectors = np.asarray(call(given), dtype=np.float32)
            unit_vectors(vectors, given, self.identity)
            fresh = dict(zip((key for key, _ in part), vectors, strict=True))
            self.store.put_many("embed", {key: vector.astype("<f4").tobytes() for key, vector in fresh.items()})
            found |= fresh
        return np.stack([found[key] for key in keys]) if keys else self.inner.embed([])


@dataclass(frozen=True)
class CachedReranker:
    """A passage-scoring reranker that scores each (query, passage) pair once."""

    inner: PassageScorer
    """The scorer that does the work; also a reranker."""
    store: Store
    """Where scores are kept."""
    tally: Tally = field(default_factory=Tally)
    """Counts hits and misses."""

    @property
    def calibrated(self) -> bool:
        """A passage scorer's scores lie in [0, 1]."""
        return True

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The ranking in the order of the scorer."""
        return reordered(ranking, self.scores(query.text, read_texts(ranking)))

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score in [0, 1] per passage."""
        keys = [fingerprint(code_of(type(self.inner)), self.inner.identity, query, passage) for passage in passages]
        found = {key: float(raw) for key, raw in self.store.get_many("rerank", keys).items()}
        missing = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in found}
        self.tally.add("rerank", len(passages) - len(missing), len(missing))
        if missing:
            given = self.inner.scores(query, list(missing.values()))
            fresh = {key: float(score) for key, score in zip(missing, given, strict=True)}
            if bad := [score for score in fresh.values() if not 0 <= score <= 1]:
                raise StageError(f"the reranker {self.inner.identity!r} gave {bad[0]!r}; a number in [0, 1] is needed")
            self.store.put_many("rerank", {key: repr(score).encode() for key, score in fresh.items()})
            found |= fresh
        return [found[key] for key in keys]


@dataclass(frozen=True)
class CachedLLM:
    """A language model that is asked each request once; only whole completions are kept."""

    inner: LLM
    """The client that does the work."""
    store: Store
    """Where completions are kept."""
    tally: Tally = field(default_factory=Tally)
    """Counts hits and misses."""

    @property
    def identity(self) -> str:
        """The inner client's identity."""
        return self.inner.identity

    def complete(self, request: Request) -> Completion:
        """The completion, from the cache with no calls and no cost, or fresh."""
        key = fingerprint(self.identity, request)
        kept = self.store.get("complete", key)
        self.tally.add("complete", int(kept is not None), int(kept is None))
        if kept is not None:
            return Completion(json.loads(kept)["text"], usage=Usage())
        completion = self.inner.complete(request)
        if completion.finish_reason == "stop":
            self.store.put("complete", key, json.dumps(asdict(completion), sort_keys=True).encode())
        return completion
