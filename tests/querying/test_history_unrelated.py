"""Rules behind a conversation on something else: 6,078 questions of SQuAD 2.0 (CC BY-SA 4.0), written to be read alone.

What points back was told apart on the articles of one half, by a fixed hash; the bounds hold on the other half too. Questions
such as `Who translated this version?` do lean, and are among those that change.
"""

import json
from hashlib import sha256
from typing import Any

import pytest

from harness.embedding.hashing import Hashing
from harness.querying.history_rules import Rules
from harness.retrieval.sparse import BM25
from harness.types import Chunk, Query, Question, Span, Turn
from tests.golden.public import public

pytestmark = pytest.mark.public_data

TALKS = (
    ("Who is Bob Marley?", "Bob Marley was a Jamaican singer."),
    ("How do I reset the gateway GW-12?", "Hold the button for ten seconds."),
    (
        "I want to cancel my hotel booking in Lisbon",
        "Your booking is cancelled; 189 euro will be returned.",
        "Thanks!",
        "You are welcome.",
    ),
    ("How long must red lentils cook?", "About 15 minutes.", "And brown ones?", "Brown lentils take 30 minutes."),
    (
        "Hi",
        "Hello! How can I help?",
        "My washing machine leaks",
        "Where does the water come out?",
        "At the door seal",
        "Clean the seal and check it for cracks.",
    ),
    ("Which visa do I need for a holiday in Japan?", "Citizens of many countries need none for 90 days."),
    ("Which index funds do you recommend?", "I cannot recommend funds.", "Why not?", "I may not give financial advice."),
    (
        "Is a marathon in under three hours hard?",
        "Few runners manage it.",
        "What pace is that per kilometre?",
        "About 4 minutes and 15 seconds.",
    ),
)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (public("squad2_halfdev") / name).read_text("utf-8").splitlines()]


def digest(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)


def behind_a_talk(row: dict[str, Any]) -> Question:
    """The question behind one of the conversations, the same every time."""
    talk = TALKS[digest(row["_id"]) % len(TALKS)]
    turns = tuple(Turn("assistant" if place % 2 else "user", content) for place, content in enumerate(talk))
    return Question(row["_id"], row["text"], history=turns)


@pytest.fixture(scope="module")
def asked() -> list[tuple[dict[str, Any], str]]:
    """Each question with what is searched for."""
    return [(row, Rules().standalone(behind_a_talk(row))[0].text) for row in rows("queries.jsonl")]


def test_one_question_in_nine_changes_and_one_in_seven_of_the_half_that_nothing_was_chosen_on(
    asked: list[tuple[dict[str, Any], str]],
) -> None:
    changed = [(text != row["text"], digest(row["metadata"]["article"]) % 2 == 1) for row, text in asked]
    held_out = [change for change, held in changed if held]
    assert len(changed) == 6078 and len(held_out) > 1500
    assert 0.05 < sum(change for change, _ in changed) / len(changed) < 0.12
    assert sum(held_out) / len(held_out) < 0.15


def test_bm25_finds_as_good_as_all_that_it_finds_without_the_conversation(asked: list[tuple[dict[str, Any], str]]) -> None:
    judged: dict[str, set[str]] = {}
    for line in (public("squad2_halfdev") / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question, passage, _ = line.split("\t")
        judged.setdefault(question, set()).add(passage)
    passages = [Chunk(Span(row["_id"], 0, len(row["text"])), row["text"], title=row["title"]) for row in rows("corpus.jsonl")]
    index = BM25().index(passages, Hashing())

    def recall(texts: list[str], wanted: list[set[str]]) -> float:
        rankings = index.search([Query(text) for text in texts], 5)
        found = [{hit.chunk.span.doc_id for hit in ranking.hits} for ranking in rankings]
        return sum(len(ids & ones) / len(ones) for ids, ones in zip(found, wanted, strict=True)) / len(wanted)

    pairs = [(row, text) for row, text in asked if row["_id"] in judged]
    wanted = [judged[row["_id"]] for row, _ in pairs]
    alone = recall([row["text"] for row, _ in pairs], wanted)
    assert alone == pytest.approx(0.945, abs=0.001)
    assert recall([text for _, text in pairs], wanted) > alone - 0.006
