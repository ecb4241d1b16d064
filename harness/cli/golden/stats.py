"""`harness golden stats`: what a set holds, how hard it is, and the smallest effect it can show."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from harness.cli.console import out, progress
from harness.cli.golden.difficulty import Difficulty, default_alpha, measure, smallest_difference
from harness.cli.golden.stats_report import Shown, report
from harness.golden.find import find
from harness.golden.golden_set import GoldenSet, load
from harness.golden.summary import Summary, shown_if_all_right, smallest_fall, summarise
from harness.resources import roots

RATE = 0.9
"""Rate of right refusals from which a fall is to be seen."""


def command(arguments: argparse.Namespace) -> int:
    """Loads the set with all its checks, counts, asks unless --quick, and prints; always 0."""
    golden = load(find(arguments.set, roots()))
    summary, difficulty = summarise(golden), None
    if not arguments.quick:
        with progress() as bar:
            difficulty = measure(golden, bar)
    shown = _shown(golden, summary, difficulty)
    if arguments.json:
        text = json.dumps(as_json(summary, difficulty, shown), sort_keys=True, indent=2, allow_nan=False)
        out().print(text, soft_wrap=True, markup=False, emoji=False)
        return 0
    texts = {question.question_id: question.text for question in golden.questions}
    out().print(report(summary, difficulty, shown, texts))
    return 0


def as_json(summary: Summary, difficulty: Difficulty | None, shown: Shown) -> dict[str, Any]:
    """Everything the report knows, nothing cut, as JSON types."""
    return {
        **asdict(summary),
        "overlap": {**asdict(summary.overlap), "none_share": summary.overlap.none_share},
        "difficulty": _difficulty(difficulty) if difficulty else None,
        "shows": asdict(shown),
    }


def _difficulty(found: Difficulty) -> dict[str, Any]:
    parts = found.parts
    return {
        **asdict(found),
        "parts": {name: {"n": len(ids), "share": len(ids) / found.n, "questions": ids} for name, ids in parts.items()},
        "solved": {name: {"n": len(ids), "share": len(ids) / found.n, "questions": ids} for name, ids in found.solved.items()},
        "too_easy": found.too_easy,
    }


def _shown(golden: GoldenSet, summary: Summary, difficulty: Difficulty | None) -> Shown:
    alpha = default_alpha()
    counts = {"answerable": summary.answerable, "unanswerable": summary.unanswerable, **summary.reasons}
    splits = {"all": summary.unanswerable.n, "test": summary.unanswerable.test}
    recall: Mapping[str, float | None] = {}
    if difficulty:
        recall = {split: smallest_difference(golden, difficulty.differences, split, alpha) for split in ("all", "test")}
    return Shown(
        alpha=alpha,
        power=0.8,
        recall_at_5=recall,
        refusal_rate={split: smallest_fall(n, RATE, alpha) for split, n in splits.items()},
        refusal_rate_from=RATE,
        if_all_right={
            name: {"all": shown_if_all_right(count.n), "test": shown_if_all_right(count.test)} for name, count in counts.items()
        },
    )
