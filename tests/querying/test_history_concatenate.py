"""The user's turns before the last one."""

import pytest
from pydantic import ValidationError

from harness.querying.history_concatenate import Concatenate
from harness.types import Query, Turn
from tests.builders import question
from tests.contracts.history_rewriter import HistoryRewriterContract

TALK = (Turn("user", "One?"), Turn("assistant", "1."), Turn("user", " "), Turn("assistant", "?"), Turn("user", "Two?"))


class TestConcatenate(HistoryRewriterContract):
    @pytest.fixture
    def rewriter(self) -> Concatenate:
        return Concatenate()


@pytest.mark.parametrize(("turns", "text"), [(1, "Two?\nThree?"), (2, "One?\nTwo?\nThree?"), (9, "One?\nTwo?\nThree?")])
def test_the_newest_user_turns_stand_before_the_question(turns: int, text: str) -> None:
    found, query = Concatenate(turns).standalone(question(text="Three?", history=TALK))
    assert (found.text, query.text) == (text, text)
    assert query.notes == (f"history: behind {min(turns, 2)} user turns",)


def test_where_only_the_assistant_spoke_the_question_stays() -> None:
    assert Concatenate().standalone(question(text="A?", history=TALK[1:2]))[1] == Query("A?")


def test_at_least_one_turn_is_needed() -> None:
    with pytest.raises(ValidationError):
        Concatenate(0)
