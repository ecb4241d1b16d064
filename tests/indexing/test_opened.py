"""Asking an index on disk."""

from dataclasses import dataclass

import pytest

from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import ConfigError, StoreError
from harness.indexing.contents import read_contents
from harness.indexing.embedders import StoredEmbedder
from harness.indexing.opened import open_index, over
from harness.retrieval.dense import Dense
from harness.types import Query
from tests.builders import document, question
from tests.indexing.small import TODAY, Counting, found, pipeline, synced


def test_opening_embeds_no_passage_and_asking_embeds_the_question_only(tmp_path):
    counting = Counting()
    synced(tmp_path)
    system = open_index(tmp_path, pipeline(embedder=counting))
    assert "battery.md" in found(system, "AA cells")
    assert counting.passages == []


@dataclass(frozen=True)
class MadeUp:
    """Asks with a made-up passage, as HyDE does."""

    def transform(self, asked, queries):
        """One query."""
        return (Query(asked.text, hypothetical="It runs on two AA cells."),)


def test_a_made_up_passage_is_embedded_by_the_model(tmp_path):
    counting = Counting()
    synced(tmp_path)
    system = open_index(tmp_path, pipeline(embedder=counting, hyde=MadeUp(), retrievers={"dense": Dense()}))
    assert "battery.md" in found(system, "What powers it?")
    assert set(counting.passages) == {"It runs on two AA cells."}


def test_an_index_that_lacks_a_vector_is_not_silently_embedded_again(tmp_path):
    synced(tmp_path)
    contents = read_contents(tmp_path)
    stored = StoredEmbedder(contents.vectors, {}, Counting())
    with pytest.raises(StoreError, match="have no vector") as raised:
        Dense().index(contents.chunks, stored)
    assert raised.value.problems[0].code == "I002"


def test_another_embedder_is_refused_by_both_names(tmp_path):
    synced(tmp_path)
    with pytest.raises(ConfigError) as raised:
        open_index(tmp_path, pipeline(embedder=Hashing(32)))
    assert raised.value.problems[0].code == "I001"
    assert "64 dimensions" in str(raised.value) and "32 dimensions" in str(raised.value)


def test_without_a_folder_there_is_no_index(tmp_path):
    with pytest.raises(ConfigError, match="I004"):
        open_index(tmp_path / "none", pipeline())


def test_only_the_newest_valid_version_of_a_series_is_found(tmp_path):
    versions = [
        document("v1.md", "Version one keeps readings.", series="fw", valid_from="2025-01-01", valid_to="2026-01-01"),
        document("v2.md", "Version two keeps readings.", series="fw", valid_from="2026-01-01"),
        document("v3.md", "Version three keeps readings.", series="fw", valid_from="2026-06-01"),
    ]
    synced(tmp_path, versions)
    system = open_index(tmp_path, pipeline())
    days = ("2025-06-01", "2026-03-01", "2026-07-01")
    assert [found(system, "keeps readings", as_of=day) for day in days] == [{"v1.md"}, {"v2.md"}, {"v3.md"}]


def test_the_day_of_opening_holds_for_questions_without_one(tmp_path):
    synced(tmp_path, [document("new.md", "Kept readings.", valid_from="2026-06-01"), document("old.md", "Other things.")])
    for day, expected in ((TODAY, set()), ("2026-06-01", {"new.md"})):
        trace = over(read_contents(tmp_path), pipeline(), day).answer(question(text="readings"))
        assert {hit.chunk.span.doc_id for hit in trace.fused.hits} == expected


@pytest.mark.parametrize("other", [TfidfSvd(dimension=16), Hashing(64)])
def test_what_an_embedder_learned_is_given_to_no_other(tmp_path, other):
    synced(tmp_path, embedder=TfidfSvd(dimension=8))
    for use in (lambda: open_index(tmp_path, pipeline(embedder=other)), lambda: synced(tmp_path, embedder=other)):
        with pytest.raises(ConfigError, match="I001"):
            use()
