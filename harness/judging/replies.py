"""Replies of a language model that judges: read by their schema, asked once to be reformatted, never guessed at."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from harness.errors import StageError
from harness.protocols import LLM
from harness.text import count_tokens
from harness.types import Request, Turn

Reply = TypeVar("Reply", bound=BaseModel)

REFORMAT = "That reply does not follow the JSON schema. Send the same content again as one JSON object of that schema, without any other text."
"""Asked once when a reply cannot be read."""
_FENCES = ("```", "```json")
_RANGE = frozenset({"literal_error", "enum", "greater_than_equal", "less_than_equal", "greater_than", "less_than"})
_SHOWN = 200


def read_reply(text: str, model: type[Reply]) -> Reply:
    """A reply as its model; a Markdown fence around the JSON is taken off.

    Raises:
        ValidationError: when it is no JSON of that model.
    """
    return model.model_validate_json(_bare(text))


def _bare(text: str) -> str:
    """The text without its first and last lines where they are a Markdown fence."""
    opening, _, rest = text.strip().partition("\n")
    body, _, closing = rest.rpartition("\n")
    return body if opening.rstrip() in _FENCES and closing.strip() == "```" else text


def ask(llm: LLM, turns: Sequence[Turn], model: type[Reply], max_tokens: int, max_input_tokens: int) -> Reply:
    """A reply of the model's schema, with one request to reformat an unreadable one.

    Args:
        llm: who is asked.
        turns: the prompt; never cut.
        model: what the reply must be.
        max_tokens: longest reply.
        max_input_tokens: longest prompt, by this project's model-free count.

    Raises:
        StageError: when the prompt does not fit (J005), the reply was cut off (J003), holds a value that was not to choose
            from (J002) or is unreadable twice (J001).
    """
    asked = tuple(turns)
    first = _whole_reply(llm, asked, model, max_tokens, max_input_tokens)
    try:
        return read_reply(first, model)
    except ValidationError:
        again = (*asked, Turn("assistant", first), Turn("user", REFORMAT))
        second = _whole_reply(llm, again, model, max_tokens, max_input_tokens)
    try:
        return read_reply(second, model)
    except ValidationError as error:
        raise StageError(_fault(error, model, second)) from error


def _fault(error: ValidationError, model: type[BaseModel], reply: str) -> str:
    faults = error.errors(include_url=False)
    if {fault["type"] for fault in faults} <= _RANGE:
        place = ".".join(str(part) for part in faults[0]["loc"])
        return f"J002 the judge's {place} is {faults[0]['input']!r}; {faults[0]['msg'].lower()}"
    return (
        f"J001 the judge's reply is no {model.__name__} after 1 reformat: {reply[:_SHOWN]!r}. Counted as an error, not as a score"
    )


def check_length(turns: Sequence[Turn], max_input_tokens: int) -> None:
    """That a prompt is not longer than a judge reads, by this project's model-free count.

    Raises:
        StageError: J005.
    """
    needed = sum(count_tokens(turn.content) for turn in turns)
    if needed > max_input_tokens:
        raise StageError(
            f"J005 the judge's prompt needs about {needed:,} tokens; max_input_tokens is {max_input_tokens:,}. Passages are never cut: "
            "show fewer or shorter ones, or raise it for a judge that reads more"
        )


def _whole_reply(llm: LLM, turns: tuple[Turn, ...], model: type[BaseModel], max_tokens: int, max_input_tokens: int) -> str:
    check_length(turns, max_input_tokens)
    completion = llm.complete(Request(turns, max_tokens=max_tokens, schema=model.model_json_schema()))
    if completion.finish_reason != "stop":
        reason = f"finish_reason={completion.finish_reason!r}, max_tokens={max_tokens}"
        raise StageError(f"J003 the judge's reply is not whole: {reason}. Raise the judge's max_tokens")
    return completion.text
