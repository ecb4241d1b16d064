"""Dense retrieval over a store: the contract of a retriever, with one collection for all cases that only ask."""

import pytest

from harness.protocols import Index, VectorStore
from harness.retrieval.dense import Dense
from tests.builders import chunk
from tests.contracts.retriever import EMBEDDER, TEXTS, RetrieverContract


class ThroughDense(RetrieverContract):
    """Subclass it and give the class-scoped fixture `store`, a classmethod."""

    @pytest.fixture(scope="class")
    @classmethod
    def retriever(cls, store: VectorStore) -> Dense:
        return Dense(store)

    @pytest.fixture(scope="class")
    @classmethod
    def index(cls, retriever: Dense) -> Index:
        return retriever.index([chunk(name, 0, len(text), text) for name, text in TEXTS.items()], EMBEDDER)
