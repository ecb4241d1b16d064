"""`harness golden check`: every fault of golden sets, all at once, and with --fix what is safe to mend."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import get_args

import yaml

from harness.cli.console import out
from harness.cli.golden.edited import edited_without_bump, measured_on_other, shown
from harness.errors import ConfigError, GoldenSetError, HarnessError, Problem
from harness.golden.card import NAME
from harness.golden.find import FOLDER, find
from harness.golden.fix import fix_card, fix_questions
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.golden.lint import Findings, lint
from harness.indexing.timeline_file import TIMELINE, load_timeline
from harness.reporting.escape import clean
from harness.resources import roots
from harness.retrieval.tokenizers import TokenizerName

_PARTS = (NAME, QUESTIONS, CORPUS)


def command(arguments: argparse.Namespace) -> int:
    """Prints a line per set, its faults under it; 2 when there is one, else 0.

    Raises:
        ConfigError: when no set is named and there is none.
    """
    found = [_check(name, arguments.fix) for name in arguments.sets or _all()]
    errors, warnings, notes = (sum(counts) for counts in zip(*found, strict=True))
    faulty = sum(counts[0] > 0 for counts in found)
    state = f"{len(found) - faulty} clean, {faulty} with {_count(errors, 'error')}" if faulty else "all clean"
    total = f"{_count(len(found), 'golden set')}: {state}"
    _print(f"{total}; {_count(warnings, 'warning')}, {_count(notes, 'note')}.")
    return 2 if errors else 0


def _all() -> list[str]:
    """Paths of all sets below golden_sets/ of the first root that has any."""
    for root in roots():
        folders = (path for path in (root / FOLDER).glob("*") if not path.name.startswith("."))
        if sets := sorted(path for path in folders if any((path / part).exists() for part in _PARTS)):
            return [str(path) for path in sets]
    raise ConfigError(f"no golden set below {FOLDER}/ of the current folder; make one with `harness golden import`, or name one")


def _check(name: str, mend: bool) -> tuple[int, int, int]:
    """Checks one set and prints what is found; gives the numbers of errors, warnings and notes."""
    folder = _folder(name)
    if isinstance(folder, Problem):
        return _report(name, Findings(Path(name), None, (folder,), (), ()))
    findings = _examine(folder)
    if mend:
        findings = _mended(folder, findings)
    return _report(name, findings)


def _folder(name: str) -> Path | Problem:
    """The set's folder; one that lacks its questions is a set with a fault, not an unknown one."""
    for path in (Path(name), *(root / FOLDER / name for root in roots())):
        if path.is_dir() and any((path / part).exists() for part in _PARTS):
            return path
    try:
        return find(name, roots())
    except (ConfigError, OSError) as error:
        return Problem("G001", name, f"{error}", fix="name a folder that exists.")


def _examine(folder: Path) -> Findings:
    findings = lint(folder, used_tokenizers())
    on_other, unread = measured_on_other(folder)
    renewed = any(problem.code == "G026" for problem in findings.errors)
    edited = [] if renewed else edited_without_bump(folder, on_other)
    history = _history(folder, findings)
    return replace(findings, errors=(*findings.errors, *edited, *history), notes=(*findings.notes, *unread))


def _history(folder: Path, findings: Findings) -> tuple[Problem, ...]:
    """What is wrong with the history of a sound set's corpus, where there is one."""
    if findings.golden_set is None or not (folder / TIMELINE).exists():
        return ()
    try:
        load_timeline(folder / TIMELINE, findings.golden_set.documents)
    except GoldenSetError as error:
        return error.problems
    return ()


def _mended(folder: Path, before: Findings) -> Findings:
    """Mends and looks again, whatever becomes of the mending."""
    failed: tuple[Problem, ...] = ()
    changes = 0
    steps = (fix_questions, lambda place: fix_card(place, {version for _, version in measured_on_other(place)[0]}))
    try:
        for step in steps:
            for change in step(folder):
                _print(f"fixed {shown(folder)}/{change}")
                changes += 1
    except (HarnessError, OSError) as error:
        place = NAME if NAME in str(error) else QUESTIONS
        failed = (Problem("G001", place, f"not mended: {error}.", fix="make the files writable and their form plain."),)
    if before.errors and not changes and not failed:
        _print(f"{shown(folder)}: nothing mended; what has more than one remedy is left to a person")
    after = _examine(folder)
    left = [
        f"{problem.where} is left as it is: names of fields are not guessed" for problem in after.errors if problem.code == "G004"
    ]
    return replace(after, errors=(*failed, *after.errors), notes=(*after.notes, *left))


def _report(name: str, findings: Findings) -> tuple[int, int, int]:
    place = shown(findings.folder)
    errors, warnings, notes = findings.errors, findings.warnings, findings.notes
    _print(f"{place}: {_count(len(errors), 'error')}" if errors else _clean_line(findings))
    for problem in errors:
        _print(f"  {_located(problem, place, name)}")
    if warnings:
        _print(f"  {_count(len(warnings), 'warning')}, without effect on the exit code:")
        for problem in warnings:
            _print(f"    warning{_located(problem, place, name).removeprefix('error')}")
    if notes:
        _print(f"  {_count(len(notes), 'note')}:")
        for note in notes:
            _print(f"    {note}")
    return len(errors), len(warnings), len(notes)


def _clean_line(findings: Findings) -> str:
    golden = findings.golden_set
    if golden is None:
        return f"{shown(findings.folder)}: not read"
    answerable = sum(question.answerable for question in golden.questions)
    asked = f"{_count(len(golden.questions), 'question')} ({answerable} answerable, {len(golden.questions) - answerable} unanswerable)"
    documents = _count(len(golden.documents), "document")
    return f"{golden.name}: version {golden.version}, {asked}, {documents}, digest {golden.digest[:12]}, clean"


def _located(problem: Problem, place: str, name: str) -> str:
    return str(problem if problem.where == name else replace(problem, where=f"{place}/{problem.where}"))


def _print(text: str) -> None:
    out().print(clean(text), markup=False, soft_wrap=True)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def used_tokenizers() -> list[TokenizerName]:
    """Tokenizers named in conf/retrievers/, sorted."""
    files = [path for root in roots() for path in sorted((root / "conf" / "retrievers").glob("*.yaml"))]
    named: list[object] = []
    for path in files:
        try:
            recipes = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, yaml.YAMLError):
            continue
        retrievers = recipes.values() if isinstance(recipes, dict) else ()
        named += [recipe.get("tokenizer") for recipe in retrievers if isinstance(recipe, dict)]
    known: tuple[TokenizerName, ...] = get_args(TokenizerName)
    return [name for name in known if name in named]
