"""Every error the harness raises on purpose.

    HarnessError                 a message for a person; the command line prints it as one block and exits
    ├── ConfigError              the config, an override or an option is wrong                        exit 2
    ├── GoldenSetError           the questions or the card are wrong                                  exit 2
    ├── CorpusError              a document cannot be read                                            exit 2
    ├── StageError               a stage of the pipeline failed on one question                       recorded
    ├── StoreError               a cache, journal or run folder is damaged, locked or full            exit 4
    └── GateError                a gate file or a baseline is wrong                                   exit 2

A message says what was given, what is needed and what to do; identifiers are quoted with !r.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of an input: what, where, why it matters, how to mend it."""

    code: str
    """Short stable code, such as G005."""
    where: str
    """File, line and field, such as `questions.jsonl:9 question`."""
    what: str
    """What is wrong, with the value."""
    why: str = ""
    """Why it matters."""
    fix: str = ""
    """What to do."""

    @property
    def sentence(self) -> str:
        """What is wrong and why it matters, as sentences."""
        what = self.what if self.what.endswith((".", "!", "?")) else f"{self.what}."
        return f"{what} {self.why}".strip()

    def __str__(self) -> str:
        fix = f" Fix: {self.fix}" if self.fix else ""
        return f"error[{self.code}] {self.where} — {self.sentence}{fix}"


class HarnessError(Exception):
    """Base of all errors meant for a person. `problems` holds every fault found, not only the first."""

    exit_code = 2

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join([self.args[0], *(f"  {problem}" for problem in self.problems)])


class ConfigError(HarnessError):
    """The config, an override or an option is wrong."""


class GoldenSetError(HarnessError):
    """The questions, their evidence or the card are wrong."""


class CorpusError(HarnessError):
    """A document or a corpus folder cannot be read."""


class StageError(HarnessError):
    """A stage failed on one question; it becomes a `Failure` in the record, never a score."""


class StoreError(HarnessError):
    """A cache, journal or run folder is damaged, locked or out of space."""

    exit_code = 4


class GateError(HarnessError):
    """A gate file or an accepted baseline is wrong or cannot be compared."""
