"""The arguments of `harness golden` and its commands."""

import argparse

FORMATS = ("beir", "trec", "squad", "ragas", "autorag", "ragchecker", "huggingface", "csv", "jsonl")
"""Formats that can be read and written."""

_SET = "golden set: a name below golden_sets/, or a folder's path"


def add_commands(golden: argparse.ArgumentParser, kind: type[argparse.ArgumentParser]) -> None:
    """Adds check, stats, diff, split, import, export, draft and promote."""
    commands = golden.add_subparsers(dest="verb", metavar="COMMAND", required=True, parser_class=kind)
    _check(commands)
    _stats(commands)
    _diff(commands)
    _split(commands)
    _import(commands)
    _export(commands)
    _draft(commands)
    _promote(commands)


def _command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")
    command.set_defaults(handler=f"golden.{'import_' if name == 'import' else name}")
    return command


def _check(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    check = _command(commands, "check", "find every fault of golden sets; exit 2 when there is one")
    check.add_argument("sets", nargs="*", metavar="SET", help=f"{_SET} (default: all that are known)")
    check.add_argument("--fix", action="store_true", help="mend what is safe to mend, renew the digests, raise the version")


def _stats(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    stats = _command(commands, "stats", "kinds, difficulty, overlap, leakage, unasked documents, smallest effect to be seen")
    stats.add_argument("set", metavar="SET", help=_SET)
    stats.add_argument("--quick", action="store_true", help="leave out difficulty, which asks every question of BM25 and dense")
    stats.add_argument("--json", action="store_true", help="print JSON")


def _diff(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    diff = _command(commands, "diff", "what changed between two versions: questions, evidence, documents")
    diff.add_argument("old", metavar="OLD", help=f"{_SET}; NAME@REVISION is the set as git has it there")
    diff.add_argument("new", metavar="NEW", help="the same")


def _split(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    split = _command(commands, "split", "divide into tune and test by group, near-duplicates kept together, kinds balanced")
    split.add_argument("set", metavar="SET", help=_SET)
    split.add_argument("--test-share", type=float, default=0.6, help="share of questions for test (default: %(default)s)")
    split.add_argument("--write", action="store_true", help="write it; otherwise it is only shown")


def _import(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    imports = _command(commands, "import", "make a golden set of foreign data")
    imports.add_argument("format", choices=FORMATS, help="format of the source")
    imports.add_argument("source", metavar="SOURCE", help="file or folder")
    imports.add_argument("--to", metavar="FOLDER", default="", help="folder to write (default: golden_sets/<name of the source>)")
    imports.add_argument("--documents", metavar="PATH", default="", help="corpus folder, where the format has no documents")
    imports.add_argument(
        "--columns", metavar="NAME=COLUMN,...", default="", help="csv, jsonl, huggingface: which column holds which field"
    )


def _export(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    export = _command(commands, "export", "write a golden set in a foreign format, and say what that format cannot hold")
    export.add_argument("format", choices=FORMATS, help="format to write")
    export.add_argument("set", metavar="SET", help=_SET)
    export.add_argument("--to", metavar="PATH", required=True, help="file or folder to write")


def _draft(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    draft = _command(commands, "draft", "propose questions from the documents, into a review file, never into the set")
    draft.add_argument("set", metavar="SET", help=_SET)
    draft.add_argument(
        "overrides", nargs="*", default=[], metavar="OVERRIDE", help="budget.calls=N and the like: limits of --model"
    )
    draft.add_argument("--limit", type=int, default=20, help="drafts at most (default: %(default)s)")
    draft.add_argument("--to", metavar="FILE", default="", help="review file (default: <set>/drafts.jsonl)")
    draft.add_argument("--model", default="", help="litellm model that writes drafts; without one they come from rules")
    draft.add_argument("--api-key-env", metavar="NAME", default="", help="environment variable that holds its key")
    draft.add_argument("--api-base", metavar="URL", default="", help="address of a compatible server")


def _promote(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    promote = _command(commands, "promote", "turn failed questions of a run, or logged user queries, into drafts for review")
    promote.add_argument("set", metavar="SET", help=_SET)
    promote.add_argument("--run", default="", help="run folder or its name (newest: the newest run of the set)")
    promote.add_argument(
        "--questions", nargs="*", default=[], metavar="ID", help="questions of the run (default: all that failed)"
    )
    promote.add_argument("--log", metavar="FILE", default="", help="JSON lines of user queries: question, and what else is known")
    promote.add_argument("--query", action="append", default=[], metavar="TEXT", help="one user query; may be repeated")
    promote.add_argument("--runs-dir", default="reports/runs", help="where runs lie (default: %(default)s)")
    promote.add_argument("--to", metavar="FILE", default="", help="review file (default: <set>/drafts.jsonl)")
