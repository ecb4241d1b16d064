"""Each embedded store through the command line, with questions of several tenants and of other days."""

import json

import pytest

from harness.golden.golden_set import load
from harness.resources import shipped_root
from harness.store import Journal
from tests.offline import offline

LIGHT = ("embedder=hashing", "judge=none", "gate=none", "tracking=none", "golden_set=smoke")


def newest(project, file):
    return max((project / "reports" / "runs").glob(f"*/{file}"), key=lambda path: path.stat().st_mtime_ns)


def first_five(project):
    """Ids of the first chunks of every question."""
    rows = Journal(newest(project, "traces.jsonl")).read()
    return {row["question_id"]: [name for name, _ in row["stations"]["dense"][:5]] for row in rows}


def test_the_set_has_something_to_keep_from_somebody():
    golden = load(shipped_root() / "golden_sets" / "smoke")
    assert {document.tenant for document in golden.documents} > {""}
    assert any(document.acl for document in golden.documents) or any(question.persona for question in golden.questions)
    assert any(document.series or document.valid_to for document in golden.documents)


def test_stores_find_what_faiss_finds_and_show_nothing_that_must_not_be_seen(project, harness):
    found = {}
    for name in ("faiss", "lancedb", "chroma", "qdrant"):
        with offline() as asked:
            code, text = harness("run", "+experiment=dense_only", f"store={name}", *LIGHT)
        assert code == 0, text
        assert asked == []
        metrics = json.loads(newest(project, "results.json").read_text())["metrics"]
        assert (metrics["tenant_leaks"]["value"], metrics["tenant_leaks"]["n"]) == (0, 32)
        assert (metrics["superseded_hits"]["value"], metrics["superseded_hits"]["n"]) == (0, 32)
        found[name] = metrics["recall_at_5"]["value"], first_five(project)
    wanted, expected = found["faiss"]
    for store, (recall, lists) in found.items():
        assert recall == wanted > 0.3
        same = sum(lists[name] == expected[name] for name in expected)
        assert same == 32 if store != "chroma" else same >= 29


def test_a_path_keeps_the_rows_for_the_next_run(project, harness):
    for ks in ("[5]", "[1,5]"):
        code, text = harness("run", "+experiment=dense_only", "store=lancedb", "store.path=vectors", f"ks={ks}", *LIGHT)
        assert code == 0, text
    assert len([path for path in (project / "vectors").iterdir() if path.is_dir()]) == 1


def test_a_wrong_setting_of_a_store_is_one_message(project, harness):
    code, text = harness("run", "+experiment=dense_only", "store=lancedb", "store.probes=3", *LIGHT)
    assert code == 2
    assert "change nothing with index=flat" in text
    assert "Traceback" not in text


def test_a_missing_package_is_one_message_before_anything_is_asked(project, harness, monkeypatch):
    monkeypatch.setattr("harness.retrieval.stores.shared.find_spec", lambda _: None)
    code, text = harness("run", "+experiment=dense_only", "store=chroma", *LIGHT)
    assert code == 2
    assert "store" in text and "retrievers.dense" not in text
    assert 'pip install "rag-harness[chroma]"' in text
    assert "Traceback" not in text


@pytest.mark.parametrize("store", ["lancedb", "chroma", "milvus"])
def test_a_path_that_cannot_be_written_to_is_one_message_with_the_path_and_a_remedy(project, harness, store):
    code, text = harness("run", "+experiment=dense_only", f"store={store}", "store.path=/dev/null/x", *LIGHT)
    assert code == 2
    assert "store.path='/dev/null/x' cannot be written to" in text
    assert "Give a folder of your own" in " ".join(text.replace("│", " ").split())
    assert "Traceback" not in text


def test_a_database_that_does_not_answer_is_one_message_with_a_code_and_a_fix(project, harness, monkeypatch):
    monkeypatch.setenv("HARNESS_POSTGRES", "postgresql://me:hunter2@127.0.0.1:9/x")
    code, text = harness("run", "+experiment=dense_only", "store=pgvector", *LIGHT)
    assert code == 2
    assert "F015" in text and "start the server" in text
    assert "Traceback" not in text and "hunter2" not in text
