"""The records that travel between stages: frozen, no I/O.

Truth is a span of a cleaned document, never a chunk id. Chunk size is a knob that people sweep, and
a label on a chunk id dies with the first re-chunking. A quote keeps its place in the document, so one golden
set judges every chunker: a chunk is relevant when its span covers the quote.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a cleaned document, half-open: text[start:end]."""

    doc_id: str
    """The document."""
    start: int
    """First character."""
    end: int
    """One past the last character."""

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Document:
    """One cleaned document of the corpus."""

    doc_id: str
    """Relative path inside the corpus folder, or the id of an imported set."""
    text: str
    """Cleaned text; all spans count its characters."""
    title: str = ""
    """Shown to people and put before a passage."""
    mime_type: str = "text/plain"
    """Chooses loader and chunker."""
    source: str = ""
    """Where the bytes came from."""
    version: str = ""
    """The document's own version."""
    valid_from: str = ""
    """ISO date from which it holds; empty is always."""
    valid_to: str = ""
    """ISO date up to which (exclusive) it holds; empty is for ever."""
    tenant: str = ""
    """Only this tenant may see it; empty is everybody."""
    acl: tuple[str, ...] = ()
    """Groups that may see it; empty is everybody."""
    author: str = ""
    """Who wrote it."""
    updated_at: str = ""
    """ISO date of the last change."""
    content_hash: str = ""
    """SHA-256 of the cleaned text."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Anything else the file said of itself."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of the index."""

    span: Span
    """Which characters of which document it holds."""
    text: str
    """Those characters."""
    title: str = ""
    """The document's title."""
    section_path: tuple[str, ...] = ()
    """Headings above it, outermost first."""
    position: int = 0
    """Its number inside the document, from 0."""
    kind: str = "prose"
    """prose, table, code, list."""
    parent: str = ""
    """chunk_id of the larger chunk it was cut from, if any."""
    version: str = ""
    """Content hash of the document it was cut from."""
    chunk_id: str = field(init=False, compare=False, default="")
    """Twelve hex digits of SHA-256 over document, version and span: same input, same id."""

    def __post_init__(self) -> None:
        key = f"{self.span.doc_id}\0{self.version}\0{self.span.start}\0{self.span.end}"
        object.__setattr__(self, "chunk_id", sha256(key.encode()).hexdigest()[:12])

    @property
    def heading(self) -> str:
        """Title > section > subsection, or nothing."""
        return " > ".join(part for part in (self.title, *self.section_path) if part)

    @property
    def indexed_text(self) -> str:
        """What retrievers and rerankers read: heading, then text. The heading is never counted as evidence."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that must be found: any of its alternatives will do."""

    alternatives: tuple[Span, ...]
    """Spans that state it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation before the question."""

    role: str
    """user or assistant."""
    content: str
    """What was said."""


@dataclass(frozen=True, slots=True)
class Question:
    """One golden question; the fields are those of golden_sets/*/questions.jsonl."""

    question_id: str
    """Unique in the set, never reused."""
    text: str
    """What is asked."""
    kind: str = "factoid"
    """factoid, multi_hop, table, code, unanswerable, ..."""
    evidence: tuple[Evidence, ...] = ()
    """All of these are needed (AND); inside each any alternative will do (OR)."""
    answers: tuple[str, ...] = ()
    """Accepted short answers."""
    reference: str = ""
    """A full reference answer."""
    answerable: bool = True
    """False: the right behaviour is to refuse."""
    reason: str = ""
    """Why it cannot be answered (refusal_reason)."""
    history: tuple[Turn, ...] = ()
    """Turns before the question, oldest first."""
    persona: str = ""
    """Tenant of the asker."""
    as_of: str = ""
    """ISO date on which it is asked."""
    forbid: tuple[Span, ...] = ()
    """What must not be retrieved or cited; a whole document is its full span."""
    conflict: bool = False
    """Sources disagree; both must be cited."""
    tags: tuple[str, ...] = ()
    """Free labels for slices."""
    split: str = "test"
    """tune is for choosing, test for the claim."""
    group: str = ""
    """Source document or story: the cluster of the statistics."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is sent to the index for a question."""

    text: str
    """The query."""
    hypothetical: str = ""
    """A made-up answer passage (HyDE); only dense retrieval looks at it."""
    allowed: frozenset[str] | None = None
    """doc_ids the asker may see; None is all. Applied before ranking."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk with the score one stage gave it."""

    chunk: Chunk
    """The chunk."""
    score: float
    """Higher is better; the scale is the stage's own."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Hits, best first. The constructor sorts by (-score, chunk_id) and drops repeated chunks."""

    hits: tuple[Hit, ...] = ()
    """Best first, each chunk once."""

    def __post_init__(self) -> None:
        ordered = sorted(self.hits, key=lambda hit: (-hit.score, hit.chunk.chunk_id))
        unique = {hit.chunk.chunk_id: hit for hit in reversed(ordered)}
        kept = tuple(hit for hit in ordered if unique[hit.chunk.chunk_id] is hit)
        object.__setattr__(self, "hits", kept)

    @classmethod
    def of(cls, hits: Iterable[Hit]) -> "Ranking":
        """A ranking of any iterable of hits."""
        return cls(tuple(hits))

    def top(self, k: int) -> "Ranking":
        """The first k hits."""
        return Ranking(self.hits[:k])

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost."""

    input_tokens: int = 0
    """Tokens sent to language models."""
    output_tokens: int = 0
    """Tokens they wrote."""
    calls: int = 0
    """Calls to language models."""
    cost: float = 0.0
    """US dollars by the bundled price table; 0 for local models."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.calls + other.calls,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """A call to a language model."""

    turns: tuple[Turn, ...]
    """The prompt: system, user and assistant turns."""
    max_tokens: int = 512
    """Longest completion."""
    temperature: float = 0.0
    """0 is greedy."""
    seed: int = 7
    """For providers that honour one."""
    schema: Mapping[str, Any] | None = None
    """JSON schema that the completion must follow; None is free text."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model wrote."""

    text: str
    """The text."""
    finish_reason: str = "stop"
    """stop, length, content_filter, ..."""
    usage: Usage = field(default_factory=Usage)
    """Tokens and money."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """Is there anything good enough to answer from?"""

    answerable: bool
    """False: refuse before any generation."""
    confidence: float
    """The signal, higher is more answerable."""
    reason: str = ""
    """Why, in words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the asker is told."""

    text: str
    """The answer with `[chunk_id]` citations, or the refusal sentence."""
    citations: tuple[str, ...] = ()
    """Distinct cited chunk ids in order of appearance, invented ones included."""
    refused: bool = False
    """The system declined to answer."""
    refusal_reason: str = ""
    """Which stage declined and why."""
    usage: Usage = field(default_factory=Usage)
    """What it cost."""
    actions: tuple[str, ...] = ()
    """What verification did to it, such as `stripped 3f2a`."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything one question left behind on its way through the stages."""

    question_id: str
    """The question."""
    queries: tuple[Query, ...] = ()
    """What was sent to the index."""
    retrieved: Mapping[str, Ranking] = field(default_factory=dict)
    """Ranking of each retriever by name."""
    fused: Ranking = field(default_factory=Ranking)
    """After fusion."""
    reranked: Ranking = field(default_factory=Ranking)
    """After the reranker (or the fused head, when there is none)."""
    context: Ranking = field(default_factory=Ranking)
    """The passages shown to the generator."""
    assessment: Assessment | None = None
    """What answerability said; None when generation is off."""
    answer: Answer | None = None
    """The answer; None when generation is off."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Wall seconds per stage; never part of results.json."""

    def stations(self) -> dict[str, Ranking]:
        """Rankings by station in the order of the pipeline: retrievers, fused, reranked, context."""
        return {**self.retrieved, "fused": self.fused, "reranked": self.reranked, "context": self.context}


