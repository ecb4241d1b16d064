"""`harness golden diff`: what changed between two versions of a golden set, and which baselines that leaves behind."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.cli.console import note, out
from harness.errors import ConfigError, GateError
from harness.gates.baseline import Baseline
from harness.gates.baseline import load as load_baseline
from harness.golden.difference import Change, Difference, Version, compare, read_version
from harness.golden.find import FOLDER, find
from harness.golden.revision import checkout
from harness.reporting.escape import clean, one_line
from harness.reporting.names import count, number
from harness.resources import roots

LISTED = 40
"""Questions or documents of a kind that are listed before `and n more`."""
_WIDTH = 60
_BEFORE = 20


def command(arguments: argparse.Namespace) -> int:
    """Compares and prints; 2 when something changed and the version did not rise."""
    with TemporaryDirectory(prefix="harness-diff-") as scratch:
        old, new = (
            read_version(_folder(spec, Path(scratch) / side)) for spec, side in ((arguments.old, "old"), (arguments.new, "new"))
        )
        found = compare(old, new)
        for line in _report(old, new, found):
            out().print(clean(line), soft_wrap=True, markup=False, emoji=False)
    if found.contents_changed and new.name == old.name and new.card.version <= old.card.version:
        fell = "is still" if new.card.version == old.card.version else f"fell from {old.card.version} to"
        note(f"error: the contents changed, but the version {fell} {new.card.version}: baselines would be compared across them.")
        note("  Fix: python -m harness golden check --fix renews the digests and raises the version")
        return 2
    return 0


def _folder(spec: str, scratch: Path) -> Path:
    """The folder of a name, a path, or NAME@REVISION (written below `scratch`, under the set's own name).

    What is there under the whole of `spec`, an @ in it or not, comes before a revision; a set that is gone can still be named.
    """
    splits = [(spec[:at], spec[at + 1 :]) for at, letter in enumerate(spec) if letter == "@"]
    if not splits or _is_there(spec):
        return find(spec, roots())
    name, revision = next((pair for pair in splits if _is_there(pair[0])), splits[0])
    if not name or name.startswith("-"):
        raise ConfigError(f"{spec!r} names no golden set before the @; write NAME@REVISION, such as smoke@HEAD~1")
    return _checked_out(_places(name), revision, scratch)


def _is_there(name: str) -> bool:
    try:
        return find(name, roots()).is_dir()
    except ConfigError:
        return False


def _places(name: str) -> list[Path]:
    """Where a set of that name or path lies or, when it is there no more, can have lain."""
    if _is_there(name):
        return [find(name, roots())]
    below = [root / FOLDER / name for root in roots()]
    return [*below, Path(name)] if Path(name).name == name else [Path(name), *below]


def _checked_out(places: Sequence[Path], revision: str, scratch: Path) -> Path:
    """The set at a revision, of the first place that had one then.

    Raises:
        ConfigError: what is wrong with the first place, when none had one.
    """
    refusals = []
    for folder in places:
        target = scratch / folder.resolve().name
        try:
            checkout(folder, revision, target)
        except ConfigError as error:
            refusals.append(error)
        else:
            return target
    raise refusals[0]


def _report(old: Version, new: Version, found: Difference) -> Iterator[str]:
    yield from _head(old, new, found)
    for label, version in (("old", old), ("new", new)):
        if version.faults:
            yield f"The {label} version does not load ({count(version.faults, 'problem')}); its rows are compared as written:"
            yield from _few([f"  {item.code} {item.where}: {one_line(item.what, 100)}" for item in version.faults], 5)
    yield ""
    yield from _questions(old, new, found)
    yield from _documents(old, new, found)
    yield from _baselines(old, new)


def _head(old: Version, new: Version, found: Difference) -> Iterator[str]:
    yield f"{old.name} v{old.card.version} → {new.name} v{new.card.version}"
    for field, label in (("questions_sha256", "questions"), ("corpus_sha256", "corpus")):
        before, after = (version.digests.get(field, "unreadable")[:12] for version in (old, new))
        yield f"  {label:9}  {before} → {after}" if before != after else f"  {label:9}  {before} unchanged"
    for change in found.card:
        yield f"  {change.field:9}  {change.old!r} → {change.new!r}"


def _questions(old: Version, new: Version, found: Difference) -> Iterator[str]:
    counted = {"added": len(found.added), "removed": len(found.removed), "retired": len(found.retired)}
    yield f"Questions  {_counts({**counted, 'edited': len(found.edited), 'with moved evidence': len(found.moved)})}"
    yield from _few([f"  + {name}  {_about(new.rows[name])}" for name in found.added])
    yield from _few([f"  - {name}  {_about(old.rows[name])}" for name in found.removed])
    if found.removed:
        yield "    a question that is no longer asked should keep its line with retired: true, so that its id is not used again"
    yield from _few([f"  × {name}  {_about(new.rows[name])}" for name in found.retired])
    yield from _few([f"  ~ {name}{_changes(changes)}" for name, changes in found.edited.items()])
    yield from _few(
        [
            f"  ↷ {name}  {'; '.join(f'{move.field} {move.old} → {move.new}' for move in moves)}"
            for name, moves in found.moved.items()
        ]
    )
    yield ""


def _documents(old: Version, new: Version, found: Difference) -> Iterator[str]:
    if not (old.documents and new.documents):
        yield "Documents  not compared: a corpus does not load\n"
        return
    counted = {"added": len(found.documents_added), "removed": len(found.documents_removed)}
    counted |= {"renamed": len(found.documents_renamed), "edited": len(found.documents_edited)}
    yield f"Documents  {_counts(counted)}"
    yield from _few([f"  + {name}  {len(new.documents[name].text):,} characters" for name in found.documents_added])
    yield from _few([f"  - {name}  {len(old.documents[name].text):,} characters" for name in found.documents_removed])
    yield from _few([f"  ↷ {name} → {other}" for name, other in found.documents_renamed.items()])
    lines = []
    for name, change in found.documents_edited.items():
        text = f"{count(change.characters, 'character')} changed, {number(change.ratio)} alike" if change.characters else ""
        lines.append(f"  ~ {name}  {'; '.join(part for part in (text, ', '.join(change.fields)) if part)}")
    yield from _few(lines)
    yield ""


def _baselines(old: Version, new: Version) -> Iterator[str]:
    """What each accepted baseline of the set can still be compared with."""
    held, broken = [], []
    folders = [root / "reports" / new.name for root in roots()]
    paths = {path.stem: path for folder in reversed(folders) for path in sorted(folder.glob("*.json"))}
    for name, path in sorted(paths.items()):
        try:
            held.append((name, load_baseline(path)))
        except GateError as error:
            broken.append(f"  ! {name}  {one_line(str(error), 200)}")
    lost = [name for name, baseline in held if not _compares(baseline, new)]
    before = [name for name in lost if _compares(dict(held)[name], old)]
    if not paths:
        yield f"Baselines  none accepted for {new.name}"
        return
    yield f"Baselines  {len(held) - len(lost):,} of {len(paths):,} can be compared with runs on the new version"
    if before:
        yield f"  no longer: {', '.join(before)}; run them and accept anew"
    if never := [name for name in lost if name not in before]:
        yield f"  neither with the old nor with the new version: {', '.join(never)}"
    yield from broken


def _compares(baseline: Baseline, version: Version) -> bool:
    """Whether runs on a version are compared with a baseline: the rules of harness.gates, for what a baseline says."""
    marks = {"corpus": version.digests.get("corpus_sha256"), "golden_terms": version.terms}
    same = baseline.fingerprints.get("golden_set") == version.digests["questions_sha256"]
    same = same and baseline.golden_version == version.card.version
    return same and all(baseline.fingerprints.get(name) in (None, "", mark) for name, mark in marks.items())


def _counts(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{n:,} {what}" for what, n in counted.items() if n) or "unchanged"


def _about(fields: Mapping[str, Any]) -> str:
    return f"{fields.get('kind', '')} {fields.get('split', 'test')}  {_short(fields.get('question'))}".strip()


def _changes(changes: Sequence[Change]) -> str:
    """On the same line when there is one, else each on its own."""
    lines = [f"{change.field}: {' → '.join(_pair(change.old, change.new))}" for change in changes]
    return f"  {lines[0]}" if len(lines) == 1 else "".join(f"\n      {line}" for line in lines)


def _pair(old: Any, new: Any) -> tuple[str, str]:
    """Both values, shortened so that where they begin to differ is seen."""
    if not (isinstance(old, str) and isinstance(new, str)):
        return _value(old), _value(new)
    same = next((place for place, (was, is_) in enumerate(zip(old, new, strict=False)) if was != is_), min(len(old), len(new)))
    start = same - _BEFORE if max(len(old), len(new)) > _WIDTH and same > 2 * _BEFORE else 0
    mark = "…" if start else ""
    return _short(mark + old[start:]), _short(mark + new[start:])


def _value(value: Any) -> str:
    return "nothing" if value is None else _short(value)


def _short(value: Any) -> str:
    return repr(one_line(value, _WIDTH)) if isinstance(value, str) else one_line(repr(value), _WIDTH)


def _few(lines: Sequence[str], limit: int = LISTED) -> Iterator[str]:
    yield from lines[:limit]
    if len(lines) > limit:
        yield f"  and {len(lines) - limit:,} more"
