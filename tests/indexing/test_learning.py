"""From how many of its texts the embedder of an index learned."""

import pytest

from harness.embedding.tfidf_svd import TfidfSvd
from harness.errors import CorpusError
from harness.indexing.contents import read_contents
from harness.indexing.learning import outgrown
from harness.indexing.reembedding import reembed
from harness.indexing.withdrawing import delete, purge, restore
from tests.builders import document
from tests.indexing.small import TODAY, config, documents, pipeline, synced

LEARNS = {"embedder": TfidfSvd(dimension=8)}
MORE = [document(f"new-{number}.md", f"Invoice number {number}.") for number in range(4)]


@pytest.fixture
def index(tmp_path):
    synced(tmp_path, **LEARNS)
    return tmp_path


def told(index):
    contents = read_contents(index)
    return outgrown(contents.manifest, contents.chunks)


def test_nothing_is_said_while_it_learned_from_these_very_texts(index):
    assert told(index) == ""


def test_nothing_is_said_of_an_embedder_that_learns_nothing(tmp_path):
    synced(tmp_path)
    synced(tmp_path, [*documents(), *MORE])
    assert (read_contents(tmp_path).manifest.learned_from, told(tmp_path)) == ((), "")


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ([*documents(), *MORE], "3 of 7 texts;"),
        ([*documents(battery=""), *MORE], "2 of 6 texts and from 1 that is no longer searched;"),
        (documents(battery="Sunlight."), "2 of 3 texts and from 1 that is no longer searched;"),
        (documents(battery="", range=""), "1 of 1 text and from 2 that are no longer searched;"),
    ],
)
def test_it_is_said_from_how_many_texts_it_learned(index, corpus, expected):
    synced(index, corpus, **LEARNS)
    assert told(index) == f"the embedder learned from {expected} `harness index reembed` learns anew"
    synced(index, documents(), **LEARNS)
    assert told(index) == ""


def test_after_learning_anew_nothing_is_said(index):
    synced(index, [*documents(), *MORE], **LEARNS)
    assert reembed(index, pipeline(**LEARNS), config(), TODAY).embedded == 7
    assert told(index) == ""


def test_what_is_deleted_counts_until_it_is_restored(index):
    delete(index, ["battery.md"], pipeline(**LEARNS), TODAY)
    assert "2 of 2 texts and from 1" in told(index)
    restore(index, ["battery.md"], pipeline(**LEARNS), TODAY)
    assert told(index) == ""


@pytest.mark.parametrize("purged", [False, True])
def test_without_a_searched_document_nothing_is_embedded_anew_and_the_way_back_is_named(index, purged):
    delete(index, ["battery.md", "range.md", "reset.md"], pipeline(**LEARNS), TODAY, grace=0)
    if purged:
        purge(index, pipeline(**LEARNS), TODAY)
    with pytest.raises(CorpusError, match=r"I007.*restore battery\.md range\.md reset\.md"):
        reembed(index, pipeline(**LEARNS), config(), TODAY)
