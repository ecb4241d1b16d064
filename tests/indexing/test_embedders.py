"""Vectors by text, and what an embedder learned."""

import numpy as np
import pytest

from harness.cache import CachedEmbedder
from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.indexing.contents import read_contents
from harness.indexing.embedders import embed, embedded_texts, learned, of_index
from harness.indexing.opened import open_index
from harness.protocols import silent
from harness.store import Store
from tests.builders import chunk
from tests.indexing.small import found, pipeline, synced


def test_of_a_chunk_its_text_with_the_heading_and_its_questions_are_embedded():
    chunks = [
        chunk(text="Alpha.", title="T", questions=("What is alpha?",)),
        chunk("b.md", text="Whole section.", searched=False),
        chunk("c.md", text="Alpha.", title="T"),
    ]
    assert sorted(embedded_texts(chunks).values()) == ["T\nAlpha.", "What is alpha?"]


def test_texts_stand_in_the_order_of_their_digests():
    names = list(embedded_texts([chunk(text=text) for text in ("one", "two", "three", "four")]))
    assert names == sorted(names)


def test_many_texts_are_embedded_in_blocks_and_the_progress_is_told():
    told = []
    vectors = embed(Hashing(16), [f"text {number}" for number in range(600)], lambda *given: told.append(given))
    assert len(vectors) == 600
    assert told == [("embed chunks", done, 600) for done in (0, 256, 512, 600)]
    assert np.array_equal(vectors[599], Hashing(16).embed(["text 599"])[0])


@pytest.mark.parametrize("cached", [False, True])
def test_what_was_learned_comes_back_with_the_same_vectors(tmp_path, cached):
    recipe = TfidfSvd(dimension=8)
    embedder = CachedEmbedder(recipe, Store(tmp_path / "cache.sqlite")) if cached else recipe
    synced(tmp_path / "index", embedder=embedder)
    contents = read_contents(tmp_path / "index")
    ready = of_index(contents.manifest, contents.learned, embedder)
    assert learned(ready) == contents.learned != b""
    texts = embedded_texts(contents.chunks)
    again = embed(ready, list(texts.values()), silent)
    assert np.allclose(np.stack(again), contents.vectors, atol=1e-6)


def test_an_embedder_that_learns_nothing_leaves_nothing():
    assert learned(Hashing()) == b""


class Asks:
    """Writes the same question for every chunk."""

    identity = "asks"

    def questions(self, _chunk):
        """One question."""
        return ("Which power source is built in?",)


def test_questions_of_a_chunk_are_found_without_embedding_them_again(tmp_path):
    report = synced(tmp_path, doc2query=Asks())
    assert report.embedded == 4
    assert found(open_index(tmp_path, pipeline()), "power source built in") == {"battery.md", "range.md", "reset.md"}
