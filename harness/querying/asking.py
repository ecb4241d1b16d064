"""How a query step asks a language model, and what becomes of the queries when the model fails.

Everything that a user or a model wrote before, the turns of a conversation included, stands in the prompt as data inside a fence.
A reply with a form is held to a JSON schema; one that cannot be read is sent back once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.errors import StageError
from harness.fence import DATA, fenced, mark_of
from harness.protocols import LLM
from harness.text import words
from harness.types import Completion, Query, Request, Turn

OnFailure = Literal["error", "skip"]
"""`error`: the question fails, loudly. `skip`: the queries stay as they were, and each says why in `fallback`."""

REFORMAT = "That reply does not follow the JSON schema. Send the same content again as one JSON object of that schema, without any other text."
"""Asked once when a reply cannot be read."""
_SHOWN = 200

Reply = TypeVar("Reply", bound=BaseModel)


class Queries(BaseModel):
    """A reply that is a list of search queries."""

    model_config = ConfigDict(extra="forbid", strict=True)

    queries: list[str]


def prompt(rules: str, text: str, history: Sequence[Turn] = ()) -> tuple[Turn, Turn]:
    """The prompt: what to do, then the conversation and the question, each inside its fence."""
    mark = mark_of(rules, *(turn.content for turn in history), text)
    said = [fenced(f"turn {place} of the {turn.role}", turn.content, mark) for place, turn in enumerate(history, start=1)]
    asked = "\n\n".join([*said, fenced("question", text, mark)])
    return Turn("system", f"{rules}\n\n{DATA.format(mark=mark)}"), Turn("user", asked)


def ask_text(llm: LLM, turns: tuple[Turn, ...], max_tokens: int, setting: str, cut: bool = False) -> str:
    """A reply of free text, on one line.

    Args:
        llm: who is asked.
        turns: the prompt.
        max_tokens: longest reply.
        setting: name of the step, for messages: `hyde`.
        cut: whether a reply that reached `max_tokens` still serves.

    Raises:
        StageError: when the model failed, or the reply holds no word or was cut off.
    """
    reply = " ".join(_whole(llm.complete(Request(turns, max_tokens=max_tokens)), max_tokens, setting, cut).split())
    if not words(reply):
        raise StageError(f"{setting}: the model's reply holds no word. Choose another model")
    return reply


def ask(llm: LLM, turns: tuple[Turn, ...], model: type[Reply], max_tokens: int, setting: str) -> Reply:
    """A reply of the model's schema, with one request to reformat an unreadable one.

    Raises:
        StageError: when the language model failed, or the reply was cut off or is unreadable twice.
    """
    schema = model.model_json_schema()
    first = _whole(llm.complete(Request(turns, max_tokens=max_tokens, schema=schema)), max_tokens, setting)
    try:
        return _read(first, model)
    except ValidationError:
        again = (*turns, Turn("assistant", first), Turn("user", REFORMAT))
        second = _whole(llm.complete(Request(again, max_tokens=max_tokens, schema=schema)), max_tokens, setting)
    try:
        return _read(second, model)
    except ValidationError as error:
        raise StageError(
            f"{setting}: the model's reply does not follow the schema {model.__name__} after 1 reformat: {second[:_SHOWN]!r}. "
            "Choose a model that follows a schema"
        ) from error


def _whole(completion: Completion, max_tokens: int, setting: str, cut: bool = False) -> str:
    if completion.finish_reason == "stop" or (cut and completion.finish_reason == "length"):
        return completion.text
    raise StageError(
        f"{setting}: the model's reply is not whole: finish_reason={completion.finish_reason!r}, max_tokens={max_tokens}. "
        f"Raise {setting}.max_tokens"
    )


def _read(text: str, model: type[Reply]) -> Reply:
    """A reply as its model; a Markdown fence around the JSON is taken off."""
    opening, _, rest = text.strip().partition("\n")
    body, _, closing = rest.rpartition("\n")
    fence = opening.rstrip() in ("```", "```json") and closing.strip() == "```"
    return model.model_validate_json(body if fence else text)


def distinct(texts: Iterable[str], most: int, known: Iterable[str]) -> tuple[list[str], tuple[str, ...]]:
    """The first `most` texts with a word that say something new, each on one line, and notes on what was left out.

    Texts of the same words in the same order are the same; `known` are those that are there already.
    """
    seen = {tuple(words(text)) for text in known}
    kept: list[str] = []
    left = {"without a word": 0, "repeated": 0, f"over the bound of {most}": 0}
    for text in texts:
        key = tuple(words(text))
        if key and key not in seen and len(kept) < most:
            kept.append(" ".join(text.split()))
        else:
            left["without a word" if not key else "repeated" if key in seen else f"over the bound of {most}"] += 1
        seen.add(key)
    return kept, tuple(f"left out {count} {why}" for why, count in left.items() if count)


def tried(
    step: str, on_failure: OnFailure, queries: Sequence[Query], work: Callable[[Sequence[Query]], Sequence[Query]]
) -> Sequence[Query]:
    """What `work` makes of the queries; when the model fails under `skip`, the queries as they were, with the reason.

    Raises:
        StageError: under `error`, what `work` raised.
    """
    try:
        return work(queries)
    except StageError as error:
        if on_failure == "error":
            raise
        return [replace(query, fallback=f"{query.fallback}; {step}: {error}".removeprefix("; ")) for query in queries]


def listed(llm: LLM, rules: str, query: Query, most: int, max_tokens: int, setting: str) -> list[Query]:
    """The query, and behind it at most `most` others that the model lists for it; the first one notes what was left out.

    Raises:
        StageError: when the model failed, or its reply is cut or unreadable.
    """
    reply = ask(llm, prompt(rules, query.text), Queries, max_tokens, setting)
    kept, left = distinct(reply.queries, most, [query.text])
    notes = (f"{setting}: {len(kept)} from the model", *(f"{setting}: {note}" for note in left))
    return [replace(query, notes=(*query.notes, *notes)), *(of_part(query, text) for text in kept)]


def of_part(query: Query, text: str) -> Query:
    """A query with another text, and nothing of what was said of the first one's text."""
    return replace(query, text=text, hypothetical="", notes=(), fallback="")
