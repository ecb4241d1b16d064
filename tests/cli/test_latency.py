"""Seconds per question of a sweep whose variants share their work."""

import json
import sqlite3
from pathlib import Path

import pytest

SWEEP = ("run", "-m", "+experiment=light", "depth.reranked=10,20")


def latencies(project: Path) -> list[dict[str, dict[str, float]]]:
    """Of each run, oldest first."""
    return [json.loads(path.read_text())["latency"] for path in sorted(project.glob("reports/runs/*/run.json"))]


def forget_seconds(project: Path) -> None:
    """Turns the cache into one from before seconds were kept."""
    with sqlite3.connect(project / "cache" / "stages.sqlite") as store:
        assert store.execute("DELETE FROM entries WHERE namespace LIKE '%\\_seconds' ESCAPE '\\'").rowcount > 0
    store.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reranker that takes a hundredth of a second a pair."""
    from harness.reranking.lexical import Lexical

    computed = Lexical.scores

    def scores(self, query, passages):  # type: ignore[no-untyped-def]
        import time

        time.sleep(0.01 * len(passages))
        return computed(self, query, passages)

    monkeypatch.setattr(Lexical, "scores", scores)


def test_a_variant_that_got_its_pairs_from_the_cache_is_not_shown_as_faster(project, harness, slow):
    harness(*SWEEP)
    cold, warm = latencies(project)
    # five passages a question at most, at ten milliseconds each; without the seconds kept the second variant would take none
    assert min(cold["rerank"]["p50"], warm["rerank"]["p50"]) >= 0.01
    assert warm["rerank"]["p50"] > 0.5 * cold["rerank"]["p50"]


def test_a_cache_that_does_not_say_what_its_outputs_took_is_told_and_makes_no_front(project, harness):
    _, first = harness(*SWEEP)
    assert "not known" not in first
    assert "◆" in first
    forget_seconds(project)
    _, text = harness(*SWEEP)
    assert "are not known, so the front leaves them out" in " ".join(text.split())
    assert "◆" not in text
    assert "rerank from cache" in latencies(project)[-1]
    assert "from cache" in max(project.glob("reports/runs/*/report.md")).read_text()
