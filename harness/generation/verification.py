"""After generation: does every citation point to a passage that was shown and supports it, and what happens when one does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as record
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.generation.citations import cited_ids, strip
from harness.generation.planted import without
from harness.generation.statements import Statement, statements
from harness.protocols import Generator, SupportModel
from harness.text import REFUSAL
from harness.types import Answer, Question, Ranking, Turn


@record(frozen=True, slots=True)
class _Faults:
    """What is wrong with a draft."""

    invented: tuple[str, ...] = ()
    """Cited ids that were not shown."""
    unsupported: tuple[tuple[Statement, str], ...] = ()
    """Statements that nothing shown supports, with the reason."""

    def __bool__(self) -> bool:
        return bool(self.invented or self.unsupported)

    def said(self) -> str:
        """In words, for people and for the model that is asked again."""
        parts = [f"cites {_names(self.invented)}, not among the passages shown"] if self.invented else []
        parts += [f"says {found.text!r}, {reason}" for found, reason in self.unsupported]
        return "; ".join(parts)


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Verification:
    """Checks an answer against the passages shown; every action is written in `Answer.actions`.

    First the cited ids, in code. Then, where a support model is given, whether the passages that a statement cites support it.
    strip removes invented markers, and a sentence that had no other or is not supported; regenerate asks the generator again,
    telling it what was wrong, then strips what is still wrong; refuse turns the answer into the refusal. What the drafts cited
    stays in `Answer.draft_citations`: an invention that was caught is still one.
    """

    policy: Literal["strip", "regenerate", "refuse"] = "strip"
    """What to do about an invented citation or a statement that is not supported."""
    attempts: Annotated[int, Field(ge=1, le=5)] = 1
    """How often regenerate asks again at most."""
    uncited: Literal["keep", "drop"] = "keep"
    """Whether a statement without a citation is left as it is, or treated as one that is not supported."""
    support: SkipValidation[SupportModel] | None = None
    """Reads whether passages support a statement; None checks ids alone."""
    skip_planted: bool = True
    """Whether paragraphs of a passage that talk to the model (`planted`) support nothing."""

    def verify(self, answer: Answer, question: Question, passages: Ranking, generator: Generator) -> Answer:
        """The answer with real citations only; a refusal passes as it is.

        Raises:
            StageError: when the support model fails.
        """
        if answer.refused:
            return answer
        shown = {hit.chunk.chunk_id: self._source(hit.chunk.indexed_text) for hit in passages.hits}
        answer = replace(answer, draft_citations=_drafted(answer))
        faults = self._faults(answer, shown)
        for _ in range(self.attempts if self.policy == "regenerate" else 0):
            if not faults:
                break
            question = _with_complaint(question, answer, faults)
            answer = _again(answer, faults, question, passages, generator)
            faults = self._faults(answer, shown)
        if faults and self.policy == "refuse":
            return _refusal(answer, f"verification: the answer {faults.said()}")
        while faults:
            answer = _stripped(answer, faults)
            faults = self._faults(answer, shown)
        return answer

    def _source(self, text: str) -> str:
        return without(text) if self.support is not None and self.skip_planted else text

    def _faults(self, answer: Answer, shown: Mapping[str, str]) -> _Faults:
        invented = tuple(cited for cited in _drafted(answer) if cited not in shown)
        if answer.refused or (self.support is None and self.uncited == "keep"):
            return _Faults(invented)
        reasons = ((found, self._unsupported(found, shown)) for found in statements(answer.text))
        return _Faults(invented, tuple((found, reason) for found, reason in reasons if reason))

    def _unsupported(self, found: Statement, shown: Mapping[str, str]) -> str:
        """Why a statement may not stand; empty where it may, and where it cites only what was not shown."""
        if not found.ids:
            return "which cites nothing" if self.uncited == "drop" else ""
        known = [chunk_id for chunk_id in found.ids if chunk_id in shown]
        if self.support is None or not known:
            return ""
        cited = [shown[chunk_id] for chunk_id in known if shown[chunk_id].strip()]
        if not cited:
            return "which cites nothing but text that talks to the model"
        (verdict,) = self.support.support([found.text], cited)
        reason = f": {verdict.reason}" if verdict.reason else ""
        return (
            ""
            if verdict.supported
            else f"which the cited passages do not support (probability {verdict.probability:.2f}{reason})"
        )


def _drafted(answer: Answer) -> tuple[str, ...]:
    return () if answer.refused else cited_ids(answer.text)


def _names(ids: Sequence[str]) -> str:
    return ", ".join(repr(cited) for cited in ids)


def _again(answer: Answer, faults: _Faults, question: Question, passages: Ranking, generator: Generator) -> Answer:
    """Another draft, with what the ones before it cost and cited."""
    fresh = generator.generate(question, passages)
    actions = (*answer.actions, f"regenerated because the answer {faults.said()}", *fresh.actions)
    drafted = tuple(dict.fromkeys((*answer.draft_citations, *_drafted(fresh))))
    return replace(fresh, usage=answer.usage + fresh.usage, actions=actions, draft_citations=drafted)


def _with_complaint(question: Question, answer: Answer, faults: _Faults) -> Question:
    """The question with the faulty answer and what is wrong with it in its history: another request each time, another reply."""
    complaint = f"That answer {faults.said()}. Answer again: cite only ids of the passages, and state only what they say."
    spoke_last = bool(question.history) and question.history[-1].role == "user"
    opening = () if spoke_last else (Turn("user", question.text),)
    said = (*opening, Turn("assistant", answer.text), Turn("user", complaint))
    return replace(question, history=(*question.history, *said))


def _stripped(answer: Answer, faults: _Faults) -> Answer:
    unwanted = frozenset(faults.invented)
    why = {found.start: reason for found, reason in faults.unsupported}
    found = statements(answer.text)
    orphans = [item for item in found if (item.ids and unwanted.issuperset(item.ids)) or item.start in why]
    text = answer.text
    for orphan in reversed(orphans):
        text = text[: orphan.start].rstrip(" \t") + _joint(text, orphan.start, orphan.end) + text[orphan.end :].lstrip(" \t")
    text = strip(text, unwanted).strip()
    dropped = (f"dropped {item.text!r}{', ' + why[item.start] if item.start in why else ''}" for item in orphans)
    actions = (*answer.actions, *(f"stripped {cited}" for cited in faults.invented), *dropped)
    kept = replace(answer, text=text, citations=cited_ids(text), actions=actions)
    if statements(text):
        return kept
    left = "support" if why else "invented citations"
    return _refusal(kept, f"verification: nothing was left {'with' if why else 'without'} {left}")


def _joint(text: str, start: int, end: int) -> str:
    """A blank where two sentences meet on one line."""
    return " " if text[:start].rstrip(" \t")[-1:].strip() and text[end:].lstrip(" \t")[:1].strip() else ""


def _refusal(answer: Answer, reason: str) -> Answer:
    actions = (*answer.actions, "refused")
    return replace(answer, text=REFUSAL, citations=(), refused=True, refusal_reason=reason, actions=actions)
