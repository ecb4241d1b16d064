"""The review file: proposed questions that a person has to check, complete and move into questions.jsonl."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import GoldenSetError
from harness.golden.schema import check
from harness.golden.writing import question_line
from harness.jsonl import read_rows
from harness.store import write_atomic

DRAFTS = "drafts.jsonl"
"""Name of the review file beside questions.jsonl; no run reads it."""
_TO_COMPLETE = frozenset(("G010", "G011", "G012", "G032"))
"""Codes of what a person still has to settle: evidence, and whether there is any."""


def write_drafts(path: Path, drafts: Sequence[Mapping[str, Any]]) -> int:
    """Adds drafts to a review file, each line once, all with `reviewed: false`; tells how many were new."""
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    before = before if not before or before.endswith("\n") else f"{before}\n"
    known = set(before.split("\n"))
    lines = dict.fromkeys(question_line({**draft, "reviewed": False}) for draft in drafts)
    fresh = [line for line in lines if line not in known]
    if fresh:
        write_atomic(path, before + "".join(f"{line}\n" for line in fresh))
    return len(fresh)


def read_lines(path: Path) -> tuple[dict[str, Any], ...]:
    """The lines of a questions.jsonl or of a review file, sound but for what is still to be completed; evidence is not looked up.

    None when there is no file or it is empty.

    Raises:
        GoldenSetError: with every line that cannot be read.
    """
    if not path.is_file() or not path.read_bytes().strip():
        return ()
    rows, problems = read_rows(path)
    problems += [problem for row in rows for problem in check(row) if problem.code not in _TO_COMPLETE]
    if problems:
        raise GoldenSetError(f"{str(path)!r} has {len(problems)} problem(s); see `harness golden check`:", problems)
    return tuple(row.fields for row in rows)
