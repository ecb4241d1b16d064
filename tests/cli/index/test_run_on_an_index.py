"""`harness run index=FOLDER`: golden questions asked of an index on disk."""

import json
import shutil

import pytest

from harness import runs
from harness.cli import job
from harness.cli.index.asked import judged
from harness.golden.golden_set import load
from harness.indexing.contents import read_contents
from harness.indexing.manifest import read_manifest
from tests.cli import project as made

LIGHT = ("+experiment=light", "gate=none")


@pytest.fixture
def golden(project, index):
    """The golden corpus, indexed with the settings of the experiment."""
    corpus = project / "golden_sets" / "tiny" / "corpus"
    code, text = index("sync", str(corpus), "+experiment=light")
    assert code == 0, text
    return corpus


@pytest.fixture
def golden_docs(project):
    """The folder of the golden corpus, not indexed."""
    return str(project / "golden_sets" / "tiny" / "corpus")


def newest_folder(project):
    return sorted((project / "reports" / "runs").glob("*/results.json"))[-1].parent


def newest(project):
    """The newest run's record and key."""
    folder = newest_folder(project)
    return runs.load(folder), json.loads((folder / "run.json").read_text())["key"]


def test_an_index_of_the_golden_corpus_gives_the_scores_of_one_in_memory(golden, harness, project):
    assert harness("run", *LIGHT)[0] == 0
    in_memory, one = newest(project)
    code, text = harness("run", *LIGHT, "index=index")
    assert code == 0
    assert "does not hold the golden corpus" not in text
    on_disk, other = newest(project)
    assert on_disk.aggregates == in_memory.aggregates
    assert on_disk.fingerprints["corpus"] == in_memory.fingerprints["corpus"]
    assert one != other


def test_the_record_names_the_content_of_the_index(golden, harness, project, index):
    harness("run", *LIGHT, "index=index")
    assert newest(project)[0].fingerprints["index"] == read_manifest(project / "index").digest


def test_documents_that_are_not_the_golden_ones_are_noted_and_set_the_run_apart(golden, harness, project, index):
    changed = project / "changed"
    shutil.copytree(golden, changed)
    (changed / "battery.md").write_text("# Battery\n\nThe soil probe runs on sunlight.\n")
    (changed / "more.md").write_text("# More\n\nMore.\n")
    (changed / "range.md").unlink()
    harness("run", *LIGHT, "index=index")
    before, one = newest(project)
    index("sync", str(changed))
    code, text = harness("run", *LIGHT, "index=index")
    assert code == 0
    assert "1 changed (battery.md); 1 missing (range.md); 1 more (more.md)" in text
    after, other = newest(project)
    assert after.fingerprints["corpus"] != before.fingerprints["corpus"]
    assert one != other


def test_a_deleted_document_is_not_found_by_the_run(golden, harness, project, index):
    index("delete", "battery.md", "--today", "2020-01-01")
    code, text = harness("run", *LIGHT, "index=index")
    assert (code, "1 missing (battery.md)" in text) == (0, True)
    assert newest(project)[0].aggregates["context/recall_at_5"].value < 1


@pytest.mark.parametrize(
    ("word", "parts"),
    [("chunker.size=64", ("I006", "chunker")), ("embedder.dimension=64", ("I001", "64 dimensions"))],
)
def test_an_experiment_with_other_settings_than_the_index_s_is_refused_by_name(golden, harness, word, parts):
    code, text = harness("run", *LIGHT, "index=index", word)
    assert code == 2
    assert all(part in text for part in parts)


def test_a_folder_without_an_index_is_told(project, harness):
    code, text = harness("run", *LIGHT, "index=nowhere")
    assert (code, "I004" in text) == (2, True)


def test_a_baseline_over_other_documents_is_not_compared_and_these_are_named(golden, harness, project, index):
    harness("run", "+experiment=light")
    assert harness("accept")[0] == 0
    changed = project / "changed"
    shutil.copytree(golden, changed)
    (changed / "battery.md").write_text("# Battery\n\nThe soil probe runs on sunlight.\n")
    (changed / "more.md").write_text("# More\n\nMore.\n")
    (changed / "range.md").unlink()
    index("sync", str(changed))
    code, text = harness("run", "+experiment=light", "index=index")
    assert code == 4
    verdicts = json.loads((newest_folder(project) / "gate.json").read_text())
    reason = next(row["reason"] for row in verdicts if row["outcome"] == "not_comparable")
    assert "documents: 1 added (more.md), 1 removed (range.md), 1 edited (battery.md)" in reason
    assert "Sync it with the golden corpus" in reason
    assert "the index does not hold 'range.md'. No retriever can find it. Fix: sync the index" in text


def test_an_index_that_lacks_documents_does_not_blame_the_chunker(golden, harness, index):
    index("delete", "battery.md", "range.md")
    _, text = harness("run", *LIGHT, "index=index")
    assert "the index does not hold 'battery.md'" in text and "the index does not hold 'range.md'" in text
    assert "use another chunker" not in text


