"""The files of a BEIR folder: JSON lines of which every sound row is kept, and judgments as TSV."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.errors import Problem
from harness.golden.formats.shared import grade_of, json_rows, with_text_ids
from harness.jsonl import Row
from harness.shapes import mismatches
from harness.store import write_atomic

HEAD = "query-id\tcorpus-id\tscore"
"""First line of a file of judgments."""

_IDS = ("_id", "query_id", "doc_id")
_TUNING = ("train", "dev")
_HEADER = re.compile(r"(query|q|topic)[-_ ]?(id)?\t.*(score|grade|label|rel|relevance|judge?ment)", re.IGNORECASE)


def sound_rows(path: Path, shape: Mapping[str, Any], problems: list[Problem]) -> list[Row]:
    """The sound rows of a file; other fields than those of the shape are no concern of ours. An _id is used once.

    A null says nothing, but for `answerable`; ids may be whole numbers.
    """
    rows, faults = json_rows(path)
    problems += faults
    sound: dict[str, Row] = {}
    for row in rows:
        fields = {name: value for name, value in with_text_ids(row.fields, _IDS).items() if value is not None}
        wrong = [fault.at(row.where) for fault in mismatches(fields, shape) if fault.code != "G004"]
        name = fields.get("_id", row.where)
        if not wrong and name in sound:
            wrong = [Problem("G006", f"{row.where} _id", f"{name!r} already used on {sound[name].where}.", fix="rename one.")]
        problems += wrong
        asks_back = {"answerable": None} if row.fields.get("answerable", 0) is None else {}
        sound |= {} if wrong else {name: Row(row.where, fields | asks_back)}
    return list(sound.values())


def read_qrels(folder: Path, problems: list[Problem]) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """Relevance by query and document, and the split of each query."""
    files = [path for path in (folder / "qrels.tsv", *sorted((folder / "qrels").glob("*.tsv"))) if path.is_file()]
    if not files:
        problems.append(Problem("G001", "qrels", "no qrels.tsv and no qrels/*.tsv.", fix="give a folder in BEIR form."))
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    splits: dict[str, str] = {}
    for path in files:
        split = "tune" if path.stem in _TUNING else "test"
        for where, query, document, grade in _judgments(path, problems):
            if qrels[query].setdefault(document, grade) != grade:
                problems.append(
                    contradiction(where, f"{query!r} and {document!r} are judged {qrels[query][document]} elsewhere.")
                )
            if splits.setdefault(query, split) != split:
                problems.append(contradiction(where, f"query {query!r} is judged for tuning and for testing."))
    return dict(qrels), splits


def _judgments(path: Path, problems: list[Problem]) -> Iterator[tuple[str, str, str, int]]:
    """Place, query, document and grade of each line; the first one may be a header, such as that of BEIR."""
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem("G016", path.name, f"cannot be read as UTF-8: {error}.", fix="save it as UTF-8."))
        return
    for number, line in enumerate(map(str.rstrip, lines), 1):
        fields = line.split("\t")
        grade = grade_of(fields[-1])
        if not line or (number == 1 and _HEADER.fullmatch(line)):
            continue
        if len(fields) != 3 or not all(fields) or grade is None:
            what, fix = f"got {line[:80]!r}.", "write query-id, corpus-id, score apart by tabs."
            problems.append(Problem("G002", f"{path.name}:{number}", what, fix=fix))
        else:
            yield f"{path.name}:{number}", fields[0], fields[1], grade


def contradiction(where: str, what: str) -> Problem:
    """Two things of which only one can hold."""
    return Problem("G006", where, what, "Only one of them can hold.", "drop one.")


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes a row a line."""
    write_atomic(path, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
