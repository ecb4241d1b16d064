"""Embedding models of providers and servers through litellm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pydantic.dataclasses import dataclass

from harness.embedding.checks import unit_vectors
from harness.errors import StageError
from harness.fingerprint import canonical
from harness.llm.calling import Retryable
from harness.llm.prices import most_tokens
from harness.llm.remote import STRICT, Remote
from harness.protocols import Vectors
from harness.spending import charge
from harness.types import Chunk, Usage

Told = dict[Annotated[str, Field(pattern="^(input_type|task)$")], Annotated[str, Field(min_length=1)]]
"""What a provider is told of the texts: Voyage and Cohere know `input_type`, Jina `task`."""


@dataclass(frozen=True, config=STRICT, kw_only=True)
class LiteLLMEmbedder(Remote):
    """Vectors of a model behind a key or on a server, brought to unit length.

    A text is never cut here; what a model does with one that is too long for it is the provider's affair. Each text is paid for
    once: vectors are kept by text, as for every embedder.
    """

    dimension: Annotated[int, Field(ge=1, le=65_536, strict=True)]
    """Length of the vectors; a reply with others is an error."""
    shorten: bool = False
    """Whether the model is asked for vectors of that length, which it must be trained for; otherwise it gives its own."""
    passages: Told = field(default_factory=dict)
    """What the provider is told of passages."""
    queries: Told = field(default_factory=dict)
    """What the provider is told of queries."""
    batch: Annotated[int, Field(ge=1, le=32, strict=True)] = 32
    """Texts in one request."""

    @property
    def identity(self) -> str:
        """Model, base URL, dimension and what the provider is told."""
        length = f"{self.dimension} dimensions{' asked for' if self.shorten else ''}, unit length"
        return f"{super().identity}, {length}, passages {canonical(self.passages)}, queries {canonical(self.queries)}"

    @property
    def calls_per_question(self) -> int:
        """Requests for the queries of one question."""
        return 1

    def calls_for(self, chunks: Sequence[Chunk]) -> int:
        """Requests for the chunks that are searched."""
        return -(-sum(chunk.searched for chunk in chunks) // self.batch)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, dimension].

        Raises:
            ConfigError: when the environment variable of the key is unset.
            ExhaustedError: when the budget is spent, or the provider's rate limit outlasts the attempts.
            StageError: for a blank text, before anything is sent; when the attempts fail, or the vectors have another length.
        """
        return self._vectors(texts, self.passages)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries, float32[n, dimension]; raises what `embed` raises."""
        return self._vectors(texts, self.queries)

    def _vectors(self, texts: Sequence[str], told: Told) -> Vectors:
        unit_vectors(np.ones((len(texts), 1)), texts, self.identity)
        parts = list(self._parts(texts, told))
        return unit_vectors(np.concatenate(parts), texts, self.identity) if parts else np.empty((0, self.dimension), np.float32)

    def _parts(self, texts: Sequence[str], told: Told) -> Iterator[NDArray[np.float64]]:
        for start in range(0, len(texts), self.batch):
            part = list(texts[start : start + self.batch])
            arguments: dict[str, Any] = {"input": part, "drop_params": True, **told}
            if self.shorten:
                arguments["dimensions"] = self.dimension
            vectors, took = self.ask("embedding", arguments, Usage(most_tokens(part), 0, 1), partial(self._read, len(part)))
            charge(took)
            yield vectors

    def _read(self, count: int, reply: Any, took: Usage) -> tuple[NDArray[np.float64], Usage]:
        rows = [(item.get("index"), item.get("embedding")) for item in reply.data or [] if isinstance(item, Mapping)]
        if sorted(str(index) for index, _ in rows) != sorted(map(str, range(count))):
            raise Retryable(f"the reply holds vectors of {[index for index, _ in rows]}, of {count} texts each one is needed")
        vectors: list[Any] = [vector for _, vector in sorted(rows)]
        if not all(isinstance(vector, list) and all(isinstance(value, int | float) for value in vector) for vector in vectors):
            raise Retryable("the reply holds a vector that is no list of numbers")
        if wrong := sorted({len(vector) for vector in vectors} - {self.dimension}):
            raise StageError(
                f"{self.model!r} gave vectors of {wrong[0]} dimensions, dimension={self.dimension} is set; set the length that the "
                "model gives, or shorten=true where it can give the one that is set"
            )
        found = np.array(vectors, dtype=np.float64)
        if not np.isfinite(found).all():
            raise Retryable("the reply holds a value that is no finite number")
        return found, took
