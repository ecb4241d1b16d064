"""Embedding everything anew."""

from dataclasses import dataclass, field

import pytest

from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import ConfigError
from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from harness.indexing.opened import open_index
from harness.indexing.reembedding import reembed
from harness.indexing.withdrawing import delete, restore
from tests.indexing.small import TODAY, Counting, config, documents, found, pipeline, snapshot, synced

OTHER = config(embedder={"dimension": 128})


@dataclass
class Learning:
    """Learns as TF-IDF does, and keeps what it was given to learn from."""

    lessons: list = field(default_factory=list)
    identity = "learning"

    def fit(self, texts):
        self.lessons.append(texts)
        return TfidfSvd(dimension=8).fit(texts)


def test_every_text_is_embedded_anew_and_only_the_new_embedder_may_ask(tmp_path):
    synced(tmp_path)
    made = reembed(tmp_path, pipeline(embedder=Hashing(128)), OTHER, TODAY)
    assert (made.embedded, made.chunks, made.generation) == (3, 0, 2)
    assert read_contents(tmp_path).vectors.shape == (3, 128)
    assert "battery.md" in found(open_index(tmp_path, pipeline(embedder=Hashing(128))), "AA cells")
    with pytest.raises(ConfigError, match="I001"):
        open_index(tmp_path, pipeline())


def test_the_same_embedder_does_nothing(tmp_path):
    synced(tmp_path)
    before = snapshot(tmp_path)
    assert reembed(tmp_path, pipeline(), config(), TODAY) is None
    assert snapshot(tmp_path) == before


def test_withdrawn_documents_are_embedded_too_so_that_restoring_costs_nothing(tmp_path):
    synced(tmp_path)
    delete(tmp_path, ["battery.md"], pipeline(), TODAY)
    stages = pipeline(embedder=Hashing(128))
    assert reembed(tmp_path, stages, OTHER, TODAY).embedded == 3
    assert restore(tmp_path, ["battery.md"], stages, TODAY).made.embedded == 0


def test_the_settings_that_cut_stay_and_the_embedder_is_remembered(tmp_path):
    synced(tmp_path)
    reembed(tmp_path, pipeline(embedder=Hashing(128)), config(embedder={"dimension": 128}, chunker={"size": 1}), TODAY)
    kept = read_manifest(tmp_path).config
    assert (kept["embedder"], kept["chunker"]) == ({"dimension": 128}, {"size": 40})


def test_an_embedder_that_learns_is_kept_by_syncs_and_learns_anew_when_told(tmp_path):
    stages = pipeline(embedder=TfidfSvd(dimension=8))
    synced(tmp_path, embedder=TfidfSvd(dimension=8))
    first = read_manifest(tmp_path).embedder
    synced(tmp_path, documents(battery="Solar panels charge the gateway by day."), embedder=TfidfSvd(dimension=8))
    assert read_manifest(tmp_path).embedder == first
    assert reembed(tmp_path, stages, config(), TODAY).embedded == 3
    assert read_manifest(tmp_path).embedder != first
    assert reembed(tmp_path, stages, config(), TODAY) is None


def test_an_embedder_that_learns_learns_once(tmp_path):
    synced(tmp_path)
    learning = Learning()
    assert reembed(tmp_path, pipeline(embedder=learning), OTHER, TODAY).embedded == 3
    assert [len(texts) for texts in learning.lessons] == [3]


def test_an_index_of_an_embedder_that_learns_answers_as_one_in_memory(tmp_path):
    stages = pipeline(embedder=TfidfSvd(dimension=8))
    synced(tmp_path, embedder=TfidfSvd(dimension=8))
    for text in ("AA cells", "gateway"):
        assert found(open_index(tmp_path, stages), text) == found(stages.index(documents()), text)


def test_the_model_of_the_new_embedder_is_asked_for_each_text_once(tmp_path):
    counting = Counting(Hashing(128))
    synced(tmp_path)
    reembed(tmp_path, pipeline(embedder=counting), OTHER, TODAY)
    assert sorted(counting.passages) == sorted({chunk.indexed_text for chunk in read_contents(tmp_path).chunks})
