"""`harness run`: one run, or a sweep that ends in a leaderboard."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.build.compose import compose
from harness.build.experiment import Experiment, as_yaml, build
from harness.build.overrides import Override, parse
from harness.cli.console import note, out, print_error, progress
from harness.errors import HarnessError, StoreError
from harness.gates.baseline import check_name
from harness.resources import cache_dir
from harness.store import Store


def command(arguments: argparse.Namespace) -> int:
    """Runs what the command line describes."""
    cells = parse(arguments.overrides, arguments.multirun)
    if arguments.cfg:
        for cell in cells:
            out().print(as_yaml(compose(cell)), markup=False)
        return 0
    store = Store(cache_dir() / "stages.sqlite")
    made: dict[str, object] = {}
    experiments = [build(cell, store, made) for cell in cells]
    return _sweep(experiments, cells) if arguments.multirun else _single(experiments[0])


def _single(experiment: Experiment) -> int:
    from harness.cli.job import golden_set, run
    from harness.cli.show import show

    check_name("experiment", experiment.name)
    golden_set(experiment)
    _prepare(experiment)
    with progress() as bar:
        finished = run(experiment, bar)
    show(finished.record, finished.accepted, finished.verdicts, finished.folder, bool(finished.mlflow_id))
    for line in experiment.tally.lines():
        note(f"  {line}")
    return experiment.gate.exit_code(finished.verdicts) if experiment.gate else 0


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
    from harness.cli.job import golden_set, renamed, run
    from harness.cli.show import show_leaderboard

    names = labels(experiments, cells)
    for experiment in experiments:
        golden_set(experiment)
    _prepare(experiments[0])
    finished, failed = [], 0
    with _parent(experiments[0], names) as parent:
        for place, (experiment, name) in enumerate(zip(experiments, names, strict=True), 1):
            note(f"[{place}/{len(names)}] {name}")
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
    show_leaderboard([item.record for item in finished], [item.folder for item in finished], seconds)
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
