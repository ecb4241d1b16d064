"""A language model reads all passages at once and says their order."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fence import DATA, fenced, mark_of
from harness.protocols import LLM
from harness.types import Hit, Query, Ranking, Request, Turn

RULES = (
    "Put the passages in the order in which they help to answer the question, the most helpful first. A passage that states the "
    'answer helps more than one about the same subject. Reply with JSON: {"order": [numbers of all passages, each once]}.'
)
"""What the model is told."""
REFORMAT = 'That reply is not of the form {"order": [numbers]}. Send the order again in that form, without any other text.'
"""Asked once when a reply cannot be read."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Listwise:
    """Listwise reranking by a language model (Sun et al. 2023, arXiv 2304.09542): one request a question.

    Numbers count from 1. A number that no passage has is left out, one that comes again counts where it came first, and passages
    that the reply leaves out follow in the order that they had: each of these is counted in `Ranking.faults`. The scores only say
    the order.
    """

    llm: SkipValidation[LLM]
    """Who reads."""
    max_tokens: Annotated[int, Field(ge=16)] = 512
    """Longest reply; a longer one is an error."""

    @property
    def calibrated(self) -> bool:
        """False: a place in an order is no probability."""
        return False

    @property
    def scale(self) -> str:
        """What its scores are."""
        return "places in an order"

    @property
    def counts_faults(self) -> bool:
        """True: `Ranking.faults` says how much of the model's order had to be mended."""
        return True

    @property
    def identity(self) -> str:
        """The model's."""
        return f"listwise by {self.llm.identity}"

    @property
    def calls_per_question(self) -> int:
        """Calls of the language model for one question; a reply that cannot be read takes another."""
        return 1

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The passages in the model's order.

        Raises:
            StageError: when the model failed, or its reply is cut off or unreadable twice.
        """
        if len(ranking) < 2:
            return Ranking.of(Hit(hit.chunk, 1.0) for hit in ranking.hits)
        order, faults = mended(self._order(prompt(query, ranking), len(ranking)), len(ranking))
        return Ranking(
            tuple(Hit(ranking.hits[place].chunk, float(len(order) - rank)) for rank, place in enumerate(order)), (), faults
        )

    def _order(self, turns: tuple[Turn, ...], count: int) -> list[Any]:
        first = self._reply(turns, count)
        found = read(first)
        if found is None:
            second = self._reply((*turns, Turn("assistant", first), Turn("user", REFORMAT)), count)
            found = read(second)
            if found is None:
                raise StageError(f"reranker: the model's order cannot be read after 1 reformat: {second[:200]!r}")
        return found

    def _reply(self, turns: tuple[Turn, ...], count: int) -> str:
        completion = self.llm.complete(Request(turns, max_tokens=self.max_tokens, schema=schema(count)))
        if completion.finish_reason != "stop":
            raise StageError(
                f"reranker: the model's order is not whole: finish_reason={completion.finish_reason!r}, max_tokens={self.max_tokens}. "
                "Raise reranker.max_tokens"
            )
        return completion.text


def prompt(query: Query, ranking: Ranking) -> tuple[Turn, Turn]:
    """The rules, then question and passages, each inside its fence."""
    texts = [hit.chunk.indexed_text for hit in ranking.hits]
    mark = mark_of(RULES, query.text, *texts)
    shown = [fenced(f"passage {number}", text, mark) for number, text in enumerate(texts, start=1)]
    asked = "\n\n".join([fenced("question", query.text, mark), *shown])
    return Turn("system", f"{RULES}\n\n{DATA.format(mark=mark)}"), Turn("user", asked)


def schema(count: int) -> dict[str, Any]:
    """The form of a reply over so many passages."""
    numbers = {"type": "array", "items": {"type": "integer", "enum": list(range(1, count + 1))}}
    return {
        "title": "Order",
        "type": "object",
        "properties": {"order": numbers},
        "required": ["order"],
        "additionalProperties": False,
    }


def read(text: str) -> list[Any] | None:
    """The list of a reply; None where there is none."""
    start, end = text.find("{"), text.rfind("}")
    try:
        reply = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    order = reply.get("order") if isinstance(reply, dict) else None
    return order if isinstance(order, list) else None


def mended(numbers: Sequence[Any], count: int) -> tuple[list[int], int]:
    """Every place from 0 once, and how many numbers were wrong, repeated or missing."""
    places = [
        number - 1 for number in numbers if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= count
    ]
    order = list(dict.fromkeys(places))
    missing = [place for place in range(count) if place not in set(order)]
    return [*order, *missing], len(numbers) - len(order) + len(missing)
