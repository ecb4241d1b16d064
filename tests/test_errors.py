"""The tree of errors: what each says and with which code it ends the program."""

import pytest

from harness import errors
from harness.errors import (
    ConfigError,
    CorpusError,
    GateError,
    GoldenSetError,
    HarnessError,
    Problem,
    StageError,
    StoreError,
)

EVERY = [ConfigError, GoldenSetError, CorpusError, StageError, StoreError, GateError]


@pytest.mark.parametrize("kind", EVERY)
def test_every_error_meant_for_a_person_is_caught_as_one(kind: type[HarnessError]) -> None:
    with pytest.raises(HarnessError, match="it is broken"):
        raise kind("it is broken")


@pytest.mark.parametrize(
    ("kind", "code"),
    [(HarnessError, 2), (ConfigError, 2), (GoldenSetError, 2), (CorpusError, 2), (GateError, 2), (StoreError, 4)],
)
def test_a_users_mistake_exits_2_and_a_damaged_store_4(kind: type[HarnessError], code: int) -> None:
    assert kind("x").exit_code == code


def test_the_docstring_draws_the_whole_tree() -> None:
    subclasses = {kind.__name__ for kind in HarnessError.__subclasses__() if kind.__module__ == errors.__name__}
    assert {kind.__name__ for kind in EVERY} == subclasses
    assert all(name in (errors.__doc__ or "") for name in subclasses)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (("F1", "a.yaml", "is wrong"), "error[F1] a.yaml — is wrong."),
        (("F1", "a.yaml", "is wrong", "It matters."), "error[F1] a.yaml — is wrong. It matters."),
        (("F1", "a.yaml", "is wrong", "", "mend it"), "error[F1] a.yaml — is wrong. Fix: mend it"),
        (("F1", "a.yaml", "is wrong", "It matters.", "mend it"), "error[F1] a.yaml — is wrong. It matters. Fix: mend it"),
    ],
)
def test_a_problem_is_one_line(fields: tuple[str, ...], text: str) -> None:
    assert str(Problem(*fields)) == text


def test_an_error_without_problems_is_its_message() -> None:
    assert str(ConfigError("Nothing to do.")) == "Nothing to do."
    assert ConfigError("Nothing to do.").problems == ()


def test_every_problem_has_a_line_below_the_message_in_the_order_found() -> None:
    found = [Problem("F2", "b", "two"), Problem("F1", "a", "one")]
    assert str(GoldenSetError("Two faults.", found)).splitlines() == [
        "Two faults.",
        "  error[F2] b — two.",
        "  error[F1] a — one.",
    ]


def test_the_list_of_problems_cannot_be_changed_afterwards() -> None:
    found = [Problem("F1", "a", "one")]
    error = ConfigError("One fault.", found)
    found.clear()
    assert len(error.problems) == 1
