"""What a question leaves behind on its way through the pipeline."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.types.questions import Turn
from harness.types.text import Chunk


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries of an index may be found; applied before anything is ranked."""

    persona: str | None = None
    """The asker, whom tenant and access list of a document must both admit; None asks nobody's leave."""
    allowed: frozenset[str] | None = None
    """doc_ids that may be found: what the asker may see, in the versions that hold; None is all."""
    kinds: frozenset[str] | None = None
    """Kinds of chunk that may be found; None is all."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is sent to the index for a question."""

    text: str
    """The query."""
    hypothetical: str = ""
    """A made-up answer passage (HyDE); only dense retrieval looks at it."""
    allowed: frozenset[str] | None = None
    """doc_ids the asker may see; None is all. Applied before ranking."""
    persona: str | None = None
    """The asker; None asks nobody's leave."""
    retrievers: frozenset[str] | None = None
    """Names of the retrievers that are asked; None is all (routing)."""
    kinds: frozenset[str] | None = None
    """Kinds of chunk that are searched; None is all (routing)."""
    part: bool = False
    """A part of the question, whose evidence another query does not look for."""
    notes: tuple[str, ...] = ()
    """What the steps that made it decided, for people."""
    fallback: str = ""
    """Why a step's work was left out, such as a model that failed; empty is that nothing was."""

    @property
    def filter(self) -> Filter:
        """Which entries it may find."""
        return Filter(self.persona, self.allowed, self.kinds)


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
    order: tuple[int, ...] = ()
    """In which order the hits are shown to a model, as places in `hits`; empty is best first."""
    faults: int = 0
    """Bad, repeated and missing places in a model's order that were mended."""

    def __post_init__(self) -> None:
        ordered = sorted(self.hits, key=lambda hit: (-hit.score, hit.chunk.chunk_id))
        unique = {hit.chunk.chunk_id: hit for hit in reversed(ordered)}
        kept = tuple(hit for hit in ordered if unique[hit.chunk.chunk_id] is hit)
        object.__setattr__(self, "hits", kept)

    @classmethod
    def of(cls, hits: Iterable[Hit]) -> "Ranking":
        """A ranking of any iterable of hits."""
        return cls(tuple(hits))

    @property
    def shown(self) -> tuple[Hit, ...]:
        """The hits in the order in which a model is shown them."""
        return tuple(self.hits[place] for place in self.order) if self.order else self.hits

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
    repeat: int = 0
    """Number of the repeat: the same request asked again on purpose is another request."""
    top_logprobs: int = 0
    """How many candidates of the first token to report with their log-probabilities; 0 is none."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model wrote."""

    text: str
    """The text."""
    finish_reason: str = "stop"
    """stop, length, content_filter, ..."""
    usage: Usage = field(default_factory=Usage)
    """Tokens and money."""
    logprobs: Mapping[str, float] = field(default_factory=dict)
    """Candidates of the first token to their log-probability, where asked for."""


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
    """The answer with `[chunk_id]` citations, or the refusal: the one sentence, or a model's own words."""
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
    draft_citations: tuple[str, ...] = ()
    """Cited ids of every draft before verification; empty when nothing was verified."""


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
    """Seconds per stage as if nothing had come from a cache; a name ends in ` from cache` where that is not known.

    Never part of results.json."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """What each stage took of language models, by stage; stages that took nothing are left out."""

    @property
    def spent(self) -> Usage:
        """What all stages took of models; of a trace that does not tell it by stage, what the answer took."""
        if self.usage or self.answer is None:
            return sum(self.usage.values(), Usage())
        return self.answer.usage

    def stations(self) -> dict[str, Ranking]:
        """Rankings by station in the order of the pipeline: retrievers, fused, reranked, context."""
        return {**self.retrieved, "fused": self.fused, "reranked": self.reranked, "context": self.context}
