"""Scores as JSON lines: one question a line, with its id and its metrics.

A number stands by itself: `jq .scores.recall_at_5 scores.jsonl`. What has a state or a remark is a pair: [0.5, remark] is a
number with a remark, ["not_applicable", reason] is no number and why.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from harness.fingerprint import plain
from harness.jsonl import parse_json
from harness.types import Score, State

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=plain).encode


def lines(scores: Iterable[Score]) -> Iterator[str]:
    """One line per question, in the order in which questions and metrics first stand."""
    rows: dict[str, dict[str, Any]] = {}
    for item in scores:
        row = rows.setdefault(item.question_id, {})
        if item.value is None:
            row[item.metric] = [item.state.value, item.reason]
        else:
            row[item.metric] = [item.value, item.reason] if item.reason else item.value
    return (_encode({"question_id": name, "scores": row}) + "\n" for name, row in rows.items())


def read(path: Path) -> tuple[Score, ...]:
    """The scores of a file that `lines` wrote."""
    rows = map(parse_json, filter(None, path.read_bytes().split(b"\n")))
    return tuple(_score(metric, row["question_id"], value) for row in rows for metric, value in row["scores"].items())


def _score(metric: str, question_id: str, value: Any) -> Score:
    if not isinstance(value, list):
        return Score(metric, question_id, value)
    number, reason = value
    if isinstance(number, str):
        return Score(metric, question_id, None, State(number), reason)
    return Score(metric, question_id, number, State.SCORED, reason)