class State(StrEnum):
    """What became of a score."""

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Score:
    """One metric on one question."""

    metric: str
    """Metric id, such as recall_at_5."""
    question_id: str
    """The question."""
    value: float | None
    """The number; None unless the state is scored. Never NaN."""
    state: State = State.SCORED
    """scored, not_applicable, skipped or error."""
    reason: str = ""
    """Why there is no number, or a remark."""

    def __post_init__(self) -> None:
        number = self.value is not None and self.value == self.value and abs(self.value) != float("inf")
        if (self.state is State.SCORED) != number:
            raise ValueError(f"{self.metric!r} of {self.question_id!r}: state {self.state} with value {self.value!r}")


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that a stage could not handle."""

    question_id: str
    """The question."""
    stage: str
    """Where it failed."""
    error: str
    """What it said."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A metric over the questions of a run."""

    metric: str
    """Metric id."""
    value: float | None
    """Mean (or the metric's own fold); None when nothing was scored."""
    n: int
    """Questions scored: the denominator."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    """Upper end."""
    not_applicable: int = 0
    """Questions to which it does not apply."""
    skipped: int = 0
    """Questions left out on purpose."""
    errors: int = 0
    """Questions on which it failed."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One finished run: all that gates, reports and MLflow need."""

    run_id: str
    """Unique name of the run's folder."""
    created: str
    """ISO time; never part of results.json."""
    experiment: str
    """Variant name."""
    config: Mapping[str, Any]
    """The resolved config."""
    overrides: tuple[str, ...]
    """What the command line changed."""
    fingerprints: Mapping[str, str]
    """SHA-256 of config, golden set, corpus, judge."""
    environment: Mapping[str, str]
    """Package versions, code revision, CPU; beside results.json, never in it."""
    statistics: Mapping[str, float]
    """Documents, chunks, mean chunk length."""
    scores: tuple[Score, ...]
    """Every metric on every question."""
    failures: tuple[Failure, ...]
    """Questions that failed."""
    aggregates: Mapping[str, Aggregate]
    """By metric id."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """question_id to its cluster."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """question_id to tune or test."""
    golden_set: str = ""
    """Name of the golden set."""
    golden_version: int = 0
    """Its version."""


class Outcome(StrEnum):
    """What a gate rule found."""

    PASS = "pass"
    IMPROVED = "improved"
    REGRESSED = "regressed"
    INCONCLUSIVE = "inconclusive"
    MISSING = "missing"
    INVALID = "invalid"
    NOT_COMPARABLE = "not_comparable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One gate rule held against one run."""

    metric: str
    """Metric id."""
    outcome: Outcome
    """What was found."""
    reason: str = ""
    """In words."""
    slice: str = "all"
    """Which questions."""
    expected: float | None = None
    """The accepted baseline's value, the floor or the allowed count."""
    actual: float | None = None
    """This run's value."""
    difference: float | None = None
    """Paired mean difference, this run minus baseline, in the metric's own direction."""
    low: float | None = None
    """Lower end of the 95 % interval of the difference."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """One-sided p that it got worse, Holm-adjusted over the declared family."""
    minimum_detectable_effect: float | None = None
    """Smallest drop this comparison could have seen."""
    n: int = 0
    """Questions compared."""
    flipped: tuple[str, ...] = ()
    """Question ids whose score changed."""
    advisory: bool = False
    """Shown, but cannot fail the gate (uncalibrated judge)."""
