"""Small golden sets on disk."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from harness.corpus.files import corpus_digest
from harness.fingerprint import digest

CORPUS = {
    "aq.md": "# AQ\n\nThe filter lasts 6 months. Never wash it.\n\nThe probe lasts 9 months. Never wash it.\n",
    "north.md": "---\ntenant: north\nvalid_from: 2025-01-01\nvalid_to: 2026-01-01\n---\nNorth pays 5 euros.\n",
}
FILTER = {"doc": "aq.md", "quote": "The filter lasts 6 months."}


def row(**fields: Any) -> dict[str, Any]:
    """A sound answerable question, some fields changed; a field of None is left out."""
    base = {"id": "q1", "question": "How long?", "kind": "factoid", "answerable": True, "split": "test", "evidence": [[FILTER]]}
    return {name: value for name, value in {**base, **fields}.items() if value is not None}


def refusal(**fields: Any) -> dict[str, Any]:
    """A sound unanswerable question."""
    base = {"kind": "unanswerable", "answerable": False, "evidence": None, "refusal_reason": "future"}
    return row(**{**base, **fields})


def lines(*rows: Mapping[str, Any] | str) -> bytes:
    """JSON lines; a text is taken as it is."""
    return "".join(f"{item if isinstance(item, str) else json.dumps(item)}\n" for item in rows).encode("utf-8", "surrogatepass")


def write(folder: Path, questions: bytes | Sequence[Mapping[str, Any]] = (), card: Mapping[str, Any] | None = None) -> Path:
    """A golden set named as its folder with right digests, the card's fields changed as asked; None leaves one out."""
    for name, text in CORPUS.items():
        (folder / "corpus").mkdir(parents=True, exist_ok=True)
        (folder / "corpus" / name).write_text(text)
    data = questions if isinstance(questions, bytes) else lines(*(questions or [row()]))
    (folder / "questions.jsonl").write_bytes(data)
    fields = {
        "name": folder.name,
        "version": 1,
        "questions_sha256": digest(data),
        "corpus_sha256": corpus_digest(folder / "corpus"),
        **(card or {}),
    }
    kept = {name: value for name, value in fields.items() if value is not None}
    (folder / "golden_set.yaml").write_text(yaml.safe_dump(kept, sort_keys=False))
    return folder
