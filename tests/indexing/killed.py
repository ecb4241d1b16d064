"""Kills processes that change an index, each before another step that reaches the disk; prints how many steps there are.

Run as a process of its own: FOLDER holds an index of the small corpus and gets a copy a step.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.indexing.withdrawing import delete
from tests.indexing.small import TODAY, documents, pipeline, synced

STEPS = ("fsync", "replace", "rename", "unlink", "rmdir", "mkdir")


def change(folder: Path) -> None:
    """What is going on when the kill arrives: a change, a new document and one that is gone."""
    synced(folder, documents(battery="It runs on sunlight.", range="", clock="The clock is set by radio."))


def withdraw(folder: Path) -> None:
    """Another change, that embeds nothing."""
    delete(folder, ["battery.md"], pipeline(), TODAY)


def count_down(left: int) -> None:
    """Has the process killed when it is about to take so many steps more."""
    remaining = [left]

    def before(step: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            remaining[0] -= 1
            if remaining[0] < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return step(*given, **named)

        return counted

    for name in STEPS:
        setattr(os, name, before(getattr(os, name)))


def killed_at(step: int, act: Callable[[Path], None], folder: Path) -> bool:
    """Whether the process was killed; False when it had ended before that step."""
    child = os.fork()
    if not child:
        count_down(step)
        act(folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def main(folder: Path, act: Callable[[Path], None]) -> int:
    """Kills one process a step, each on its own copy, until one lives."""
    act(Path(shutil.copytree(folder, folder.with_name("warm"))))
    step = 0
    while True:
        copy = folder.with_name(f"killed-{step}")
        shutil.copytree(folder, copy)
        if not killed_at(step, act, copy):
            return step
        step += 1


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), {"change": change, "withdraw": withdraw}[sys.argv[2]]))
