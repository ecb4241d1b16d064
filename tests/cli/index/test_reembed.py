"""`harness index reembed` as a user runs it."""

from tests.indexing.small import snapshot


def test_another_embedder_takes_over_and_the_old_one_is_refused(built, index):
    code, text = index("reembed", "embedder.dimension=64")
    assert code == 0
    assert "generation 2: embedded 5 texts" in text
    assert "before: hashing words 1-2, 512 dimensions" in text and "now:    hashing words 1-2, 64 dimensions" in text
    assert index("search", "soil probe cells")[0] == 0
    code, text = index("search", "soil probe cells", "embedder.dimension=512")
    assert (code, "I001" in text) == (2, True)
    assert "up to date" in index("sync", "docs")[1]


def test_the_same_embedder_is_nothing_to_do(built, index, project):
    before = snapshot(project / "index")
    code, text = index("reembed", "embedder=hashing")
    assert (code, "nothing to do" in text) == (0, True)
    assert snapshot(project / "index") == before


def test_an_embedder_that_learns_learns_anew_when_the_documents_changed(docs, index):
    index("sync", "docs", "embedder=tfidf_svd")
    assert "nothing to do" in index("reembed")[1]
    (docs / "clock.md").write_text("# Clock\n\nRadio sets the clock every night.\n")
    index("sync", "docs")
    assert "embedded 6 texts" in index("reembed")[1]


def test_only_the_embedder_can_be_changed(built, index):
    code, text = index("reembed", "embedder.dimension=64", "chunker.size=64")
    assert (code, "I006" in text) == (2, True)
