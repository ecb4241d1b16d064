"""Rules against the last turn alone on a public set: mtrag-un (IBM, Apache-2.0), human conversations with judged passages.

Constants and word lists were chosen on the conversations of one half; the claim is on the other half, by a fixed hash.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest

from harness.embedding.hashing import Hashing
from harness.protocols import HistoryRewriter
from harness.querying.history_concatenate import Concatenate
from harness.querying.history_rules import Rules
from harness.retrieval.sparse import BM25
from harness.statistics.intervals import mean_interval
from harness.types import Chunk, Query, Question, Span, Turn
from tests.golden.public import public

pytestmark = pytest.mark.public_data


class Set:
    """The judged tasks of the half that nothing was chosen on, and BM25 over the passages."""

    def __init__(self) -> None:
        self.qrels: dict[str, set[str]] = {}
        for line in (public("mtrag_un") / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
            judged, passage, _ = line.split("\t")
            self.qrels.setdefault(judged, set()).add(passage)
        passages = [Chunk(Span(row["_id"], 0, len(row["text"])), row["text"], title=row["title"]) for row in rows("corpus.jsonl")]
        self.index = BM25().index(passages, Hashing())
        asked = [as_question(row) for row in rows("queries.jsonl")]
        self.tasks = [task for task in asked if task.question_id in self.qrels and held_out(task)]

    def recalls(self, texts: Sequence[str]) -> list[float]:
        """Recall@5 of each task for its text."""
        found = self.index.search([Query(text) for text in texts], 5)
        hits = [{hit.chunk.span.doc_id for hit in ranking.hits} for ranking in found]
        relevant = [self.qrels[task.question_id] for task in self.tasks]
        return [len(ids & wanted) / len(wanted) for ids, wanted in zip(hits, relevant, strict=True)]

    def gains(self, rewriter: HistoryRewriter) -> list[float]:
        """Difference to the last turn alone, a task each."""
        alone = self.recalls([task.text for task in self.tasks])
        texts = [rewriter.standalone(task)[0].text for task in self.tasks]
        return [new - old for new, old in zip(self.recalls(texts), alone, strict=True)]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (public("mtrag_un") / name).read_text("utf-8").splitlines()]


def as_question(row: dict[str, Any]) -> Question:
    return Question(row["_id"], row["text"], history=tuple(Turn(turn["role"], turn["text"]) for turn in row["history"]))


def held_out(task: Question) -> bool:
    return int(sha256(task.question_id.partition("<::>")[0].encode()).hexdigest(), 16) % 2 == 1


@pytest.fixture(scope="module")
def mtrag() -> Set:
    return Set()


def test_the_half_is_whole_and_the_last_turn_alone_finds_what_it_did(mtrag: Set) -> None:
    assert len(mtrag.tasks) == 151
    recalls = mtrag.recalls([task.text for task in mtrag.tasks])
    assert sum(recalls) / len(recalls) == pytest.approx(0.732, abs=0.002)


def test_rules_find_more_than_the_last_turn_alone(mtrag: Set) -> None:
    gains = mtrag.gains(Rules())
    interval = mean_interval(gains)
    assert interval is not None
    low, high = interval
    assert 0 < low < sum(gains) / len(gains) < high
    assert sum(gains) / len(gains) == pytest.approx(0.081, abs=0.01)


def test_rules_find_more_than_concatenated_turns(mtrag: Set) -> None:
    rules, one, all_turns = (mtrag.gains(item) for item in (Rules(), Concatenate(1), Concatenate(50)))
    assert sum(rules) > sum(one) > sum(all_turns)


def test_rules_leave_more_than_half_of_the_tasks_alone(mtrag: Set) -> None:
    changed = [Rules().standalone(task)[0].text != task.text for task in mtrag.tasks]
    assert sum(changed) / len(changed) == pytest.approx(0.45, abs=0.02)
