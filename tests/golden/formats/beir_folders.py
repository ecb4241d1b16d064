"""Small BEIR folders."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HEAD = "query-id\tcorpus-id\tscore\n"
CORPUS = [{"_id": "d1", "title": "One", "text": "Alpha beta gamma.\n"}, {"_id": "d2", "title": "Two", "text": "Delta."}]
QUERIES = [{"_id": "q1", "text": "Which?"}, {"_id": "q2", "text": "Who?"}]
QRELS = f"{HEAD}q1\td1\t1\nq1\td2\t0\nq2\td2\t2\n"


def json_lines(*rows: Any) -> str:
    """A row a line."""
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def beir_folder(folder: Path, qrels: Mapping[str, str] | None = None, **files: Sequence[Mapping[str, Any]]) -> Path:
    """Two documents and two queries; files replace these, qrels are named by their path."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in {"corpus": CORPUS, "queries": QUERIES, **files}.items():
        (folder / f"{name}.jsonl").write_text(json_lines(*rows))
    for name, text in ({"qrels.tsv": QRELS} if qrels is None else qrels).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder
