"""The review file: proposed questions that a person has to check, complete and move into questions.jsonl."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import GoldenSetError
from harness.golden.schema import SHAPES
from harness.golden.writing import question_line
from harness.jsonl import read_rows
from harness.shapes import mismatches
from harness.store import write_atomic

DRAFTS = "drafts.jsonl"
"""Name of the review file beside questions.jsonl; no run reads it."""


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


def read_drafts(path: Path) -> list[dict[str, Any]]:
    """The drafts of a review file; none when there is no file or it is empty.

    Raises:
        GoldenSetError: with every line that cannot be read.
    """
    if not path.is_file() or not path.read_bytes().strip():
        return []
    rows, problems = read_rows(path)
    problems += [fault.at(row.where) for row in rows for fault in mismatches(row.fields, SHAPES)]
    if problems:
        raise GoldenSetError(f"the review file {str(path)!r} has {len(problems)} problem(s):", problems)
    return [row.fields for row in rows]
