"""`python -m harness`."""

import os
import sys

from harness.cli.main import main as run_command

STOPPED = (130, 143)
"""Exit codes of a run that a signal ended."""


def main() -> None:
    """Runs the command and leaves; after a signal at once, without waiting for calls that are still out."""
    code = run_command()
    if code in STOPPED:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
