"""What changed in a golden set between an accepted baseline and a run: the list that a refused comparison comes with."""

from collections.abc import Collection, Iterable, Mapping

from harness.gates.baseline import Baseline
from harness.gates.comparison import questions_of
from harness.types import RunRecord

_SHOWN = 10


def of_golden_set(record: RunRecord, accepted: Baseline) -> str:
    """Why runs on the two golden sets cannot be compared, question by question and document by document; empty if they can."""
    before, after = accepted.fingerprints, record.fingerprints
    if before.get("golden_set") != after.get("golden_set"):
        digests = " and ".join(marks.get("golden_set", "")[:12] or "none" for marks in (before, after))
        what = "; ".join(contents(record, accepted)) or "the same question ids, with other content"
        return f"the golden sets differ (digests {digests}): {what}. {_accept(record, accepted)}"
    return _other_version(record, accepted) or _other_terms(record, accepted) or _other_corpus(record, accepted)


def _accept(record: RunRecord, accepted: Baseline) -> str:
    if record.golden_version == accepted.golden_version:
        return f"Raise the version, which is still {record.golden_version}, and accept a run on the new set."
    return "Accept a run on the new set."


def _other_version(record: RunRecord, accepted: Baseline) -> str:
    before, after = accepted.golden_version, record.golden_version
    if before == after:
        return ""
    listed = "".join(f"; {part}" for part in contents(record, accepted))
    versions = f"is version {after}, the baseline was accepted on version {before}"
    return f"golden set {record.golden_set!r} {versions}{listed}; accept a run on this version"


def _other_terms(record: RunRecord, accepted: Baseline) -> str:
    terms = accepted.fingerprints.get("golden_terms")
    if terms is None or terms == record.fingerprints.get("golden_terms"):
        return ""
    return (
        f"the card of golden set {record.golden_set!r} changed under version {record.golden_version}: its name, its date (as_of) "
        "or its coverage. Raise its version and accept a run on it, or bring the card back."
    )


def _other_corpus(record: RunRecord, accepted: Baseline) -> str:
    """That the documents are others under the same version; empty when they are not, or the baseline does not say."""
    before = accepted.fingerprints.get("corpus")
    if not before or before == record.fingerprints.get("corpus"):
        return ""
    listed = "".join(f": {part}" for part in contents(record, accepted))
    if record.fingerprints.get("index"):
        what = f"the index that was asked holds another corpus than the accepted run's{listed}"
        return f"{what}. Sync it with the golden corpus; where that changed, raise its version and accept a new baseline."
    return f"the corpus changed under version {record.golden_version}{listed}. Raise the version and accept a new baseline."


def contents(record: RunRecord, accepted: Baseline) -> list[str]:
    """`questions: 1 added (q9); 2 edited (q1, q2)` and the same for documents; kinds without a change are left out."""
    old, new = dict(accepted.contents), dict(record.contents)
    if not old.get("questions") or not new.get("questions"):
        known = {*accepted.splits, *(name for row in accepted.scores.values() for name in row)}
        old = {"questions": dict.fromkeys(known, "")}
        new = {"questions": dict.fromkeys(questions_of(record), "")}
    kinds = [(kind, _differences(old.get(kind, {}), new.get(kind, {}))) for kind in ("questions", "documents")]
    return [f"{kind}: {', '.join(found)}" for kind, found in kinds if found]


def _differences(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    edited = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    return counted({"added": new.keys() - old.keys(), "removed": old.keys() - new.keys(), "edited": edited})


def counted(kinds: Mapping[str, Collection[str]]) -> list[str]:
    """`2 added (q8, q9)` for every kind that has names."""
    return [f"{len(names)} {word} ({listed(names)})" for word, names in kinds.items() if names]


def listed(names: Iterable[str]) -> str:
    """The first ten names in order, and how many more there are."""
    ordered = sorted(names)
    more = f" and {len(ordered) - _SHOWN} more" if len(ordered) > _SHOWN else ""
    return f"{', '.join(ordered[:_SHOWN])}{more}"
