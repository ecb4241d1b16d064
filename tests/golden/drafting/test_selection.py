"""Which candidates become drafts."""

from collections import Counter
from typing import Any

from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.selection import INVENTED, Asked, select
from harness.types import Document, Span
from tests.golden.drafting.documents import document

DOCUMENTS: dict[str, Document] = {
    name: document(name, "The probe wakes every 15 minutes.\n") for name in ("a.md", "b.md", "c.md")
}
SPAN = Span("a.md", 0, 33)


def candidate(question: str, rule: str = "facts", doc: str = "a.md", topic: str = "", **fields: object) -> Candidate:
    return Candidate(rule, doc, question, "factoid", "test", topic, **fields)  # type: ignore[arg-type]


def rows(earlier: list[dict[str, Any]]) -> Asked:
    return Asked(earlier, "2026-06-30")


def texts(chosen: list[Candidate]) -> list[str]:
    return [item.question for item in chosen]


def test_a_question_with_the_words_of_an_existing_one_is_left_out_whoever_retired_it() -> None:
    earlier = rows([{"question": "How often does the SM-50 probe wake?", "retired": True}])
    repeated = candidate("How often does the probe SM-50 wake?")
    other = candidate("How often does the SM-60 probe wake?")
    assert texts(select([repeated, other], DOCUMENTS, earlier, 9)) == [other.question]


def test_the_same_question_of_another_persona_is_another_question() -> None:
    earlier = rows([{"question": "Which discount do we get?", "persona": "north"}])
    mine, theirs = (candidate("Which discount do we get?", persona=name) for name in ("north", "south"))
    assert select([mine, theirs], DOCUMENTS, earlier, 9) == [theirs]


def test_the_same_question_on_another_day_or_after_other_turns_is_another_question() -> None:
    history = [{"role": "user", "content": "The SM-50?"}]
    earlier: list[dict[str, Any]] = [
        {"question": "How often does the probe wake?", "as_of": "2020-01-01"},
        {"question": "How often does the probe wake?", "history": history},
    ]
    mine = candidate("How often does the probe wake?")
    assert select([mine], DOCUMENTS, rows(earlier), 9) == [mine]
    today = {"question": "How often does the probe wake?", "as_of": "2026-06-30"}
    assert select([mine], DOCUMENTS, rows([*earlier, today]), 9) == []


def test_a_fact_that_is_asked_in_other_words_is_left_out() -> None:
    quote = {"doc": "a.md", "quote": "The probe wakes every 15 minutes."}
    earlier = rows([{"question": "At what pace are values taken?", "evidence": [[quote]], "answers": ["Every 15 minutes"]}])
    same = candidate("How often does the SM-50 wake?", evidence=((SPAN,),), answers=("every 15 minutes",))
    assert select([same], DOCUMENTS, earlier, 9) == []


def test_what_an_identifier_is_gets_asked_once() -> None:
    two = [
        candidate("What is FH-5102-A?", answers=("Inlet filter",)),
        candidate("What kind of part is FH-5102-A?", answers=("inlet filter",)),
    ]
    assert len(select(two, DOCUMENTS, rows([]), 9)) == 1


def test_an_invented_identifier_that_any_question_names_is_not_asked_for_again() -> None:
    earlier = rows([{"question": "My sensor reports E-57, and now?"}])
    assert select([candidate("What does E-57 mean?", topic=INVENTED)], DOCUMENTS, earlier, 9) == []


def test_rules_take_turns_and_documents_that_are_asked_least_come_first() -> None:
    pool = [
        candidate(f"{rule} asks word{place} of {doc}", rule, doc)
        for rule in ("facts", "tables")
        for doc in ("a.md", "b.md", "c.md")
        for place in range(5)
    ]
    place = {doc: [[{"doc": doc, "quote": "x"}]] for doc in ("a.md", "b.md")}
    earlier = rows([{"question": f"w{n}", "evidence": place["a.md" if n else "b.md"]} for n in range(8)])
    chosen = select(pool, DOCUMENTS, earlier, 6)
    assert [item.rule for item in chosen] == ["facts", "tables"] * 3
    assert [item.doc_id for item in chosen] == ["c.md", "b.md", "a.md", "c.md", "b.md", "a.md"]


def test_drafts_of_one_document_differ_in_topic() -> None:
    pool = [candidate(f"What about word{place} {topic}?", topic=topic) for topic in ("range", "accuracy") for place in range(4)]
    assert Counter(item.topic for item in select(pool, DOCUMENTS, rows([]), 4)) == {"range": 2, "accuracy": 2}


def test_the_choice_does_not_depend_on_the_order_of_the_candidates() -> None:
    pool = [candidate(f"What about word{place}?") for place in range(20)]
    assert select(pool, DOCUMENTS, rows([]), 5) == select(pool[::-1], DOCUMENTS, rows([]), 5)
