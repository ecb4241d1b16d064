"""What a working tree has otherwise than the git revision that its run is held against, one notice each; empty if nothing."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, GateError, HarnessError
from harness.gates import baseline
from harness.gates.baseline import Baseline
from harness.golden.card import NAME as CARD
from harness.golden.difference import compare, read_version
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.reporting.configs import UNSET, flatten
from harness.reporting.escape import one_line
from harness.repository import Revision, write_files

_SHOWN = 6


def of_baseline(found: Revision, accepted: Baseline | None, path: Path) -> str:
    """The accepted baseline: how many scores of the working tree's file are others."""
    what = f"B004: accepted baseline {found.inside(path)!r}"
    used = f"the gate uses the copy of {found.name}"
    if link := _linked(found, path):
        return f"{what} {link}" + (f"; {used}" if accepted else "")
    if accepted is None:
        return f"{what} is not at {found.name}: it counts once it is merged" if path.exists() else ""
    if not path.exists():
        return f"{what} is not in the working tree; {used}"
    try:
        here = baseline.load(path)
    except GateError as error:
        return f"{what} was changed and is refused ({one_line(str(error), 300)}); {used}"
    if here == accepted:
        return ""
    changed = _cells(here) ^ _cells(accepted)
    scores = len({(metric, question) for metric, question, _ in changed})
    return f"{what} is not that of {found.name} ({_differ(scores, 'score')}); {used}"


def of_recordings(found: Revision, path: Path) -> str:
    """That completions are replayed which the revision does not have: a branch that changes a prompt must bring its own."""
    inside = found.inside(path)
    if link := _linked(found, path):
        return f"B004: recorded completions {inside!r} {link}; they are the branch's own"
    there, here = found.files([inside]).get(inside, b""), path.read_bytes() if path.exists() else b""
    if there == here:
        return ""
    lines = len({*there.splitlines()} ^ {*here.splitlines()})
    return f"B004: recorded completions {inside!r} are not those of {found.name} ({_differ(lines, 'line')}); they are the branch's own"


def _linked(found: Revision, path: Path) -> str:
    """That a file is read through a link which the revision does not have; empty for a plain file."""
    link = found.new_link(path)
    return f"is read through the link {link!r}, which {found.name} does not have" if link else ""


def _differ(number: int, noun: str) -> str:
    return f"1 {noun} differs" if number == 1 else f"{number:,} {noun}s differ"


def _cells(item: Baseline) -> set[tuple[str, str, float | None]]:
    return {(metric, name, value) for metric, row in item.scores.items() for name, value in row.items()}


def of_judge(found: Revision, there: frozenset[str], here: frozenset[str]) -> str:
    """Which judged metrics may fail the gate."""
    if there == here:
        return ""
    before, after = (", ".join(sorted(metrics)) or "none" for metrics in (there, here))
    what = f"B004: judged metrics that may fail the gate are {after} here and {before} at {found.name}"
    return f"{what}; the gate goes by {found.name}"


def of_rules(found: Revision, there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """The gate's settings and rules, old and new."""
    before, after = _rules(there), _rules(here)
    names = [name for name in sorted(before | after) if before.get(name) != after.get(name)]
    changes = [f"{name} {before.get(name, UNSET)} -> {after.get(name, UNSET)}" for name in names]
    if not changes:
        return ""
    more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    listed = ", ".join(one_line(text, 160) for text in changes[:_SHOWN])
    return f"B004: gate rules are not those of {found.name}: {listed}{more}; the gate uses those of {found.name}"


def _rules(gate: Mapping[str, Any]) -> dict[str, str]:
    """Every setting of a gate by name; rules by what they ask, so that one more or less does not renumber the others."""
    listed = gate.get("rules") or ()
    rules = {_asked(rule): {"asked": True, **rule} for rule in listed if isinstance(rule, Mapping)}
    return flatten({**{name: value for name, value in gate.items() if name != "rules"}, **rules}, "gate")


def _asked(rule: Mapping[str, Any]) -> str:
    return " ".join(str(rule[name]) for name in ("metric", "kind", "split", "slice") if name in rule)


def of_choice(found: Revision, there: str, here: str) -> str:
    """Which golden set the experiment asks."""
    if there == here:
        return ""
    return f"B004: golden set {here!r} is asked, at {found.name} the experiment asks {there!r}"


def of_golden_set(found: Revision, target: Path, name: str, folder: Path) -> str:
    """Which questions and documents are not those of the revision; empty for a set that is not in the repository."""
    try:
        if link := _linked(found, folder):
            return f"B004: golden set {name!r} {link}"
        inside = found.inside(folder.resolve())
    except ConfigError:
        return ""
    files = {path: data for path, data in found.files([inside]).items() if _counts(Path(path).relative_to(inside))}
    if f"{inside}/{QUESTIONS}" not in files:
        return f"B004: golden set {name!r} is not at {found.name}"
    if files == _on_disk(folder, inside):
        return ""
    write_files(target, files)
    changes = _golden_changes(target / inside, folder)
    return f"B004: golden set {name!r} is not that of {found.name}: {changes}" if changes else ""


def _on_disk(folder: Path, inside: str) -> dict[str, bytes]:
    names = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {f"{inside}/{name.as_posix()}": path.read_bytes() for name, path in names.items() if _counts(name)}


def _counts(path: Path) -> bool:
    """Whether a file of a golden set decides what is asked of what; its schemas do not."""
    return path.parts[0] == CORPUS or path.name in (QUESTIONS, CARD)


def _golden_changes(before: Path, after: Path) -> str:
    try:
        found = compare(read_version(before), read_version(after))
    except (HarnessError, OSError) as error:
        return f"it cannot be read ({one_line(str(error), 200)})"
    parts = (
        ("question", "added", found.added),
        ("question", "removed", (*found.removed, *found.retired)),
        ("question", "edited", sorted({*found.edited, *found.moved})),
        ("document", "added", found.documents_added),
        ("document", "removed", found.documents_removed),
        ("document", "renamed", tuple(found.documents_renamed)),
        ("document", "edited", tuple(found.documents_edited)),
        ("setting of its card", "changed", tuple(change.field for change in found.card)),
    )
    return ", ".join(_counted(noun, verb, names) for noun, verb, names in parts if names)


def _counted(noun: str, verb: str, names: Sequence[str]) -> str:
    listed = ", ".join(one_line(name, 60) for name in names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
    return f"{len(names):,} {noun}{'' if len(names) == 1 else 's'} {verb} ({listed})"
