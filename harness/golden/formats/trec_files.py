"""TREC's format of judgments: qrels."""

from collections import defaultdict
from pathlib import Path

from harness.errors import GoldenSetError, Problem
from harness.golden.formats.shared import grade_of, raise_all


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Relevance by query and document, from lines of `query iteration document relevance`.

    Raises:
        GoldenSetError: with every line that has another form, such as a grade that is no whole number, and every pair
            judged twice.
    """
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    problems = []
    for where, fields in _lines(path):
        grade = grade_of(fields[-1])
        if len(fields) != 4 or grade is None:
            fix = "write query iteration document relevance, the last a whole number."
            problems.append(Problem("G002", where, f"got {' '.join(fields)[:80]!r}.", fix=fix))
        elif fields[2] in qrels[fields[0]]:
            what = f"document {fields[2]!r} stands twice for query {fields[0]!r}."
            problems.append(Problem("G006", where, what, fix="keep one line."))
        else:
            qrels[fields[0]][fields[2]] = grade
    raise_all("file of judgments", path, problems)
    return dict(qrels)


def _lines(path: Path) -> list[tuple[str, list[str]]]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldenSetError(f"cannot read {str(path)!r}: {error}; give a TREC text file") from error
    return [(f"{path.name}:{number}", line.split()) for number, line in enumerate(lines, 1) if line.strip()]
