"""Which questions of a run can be held against the accepted baseline: all of them, the unedited ones, or none.

A changed golden set cannot be compared, unless the gate says `shared_only: true`. Then the questions are compared that
are the same in both and are scored against the same documents, and every verdict says what was left out. A changed
corpus still changes what is retrieved for the questions that remain, so this is a switch and never a fallback.
"""

from dataclasses import dataclass

from harness.gates import changes, wording
from harness.gates.baseline import Baseline
from harness.gates.coverage import Problem
from harness.types import Outcome, RunRecord


@dataclass(frozen=True, slots=True)
class Pairing:
    """How a run and a baseline go together; the same for every rule."""

    problem: Problem | None = None
    """Why nothing can be compared."""
    questions: frozenset[str] | None = None
    """Questions that may be compared; None is all."""
    remark: str = ""
    """What a reader of each verdict should know."""


def pair(record: RunRecord, accepted: Baseline | None, shared_only: bool = False) -> Pairing:
    """Holds the golden sets and the repeats of a run and a baseline side by side."""
    if accepted is None:
        why = "there is no accepted baseline, and a gate without one proves nothing; harness accept RUN"
        return Pairing((Outcome.MISSING, why))
    changed = changes.of_golden_set(record, accepted)
    if not changed:
        return Pairing(remark=_repeats(record, accepted))
    kept, left = _shared(record, accepted)
    if not shared_only:
        way = f"; gate.shared_only=true compares the {wording.count(len(kept), 'question')} unedited in both" if kept else ""
        return Pairing((Outcome.NOT_COMPARABLE, f"{changed.rstrip('.')}{way}" if way else changed))
    if not kept:
        return Pairing((Outcome.NOT_COMPARABLE, f"no question is known to be the same in both: {left or changed}"))
    remark = "; ".join(part for part in (_only(kept, left), _corpus(record, accepted), _repeats(record, accepted)) if part)
    return Pairing(questions=kept, remark=remark)


def _shared(record: RunRecord, accepted: Baseline) -> tuple[frozenset[str], str]:
    """The questions that are the same in both, and the others in words."""
    old, new = accepted.contents, record.contents
    if not all(kinds.get(kind) for kinds in (old, new) for kind in ("questions", "evidence")):
        return frozenset(), "one of them does not say what its questions were scored against; accept a run anew"
    asked_before, asked_now = old["questions"], new["questions"]
    both = asked_before.keys() & asked_now.keys()
    edited = {name for name in both if asked_before[name] != asked_now[name]}
    moved = {name for name in both - edited if old["evidence"].get(name) != new["evidence"].get(name)}
    left = {
        "added": asked_now.keys() - asked_before.keys(),
        "removed": asked_before.keys() - asked_now.keys(),
        "edited": edited,
        "scored against other documents or terms": moved,
    }
    return frozenset(both - edited - moved), ", ".join(changes.counted(left))


def _only(kept: frozenset[str], left: str) -> str:
    rest = f"; left out: {left}" if left else ""
    return f"only the {wording.count(len(kept), 'question')} unedited in both are compared{rest}"


def _corpus(record: RunRecord, accepted: Baseline) -> str:
    if record.fingerprints.get("corpus") == accepted.fingerprints.get("corpus"):
        return ""
    return "the corpus changed, and with it what is retrieved for every question"


def _repeats(record: RunRecord, accepted: Baseline) -> str:
    before, now = accepted.repeats, record.repeats
    if before == now:
        return ""
    return f"the baseline asked each question {wording.count(before, 'time')}, this run {wording.count(now, 'time')}"
