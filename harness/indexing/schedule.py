"""Crontab lines and systemd units that keep an index fresh, as text."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from harness.errors import ConfigError, Problem

_CRON = {"hour": "17 * * * *", "day": "17 3 * * *", "week": "17 3 * * 0"}
_CALENDAR = {"hour": "*-*-* *:17:00", "day": "*-*-* 03:17:00", "week": "Sun *-*-* 03:17:00"}


@dataclass(frozen=True, slots=True)
class Job:
    """What is to run, and how often."""

    call: Sequence[str]
    """The command and its arguments; paths are absolute."""
    folder: str
    """Where it runs."""
    environment: Mapping[str, str]
    """Variables that it needs beside those of the system; never a secret."""
    every: str
    """hour, day or week."""

    def check(self) -> None:
        """That every word can stand in a line.

        Raises:
            ConfigError: I010, as `check_line`.
        """
        for text in (*self.call, self.folder, *self.environment.values()):
            check_line(text)


def check_line(text: str) -> None:
    """That a path or word reads the same in cron's lines, in systemd's and in a shell's.

    Raises:
        ConfigError: I010, for a line break or a backslash: cron and systemd each unescape these in their own way.
    """
    found = "a line break" if any(letter in text for letter in "\n\r\0") else "a backslash" if "\\" in text else ""
    if found:
        fix = "rename it, or call it by another path."
        raise ConfigError("The call cannot be scheduled.", [Problem("I010", repr(text), f"holds {found}", fix=fix)])


def crontab(job: Job) -> str:
    """A crontab line with a comment that says where it goes.

    Raises:
        ConfigError: I010, as `check_line`.
    """
    job.check()
    variables = [f"{name}={shlex.quote(value)}" for name, value in sorted(job.environment.items())]
    line = f"cd {shlex.quote(job.folder)} && {' '.join([*variables, shlex.join(job.call)])}"
    escaped = line.replace("%", r"\%")
    return f"# Put this line into your crontab: crontab -e\n{_CRON[job.every]} {escaped}\n"


def systemd(job: Job) -> str:
    """A service and a timer with comments that say where they go.

    Raises:
        ConfigError: I010, as `check_line`.
    """
    job.check()
    name = f"harness-index-{sha256(shlex.join(job.call).encode()).hexdigest()[:8]}"
    variables = "".join(f"Environment={_quoted(f'{key}={value}')}\n" for key, value in sorted(job.environment.items()))
    return f"""# ~/.config/systemd/user/{name}.service
[Unit]
Description=Bring the search index up to date

[Service]
Type=oneshot
WorkingDirectory={_escaped(job.folder)}
{variables}ExecStart={" ".join(_quoted(word, command=True) for word in job.call)}

# ~/.config/systemd/user/{name}.timer
# Then: systemctl --user daemon-reload && systemctl --user enable --now {name}.timer
[Unit]
Description=Bring the search index up to date every {job.every}

[Timer]
OnCalendar={_CALENDAR[job.every]}
Persistent=true

[Install]
WantedBy=timers.target
"""


def _quoted(word: str, command: bool = False) -> str:
    """A word in systemd's quotes; in a command line a dollar would begin a variable."""
    text = word.replace('"', '\\"').replace("%", "%%")
    return f'"{text.replace("$", "$$") if command else text}"'


def _escaped(path: str) -> str:
    return path.replace("%", "%%")
