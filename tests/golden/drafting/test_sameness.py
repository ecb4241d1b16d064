"""Near-copies of one question among many: the same as those that the whole set is searched for."""

from hypothesis import given
from hypothesis import strategies as st

from harness.golden.drafting.sameness import Alike
from harness.golden.duplicates import near_copies
from harness.types import Question, Turn

TEXTS = st.lists(st.sampled_from("abcdefgh"), max_size=9).map(" ".join)
ROWS = st.tuples(TEXTS, st.sampled_from(["", "north"]), st.sampled_from(["", "2025-01-01", "2026-06-30"]), st.booleans())


@given(st.lists(ROWS, max_size=12))
def test_one_question_has_the_near_copies_that_the_set_finds(drawn: list[tuple[str, str, str, bool]]) -> None:
    turn = {"role": "user", "content": "And?"}
    rows = [{"question": text, "persona": who, "as_of": day, "history": [turn] * after} for text, who, day, after in drawn]
    questions = [
        Question(str(place), text, "factoid", persona=who, as_of=day, history=(Turn("user", "And?"),) * after)
        for place, (text, who, day, after) in enumerate(drawn)
    ]
    expected = {(int(one.question_id), int(other.question_id)) for one, other in near_copies(questions, as_of="2026-06-30")}
    alike, found = Alike("2026-06-30"), set()
    for place, row in enumerate(rows):
        found |= {(other, place) for other in alike.near(row)}
        alike.add(row)
    assert found == expected


def test_copies_come_in_the_order_in_which_they_were_added() -> None:
    alike = Alike("")
    for text in ("b a c d e", "z", "a b c d e"):
        alike.add({"question": text})
    assert list(alike.near({"question": "e d c b a"})) == [0, 2]
