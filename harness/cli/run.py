"""`harness run`: one run, or a sweep that ends in a leaderboard."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from harness.build.compose import compose
from harness.build.experiment import Experiment, as_yaml, build, resolve
from harness.build.overrides import Override, parse
from harness.cli.console import note, out, print_error, progress
from harness.cli.paid import within_budget
from harness.errors import ConfigError, HarnessError, Problem, StoreError
from harness.gates.baseline import check_name, path_of
from harness.gates.gate import MAX_ERROR_RATE
from harness.golden.find import find
from harness.recordings import NAME
from harness.resources import cache_dir, roots
from harness.spending import Budget
from harness.store import Store


def command(arguments: argparse.Namespace) -> int:
    """Runs what the command line describes."""
    if arguments.baseline_ref and (arguments.multirun or arguments.cfg or arguments.dry_run):
        raise ConfigError(
            "--baseline-ref has no meaning with -m, --cfg or --dry-run: only a single run is held against a baseline"
        )
    cells = parse(arguments.overrides, arguments.multirun)
    if arguments.cfg:
        for cell in cells:
            out().print(as_yaml(compose(cell)), markup=False)
        return 0
    store = Store(cache_dir() / "stages.sqlite")
    made: dict[str, object] = {}
    experiments = [build(cell, store, made, arguments.replay, sending=not arguments.dry_run) for cell in cells]
    if arguments.replay:
        _check_recorded(experiments)
    budget = _budget(experiments)
    if arguments.dry_run:
        from harness.cli.dry_run import show

        return show(experiments, labels(experiments, cells), budget, arguments.replay)
    with within_budget(budget) as sent:
        code = _sweep(experiments, cells) if arguments.multirun else _single(experiments[0], arguments.baseline_ref)
    return 4 if sent.refused else code


def _budget(experiments: Sequence[Experiment]) -> Budget:
    """What the whole command may spend.

    Raises:
        ConfigError: when the variants of a sweep name different budgets.
    """
    budgets = {experiment.settings.budget for experiment in experiments}
    if len(budgets) > 1:
        raise ConfigError("The budget is that of the whole sweep; give one, not a value for each variant.")
    return budgets.pop()


def _single(experiment: Experiment, ref: str) -> int:
    from harness.build.at_revision import for_experiment
    from harness.cli.job import golden_set, read_recordings, run
    from harness.cli.show import show

    check_name("experiment", experiment.name)
    golden, against = golden_set(experiment), None
    if ref:
        folder = find(experiment.settings.golden_set, roots())
        experiment, against = for_experiment(ref, experiment, golden.name, folder)
    read_recordings(experiment)
    _prepare(experiment)
    _tell_idle(experiment)
    with progress() as bar:
        finished = run(experiment, bar, against=against)
    show(finished.record, finished.accepted, finished.verdicts, finished.folder, bool(finished.mlflow_id), losses=finished.losses)
    for notice in against.notices if against else ():
        note(f"notice: {notice}")
    for line in experiment.tally.lines():
        note(f"  {line}")
    if experiment.gate is None:
        return 4 if len(finished.record.failures) > MAX_ERROR_RATE * len(finished.record.splits) else 0
    return experiment.gate.exit_code(finished.verdicts)


def _check_recorded(experiments: Sequence[Experiment]) -> None:
    """That there is something to replay for each experiment with a language model.

    Raises:
        ConfigError: F011, with the file that was looked for.
    """
    from harness.cli.job import golden_set

    problems = {}
    for experiment in experiments:
        own = resolve(experiment.settings.reports_dir)
        paths = [
            path_of(reports, golden_set(experiment).name, experiment.name).with_suffix(f".{NAME}")
            for reports in (own, *(root / "reports" for root in roots()))
        ]
        if _asks_a_model(experiment.config) and not any(path.exists() for path in paths):
            fix = "run without --replay, then `harness accept` keeps the completions there"
            why = "Every call of a language model would fail."
            problems[experiment.name] = Problem("F011", str(paths[0]), "no completions are recorded there", why, fix)
    if problems:
        raise ConfigError("There is nothing to replay.", list(problems.values()))


def _asks_a_model(config: Any) -> bool:
    """Whether a stage, or a part of one, is a language model."""
    if not isinstance(config, Mapping):
        return False
    return bool(config.get("llm")) or any(map(_asks_a_model, config.values()))


def _tell_idle(experiment: Experiment) -> None:
    """Settings that change nothing in this run."""
    for text in experiment.notices:
        note(f"note: {text}")


def _prepare(experiment: Experiment) -> None:
    """Makes the MLflow store while nothing else runs; a store that fails is told once, at logging."""
    with _tolerant(experiment):
        if experiment.tracking is not None:
            experiment.tracking.prepare()


@contextmanager
def _tolerant(experiment: Experiment) -> Iterator[None]:
    """Lets MLflow fail where it is not required; the runs themselves are whole."""
    try:
        yield
    except StoreError:
        if experiment.tracking is not None and experiment.tracking.required:
            raise


def labels(experiments: Sequence[Experiment], cells: Sequence[Sequence[Override]]) -> list[str]:
    """A name per cell: the experiment and the overrides in which the cells differ."""
    common = set.intersection(*({item.text for item in cell} for cell in cells))
    words = [[item.text for item in cell if item.text not in common and item.key != "experiment"] for cell in cells]
    return [" ".join([experiment.name, *own]) for experiment, own in zip(experiments, words, strict=True)]


def _sweep(experiments: Sequence[Experiment], cells: Sequence[Sequence[Override]]) -> int:
    from harness.cli.job import golden_set, read_recordings, renamed, run
    from harness.cli.show import show_leaderboard

    names = labels(experiments, cells)
    for experiment in experiments:
        golden_set(experiment)
        read_recordings(experiment)
    _prepare(experiments[0])
    finished, failed = [], 0
    with _parent(experiments[0], names) as parent:
        for place, (experiment, name) in enumerate(zip(experiments, names, strict=True), 1):
            note(f"[{place}/{len(names)}] {name}")
            _tell_idle(experiment)
            try:
                with progress() as bar:
                    finished.append(run(renamed(experiment, name), bar, parent))
            except HarnessError as error:
                failed += 1
                print_error(error)
    if failed:
        note(f"{failed} of {len(names)} variants could not be run; the others are compared")
    if not finished:
        raise StoreError("no variant of the sweep could be run; each reason stands above")
    seconds = {item.record.run_id: item.seconds for item in finished}
    pages = show_leaderboard([item.record for item in finished], [item.folder for item in finished], seconds)
    with _tolerant(experiments[0]):
        if experiments[0].tracking is not None and parent:
            experiments[0].tracking.log_files(parent, pages)
    return 0


@contextmanager
def _parent(experiment: Experiment, names: Sequence[str]) -> Iterator[str]:
    """The MLflow run under which the runs of a sweep stand; it is closed however the sweep ends."""
    parent, tracking = "", experiment.tracking
    with _tolerant(experiment):
        if tracking is not None:
            parent = tracking.start_parent(f"sweep {' | '.join(names)}"[:200], {"harness.variants": str(len(names))})
    status = "KILLED"
    try:
        yield parent
        status = "FINISHED"
    finally:
        with _tolerant(experiment):
            if tracking is not None and parent:
                tracking.finish_parent(parent, status)
