"""The options of BM25 from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import harness, project

__all__ = ["harness", "project"]

LIGHT = ["run", "+experiment=light", "gate=none", "retrievers=bm25"]


def rankings(project: Path, call: Callable[..., tuple[int, str]], *words: str) -> dict[str, Any]:
    """The rankings of BM25 by question, of the newest run."""
    before = set(project.glob("reports/runs/*"))
    code, text = call(*LIGHT, *words)
    assert code == 0, text
    (folder,) = set(project.glob("reports/runs/*")) - before
    lines = (folder / "traces.jsonl").read_text("utf-8").splitlines()
    traces = [json.loads(line.partition(" ")[2]) for line in lines]
    return {trace["question_id"]: trace["stations"]["bm25"] for trace in traces}


def test_both_engines_give_the_same_run(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    """Of the other variants tests/retrieval/test_sparse_variants.py holds it, without the command line."""
    chosen = "retrievers.bm25.variant=l"
    fast = rankings(project, harness, chosen)
    assert len(fast) == 27
    assert rankings(project, harness, chosen, "retrievers.bm25.engine=rank_bm25") == fast


def test_the_tokenizer_and_its_language_are_knobs(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    english = rankings(project, harness)
    german = rankings(project, harness, "retrievers.bm25.tokenizer=bigrams", "retrievers.bm25.language=german")
    assert german.keys() == english.keys()
    assert german != english


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["retrievers.bm25.k1=-1", "retrievers.bm25.b=1.5", "retrievers.bm25.variant=bm25f"],
            ["retrievers.bm25.k1", "retrievers.bm25.b", "retrievers.bm25.variant"],
        ),
        (["retrievers.bm25.tokenizer=plain", "retrievers.bm25.language=german"], ["language=german changes nothing"]),
    ],
)
def test_wrong_settings_are_one_error_with_their_places(
    project: Path, harness: Callable[..., tuple[int, str]], words: list[str], said: list[str]
) -> None:
    code, text = harness(*LIGHT, *words)
    assert code == 2
    assert [item for item in said if item not in text] == []
    assert "Traceback" not in text
