"""`harness index schedule`: what to put into crontab or systemd so that the index stays fresh."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.build.overrides import parse
from harness.cli.index.corpus import folder_of
from harness.cli.index.settings import carries_secret, index_folder
from harness.errors import ConfigError, Problem
from harness.indexing.schedule import Job, check_line, crontab, systemd

_CACHE, _PLUGINS = "HARNESS_CACHE_DIR", "HARNESS_PLUGINS"


def command(arguments: argparse.Namespace) -> int:
    """Prints the text, ready to be piped into a file.

    Raises:
        ConfigError: for a word that is no override or carries a secret, a path with a line break or a backslash, or an index inside the corpus.
        CorpusError: when there is no such folder of documents.
    """
    parse([*arguments.overrides])
    _refuse_secrets(arguments.overrides)
    index = index_folder(arguments.index)
    check_line(arguments.corpus)
    corpus = folder_of(arguments.corpus, index)
    call = [sys.executable, "-m", "harness", "index", "sync", str(corpus), *arguments.overrides, "--index", str(index)]
    job = Job(tuple(call), str(Path.cwd()), _environment(), arguments.every)
    text = crontab(job) if arguments.format == "cron" else systemd(job)
    sys.stdout.write(text)
    return 0


def _environment() -> dict[str, str]:
    """What a later call needs of the environment of this one."""
    found = {name: os.environ.get(name, "") for name in (_CACHE, _PLUGINS)}
    if found[_CACHE]:
        found[_CACHE] = str(Path(found[_CACHE]).absolute())
    return {name: value for name, value in found.items() if value}


def _refuse_secrets(words: Sequence[str]) -> None:
    problems = [
        Problem("I010", word.partition("=")[0], "carries a secret", fix="keep it in the environment of the job.")
        for word in words
        if carries_secret(word)
    ]
    if problems:
        raise ConfigError("A secret would be written down.", problems)
