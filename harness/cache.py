"""Caches at the expensive calls, over the content-addressed store.

The key is the fingerprint of everything that can change the output: the model's identity, its code and every input. Two variants
of a sweep that agree up to some stage share that stage's work, and a second run of the same variant repeats none of it.
Failures and cut-off completions are never kept. Beside each output stands what it took, so that an answer from here counts as
many seconds as one that is computed.
"""

import ast
import inspect
import json
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from harness.cached_calls import alone, each_once
from harness.cached_costs import keep_seconds, seconds
from harness.elapsed import counted_as, measured
from harness.embedding.checks import unit_vectors
from harness.errors import StageError
from harness.fingerprint import digest, fingerprint
from harness.llm.remote import Remote
from harness.protocols import LLM, Embedder, PassageScorer, SupportModel, Vectors
from harness.recordings import Recordings
from harness.reranking.ordering import read_texts, reordered
from harness.resources import PACKAGE
from harness.spending import charge, ledger
from harness.store import Store
from harness.types import Completion, Query, Ranking, Request, Support, Usage

_BATCH = 32
"""Texts that are embedded and kept at once; a model behind a server has its own number, so that each request paid for is kept."""
_HELPERS = ("local_models.py", "onnx_floats.py", "terms.py", "text.py")
_ENGINES = ("numpy", "onnxruntime", "scikit-learn", "tokenizers")
_OTHERS = {
    "harness.chunking.": ("docutils", "markdown-it-py", "mdit-py-plugins", "tree-sitter", "tree-sitter-language-pack"),
    "harness.corpus.": ("datasketch",),
}
"""Engines that only the stages of one family use."""
_STEMMER = "PyStemmer"
_IMPORTED = {
    "scikit-learn": "sklearn",
    _STEMMER: "Stemmer",
    "markdown-it-py": "markdown_it",
    "mdit-py-plugins": "mdit_py_plugins",
    "tree-sitter": "tree_sitter",
    "tree-sitter-language-pack": "tree_sitter_language_pack",
}
"""Names to import, where they are not the package's."""
_READ_NO_STEMS = ("harness.embedding.", "harness.reranking.cross_encoder")
"""Modules whose results no version of the stemmer can change; of all others it is taken that one can."""


@lru_cache
def code_of(kind: type) -> str:
    """Digest of the code and the engines behind a local stage, part of its cache keys.

    A stage that was broken or mended answers anew, from whatever its old code had left. What a language model or another
    model behind a server gave is kept under the request alone: those calls may be paid for.
    """
    if issubclass(kind, Remote):
        return ""
    files = [*_sources(kind), *(PACKAGE / name for name in _HELPERS)]
    engines = [f"{name} {version(name)}" for name in _engines(kind) if find_spec(_IMPORTED.get(name, name))]
    return fingerprint([digest(path.read_bytes()) for path in files], engines)


def _engines(kind: type) -> Sequence[str]:
    for family, others in _OTHERS.items():
        if kind.__module__.startswith(family):
            return *_ENGINES, *others
    return _ENGINES if kind.__module__.startswith(_READ_NO_STEMS) else (*_ENGINES, _STEMMER)


def _sources(kind: type) -> list[Path]:
    """A stage's file and those of its family that it builds on; of a plugin its whole package and the stages that it builds on."""
    if _of_harness(kind):
        return sorted(_imported(Path(inspect.getfile(kind)), kind.__module__.rpartition(".")[0], set()))
    package = sys.modules[kind.__module__.partition(".")[0]]
    files = {path for folder in getattr(package, "__path__", ()) for path in Path(folder).rglob("*.py")}
    bases = {path for base in kind.__mro__ if _of_harness(base) for path in _sources(base)}
    return sorted(files | bases | {Path(inspect.getfile(kind))})


def _imported(path: Path, family: str, found: set[Path]) -> set[Path]:
    """The file of a module and of each module of its family that it imports, in turn."""
    found.add(path)
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            files = (path.parent / f"{name.removeprefix(f'{family}.')}.py" for name in names if name.startswith(f"{family}."))
            for file in files:
                if file.exists() and file not in found:
                    _imported(file, family, found)
    return found


def _of_harness(kind: type) -> bool:
    return kind.__module__.startswith("harness.")


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

    def fit(self, texts: Sequence[str]) -> "CachedEmbedder":
        """The same cache around the inner embedder once it has learned, where it learns."""
        learn = getattr(self.inner, "fit", None)
        return replace(self, inner=learn(texts)) if learn else self

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Passage vectors, float32[n, d]."""
        return self._embed("passage", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Query vectors, float32[n, d]."""
        return self._embed("query", texts)

    def _embed(self, role: str, texts: Sequence[str]) -> Vectors:
        keys = [fingerprint(code_of(type(self.inner)), self.identity, role, text) for text in texts]
        call = self.inner.embed if role == "passage" else self.inner.embed_queries

        def compute(given: list[str]) -> list[bytes]:
            vectors = np.asarray(call(given), dtype=np.float32)
            unit_vectors(vectors, given, self.identity)
            return [vector.astype("<f4").tobytes() for vector in vectors]

        batch = getattr(self.inner, "batch", _BATCH) if isinstance(self.inner, Remote) else _BATCH
        found = each_once(self.store, self.tally.add, "embed", keys, texts, compute, batch)
        return np.stack([np.frombuffer(raw, dtype="<f4") for raw in found]) if found else self.inner.embed([])


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
    def identity(self) -> str:
        """The inner scorer's identity."""
        return self.inner.identity

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

        def compute(given: list[str]) -> list[bytes]:
            scores = [float(score) for score in self.inner.scores(query, given)]
            if bad := [score for score in scores if not 0 <= score <= 1]:
                raise StageError(f"the reranker {self.inner.identity!r} gave {bad[0]!r}; a number in [0, 1] is needed")
            return [repr(score).encode() for score in scores]

        return [float(raw) for raw in each_once(self.store, self.tally.add, "rerank", keys, passages, compute)]


