"""A small user's repository for end-to-end runs: its own golden set and experiment, no model needed."""

import json
from hashlib import sha256
from pathlib import Path

DOCUMENTS = {
    "battery.md": "# Battery\n\nThe soil probe runs on two AA cells. The cells last 18 months at one reading an hour.\n",
    "range.md": "# Range\n\nThe gateway reaches sensors up to 400 metres away in open terrain.\n",
    "reset.md": "# Reset\n\nHold the button for ten seconds to reset the gateway to factory settings.\n",
    "price.md": "# Prices\n\nA replacement filter for the air monitor costs 19 euros.\n",
    "storage.md": "# Storage\n\nStore the water level logger between 5 and 35 degrees Celsius.\n",
}
ANSWERABLE = [
    (
        "How long do the cells of the soil probe last?",
        "battery.md",
        "The cells last 18 months at one reading an hour.",
        "18 months",
    ),
    ("What does the soil probe run on?", "battery.md", "The soil probe runs on two AA cells.", "two AA cells"),
    ("How far away can sensors be from the gateway?", "range.md", "up to 400 metres away in open terrain", "400 metres"),
    ("How do I reset the gateway to factory settings?", "reset.md", "Hold the button for ten seconds", "Hold the button"),
    ("What does a replacement filter for the air monitor cost?", "price.md", "costs 19 euros", "19 euros"),
    ("At which temperature is the water level logger stored?", "storage.md", "between 5 and 35 degrees Celsius", "5 and 35"),
]
UNANSWERABLE = ["Who founded the opera house?", "Is there a discount for schools?", "Which paint fits a violin?"]


OPENINGS = ("", "Please tell me: ", "Quick question. ", "Hello, ")


def questions() -> list[dict[str, object]]:
    """Twenty-four answerable questions (six in four wordings) and three that must be refused."""
    rows: list[dict[str, object]] = []
    for opening in OPENINGS:
        for text, doc, quote, answer in ANSWERABLE:
            name = f"q{len(rows)}"
            row = {"id": name, "question": opening + text, "kind": "factoid", "answerable": True, "split": "test", "group": name}
            rows.append({**row, "evidence": [[{"doc": doc, "quote": quote}]], "answers": [answer]})
    for number, text in enumerate(UNANSWERABLE):
        row = {"id": f"u{number}", "question": text, "kind": "unanswerable", "answerable": False, "split": "test"}
        rows.append({**row, "refusal_reason": "out_of_corpus", "group": f"u{number}"})
    return rows


def write_golden_set(folder: Path, rows: list[dict[str, object]] | None = None) -> Path:
    """Writes the set with a card whose digests hold."""
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    corpus = sha256()
    for name, text in sorted(DOCUMENTS.items()):
        (folder / "corpus" / name).write_text(text)
        corpus.update(name.encode() + b"\0" + text.encode() + b"\0")
    body = "".join(json.dumps(row) + "\n" for row in (questions() if rows is None else rows))
    (folder / "questions.jsonl").write_text(body)
    (folder / "golden_set.yaml").write_text(
        f"name: {folder.name}\nversion: 1\npurpose: tests\nlicence: CC0-1.0\nlanguages: [en]\nas_of: '2026-06-30'\n"
        f"questions_sha256: {sha256(body.encode()).hexdigest()}\ncorpus_sha256: {corpus.hexdigest()}\n"
        "defaults: {coverage: 0.9}\n"
    )
    return folder


EXPERIMENT = """# Everything without a model.
defaults:
  - override /embedder: hashing
  - override /reranker: lexical
  - override /judge: lexical
  - override /tracking: none
golden_set: tiny
answerability: {minimum: 0.4}
ks: [1, 3, 5]
"""


def write_project(folder: Path) -> Path:
    """A repository with golden_sets/tiny and experiments/light.yaml."""
    write_golden_set(folder / "golden_sets" / "tiny")
    (folder / "experiments").mkdir()
    (folder / "experiments" / "light.yaml").write_text(EXPERIMENT)
    return folder
