"""`harness report`: a finished run's table again."""

import argparse
from pathlib import Path

from harness import runs
from harness.cli.job import accepted_baseline
from harness.cli.show import show
from harness.errors import ConfigError


def folder_of(arguments: argparse.Namespace) -> Path:
    """The run folder that the command line names: a path, a name in runs_dir, or nothing for the newest.

    Raises:
        ConfigError: when there is no such folder.
    """
    runs_dir = Path(arguments.runs_dir).absolute()
    if not arguments.run:
        if not runs_dir.is_dir():
            start = "start a run with `python -m harness run +experiment=hybrid_rerank`, or name its folder with --runs-dir"
            raise ConfigError(f"there is no folder {str(runs_dir)!r}, so no finished run in it; {start}")
        return runs.newest(runs_dir)
    for folder in (Path(arguments.run).absolute(), runs_dir / arguments.run):
        if folder.is_dir():
            return folder
    raise ConfigError(f"no run folder {arguments.run!r}, neither as a path nor in {str(runs_dir)!r}")


def command(arguments: argparse.Namespace) -> int:
    """Prints the table."""
    folder = folder_of(arguments)
    record = runs.load(folder)
    show(record, accepted_baseline(Path(arguments.reports_dir).absolute(), record), (), folder, gated=False)
    return 0
