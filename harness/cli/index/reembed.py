"""`harness index reembed`: another embedder for everything; the old index answers until the new one is complete."""

import argparse

from harness.cli.console import note, progress
from harness.cli.index.settings import day, for_building, index_folder
from harness.cli.index.wording import count, say
from harness.cli.paid import within_budget
from harness.errors import ConfigError
from harness.indexing.manifest import differing, need_manifest
from harness.indexing.reembedding import reembed


def command(arguments: argparse.Namespace) -> int:
    """Embeds anew and says what by.

    Raises:
        ConfigError: I004 without an index, I006 when more than the embedder is changed.
    """
    folder, today = index_folder(arguments.index), day(arguments.today, "--today")
    manifest = need_manifest(folder)
    settings = for_building(folder, arguments.overrides)
    if problems := differing(manifest, settings.config):
        raise ConfigError("Only the embedder can be changed here.", problems)
    with progress() as bar, within_budget(settings.budget):
        made = reembed(folder, settings.pipeline, settings.config, today, bar, words=settings.words)
    if made is None:
        say(f"nothing to do: the index was built with {manifest.embedder!r}")
        return 0
    say(f"generation {made.generation}: embedded {count(made.embedded, 'text')}")
    say(f"  before: {manifest.embedder}")
    say(f"  now:    {need_manifest(folder).embedder}")
    for line in settings.tally.lines():
        note(f"  {line}")
    return 0