@pytest.mark.parametrize(
    ("built", "asked", "fix"),
    [
        (["embedder=tfidf_svd", "chunker=markdown"], [], "add embedder=tfidf_svd chunker=markdown, with which"),
        (
            ["embedder=hashing", "reranker=none"],
            ["chunker.size=64"],
            "add embedder=hashing, with which the index was built; leave out",
        ),
        (["embedder=hashing"], ["embedder=hashing", "chunker.size=64"], "Fix: leave out chunker.size=64."),
        (["embedder=hashing", "chunker=fixed"], ["embedder=hashing", "chunker=markdown"], "add chunker=fixed, with which"),
        (["+experiment=light", "chunker.size=64"], ["+experiment=light"], "add chunker.size=64, with which the index was built."),
        (["+experiment=light"], ["embedder=hashing", "chunker.size=64"], "add +experiment=light, with which the index was built"),
    ],
    ids=["none of them", "one of them and one more", "one more", "another option", "beside an experiment", "experiment"],
)
def test_the_words_with_which_the_index_was_built_are_given_to_add_and_they_hold(golden_docs, harness, index, built, asked, fix):
    assert index("sync", golden_docs, *built, "--index", "other")[0] == 0
    code, text = harness("run", "gate=none", "generator=none", "judge=none", "reranker=none", *asked, "index=other")
    flat = " ".join(text.replace("│", " ").split())
    assert (code, fix in flat) == (2, True), text
    advice = flat.partition("Fix: ")[2].partition(". ")[0].rstrip(".")
    added, left = (advice.partition(f"{word} ")[2].partition(", with")[0].split() for word in ("add", "leave out"))
    words = [*(word for word in asked if word not in left), *added]
    assert harness("run", "gate=none", "generator=none", "judge=none", "reranker=none", *words, "index=other")[0] == 0


PRICE = "# Prices\n\nA replacement filter for the air monitor costs 19 euros.\n"
NEWER = "# Prices\n\nA replacement filter for the air monitor costs 21 euros.\n"


def counted(harness, project):
    """Leaks, superseded and deleted hits of a run on the index."""
    job._load.cache_clear()
    code, text = harness("run", *LIGHT, "index=index")
    assert code == 0, text
    values = newest(project)[0].aggregates
    return tuple(values[name].value > 0 for name in ("tenant_leaks", "superseded_hits", "deleted_hits"))


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("tenant: acme", (True, False, False)),
        ("acl: [acme]", (True, False, False)),
        ("valid_to: 2026-06-01", (False, True, False)),
        ("valid_from: 2026-07-01", (False, True, False)),
        ("deleted_at: 2026-06-01", (False, False, True)),
        ("deleted_at: 2026-07-01", (False, False, False)),
        ("title: Prices", (False, False, False)),
    ],
)
@pytest.mark.parametrize("synced_again", [False, True])
def test_passages_are_judged_by_what_the_golden_corpus_says_now(
    project, index, harness, monkeypatch, says, expected, synced_again
):
    corpus = project / "golden_sets" / "tiny" / "corpus"
    monkeypatch.setitem(made.DOCUMENTS, "secret.md", PRICE)
    made.write_golden_set(corpus.parent)
    assert index("sync", str(corpus), "+experiment=light")[0] == 0
    monkeypatch.setitem(made.DOCUMENTS, "secret.md", f"---\n{says}\n---\n{PRICE}")
    made.write_golden_set(corpus.parent)
    if synced_again:
        assert index("sync", str(corpus))[0] == 0
    assert counted(harness, project) == ((False, False, False) if synced_again else expected)


@pytest.mark.parametrize("state", ["not taken up", "deleted", "purged", "taken up"])
def test_an_old_version_is_superseded_by_a_newer_one_that_the_index_lacks_but_not_by_one_that_it_has_withdrawn(
    project, index, harness, monkeypatch, state
):
    corpus = project / "golden_sets" / "tiny" / "corpus"
    monkeypatch.setitem(made.DOCUMENTS, "v1.md", f"---\nseries: p\nvalid_from: 2025-01-01\n---\n{PRICE}")
    made.write_golden_set(corpus.parent)
    index("sync", str(corpus), "+experiment=light")
    monkeypatch.setitem(made.DOCUMENTS, "v2.md", f"---\nseries: p\nvalid_from: 2026-01-01\n---\n{NEWER}")
    made.write_golden_set(corpus.parent)
    if state != "not taken up":
        index("sync", str(corpus))
    if state in ("deleted", "purged"):
        index("delete", "v2.md", "--grace", "0")
    if state == "purged":
        index("purge")
    assert counted(harness, project) == (False, state == "not taken up", False)


def test_documents_that_the_golden_corpus_does_not_hold_are_judged_by_the_index(golden, project, index, harness):
    more = project / "more"
    shutil.copytree(golden, more)
    (more / "secret.md").write_text(f"---\ntenant: acme\n---\n{PRICE}")
    index("sync", str(more))
    found = judged(read_contents(project / "index"), load(golden.parent).documents)
    assert {item.doc_id: item.tenant for item in found if item.tenant} == {"secret.md": "acme"}
    assert len(found) == 6


def test_a_run_says_that_the_embedder_learned_from_fewer_texts(golden_docs, project, index, harness):
    words = ("embedder=tfidf_svd",)
    index("sync", golden_docs, "+experiment=light", *words)
    assert "learned from" not in harness("run", *LIGHT, *words, "index=index")[1]
    shutil.copytree(golden_docs, project / "more")
    (project / "more" / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    index("sync", "more")
    assert "the embedder learned from 5 of 6 texts" in harness("run", *LIGHT, *words, "index=index")[1]
