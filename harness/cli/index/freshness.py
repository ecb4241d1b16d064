"""`harness index freshness`: how stale an index becomes between two syncs, on a dated corpus."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from harness.build.experiment import Experiment, build
from harness.build.overrides import parse
from harness.cli.console import note, out, progress
from harness.cli.paid import within_budget
from harness.errors import ConfigError, GoldenSetError, Problem
from harness.golden.find import find
from harness.golden.golden_set import load
from harness.indexing.freshness import DEPTH, measure
from harness.indexing.history import History
from harness.indexing.manifest import SLOTS
from harness.indexing.staleness import NEVER, Cadence, Freshness, Mean
from harness.indexing.timeline_file import TIMELINE, load_timeline
from harness.reporting.escape import clean
from harness.reporting.names import count, interval, number
from harness.resources import cache_dir, roots
from harness.store import Store, write_json

_UNANSWERED: Mapping[str, Any] = dict.fromkeys(("generator", "verification", "judge", "gate", "tracking"))
"""Only retrieval is asked."""
_NO_RERANKER: Mapping[str, Any] = {"reranker": {"_target_": "harness.reranking.none.NoReranker"}}
_LONGEST = 3_650


def command(arguments: argparse.Namespace) -> int:
    """Replays, prints the table, writes the measurements where asked; always 0.

    Raises:
        ConfigError, GoldenSetError, CorpusError: with every fault of options, config, golden set and timeline.
    """
    every = cadences(arguments.every)
    if arguments.to:
        _check_target(Path(arguments.to))
    folder = find(arguments.set, roots())
    if not (folder / TIMELINE).is_file():
        raise GoldenSetError(f"the golden set {str(folder)!r} has no {TIMELINE}; write the history of its corpus there")
    golden = load(folder)
    history = History(golden, load_timeline(folder / TIMELINE, golden.documents))
    experiment = _experiment(arguments.overrides)
    config = {slot: experiment.config.get(slot) for slot in SLOTS}
    with TemporaryDirectory(prefix="harness-freshness-") as work, progress() as bar, within_budget(experiment.settings.budget):
        found = measure(history, experiment.pipeline, config, every, Path(work), bar)
    out().print(report(found))
    if arguments.to:
        write_json(Path(arguments.to), asdict(found))
        note(f"measurements: {arguments.to}")
    return 0


def cadences(text: str) -> list[int]:
    """The days of `--every`.

    Raises:
        ConfigError: H006, when one is no whole number of days from 1 on, or stands twice.
    """
    words = [word.strip() for word in text.split(",")]
    wrong = [word for word in words if not (word.isdecimal() and 1 <= int(word) <= _LONGEST)]
    twice = [
        word for place, word in enumerate(words) if word not in wrong and int(word) in map(int, set(words[:place]) - {*wrong})
    ]
    if wrong or twice:
        fix = f"write whole numbers of days from 1 to {_LONGEST:,}, each once, such as 1,7,30."
        what = f"{', '.join(map(repr, wrong or twice))} {'is no cadence' if wrong else 'stands twice'}."
        raise ConfigError("The cadences cannot be read.", [Problem("H006", "--every", what, fix=fix)])
    return [int(word) for word in words]


def _check_target(path: Path) -> None:
    """That the measurements can be written, before an hour was spent on them.

    Raises:
        ConfigError: H007.
    """
    around = next(one for one in (path if path.exists() else path.absolute().parent, *path.absolute().parents) if one.exists())
    if path.is_dir():
        what = "is a folder"
    elif not path.exists() and not around.is_dir():
        what = f"lies below the file {str(around)!r}"
    elif not os.access(around, os.W_OK):
        what = "cannot be written"
    else:
        return
    raise ConfigError("The measurements cannot be written.", [Problem("H007", f"--to {path}", what, fix="name another file.")])


def _experiment(words: Sequence[str]) -> Experiment:
    """Retrieval of the variant that the words describe; a reranker only where they name one or an experiment."""
    (overrides,) = parse([*words])
    asked = any(item.key.partition(".")[0] in ("experiment", "reranker") for item in overrides)
    fixed = {**_UNANSWERED, **({} if asked else _NO_RERANKER)}
    return build(overrides, Store(cache_dir() / "stages.sqlite"), fixed=fixed, replayable=False)


def report(found: Freshness) -> RenderableType:
    """The measurements by cadence, with what they are of."""
    first = found.cadences[0]
    head = (
        f"{found.golden_set} v{found.golden_version}, {found.start} to {found.end}: {count(found.events, 'change')} of the corpus"
    )
    lines = (
        f"Built on the day before: {first.built:,} texts embedded. Each of {count(first.stale.n, 'question')} was asked on every day "
        f"on which its evidence existed and held: {first.question_days:,} times in all.",
        "On a day: first the changes, then a sync that is due, then the questions.",
        f"Superseded: passages among the first {DEPTH} whose text stands no more in their document; deleted: their document is "
        "withdrawn; both over all times asked.",
        f"Stale: share of its days on which a question was shown one of them. Recall@{DEPTH}: against the corpus of the day. "
        "Both are means over the questions, with 95 % intervals.",
    )
    return Group(_table(head, found.cadences), *(Text(line, "dim") for line in lines))


def _table(head: str, rows: Sequence[Cadence]) -> Table:
    table = Table(title=Text(clean(head), "bold"), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("Synced", no_wrap=True)
    for name in ("Syncs", "Embedded", "Superseded", "Deleted", "Stale", f"Recall@{DEPTH}"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        counts = (row.syncs, row.embedded, row.superseded_hits, row.deleted_hits)
        table.add_row(_cadence(row.every), *(f"{value:,}" for value in counts), _mean(row.stale), _mean(row.recall))
    return table


def _cadence(every: int) -> str:
    return "never" if every == NEVER else "every day" if every == 1 else f"every {every:,} days"


def _mean(mean: Mean) -> str:
    return f"{number(mean.value)}\n{interval(mean.low, mean.high)}".rstrip()
