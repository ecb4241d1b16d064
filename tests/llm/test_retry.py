"""The one loop that tries again, and the budget."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from harness.errors import StageError
from harness.llm.retry import Budget, Retryable, seconds_asked, wait_before, with_retries


class Flaky:
    """Fails as often as told, then gives its result."""

    def __init__(self, failures: int, retry_after: float | None = None) -> None:
        self.left, self.calls, self.retry_after = failures, 0, retry_after

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.left:
            raise Retryable(f"fault {self.calls}", self.retry_after)
        return "done"


def test_waits_double_between_attempts() -> None:
    waits: list[float] = []
    call = Flaky(3)
    assert with_retries(call, "model 'm'", 4, waits.append) == "done"
    assert (call.calls, waits) == (4, [0.5, 1.0, 2.0])


def test_a_longer_retry_after_is_honoured() -> None:
    waits: list[float] = []
    with_retries(Flaky(2, retry_after=7), "model 'm'", 4, waits.append)
    assert waits == [7, 7]


def test_exhausted_attempts_name_model_attempts_and_last_error() -> None:
    with pytest.raises(StageError, match=r"model 'm' failed after 2 attempts; last error: fault 2"):
        with_retries(Flaky(9), "model 'm'", 2, lambda _seconds: None)


def test_a_server_that_asks_for_an_hour_ends_the_attempts_at_once() -> None:
    call, waits = Flaky(9, retry_after=3600), list[float]()
    with pytest.raises(StageError, match=r"after 1 attempt \(the server asked to wait 3600 s\)"):
        with_retries(call, "model 'm'", 4, waits.append)
    assert (call.calls, waits) == (1, [])


def test_other_errors_are_not_tried_again() -> None:
    def refuse() -> str:
        raise StageError("bad request")

    with pytest.raises(StageError, match="bad request"):
        with_retries(refuse, "model 'm'", 4, lambda _seconds: pytest.fail("slept"))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(headers: dict[str, str], seconds: float | None) -> None:
    assert seconds_asked(headers) == seconds


def test_a_retry_after_date_in_the_future_gives_the_seconds_until_then() -> None:
    moment = datetime.now(UTC) + timedelta(seconds=60)
    assert 55 < (seconds_asked({"retry-after": format_datetime(moment, usegmt=True)}) or 0) <= 60


@pytest.mark.parametrize(("attempt", "asked", "seconds"), [(1, None, 0.5), (3, None, 2.0), (1, 0.1, 0.5), (12, None, 120.0)])
def test_wait_before_the_next_attempt(attempt: int, asked: float | None, seconds: float) -> None:
    assert wait_before(attempt, asked) == seconds


def test_a_spent_budget_refuses_and_names_the_setting() -> None:
    budget = Budget(2)
    budget.spend("model 'm'")
    budget.spend("model 'm'")
    with pytest.raises(StageError, match="model 'm': the budget of max_calls=2"):
        budget.spend("model 'm'")


def test_a_budget_holds_among_threads() -> None:
    budget = Budget(100)

    def spend(_number: int) -> bool:
        try:
            budget.spend("m")
        except StageError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        granted = sum(pool.map(spend, range(300)))
    assert (granted, budget.spent) == (100, 100)


def test_zero_is_no_limit() -> None:
    budget = Budget(0)
    for _ in range(1000):
        budget.spend("m")
    assert budget.spent == 1000
