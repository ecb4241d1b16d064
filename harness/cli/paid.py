"""The budget of a command. Whatever may ask a model does so in here."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.build.compose import compose
from harness.build.instances import checked
from harness.build.overrides import parse
from harness.cli.console import note
from harness.errors import ConfigError, Problem
from harness.spending import Budget, Ledger, within


@contextmanager
def within_budget(budget: Budget) -> Iterator[Ledger]:
    """Holds all that is sent in the block within a budget, and says at its end what was sent and what it cost."""
    with within(budget) as sent:
        try:
            yield sent
        finally:
            if told := sent.summary():
                note(f"  models: {told}")


def budget_of(words: Sequence[str]) -> Budget:
    """The budget of a command that builds no experiment: that of the config, with `budget.calls=10` and the like over it.

    Raises:
        ConfigError: for every word that sets something else, or nothing that there is.
    """
    (given,) = parse([*words])
    problems = [
        Problem("F004", item.text, "no setting of this command", fix="give budget.calls, budget.tokens or budget.cost")
        for item in given
        if not item.key.startswith("budget.")
    ]
    budget: Budget | None = None if problems else checked(Budget, compose(given).get("budget") or {}, "budget.", problems)
    if budget is None:
        raise ConfigError("The budget does not hold.", problems)
    return budget