@dataclass(frozen=True)
class CachedSupport:
    """A support model that is asked each (claim, passages) once: unchanged answers get identical verdicts, and cost nothing."""

    inner: SupportModel
    """The model that does the work."""
    store: Store
    """Where verdicts are kept."""
    tally: Tally = field(default_factory=Tally)
    """Counts hits and misses."""

    @property
    def identity(self) -> str:
        """The inner model's identity."""
        return self.inner.identity

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim. An error is never kept, nor is any verdict of the call that failed.

        A model that asks a language model is kept there, request by request: a repeat is then judged again, and a replayed run
        sends exactly the requests that were recorded, whatever this machine has kept.
        """
        if hasattr(self.inner, "llm"):
            return checked_verdicts(self.inner.support(claims, passages), claims, self.identity)
        where = fingerprint(self._code(), self.identity, list(passages))
        keys = [fingerprint(where, claim) for claim in claims]
        found = {key: Support(**json.loads(raw)) for key, raw in self.store.get_many("judge", keys).items()}
        missing = {key: claim for key, claim in zip(keys, claims, strict=True) if key not in found}
        self.tally.add("support", len(claims) - len(missing), len(missing))
        if missing:
            asked = list(missing.values())
            fresh = dict(zip(missing, checked_verdicts(self.inner.support(asked, passages), asked, self.identity), strict=True))
            self.store.put_many("judge", {key: _kept(verdict) for key, verdict in fresh.items()})
            found |= fresh
        return [found[key] for key in keys]

    def _code(self) -> str:
        """The code of a local model and its embedder."""
        embedder = getattr(self.inner, "embedder", None)
        parts = (self.inner, getattr(embedder, "inner", embedder))
        kinds: list[type] = [type(part) for part in parts if part is not None]
        return fingerprint([code_of(kind) for kind in kinds])


def checked_verdicts(verdicts: Sequence[Support], claims: Sequence[str], identity: str) -> list[Support]:
    """The verdicts, once each is known to be one.

    Raises:
        StageError: when there are not as many as claims, or a probability is no number in [0, 1].
    """
    if len(verdicts) != len(claims):
        raise StageError(f"J001 {identity!r} was asked for {len(claims)} verdicts and gave {len(verdicts)}")
    if bad := [verdict for verdict in verdicts if not 0 <= verdict.probability <= 1]:
        raise StageError(f"J002 {identity!r} gave a probability of {bad[0].probability!r}; a number in [0, 1] is needed")
    return list(verdicts)


def _kept(verdict: Support) -> bytes:
    plain = {"probability": float(verdict.probability), "supported": bool(verdict.supported), "reason": verdict.reason}
    return json.dumps(plain, sort_keys=True).encode()


@dataclass(frozen=True)
class CachedLLM:
    """A language model that is asked each request once; only whole completions are kept.

    What was recorded for the experiment comes before what this machine kept: two machines then give the same completions.
    """

    inner: LLM
    """The client that does the work."""
    store: Store
    """Where completions are kept."""
    tally: Tally = field(default_factory=Tally)
    """Counts hits and misses."""
    recordings: Recordings = field(default_factory=Recordings)
    """What was recorded, and what this run uses."""
    replay: bool = False
    """Never asks the model, nor what this machine kept: what was not recorded is an error."""

    @property
    def identity(self) -> str:
        """The inner client's identity."""
        return self.inner.identity

    def complete(self, request: Request) -> Completion:
        """The completion, recorded, kept or fresh, always with what it took when the model was asked.

        Threads that ask the same share one call.

        Raises:
            StageError: under `replay` when none was recorded; whatever the client raises.
        """
        key = fingerprint(self.identity, request)
        with alone(self.store.maker(key)):
            completion = self._complete(key, request)
        charge(completion.usage)
        return completion

    def _complete(self, key: str, request: Request) -> Completion:
        known = self.recordings.get(key) or (None if self.replay else self._kept(key))
        self.tally.add("complete", int(known is not None), int(known is None))
        if known is not None:
            ledger().answer()
            with counted_as(partial(seconds, self.store, "complete", [key])):
                return self.recordings.use(key, known)
        if self.replay:
            raise StageError(f"not recorded: {self.identity!r} was not asked this before; run without --replay to ask the model")
        with measured() as took:
            completion = self.inner.complete(request)
        if not _whole(completion, request):
            return completion
        keep_seconds(self.store, "complete", [key], took)
        first = self.store.put_first("complete", self._place(key), json.dumps(asdict(completion), sort_keys=True).encode())
        return self.recordings.use(key, _read(first))

    def _kept(self, key: str) -> Completion | None:
        raw = self.store.get("complete", self._place(key))
        return None if raw is None else _read(raw)

    def _place(self, key: str) -> str:
        """Where this machine keeps a completion: apart by the version of an engine on it, which recordings know nothing of."""
        engine = getattr(self.inner, "engine", "")
        return fingerprint(key, engine) if engine else key


def _read(raw: bytes) -> Completion:
    kept = json.loads(raw)
    return Completion(kept["text"], kept["finish_reason"], Usage(**kept["usage"]), kept["logprobs"])


def _whole(completion: Completion, request: Request) -> bool:
    """Whether there is a text and nothing of it missing: where one token was asked for with its candidates, the first is all."""
    only_first = request.max_tokens == 1 and bool(completion.logprobs)
    if only_first:
        return completion.finish_reason in ("stop", "length")
    return completion.finish_reason == "stop" and bool(completion.text.strip())
