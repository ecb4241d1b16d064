"""The language model that replays."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.errors import StageError
from harness.llm.scripted import Scripted
from harness.types import Completion, Request, Turn


def ask(model: Scripted, text: str) -> Completion:
    return model.complete(Request((Turn("system", "Be brief."), Turn("user", text))))


def test_a_sequence_is_replayed_in_order() -> None:
    model = Scripted(["one", "two"])
    assert [ask(model, "x").text, ask(model, "x").text] == ["one", "two"]


def test_a_used_up_sequence_is_an_error() -> None:
    model = Scripted(["one"])
    ask(model, "x")
    with pytest.raises(StageError, match="all 1 scripted replies are used up"):
        ask(model, "the question")


def test_a_mapping_replies_by_a_piece_of_the_last_turn() -> None:
    model = Scripted({"range": "5 m", "colour": "red"})
    assert ask(model, "Which colour is it?").text == "red"


def test_the_system_turn_is_not_looked_at() -> None:
    with pytest.raises(StageError, match="no scripted reply fits 'Hello'"):
        ask(Scripted({"brief": "no"}), "Hello")


def test_each_reply_is_handed_out_once_among_threads() -> None:
    model = Scripted([str(number) for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: ask(model, "x").text, range(200)))
    assert sorted(replies, key=int) == [str(number) for number in range(200)]


def test_identity_changes_with_the_replies() -> None:
    assert Scripted(["a"]).identity == Scripted(["a"]).identity != Scripted(["b"]).identity


def test_tokens_are_counted() -> None:
    usage = ask(Scripted(["a b c"]), "x y").usage
    assert (usage.output_tokens, usage.calls, usage.cost) == (3, 1, 0.0)
