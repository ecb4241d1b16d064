"""How the commands of `harness index` speak."""

from collections.abc import Sequence
from datetime import date

from harness.cli.console import note, out
from harness.indexing.changes import Changes
from harness.indexing.records import Entry
from harness.reporting.escape import clean, one_line

_SHOWN = 10


def say(text: str) -> None:
    """A line on stdout."""
    out().print(clean(text), markup=False, soft_wrap=True)


def count(number: int, what: str) -> str:
    """`1 document`, `2,000 documents`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """The first ten names, and how many more there are."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(one_line(name) for name in names[:_SHOWN])}{more}"


def say_kinds(kinds: dict[str, Sequence[str]]) -> None:
    """A line for every kind that has names."""
    for kind, names in kinds.items():
        if names:
            say(f"  {kind}: {len(names):,} ({listed(names)})")


def say_changes(changes: Changes) -> None:
    """What becomes of the documents in a sync."""
    say_kinds(
        {
            "added": changes.added,
            "changed": changes.changed,
            "restored": changes.restored,
            "missing, withdrawn": changes.missing,
            "deleted by hand, still withdrawn although in the folder (`harness index restore`)": changes.held,
            "cannot be read, kept as they were": changes.unreadable,
            "held back, perhaps a described document under another name": changes.doubtful,
            "held back, would be open to everybody": changes.opened,
        }
    )


def note_passed_over(names: Sequence[str]) -> None:
    """Says on stderr which files are of a type that is not read."""
    if names:
        note(passed_over(names))


def passed_over(names: Sequence[str]) -> str:
    """`passed over, type not read: 2 (a.xlsx, b.png)`."""
    return f"passed over, type not read: {len(names):,} ({listed(names)})"


def until(entry: Entry, today: str) -> str:
    """`missing on 2026-03-01, may be purged in 12 days (2026-03-31)`."""
    left = (date.fromisoformat(entry.purge_after) - date.fromisoformat(today)).days
    why = "missing" if entry.reason == "missing" else "deleted"
    when = f"in {count(left, 'day')} ({entry.purge_after})" if left > 0 else f"since {entry.purge_after}" if left else "now"
    return f"{why} on {entry.deleted_at}, may be purged {when}"
