"""Judges that decide by a table, and answers over one-letter passages, so that a test shows only what it is about."""

from collections.abc import Mapping, Sequence

from harness.errors import StageError
from harness.judging.claim_judge import ClaimJudge
from harness.judging.claims import RuleSplitter
from harness.types import Answer, Chunk, Question, Score, State, Support
from tests.builders import chunk, question, trace

A, B, C = (chunk(f"{letter}.md", text=letter) for letter in "ABC")
IDS = {"a": A.chunk_id, "b": B.chunk_id, "c": C.chunk_id, "z": "deadbeef0000"}
"""Names for markers: a, b and c are shown, z never is."""


class Table:
    """Support by a table: a claim to the sets of passages that support it, written as words of letters.

    `{"Red.": "A BC"}`: A alone supports it, so do B and C together. `parts` is the same for partial support. A claim of
    `broken` makes the model fail.
    """

    identity = "table v1"

    def __init__(self, full: Mapping[str, str], parts: Mapping[str, str] | None = None, broken: str = "") -> None:
        self.full = full
        self.parts = parts or {}
        self.broken = broken
        self.asked: list[tuple[tuple[str, ...], str]] = []

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        shown = "".join(passages)
        self.asked.append((tuple(claims), shown))
        if self.broken and self.broken in claims:
            raise StageError("J003 the reply was cut")
        return [self._verdict(claim, shown) for claim in claims]

    def _verdict(self, claim: str, shown: str) -> Support:
        if any(set(letters) <= set(shown) for letters in self.full.get(claim, "").split()):
            return Support(1.0, True, "all of it")
        part = any(set(letters) <= set(shown) for letters in self.parts.get(claim, "").split())
        return Support(0.5, False, "a part of it") if part else Support(0.0, False, "nothing says so")


def marked(text: str) -> str:
    """The text with `[a]`, `[b]`, `[c]` and `[z]` as real chunk ids."""
    for name, chunk_id in IDS.items():
        text = text.replace(f"[{name}]", f"[{chunk_id}]")
    return text


def judged(
    metric: str,
    answer: str | Answer | None,
    table: Table,
    asked: Question | None = None,
    shown: Sequence[Chunk] = (A, B, C),
) -> Score:
    """One metric on an answer over the passages A, B and C."""
    given = Answer(marked(answer)) if isinstance(answer, str) else answer
    judge = ClaimJudge(RuleSplitter(), table, metrics=(metric,))
    (score,) = judge.judge(asked or question(), trace("q1", *shown, answer=given))
    return score


def value(*arguments: object, **more: object) -> float | None:
    """The score's number; an error state fails the test."""
    score = judged(*arguments, **more)  # type: ignore[arg-type]
    assert score.state is not State.ERROR, score.reason
    return score.value
