"""Acceptable ratio: refused, or asked back where the question is underspecified."""

import pytest

from harness.metrics.acceptable import AcceptableRatio, asks_back
from harness.metrics.refusal_rates import RefusalRecall
from harness.slicing import by_slice
from harness.types import Answer, State
from tests.builders import question, trace

METRIC = AcceptableRatio()
ASKED, TOLD = Answer("Which model do you mean?"), Answer("It is 5 m.")
REFUSED = Answer("I cannot find this.", refused=True)


@pytest.mark.parametrize(
    ("reason", "answer", "value"),
    [
        ("underspecified", ASKED, 1),
        ("underspecified", TOLD, 0),
        ("underspecified", REFUSED, 1),
        ("future", ASKED, 0),  # only what lacks something can be asked for
        ("false_premise", TOLD, 0),
        ("out_of_corpus", REFUSED, 1),
        ("", ASKED, 0),
    ],
)
def test_what_is_an_acceptable_reaction_depends_on_the_reason(reason: str, answer: Answer, value: float) -> None:
    assert METRIC.score(question(answerable=False, reason=reason), trace("q1", answer=answer)).value == value


@pytest.mark.parametrize(
    "text",
    [
        "Which one?",
        "There are two. Which one do you mean? ",
        "Which one [a1b2c3d4e5f6]?",
        "Which one? [a1b2c3d4e5f6]",
        "**Which one?**",
        'Do you mean the "AQ-210?"',
        "(Which one?)",
        "Which one?!?",
        "どちらの型番ですか？",
        "您指的是哪一个？」",
        "أي جهاز تقصد؟",
        "Quel appareil ?",
        "¿Cuál?",
        "Ποιο εννοείτε\u037e",
        "Ποιο εννοείτε;",
        "Ո՞րը՞",
    ],
)
def test_an_answer_that_ends_with_a_question_asks_back_in_any_script(text: str) -> None:
    assert asks_back(text)


@pytest.mark.parametrize(
    "text", ["", "Which one? It is 5 m.", "It is 5 m.", "It is 5 m;", "Really? No", "See a?b", "？から始まる。"]
)
def test_one_that_ends_otherwise_does_not(text: str) -> None:
    assert not asks_back(text)


def test_it_applies_to_unanswerable_questions_that_got_an_answer() -> None:
    assert METRIC.score(question(), trace("q1", answer=TOLD)).reason == "answerable"
    assert METRIC.score(question(answerable=False), trace()).state is State.NOT_APPLICABLE


def test_per_reason_it_is_never_below_the_rejection_rate() -> None:
    rows = [
        ("underspecified", ASKED),
        ("underspecified", REFUSED),
        ("underspecified", TOLD),
        ("future", REFUSED),
        ("future", TOLD),
    ]
    asked = [question(f"q{place}", answerable=False, reason=reason) for place, (reason, _) in enumerate(rows)]
    left = [trace(f"q{place}", answer=answer) for place, (_, answer) in enumerate(rows)]
    scores = [metric.score(*pair) for metric in (METRIC, RefusalRecall()) for pair in zip(asked, left, strict=True)]
    found = by_slice(scores, {item.question_id: (f"reason:{item.reason}",) for item in asked}, {})
    shares = {name: (row["acceptable_ratio"].value, row["refusal_recall"].value) for name, row in found.items()}
    assert shares == {"reason:future": (1 / 2, 1 / 2), "reason:underspecified": (pytest.approx(2 / 3), pytest.approx(1 / 3))}
