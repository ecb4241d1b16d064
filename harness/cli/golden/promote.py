"""`harness golden promote`: failed questions of a run and queries of users, as drafts."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harness import runs
from harness.cli.console import note
from harness.cli.golden.draft import folder_of, review_file, show
from harness.errors import ConfigError
from harness.fingerprint import digest
from harness.golden.card import read_card
from harness.golden.drafting.failures import what_failed
from harness.golden.drafting.logs import logged, read_log
from harness.golden.drafting.promote import Promoted, Wish, promote
from harness.golden.drafting.target import Target, read_target
from harness.golden.drafts import read_lines, write_drafts
from harness.golden.find import find
from harness.golden.golden_set import QUESTIONS
from harness.reporting.escape import one_line
from harness.resources import roots
from harness.types import RunRecord, State

_NAMED = 5
"""Skipped questions that are named; the rest is counted."""


def command(arguments: argparse.Namespace) -> int:
    """Collects the questions, writes the drafts and says what to do with them."""
    if not (arguments.run or arguments.questions or arguments.log or arguments.query):
        raise ConfigError("nothing to promote: give --run NAME (or newest), --log FILE or --query TEXT")
    folder = folder_of(arguments.set)
    review = review_file(arguments.to, folder)
    target = read_target(folder, review)
    wishes = list(_of_run(arguments, target)) if arguments.run or arguments.questions else []
    asked, masked = logged(_queries(arguments), target.documents.values())
    result = promote([*wishes, *asked], target)
    write_drafts(review, result.drafts)
    _remarks(result, masked)
    show(result.drafts, review, folder)
    return 0


def _queries(arguments: argparse.Namespace) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if arguments.log:
        yield from ((f"log {row.where}", row.fields) for row in read_log(Path(arguments.log)))
    for text in arguments.query:
        if not text.strip():
            raise ConfigError("--query is empty; give the text that a user asked")
        yield "a query on the command line", {"question": text}


def _of_run(arguments: argparse.Namespace, target: Target) -> Iterator[Wish]:
    """Failed questions of the run, or those that were named."""
    folder = _run_folder(arguments.run or "newest", Path(arguments.runs_dir).absolute(), target.name)
    record = runs.load(folder)
    rows, as_of = _asked_in(record)
    named = set(arguments.questions)
    if unknown := sorted(named - rows.keys()):
        near = get_close_matches(unknown[0], list(rows), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"run {record.run_id!r} asked no question {', '.join(map(repr, unknown))}{hint}")
    scores = _scores(record)
    traces = runs.load_traces(folder)
    errors = {failure.question_id: failure.error for failure in record.failures}
    for name, row in rows.items():
        trace = traces.get(name)
        failed = what_failed(row["answerable"], scores.get(name, {}), trace, errors.get(name, ""))
        if name in named or (failed and not named):
            station, words = failed or ("passed", "it was named, nothing failed")
            shown = [hit.chunk for hit in trace.context.hits] if trace else []
            dated = {**row, "as_of": row.get("as_of") or (as_of if as_of != target.as_of else "")}
            provenance = f"promoted from run {record.run_id} of {record.golden_set}, question {name}: {words}"
            yield Wish(dated, station, provenance, shown, forced=name in named)


def _run_folder(name: str, runs_dir: Path, golden_set: str) -> Path:
    if name == "newest":
        for path in sorted(runs_dir.glob("*/results.json"), reverse=True):
            if runs.read_json(path).get("golden_set") == golden_set:
                return path.parent
        raise ConfigError(f"no finished run of {golden_set!r} in {str(runs_dir)!r}; name a run of another set with --run")
    for folder in (Path(name).absolute(), runs_dir / name):
        if folder.is_dir():
            return folder
    raise ConfigError(f"no run folder {name!r}, neither as a path nor in {str(runs_dir)!r}")


def _asked_in(record: RunRecord) -> tuple[dict[str, Mapping[str, Any]], str]:
    """The run's questions as its golden set has them now, and the date on which that set is asked."""
    folder = find(str(record.config.get("golden_set") or record.golden_set), roots())
    rows: dict[str, Mapping[str, Any]] = {
        str(row["id"]): row for row in read_lines(folder / QUESTIONS) if row["id"] in record.groups
    }
    if record.fingerprints.get("golden_set") != digest((folder / QUESTIONS).read_bytes()):
        note(f"note: {folder / QUESTIONS} changed since run {record.run_id}; questions are taken as they are now")
    if missing := len(record.groups.keys() - rows.keys()):
        note(f"note: {missing} questions of run {record.run_id} are no longer in {folder / QUESTIONS}")
    return rows, read_card(folder, {})[0].as_of


def _scores(record: RunRecord) -> dict[str, dict[str, float]]:
    """Numbers by question and metric."""
    found: dict[str, dict[str, float]] = {}
    for item in record.scores:
        if item.state is State.SCORED and item.value is not None:
            found.setdefault(item.question_id, {})[item.metric] = item.value
    return found


def _skipped(why: str, questions: Sequence[str]) -> None:
    for text in questions[:_NAMED]:
        note(f"skipped, {why}: {one_line(text, 100)}")
    if len(questions) > _NAMED:
        note(f"skipped, {why}: {len(questions) - _NAMED} more")


def _remarks(result: Promoted, masked: int) -> None:
    if masked:
        note(f"masked {masked} e-mail addresses, long numbers and secrets in logged queries as [email], [number] and [secret]")
    _skipped("the set asks it already", result.in_set)
    _skipped("it waits in the review file already", result.in_drafts)
    if result.in_set:
        note("to harden a question that the set has, name it with --questions ID")
    if result.without_evidence:
        note(f"{result.without_evidence} drafts have no proposed evidence: no document has a word of them in common")
