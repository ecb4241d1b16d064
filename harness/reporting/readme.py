"""Tables inside a README, rendered from records between marker comments and never typed by hand."""

import re
from collections.abc import Mapping

from harness.errors import ConfigError, Problem

_BLOCK = re.compile(r"(<!-- table:([\w.-]+) -->\n?)(.*?)(<!-- /table -->)", re.DOTALL)
_OPEN = re.compile(r"<!-- table:([\w.-]+) -->")


def render_tables(readme_text: str, tables: Mapping[str, str]) -> str:
    """The text with each `<!-- table:NAME -->` ... `<!-- /table -->` filled with its table.

    Raises:
        ConfigError: for a marker without a table, a table without a marker, or a marker that is never closed.
    """
    opened = _OPEN.findall(readme_text)
    closed = [found[1] for found in _BLOCK.findall(readme_text) if not _OPEN.search(found[2])]
    problems = [
        *(
            _problem(name, "has no table", f"known tables: {', '.join(sorted(tables)) or 'none'}")
            for name in opened
            if name not in tables
        ),
        *(_problem(name, "is not in the text", "add the marker or drop the table") for name in tables if name not in opened),
        *(_problem(name, "is not closed", "end it with <!-- /table -->") for name in opened if name not in closed),
    ]
    if problems:
        raise ConfigError("the tables of the README cannot be rendered", problems)
    return _BLOCK.sub(lambda found: f"{found[1].rstrip()}\n{tables[found[2]].strip()}\n{found[4]}", readme_text)


def _problem(name: str, what: str, fix: str) -> Problem:
    return Problem("D001", f"<!-- table:{name} -->", f"{what}.", "", f"{fix}.")
