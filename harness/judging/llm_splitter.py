"""Claims by a language model: atomic, and each readable without the others."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fence import DATA, fenced, mark_of
from harness.fingerprint import fingerprint
from harness.generation.citations import without_citations
from harness.judging.replies import REFORMAT, ask
from harness.protocols import LLM
from harness.types import Turn

RULES = """\
You split an answer into its claims.

- A claim is one fact that can be true or false by itself: one subject, one statement.
- Each claim is a full sentence that can be read alone: put what a pronoun or a short form stands for in its place, from the \
answer only.
- Keep numbers, units, names, conditions and negations as they are. Add nothing, leave out nothing that is stated.
- Greetings, questions, headings, offers of help, and sentences that only say that something is not known are no claims.

Reply with one JSON object: `claims` holds the claims in the order of the answer; an empty list when it states nothing."""
"""What a claim is."""


class Claims(BaseModel):
    """The claims of an answer."""

    model_config = ConfigDict(extra="forbid")

    claims: list[str]


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class LLMSplitter:
    """Asks a language model for an answer's claims."""

    llm: SkipValidation[LLM]
    """Who splits."""
    max_tokens: Annotated[int, Field(ge=64)] = 4096
    """Longest reply; a longer one is an error."""
    max_input_tokens: Annotated[int, Field(ge=256)] = 100_000
    """Longest prompt by this project's own count; a longer one is an error, never cut."""

    @property
    def identity(self) -> str:
        """The word llm, the prompt's digest and the model."""
        return f"llm claims v1 prompt={fingerprint(DATA, RULES, REFORMAT)[:12]} by {self.llm.identity}"

    def split(self, text: str) -> Sequence[str]:
        """The claims in order; none for a blank text, without asking.

        Raises:
            StageError: when the model failed, the prompt does not fit, or the reply is unreadable, cut or holds a blank claim.
        """
        bare = without_citations(text).strip()
        if not bare:
            return []
        found = ask(self.llm, turns(bare), Claims, self.max_tokens, self.max_input_tokens).claims
        if any(not claim.strip() for claim in found):
            raise StageError(f"J001 the judge gave a blank claim among {len(found)}")
        return [" ".join(claim.split()) for claim in found]


def turns(text: str) -> tuple[Turn, Turn]:
    """The prompt: rules, then the answer inside its fence."""
    mark = mark_of(text)
    asked = f"{fenced('answer', text, mark)}\n\nGive the claims of the answer."
    return Turn("system", f"{RULES}\n\n{DATA.format(mark=mark)}"), Turn("user", asked)
