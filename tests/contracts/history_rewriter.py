"""What everything that makes a turn stand alone must do. Subclass it and give the fixture `rewriter`."""

import pytest

from harness.protocols import HistoryRewriter
from harness.types import Query, Question, Turn
from tests.builders import question
from tests.contracts.growth import growth
from tests.contracts.query_step import HOSTILE, LONG

TALK = (Turn("user", "What supply voltage does the AQ-210 need?"), Turn("assistant", "It needs 9 to 28 V DC."))


def after(text: str, *turns: Turn) -> Question:
    return question(text=text, history=turns, persona="elm", answers=("5 m",), evidence=[[("a.md", 0, 5)]])


class HistoryRewriterContract:
    def test_a_question_without_a_history_stays_as_it_is(self, rewriter: HistoryRewriter) -> None:
        asked = after("How long may its cable be?")
        assert rewriter.standalone(asked) == (asked, Query("How long may its cable be?"))

    def test_question_and_query_have_the_same_text_and_the_rest_of_the_question_stays(self, rewriter: HistoryRewriter) -> None:
        asked = after("And how long may its cable be?", *TALK)
        found, query = rewriter.standalone(asked)
        assert found.text == query.text != asked.text
        assert (found.history, found.persona, found.evidence) == (TALK, "elm", asked.evidence)

    def test_what_the_turn_leans_on_is_in_its_text_and_a_note_says_how_it_came_there(self, rewriter: HistoryRewriter) -> None:
        _, query = rewriter.standalone(after("And how long may its cable be?", *TALK))
        assert "AQ-210" in query.text and "cable" in query.text
        assert len(query.notes) == 1 and query.notes[0].startswith("history: ")

    def test_the_same_conversation_gives_the_same_text(self, rewriter: HistoryRewriter) -> None:
        asked = after("And how long may its cable be?", *TALK)
        assert rewriter.standalone(asked) == rewriter.standalone(asked)

    @pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
    def test_any_turn_is_taken(self, rewriter: HistoryRewriter, text: str) -> None:
        for asked in (after("And its range?", Turn("user", text)), after("And its range?", Turn("assistant", text))):
            found, query = rewriter.standalone(asked)
            assert found.text == query.text and query.text.strip()

    @pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:12]))
    def test_the_work_grows_with_the_length_of_turns_and_not_with_its_square(self, rewriter: HistoryRewriter, text: str) -> None:
        def standing_alone(part: str) -> None:
            rewriter.standalone(after(part, *(Turn(role, part) for role in ("user", "assistant") * 10)))

        assert growth(standing_alone, text) < 12
