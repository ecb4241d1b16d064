import pytest

from harness.retrieval.stores.faiss_flat import Flat
from tests.contracts.vector_store import VectorStoreContract


class TestFlat(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Flat:
        return Flat()
