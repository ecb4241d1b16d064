"""The arguments of `harness index` and its commands."""

import argparse

from harness.indexing.changes import GRACE

_FOLDER = "folder of the index (default: %(default)s)"
_TODAY = "ISO date that counts as today (default: the clock's)"
_OVERRIDES = "+experiment=NAME, slot=OPTION or key=value: chunker, embedder, doc2query and duplicates decide what the index holds"


def add_commands(index: argparse.ArgumentParser, kind: type[argparse.ArgumentParser]) -> None:
    """Adds sync, status, search, delete, restore, purge, reembed, schedule and freshness."""
    commands = index.add_subparsers(dest="verb", metavar="COMMAND", required=True, parser_class=kind)
    _sync(commands)
    _status(commands)
    _search(commands)
    _delete(commands)
    _restore(commands)
    _purge(commands)
    _reembed(commands)
    _schedule(commands)
    _freshness(commands)


def _command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, text: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")
    if name != "freshness":
        command.add_argument("--index", default="index", metavar="FOLDER", help=_FOLDER)
    command.set_defaults(handler=f"index.{name}")
    return command


def _sync(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    sync = _command(commands, "sync", "bring the index up to date with a folder of documents; only what changed is embedded")
    sync.add_argument("corpus", metavar="CORPUS", help="folder of documents")
    sync.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help=_OVERRIDES)
    sync.add_argument("--allow-missing", action="store_true", help="withdraw even more than half of the documents")
    sync.add_argument("--today", default="", metavar="DATE", help=_TODAY)


def _status(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    status = _command(commands, "status", "what the index holds, what is deleted, and whether it is whole")
    status.add_argument("--corpus", default="", metavar="CORPUS", help="also say what `sync` with this folder would change")
    status.add_argument("--today", default="", metavar="DATE", help=_TODAY)
    status.add_argument("--json", action="store_true", help="print JSON")


def _search(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    search = _command(commands, "search", "ask the index a question and see the passages")
    search.add_argument("question", metavar="QUESTION", help="what is asked")
    search.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help="+experiment=NAME, slot=OPTION or key=value")
    search.add_argument("--as-of", default="", metavar="DATE", help=_TODAY)
    search.add_argument("--persona", default="", metavar="NAME", help="tenant or group of the asker (default: nobody's)")
    search.add_argument("--json", action="store_true", help="print one passage a line as JSON")


def _delete(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    delete = _command(commands, "delete", "withdraw documents: no query finds them, `restore` brings them back until `purge`")
    delete.add_argument("documents", nargs="+", metavar="DOCUMENT", help="doc_id: the path below the corpus folder")
    delete.add_argument(
        "--grace", type=int, default=GRACE, metavar="DAYS", help="days until purge may remove it (default: %(default)s)"
    )
    delete.add_argument("--today", default="", metavar="DATE", help=_TODAY)


def _restore(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    restore = _command(commands, "restore", "take documents back that were withdrawn; nothing is embedded again")
    restore.add_argument("documents", nargs="+", metavar="DOCUMENT", help="doc_id")
    restore.add_argument("--today", default="", metavar="DATE", help=_TODAY)


def _purge(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    purge = _command(commands, "purge", "remove withdrawn documents whose grace period is over, for good")
    purge.add_argument("--today", default="", metavar="DATE", help=_TODAY)


def _reembed(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    reembed = _command(
        commands, "reembed", "embed every chunk anew with another embedder; the old index answers until it is done"
    )
    reembed.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help="embedder=OPTION or a setting of it")
    reembed.add_argument("--today", default="", metavar="DATE", help=_TODAY)


def _schedule(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    schedule = _command(commands, "schedule", "print a crontab line or systemd units that keep the index fresh")
    schedule.add_argument("corpus", metavar="CORPUS", help="folder of documents")
    schedule.add_argument("overrides", nargs="*", default=[], metavar="OVERRIDE", help=_OVERRIDES)
    schedule.add_argument("--every", choices=("hour", "day", "week"), default="day", help="how often (default: %(default)s)")
    schedule.add_argument("--format", choices=("cron", "systemd"), default="cron", help="what to print (default: %(default)s)")


def _freshness(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    freshness = _command(
        commands, "freshness", "replay a dated corpus and measure stale passages by how often the index is synced"
    )
    freshness.add_argument(
        "set", metavar="SET", help="golden set with a timeline.jsonl: a name below golden_sets/, or a folder's path"
    )
    freshness.add_argument(
        "overrides", nargs="*", default=[], metavar="OVERRIDE", help="+experiment=NAME, slot=OPTION or key=value"
    )
    freshness.add_argument(
        "--every", default="1,7,30", metavar="DAYS", help="days between two syncs, several by comma (default: %(default)s)"
    )
    freshness.add_argument("--to", default="", metavar="FILE", help="write the measurements as JSON")
