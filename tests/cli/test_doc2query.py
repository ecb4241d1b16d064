"""doc2query and the TF-IDF-SVD embedder through the command line."""

import pytest

from tests.cli.project import ANSWERABLE, questions, write_golden_set
from tests.cli.test_run import folders, results

LIGHT = ["run", "+experiment=light", "gate=none"]
LEARNING = [*LIGHT, "doc2query=rules", "embedder=tfidf_svd"]


@pytest.fixture
def in_other_words(project):
    """The questions about the battery, asked in words that no document holds: `The cells last 18 months.`"""
    rows = [{**row, "question": "How long?"} for row in questions() if row["question"] == ANSWERABLE[0][0]]
    write_golden_set(project / "golden_sets" / "tiny", rows)
    return project


def test_a_run_with_questions_and_a_learning_embedder_scores_every_question(project, harness):
    code, text = harness(*LEARNING)
    assert code == 0, text
    metrics = results(project)["metrics"]
    assert metrics["dense/recall_at_5"]["n"] == 24
    assert metrics["dense/recall_at_5"]["value"] == 1.0


def test_two_runs_give_the_same_bytes(project, harness):
    harness(*LEARNING)
    harness(*LEARNING, "workers=1")
    first, second = (folder / "results.json" for folder in folders(project))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("retriever", ["bm25", "dense"])
@pytest.mark.parametrize(("option", "found"), [("none", 0.0), ("rules", 1.0)])
def test_a_question_in_other_words_is_found_by_the_questions_alone(in_other_words, harness, retriever, option, found):
    code, text = harness(*LIGHT, "embedder=tfidf_svd", f"retrievers={retriever}", f"doc2query={option}")
    assert code == 0, text
    assert results(in_other_words)["metrics"]["recall_at_5"]["value"] == found


def test_the_questions_are_never_shown(in_other_words, harness):
    harness(*LEARNING)
    (folder,) = folders(in_other_words)
    chunks, traces = ((folder / name).read_text() for name in ("chunks.jsonl", "traces.jsonl"))
    assert "The cells last 18 months" in chunks
    assert "do the cells last" not in chunks + traces


def test_a_model_without_a_key_is_reported_by_the_place_of_its_setting(project, harness):
    code, text = harness(*LIGHT, "doc2query=llm")
    assert code == 2
    assert "doc2query.llm" in text
    assert "OPENAI_API_KEY" in text
