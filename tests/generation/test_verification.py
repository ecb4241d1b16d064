"""What happens to an answer that cites what was not shown."""

import pytest
from pydantic import ValidationError

from harness.generation.extractive import Extractive
from harness.generation.llm import LLMGenerator
from harness.generation.verification import Verification
from harness.llm.scripted import Scripted
from harness.text import REFUSAL
from harness.types import Answer, Completion, Request, Usage
from tests.builders import chunk, question, ranking

A, B = chunk("a.md", text="It is 5 m."), chunk("b.md", text="It is red.")
GOOD, OTHER, BAD = A.chunk_id, B.chunk_id, "deadbeef0000"
PASSAGES, QUESTION = ranking(A, B), question(text="How far?")


def verified(text: str, policy: str = "strip", replies: tuple[str, ...] = (), attempts: int = 1) -> Answer:
    """The verified answer; `replies` are what the generator says when asked again."""
    verifier = Verification(policy=policy, attempts=attempts)  # type: ignore[arg-type]
    return verifier.verify(Answer(text, usage=Usage(1, 1, 1)), QUESTION, PASSAGES, LLMGenerator(Scripted(replies)))


@pytest.mark.parametrize("policy", ["strip", "regenerate", "refuse"])
def test_an_answer_with_real_citations_passes_untouched(policy: str) -> None:
    text = f"It is 5 m [{GOOD}]. It is red [{OTHER}]."
    assert verified(text, policy) == Answer(text, usage=Usage(1, 1, 1), draft_citations=(GOOD, OTHER))


@pytest.mark.parametrize("policy", ["strip", "regenerate", "refuse"])
def test_a_refusal_passes_through(policy: str) -> None:
    refusal = Answer(REFUSAL, refused=True, refusal_reason="nothing found")
    verifier = Verification(policy=policy)  # type: ignore[arg-type]
    assert verifier.verify(refusal, QUESTION, PASSAGES, Extractive()) is refusal


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"It is 5 m [{GOOD}][{BAD}].", f"It is 5 m [{GOOD}]."),
        (f"It is 5 m [{GOOD}, {BAD}].", f"It is 5 m [{GOOD}]."),
        (f"It is 5 m [{GOOD}]. It is blue [{BAD}].", f"It is 5 m [{GOOD}]."),
        (f"It is blue [{BAD}]. It is 5 m [{GOOD}].", f"It is 5 m [{GOOD}]."),
        (f"It is 5 m [{GOOD}]. It is blue [{BAD}]. It is red [{OTHER}].", f"It is 5 m [{GOOD}]. It is red [{OTHER}]."),
        (f"- 5 m [{GOOD}]\n- blue [{BAD}]\n- red [{OTHER}]", f"- 5 m [{GOOD}]\n\n- red [{OTHER}]"),
        (f"It is 5 m. It is blue [{BAD}].", "It is 5 m."),
    ],
)
def test_strip_removes_invented_markers_and_sentences_that_had_no_other(text: str, left: str) -> None:
    assert verified(text).text == left


def test_strip_says_what_it_did() -> None:
    answer = verified(f"It is 5 m [{GOOD}]. It is blue [{BAD}].")
    assert answer.actions == (f"stripped {BAD}", "dropped 'It is blue.'")
    assert (answer.citations, answer.refused) == ((GOOD,), False)


def test_strip_refuses_when_nothing_is_left() -> None:
    answer = verified(f"It is blue [{BAD}].")
    assert (answer.text, answer.refused, answer.citations) == (REFUSAL, True, ())
    assert "nothing was left" in answer.refusal_reason
    assert answer.actions == (f"stripped {BAD}", "dropped 'It is blue.'", "refused")


def test_refuse_turns_the_answer_into_the_refusal_and_names_the_citation() -> None:
    answer = verified(f"It is 5 m [{GOOD}]. It is blue [{BAD}].", "refuse")
    assert (answer.text, answer.refused, answer.actions) == (REFUSAL, True, ("refused",))
    assert BAD in answer.refusal_reason


