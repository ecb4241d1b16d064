"""TREC's two text formats: judgments (qrels) and runs."""

from collections import defaultdict
from pathlib import Path

from harness.errors import GoldenSetError, Problem


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Relevance by query and document, from lines of `query iteration document relevance`.

    Raises:
        GoldenSetError: with every line that has another form, and every pair judged twice.
    """
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    problems = []
    for where, fields in _lines(path):
        if len(fields) != 4 or not _is_number(fields[3]):
            problems.append(_bad(where, fields, "query iteration document relevance"))
        elif fields[2] in qrels[fields[0]]:
            problems.append(_twice(where, fields[0], fields[2]))
        else:
            qrels[fields[0]][fields[2]] = int(float(fields[3]))
    _raise(path, problems)
    return dict(qrels)


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """Score by query and document, from lines of `query Q0 document rank score tag`; ranks are ignored, as trec_eval does.

    Raises:
        GoldenSetError: with every line that has another form, and every document retrieved twice for a query.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    problems = []
    for where, fields in _lines(path):
        if len(fields) != 6 or not _is_number(fields[4]):
            problems.append(_bad(where, fields, "query Q0 document rank score tag"))
        elif fields[2] in run[fields[0]]:
            problems.append(_twice(where, fields[0], fields[2]))
        else:
            run[fields[0]][fields[2]] = float(fields[4])
    _raise(path, problems)
    return dict(run)


def _lines(path: Path) -> list[tuple[str, list[str]]]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldenSetError(f"cannot read {str(path)!r}: {error}; give a TREC text file") from error
    return [(f"{path.name}:{number}", line.split()) for number, line in enumerate(lines, 1) if line.strip()]


def _is_number(text: str) -> bool:
    try:
        return float(text) - float(text) == 0
    except ValueError:
        return False


def _bad(where: str, fields: list[str], form: str) -> Problem:
    return Problem("G002", where, f"got {' '.join(fields)[:80]!r}.", fix=f"write {form}.")


def _twice(where: str, query: str, document: str) -> Problem:
    return Problem("G006", where, f"document {document!r} stands twice for query {query!r}.", fix="keep one line.")


def _raise(path: Path, problems: list[Problem]) -> None:
    if problems:
        raise GoldenSetError(f"{str(path)!r} has {len(problems)} problem(s):", problems)
