"""The command line: reads the command, runs it, and turns every outcome into an exit code.

0 pass or improved, 1 regressed, 2 usage or config, 3 inconclusive under gate.strict, 4 invalid, 130/143 signals.
Nothing heavy is imported before a command is chosen.
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from harness.cli.calibrate.arguments import add_commands as add_calibrations
from harness.cli.golden.arguments import add_commands
from harness.cli.index.arguments import add_commands as add_index_commands
from harness.errors import HarnessError

EPILOG = """examples:
  python -m harness run +experiment=hybrid_rerank
  python -m harness run +experiment=hybrid_rerank golden_set=fernhill chunker.size=256
  python -m harness run -m +experiment=naive,hybrid,hybrid_rerank
  python -m harness accept            take the newest run as the accepted baseline
  python -m harness gate              hold the newest run against its accepted baseline
  python -m harness golden check      find every fault of the golden sets
  python -m harness chunk manual.md chunker.size=256
  python -m harness index sync docs/  build an index of a folder, or bring it up to date
"""

_REF = "git revision from which accepted baselines and gate rules are read, such as origin/main"


class Terminated(BaseException):
    """SIGTERM arrived."""


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    purpose = "Sweep RAG pipelines over golden questions, know which differences are real, gate what gets worse."
    form = argparse.RawTextHelpFormatter
    top = argparse.ArgumentParser("python -m harness", None, purpose, EPILOG, formatter_class=form, allow_abbrev=False)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    run = _command(commands, "run", "ask a golden set, score the answers, hold them against the accepted baseline")
    run.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help="+experiment=NAME, slot=OPTION or key=value")
    run.add_argument("-m", "--multirun", action="store_true", help="sweep: a=x,y makes one run per value; ends in a leaderboard")
    run.add_argument("--cfg", action="store_true", help="print the composed config and stop")
    run.add_argument(
        "--dry-run", action="store_true", help="build everything, send nothing: calls, tokens and cost of each model"
    )
    run.add_argument("--baseline-ref", default="", metavar="REF", help=_REF)
    run.add_argument(
        "--replay", action="store_true", help="answer every language model call from what was recorded; no key, no cost"
    )
    chosen = {}
    for name, text in (
        ("gate", "hold a finished run against its accepted baseline again"),
        ("accept", "show what changes, then write a run as the accepted baseline"),
        ("report", "print a finished run's table again"),
    ):
        command = _command(commands, name, text)
        command.add_argument("run", nargs="?", default="", metavar="RUN", help="run folder or its name (default: the newest)")
        command.add_argument("--runs-dir", default="reports/runs", help="where runs lie (default: %(default)s)")
        command.add_argument("--reports-dir", default="reports", help="where accepted baselines lie (default: %(default)s)")
        chosen[name] = command
    chosen["gate"].add_argument("--baseline-ref", default="", metavar="REF", help=_REF)
    chosen["gate"].add_argument("--selftest", action="store_true", help="measure the gate itself: false alarms and drops caught")
    _compare(
        _command(commands, "compare", "two runs, baselines or MLflow runs: what changed, on which questions, at which station")
    )
    add_calibrations(_command(commands, "calibrate", "hold judges against human labels; choose when to refuse"), _Parser)
    add_commands(_command(commands, "golden", "check, describe, import and extend golden sets"), _Parser)
    chunk = _command(commands, "chunk", "look at the chunks of a file or folder: boundaries, overlap, sections, what was dropped")
    chunk.add_argument("path", metavar="PATH", help="a document, or a folder of documents")
    chunk.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help="chunker=OPTION, chunker.size=256, ...")
    chunk.add_argument("--json", action="store_true", help="print one chunk a line as JSON")
    add_index_commands(_command(commands, "index", "build an index, keep it up to date, ask it"), _Parser)
    readme = _command(commands, "readme", "fill the tables of a Markdown file from the accepted baselines")
    readme.add_argument("file", nargs="?", default="README.md", metavar="FILE", help="file to rewrite (default: %(default)s)")
    readme.add_argument("--reports-dir", default="reports", help="where accepted baselines lie (default: %(default)s)")
    _command(commands, "models", "prepare and verify the local models")
    ui = _command(commands, "ui", "open MLflow on loopback")
    ui.add_argument("--port", type=int, default=5000, help="port on 127.0.0.1 (default: %(default)s)")
    ui.add_argument("--uri", default="sqlite:///mlflow.db", help="tracking store (default: %(default)s)")
    return top


def _compare(command: argparse.ArgumentParser) -> None:
    what = "run folder or its name, accepted baseline (EXPERIMENT or GOLDEN_SET/EXPERIMENT), or MLflow run id"
    command.add_argument("a", metavar="A", help=f"before: {what}")
    command.add_argument("b", metavar="B", help="after: the same")
    command.add_argument("--slice", default="all", help="questions compared: all, tune, test or a label such as kind:table")
    command.add_argument("--to", default="", metavar="FILE", help="write the whole comparison: FILE.html, FILE.md or FILE.json")
    command.add_argument("--runs-dir", default="reports/runs", help="where runs lie (default: %(default)s)")
    command.add_argument("--reports-dir", default="reports", help="where accepted baselines lie (default: %(default)s)")
    command.add_argument("--uri", default="sqlite:///mlflow.db", help="MLflow tracking store (default: %(default)s)")


def _command(commands: "argparse._SubParsersAction[_Parser]", name: str, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name, help=text, description=text, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return command


class _Parser(argparse.ArgumentParser):
    """Adds the experiments and options to `run --help`, looked up only when it is printed."""

    def format_help(self) -> str:
        """The help text."""
        if self.prog.endswith(" run"):
            from harness.cli.options import listing

            self.epilog = listing()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Ends with the usage; a file whose name begins with a dash is told how it is written."""
        file = next((word for word in sys.argv[1:] if word.startswith("-") and Path(word).exists()), "")
        super().error(f"{message}; {file!r} begins with a dash: write `-- {file}`" if file else message)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    _settle_environment()
    arguments = _arguments(argv)
    signal.signal(signal.SIGTERM, _terminate)
    try:
        return _handler(getattr(arguments, "handler", arguments.command))(arguments)
    except HarnessError as error:
        if arguments.debug:
            raise
        from harness.cli.console import print_error

        print_error(error)
        return error.exit_code
    except (KeyboardInterrupt, Terminated) as stop:
        code = 143 if isinstance(stop, Terminated) else 130
        kept = " Finished questions are kept: the same command goes on where it stopped." if arguments.command == "run" else ""
        print(f"\nStopped.{kept}", file=sys.stderr)
        return code


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line read; overrides may stand before and after a command's options."""
    top = parser()
    arguments, rest = top.parse_known_args(argv)
    settable = hasattr(arguments, "overrides")
    if any(word.startswith("-") for word in rest) or (rest and not settable):
        top.error(f"unrecognized arguments: {' '.join(rest)}{_setting(rest) if settable else ''}")
    if rest:
        arguments.overrides += rest
    return arguments


def _setting(rest: Sequence[str]) -> str:
    """How a setting that was written as an option is written: `--repeats 3` as `repeats=3`."""
    name, _, value = next(word for word in rest if word.startswith("-")).lstrip("-").partition("=")
    return f"; settings are words without dashes: {name.replace('-', '_') or 'key'}={value or 'VALUE'}"


def _handler(command: str) -> Callable[[argparse.Namespace], int]:
    from importlib import import_module

    handler: Callable[[argparse.Namespace], int] = import_module(f"harness.cli.{command}").command
    return handler


def _terminate(_signal: int, _frame: FrameType | None) -> None:
    raise Terminated


def _settle_environment() -> None:
    """No telemetry, no hub, no price list from the network; set before any package can read it."""
    quiet = {
        "RAGAS_DO_NOT_TRACK": "true",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "DO_NOT_TRACK": "true",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "GIT_PYTHON_REFRESH": "quiet",
    }
    for name, value in quiet.items():
        os.environ.setdefault(name, value)
