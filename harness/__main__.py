"""`python -m harness`."""

import os
import signal
import sys
from types import TracebackType

from harness.cli.main import main as run_command

STOPPED = (130, 143)
"""Exit codes of a run that a signal ended."""
UNEXPECTED = 4
"""Exit code of a fault of the harness itself: 1 would say that a pipeline got worse."""


def main() -> None:
    """Runs the command and leaves; after a signal at once, without waiting for calls that are still out."""
    sys.excepthook = _unexpected
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    code = run_command()
    _close_stores()
    if code in STOPPED:
        _leave(code)
    sys.exit(code)


def _unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    sys.__excepthook__(kind, error, trace)
    sys.stderr.write("This is a fault of the harness, not of your pipeline. Finished questions are kept.\n")
    _close_stores()
    _leave(UNEXPECTED)


def _close_stores() -> None:
    """Closes vector stores, which deletes what they do not keep, and says what stays behind. A second signal ends the process."""
    if "harness.retrieval.stores.leaving" not in sys.modules:
        return
    from harness.retrieval.stores.leaving import leave

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)
    for sentence in leave():
        sys.stderr.write(f"{sentence}\n")


def _leave(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
