"""After generation: does every citation point to a passage that was shown, and what happens when one does not."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.generation.citations import cited_ids, strip
from harness.generation.statements import statements
from harness.protocols import Generator
from harness.text import REFUSAL
from harness.types import Answer, Question, Ranking, Turn


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Verification:
    """Checks cited ids against the shown chunk ids; every action is written in `Answer.actions`.

    strip removes invented markers, and a sentence that had no other; regenerate asks the generator again, telling it
    what was wrong, then strips what is still invented; refuse turns the answer into the refusal. What the drafts cited
    stays in `Answer.draft_citations`: an invention that was caught is still one.
    """

    policy: Literal["strip", "regenerate", "refuse"] = "strip"
    """What to do about an invented citation."""
    attempts: Annotated[int, Field(ge=1, le=5)] = 1
    """How often regenerate asks again at most."""

    def verify(self, answer: Answer, question: Question, passages: Ranking, generator: Generator) -> Answer:
        """The answer with real citations only; a refusal passes as it is."""
        if answer.refused:
            return answer
        shown = frozenset(hit.chunk.chunk_id for hit in passages.hits)
        answer = replace(answer, draft_citations=_drafted(answer))
        if self.policy == "regenerate":
            answer = self._again(answer, question, passages, generator)
        invented = _invented(answer, shown)
        if not invented:
            return answer
        if self.policy == "refuse":
            return _refusal(answer, f"verification: the answer cites {_names(invented)}, not among the passages shown")
        return _stripped(answer, invented)

    def _again(self, answer: Answer, question: Question, passages: Ranking, generator: Generator) -> Answer:
        shown = frozenset(hit.chunk.chunk_id for hit in passages.hits)
        for _ in range(self.attempts):
            invented = _invented(answer, shown)
            if not invented:
                break
            fresh = generator.generate(_with_complaint(question, answer, invented), passages)
            done = (*answer.actions, f"regenerated because of {_names(invented)}")
            drafted = tuple(dict.fromkeys((*answer.draft_citations, *_drafted(fresh))))
            usage, actions = answer.usage + fresh.usage, (*done, *fresh.actions)
            answer = replace(fresh, usage=usage, actions=actions, draft_citations=drafted)
        return answer


def _drafted(answer: Answer) -> tuple[str, ...]:
    return () if answer.refused else cited_ids(answer.text)


def _invented(answer: Answer, shown: frozenset[str]) -> tuple[str, ...]:
    return tuple(cited for cited in _drafted(answer) if cited not in shown)


def _names(ids: Sequence[str]) -> str:
    return ", ".join(repr(cited) for cited in ids)


def _with_complaint(question: Question, answer: Answer, invented: Sequence[str]) -> Question:
    """The question with the faulty answer and what is wrong with it in its history: another request, another reply."""
    complaint = f"That answer cites {_names(invented)}, which no passage has. Answer again and cite only ids of the passages."
    said = (Turn("user", question.text), Turn("assistant", answer.text), Turn("user", complaint))
    return replace(question, history=(*question.history, *said))


def _stripped(answer: Answer, invented: Sequence[str]) -> Answer:
    unwanted = frozenset(invented)
    orphans = [found for found in statements(answer.text) if found.ids and unwanted.issuperset(found.ids)]
    text = answer.text
    for orphan in reversed(orphans):
        text = text[: orphan.start].rstrip(" \t") + _joint(text, orphan.start, orphan.end) + text[orphan.end :].lstrip(" \t")
    text = strip(text, unwanted).strip()
    actions = (*answer.actions, *(f"stripped {cited}" for cited in invented), *(f"dropped {found.text!r}" for found in orphans))
    kept = replace(answer, text=text, citations=cited_ids(text), actions=actions)
    return kept if statements(text) else _refusal(kept, "verification: nothing was left without invented citations")


def _joint(text: str, start: int, end: int) -> str:
    """A blank where two sentences meet on one line."""
    return " " if text[:start].rstrip(" \t")[-1:].strip() and text[end:].lstrip(" \t")[:1].strip() else ""


def _refusal(answer: Answer, reason: str) -> Answer:
    actions = (*answer.actions, "refused")
    return replace(answer, text=REFUSAL, citations=(), refused=True, refusal_reason=reason, actions=actions)
