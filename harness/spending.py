"""What calls of models take: on the bill of a block, and against the budget of the command.

A bill adds up what answers cost, also where they came from a cache; each thread has its own, and a question's stage stays in one.
The ledger counts what is really sent, for all threads and all clients together.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from threading import TIMEOUT_MAX
from time import monotonic
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked

from harness.errors import HarnessError
from harness.types import Usage


class ExhaustedError(HarnessError):
    """The budget (R004) or the provider's rate limit (R005) is used up.

    No StageError: a stage that has a way out when its model fails must not take it here. The question is an error.
    """

    exit_code = 4


@checked(frozen=True, config=ConfigDict(extra="forbid"))
class Budget:
    """Limits of everything a command sends, retries included; 0 is no limit."""

    calls: Annotated[int, Field(ge=0, strict=True)] = 0
    """Requests."""
    tokens: Annotated[int, Field(ge=0, strict=True)] = 0
    """Tokens read and written."""
    cost: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """US dollars by the bundled price table."""

    def crossed(self, usage: Usage) -> str:
        """The first limit that this usage is above, as `budget.calls=3`; empty when it is within all."""
        took = {"calls": usage.calls, "tokens": usage.input_tokens + usage.output_tokens, "cost": usage.cost}
        limits = {"calls": self.calls, "tokens": self.tokens, "cost": self.cost}
        return next((f"budget.{name}={limit}" for name, limit in limits.items() if limit and took[name] > limit), "")


@dataclass(slots=True)
class Held:
    """A request under way."""

    took: Usage
    """What it takes: the most it can, until what it really took is known; no call where it was not sent after all."""


class Ledger:
    """What one command sends, held within its budget; safe for threads."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.sent = Usage()
        self.answered = 0
        self.unpriced = 0
        self.refused = 0
        self._held = Usage()
        self._changed = threading.Condition()

    @contextmanager
    def request(self, what: str, most: Usage, priced: bool = True, until: float = inf) -> Iterator[Held]:
        """Lets one request be sent if the most that it can take is within the budget.

        A request that fits by itself waits until those under way, held at the most that they can take, have left room.

        Args:
            what: names the model.
            most: tokens and money that the request takes at most.
            priced: whether the model has a price, without which a budget of money cannot be kept.
            until: moment of the monotonic clock at which the wait ends.

        Raises:
            ExhaustedError: R004; nothing is sent.
        """
        most = replace(most, calls=1)
        self._hold(what, most, priced, until)
        held = Held(most)
        try:
            yield held
        finally:
            with self._changed:
                self._held = _less(self._held, most)
                self.sent += held.took
                self.unpriced += 0 if priced else held.took.calls
                self._changed.notify_all()

    def _hold(self, what: str, most: Usage, priced: bool, until: float) -> None:
        if self.budget.cost and not priced:
            self.refused += 1
            raise ExhaustedError(
                f"R004 {what} has no price in the bundled table, so budget.cost={self.budget.cost} cannot be kept"
            )
        with self._changed:
            while held := self.budget.crossed(self.sent + self._held + most):
                if limit := self.budget.crossed(self.sent + most):
                    self.refused += 1
                    raise ExhaustedError(f"R004 {what}: {self._spent(limit, most)}")
                if (left := until - monotonic()) <= 0:
                    self.refused += 1
                    raise ExhaustedError(f"R004 {what}: requests under way held all that {held} leaves until the deadline")
                self._changed.wait(min(left, TIMEOUT_MAX))
            self._held += most

    def _spent(self, limit: str, most: Usage) -> str:
        """What is spent of the limit that was hit, and what the request would take of it."""
        sent, named = self.sent, limit.partition("=")[0]
        tokens, more = sent.input_tokens + sent.output_tokens, most.input_tokens + most.output_tokens
        spent = {
            "budget.calls": f"{sent.calls:,} calls are sent",
            "budget.tokens": f"{tokens:,} tokens are spent, it takes up to {more:,}",
            "budget.cost": f"${sent.cost:.6f} are spent, it takes up to ${most.cost:.6f}",
        }[named]
        return f"{limit} leaves no room for this request: {spent}. Raise {named} and run the same command again: what is answered is kept"

    def answer(self) -> None:
        """Counts a call that was answered without sending anything."""
        with self._changed:
            self.answered += 1

    def summary(self) -> str:
        """Calls sent, calls answered from the cache, and the cost of this run; empty when there were none."""
        if not self.sent.calls and not self.answered and not self.refused:
            return ""
        refused = f"; {self.refused:,} requests were not sent for the budget" if self.refused else ""
        unknown = f" and {self.unpriced:,} calls without a known price" if self.unpriced else ""
        return f"{self.sent.calls:,} calls sent, {self.answered:,} answered from the cache; cost of this run ${self.sent.cost:.4f}{unknown}{refused}"


def _less(usage: Usage, other: Usage) -> Usage:
    return Usage(
        usage.input_tokens - other.input_tokens,
        usage.output_tokens - other.output_tokens,
        usage.calls - other.calls,
        usage.cost - other.cost if usage.calls > other.calls else 0.0,
    )


_ledgers = [Ledger()]


def ledger() -> Ledger:
    """The ledger of the command that is running; one without limits outside of any."""
    return _ledgers[-1]


@contextmanager
def within(budget: Budget) -> Iterator[Ledger]:
    """Holds everything that is sent in the block, by all threads, within one budget."""
    opened = Ledger(budget)
    _ledgers.append(opened)
    try:
        yield opened
    finally:
        _ledgers.remove(opened)


@dataclass(slots=True)
class Bill:
    """What a block took."""

    usage: Usage = field(default_factory=Usage)
    """Tokens, calls and money."""


class _Open(threading.local):
    """The bills of the blocks that this thread is in."""

    def __init__(self) -> None:
        self.bills: list[Bill] = []


_open = _Open()


@contextmanager
def spent() -> Iterator[Bill]:
    """Adds up what is spent in a block; blocks may stand in one another."""
    bill = Bill()
    _open.bills.append(bill)
    try:
        yield bill
    finally:
        _open.bills.remove(bill)


def charge(usage: Usage) -> None:
    """Puts what a call took on the bill of each block that is open."""
    for bill in _open.bills:
        bill.usage += usage