def test_regenerate_takes_a_second_answer_that_holds() -> None:
    answer = verified(f"It is blue [{BAD}].", "regenerate", (f"It is red [{OTHER}].",))
    assert (answer.text, answer.citations) == (f"It is red [{OTHER}].", (OTHER,))
    assert answer.actions == (f"regenerated because the answer cites {BAD!r}, not among the passages shown",)


def test_regenerate_adds_up_what_all_attempts_cost() -> None:
    answer = verified(f"It is blue [{BAD}].", "regenerate", (f"It is red [{OTHER}].",))
    assert answer.usage.calls == 2


def test_regenerate_stops_after_its_attempts_and_strips_the_rest() -> None:
    again = f"It is blue [{BAD}]. It is 5 m [{GOOD}]."
    answer = verified(again, "regenerate", (again, again), attempts=2)
    assert answer.text == f"It is 5 m [{GOOD}]."
    assert answer.actions[:2] == (f"regenerated because the answer cites {BAD!r}, not among the passages shown",) * 2
    assert answer.actions[2:] == (f"stripped {BAD}", "dropped 'It is blue.'")


def test_regenerate_may_end_in_the_models_own_refusal() -> None:
    answer = verified(f"It is blue [{BAD}].", "regenerate", (REFUSAL,))
    assert (answer.refused, answer.actions) == (
        True,
        (f"regenerated because the answer cites {BAD!r}, not among the passages shown",),
    )


@pytest.mark.parametrize("policy", ["strip", "refuse"])
def test_what_the_draft_cited_is_kept_when_it_is_taken_out(policy: str) -> None:
    answer = verified(f"It is 5 m [{GOOD}]. It is blue [{BAD}].", policy)
    assert answer.draft_citations == (GOOD, BAD)
    assert BAD not in answer.citations


def test_every_attempt_adds_what_it_cited_each_id_once() -> None:
    replies = (f"It is blue [{BAD}].", f"It is red [{OTHER}]. It is 5 m [{GOOD}].")
    answer = verified("It is blue [facefeed0000].", "regenerate", replies, attempts=2)
    assert answer.draft_citations == ("facefeed0000", BAD, OTHER, GOOD)
    assert answer.citations == (OTHER, GOOD)


def test_a_second_answer_that_refuses_keeps_what_the_first_cited() -> None:
    answer = verified(f"It is blue [{BAD}].", "regenerate", (REFUSAL,))
    assert (answer.refused, answer.draft_citations) == (True, (BAD,))


class Listening:
    """Keeps what it was asked."""

    identity = "listening"

    def __init__(self, reply: str = f"It is red [{OTHER}].") -> None:
        self.reply = reply
        self.heard: list[Request] = []

    def complete(self, request: Request) -> Completion:
        self.heard.append(request)
        return Completion(self.reply)


def test_the_second_request_shows_the_faulty_answer_and_what_is_wrong() -> None:
    model = Listening()
    Verification(policy="regenerate").verify(Answer(f"It is blue [{BAD}]."), QUESTION, PASSAGES, LLMGenerator(model))
    assert f"It is blue [{BAD}]." in [turn.content for turn in model.heard[0].turns]
    assert any(BAD in turn.content and turn.role == "user" for turn in model.heard[0].turns)


def test_a_model_that_repeats_its_fault_is_asked_something_else_each_time() -> None:
    """The same request again would be answered from the cache."""
    model = Listening(f"It is blue [{BAD}].")
    Verification(policy="regenerate", attempts=3).verify(Answer(f"It is blue [{BAD}]."), QUESTION, PASSAGES, LLMGenerator(model))
    assert len({request.turns for request in model.heard}) == len(model.heard) == 3
    roles = [turn.role for turn in model.heard[-1].turns]
    assert roles == ["system", *("user", "assistant") * 3, "user"]


@pytest.mark.parametrize(("field", "value"), [("policy", "ignore"), ("attempts", 0), ("attempt", 1)])
def test_a_bad_setting_names_its_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        Verification(**{field: value})  # type: ignore[arg-type]
