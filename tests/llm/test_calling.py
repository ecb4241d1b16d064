"""The one loop that tries again: attempts, waits, deadline, places at a server."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event, Lock
from time import monotonic

import pytest

from harness.elapsed import measured
from harness.errors import StageError
from harness.llm import calling
from harness.llm.calling import LONGEST_WAIT, Patience, Retryable, called, seconds_asked, wait_before
from harness.spending import Budget, ExhaustedError, Held, Ledger, within
from harness.types import Usage

MOST = Usage(100, 10)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, noted instead of slept."""
    noted: list[float] = []
    monkeypatch.setattr(calling, "sleep", noted.append)
    return noted


class Flaky:
    """Fails as often as told, then gives its result."""

    def __init__(self, failures: int, retry_after: float | None = None, limited: bool = False) -> None:
        self.left, self.calls, self.retry_after, self.limited = failures, 0, retry_after, limited

    def __call__(self, _seconds: float, held: object) -> str:
        self.calls += 1
        if self.calls <= self.left:
            raise Retryable(f"fault {self.calls}", self.retry_after, self.limited)
        return "done"


def ask(send: Callable[..., str], host: str = "here", **patience: float) -> str:
    return called("model 'm'", host, send, Patience(**patience), MOST)  # type: ignore[arg-type]


def test_waits_double_between_attempts(waits: list[float]) -> None:
    call = Flaky(3)
    assert ask(call, attempts=4) == "done"
    assert (call.calls, waits) == (4, [0.5, 1.0, 2.0])


def test_a_longer_retry_after_is_honoured(waits: list[float]) -> None:
    ask(Flaky(2, retry_after=7))
    assert waits == [7, 7]


def test_exhausted_attempts_name_model_attempts_and_last_error(waits: list[float]) -> None:
    with pytest.raises(StageError, match=r"R006 model 'm' failed after 2 attempts; last error: fault 2"):
        ask(Flaky(9), attempts=2)


def test_a_rate_limit_that_outlasts_the_attempts_is_no_stage_error_that_a_fallback_could_catch(waits: list[float]) -> None:
    with pytest.raises(ExhaustedError, match=r"R005 model 'm' failed after 3 attempts; last error: fault 3") as caught:
        ask(Flaky(9, limited=True), attempts=3)
    assert not isinstance(caught.value, StageError)


def test_a_server_that_asks_for_more_than_the_deadline_ends_the_attempts_at_once(waits: list[float]) -> None:
    call = Flaky(9, retry_after=3600)
    with pytest.raises(StageError, match=r"after 1 attempt \(the server asked to wait 3600 s\); deadline=180 leaves no time"):
        ask(call)
    assert (call.calls, waits) == (1, [])


def test_other_errors_are_not_tried_again(waits: list[float]) -> None:
    def refuse(_seconds: float, held: object) -> str:
        raise StageError("bad request")

    with pytest.raises(StageError, match="bad request"):
        ask(refuse)
    assert waits == []


@pytest.mark.parametrize("failure", [ValueError("a fault of ours"), SystemExit(3)])
def test_a_fault_of_the_code_is_handed_on_as_it_is(failure: BaseException) -> None:
    def broken(_seconds: float, held: object) -> str:
        raise failure

    with pytest.raises(type(failure)) as caught:
        ask(broken)
    assert caught.value is failure


def test_a_call_that_never_ends_fails_within_its_deadline() -> None:
    ended = Event()
    begun = monotonic()
    with pytest.raises(StageError, match=r"R006 model 'm' failed after 1 attempt; .*deadline=0.6.*no whole reply within 0.3 s"):
        ask(lambda _seconds, held: str(ended.wait(30)), timeout=0.3, deadline=0.6)
    ended.set()
    assert monotonic() - begun < 10


def test_an_attempt_is_given_no_more_time_than_the_deadline_leaves() -> None:
    given: list[float] = []
    ask(lambda seconds, held: str(given.append(seconds)), timeout=60, deadline=5)
    assert 4 < given[0] <= 5


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


@pytest.mark.parametrize(
    ("attempt", "asked", "seconds"), [(1, None, 0.5), (3, None, 2.0), (1, 0.1, 0.5), (1, 90.0, 90.0), (12, None, LONGEST_WAIT)]
)
def test_wait_before_the_next_attempt(attempt: int, asked: float | None, seconds: float) -> None:
    assert wait_before(attempt, asked) == seconds


class Crowd:
    """Counts who is inside at the same time."""

    def __init__(self) -> None:
        self.inside, self.most, self.lock = 0, 0, Lock()

    def __call__(self, _seconds: float, held: object) -> str:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        Event().wait(0.02)
        with self.lock:
            self.inside -= 1
        return "done"


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_calls_are_under_way_at_a_server_than_allowed(limit: int) -> None:
    crowd = Crowd()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: ask(crowd, concurrency=limit), range(16)))
    assert (replies, crowd.most) == (["done"] * 16, limit)


def test_two_servers_do_not_wait_for_each_other() -> None:
    both = [Event(), Event()]

    def meet(number: int) -> str:
        def send(_seconds: float, held: object) -> str:
            both[number].set()
            return "met" if both[1 - number].wait(10) else "alone"

        return ask(send, host=f"server {number}", concurrency=1)

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(meet, (0, 1))) == ["met", "met"]


def test_a_place_is_free_again_after_a_failure(waits: list[float]) -> None:
    for _ in range(3):
        with pytest.raises(StageError):
            ask(Flaky(9), attempts=1, concurrency=1)
    assert ask(Flaky(0), concurrency=1) == "done"


def test_each_attempt_counts_against_the_budget(waits: list[float]) -> None:
    call = Flaky(9)
    with within(Budget(calls=2)) as ledger, pytest.raises(ExhaustedError, match=r"R004 model 'm': budget.calls=2 leaves no room"):
        ask(call, attempts=4)
    assert (call.calls, ledger.sent.calls) == (2, 2)


def test_an_attempt_of_unknown_outcome_is_counted_at_the_most_it_can_have_taken(waits: list[float]) -> None:
    with within(Budget()) as ledger, pytest.raises(StageError):
        ask(Flaky(9), attempts=2)
    assert ledger.sent == Usage(200, 20, 2)


class Hanging:
    """A server that keeps each request for its time, whatever the caller does."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.open, self.most, self.sent, self.lock = seconds, 0, 0, 0, Lock()

    def __call__(self, _seconds: float, held: object) -> str:
        with self.lock:
            self.open, self.sent = self.open + 1, self.sent + 1
            self.most = max(self.most, self.open)
        Event().wait(self.seconds)
        with self.lock:
            self.open -= 1
        return "late"


@pytest.mark.parametrize("limit", [1, 2])
def test_requests_that_were_given_up_count_until_they_end(waits: list[float], limit: int) -> None:
    server = Hanging(0.6)

    def one(_number: int) -> None:
        with pytest.raises(StageError, match="R006"):
            ask(server, host=f"hangs {limit}", timeout=0.01, attempts=2, concurrency=limit)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert (server.most, server.sent) == (limit, 8)


def test_a_place_is_free_again_once_the_request_that_held_it_has_ended(waits: list[float]) -> None:
    server = Hanging(0.5)
    with pytest.raises(StageError, match=r"no whole reply within 0.01 s"):
        ask(server, host="ends", timeout=0.01, attempts=1, concurrency=1)
    assert server.open == 1
    assert ask(Flaky(0), host="ends", concurrency=1) == "done"
    assert (server.open, server.most) == (0, 1)


def test_a_server_whose_requests_never_end_is_given_up_by_all() -> None:
    ended = Event()
    for says in (
        r"no whole reply within 0.01 s",
        r"did not end any of 1 requests for deadline=0.4 s; no more than concurrency=1",
    ):
        with pytest.raises(StageError, match=rf"R006 .*{says}"):
            ask(lambda _seconds, held: str(ended.wait(30)), host="never", timeout=0.01, attempts=1, deadline=0.4, concurrency=1)
    ended.set()


def test_another_attempt_waits_for_a_place_no_longer_than_its_deadline(waits: list[float]) -> None:
    ended = Event()
    begun = monotonic()
    with pytest.raises(StageError, match=r"R006 .*the requests that were given up have not ended"):
        ask(lambda _seconds, held: str(ended.wait(30)), host="full", timeout=0.01, attempts=3, deadline=1.2, concurrency=1)
    ended.set()
    assert monotonic() - begun < 15


@contextmanager
def all_held(most: Usage) -> Iterator[None]:
    """A budget of which another request under way holds all."""
    with within(Budget(tokens=120)) as ledger, ledger.request("another", most):
        yield


def test_the_wait_for_budget_ends_with_the_deadline_and_nothing_is_sent() -> None:
    call = Flaky(0)
    with (
        all_held(MOST),
        pytest.raises(ExhaustedError, match=r"R004 model 'm': requests under way held all that budget.tokens=120 leaves"),
    ):
        ask(call, deadline=0.3)
    assert call.calls == 0


def test_the_wait_for_budget_counts_as_no_time_of_a_stage() -> None:
    begun, took = Event(), Usage(1, 1, 1)

    def holding(_seconds: float, held: Held) -> str:
        begun.set()
        Event().wait(1.0)
        held.took = took
        return "held"

    with within(Budget(tokens=120)), ThreadPoolExecutor(1) as pool:
        other = pool.submit(ask, holding, host="other")
        assert begun.wait(10)
        start = monotonic()
        with measured() as stage:
            assert ask(Flaky(0)) == "done"
        assert stage.known and stage.seconds < monotonic() - start - 0.5
        assert other.result() == "held"


def test_a_request_for_which_the_wait_for_budget_left_no_time_is_neither_sent_nor_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The budget is granted at the very end of the deadline."""
    call, now = Flaky(0), [0.0]
    monkeypatch.setattr(calling, "monotonic", lambda: now[0])

    @contextmanager
    def granted_late(_ledger: Ledger, *_asked: object) -> Iterator[Held]:
        now[0] += 200
        yield held

    held = Held(MOST)
    monkeypatch.setattr(Ledger, "request", granted_late)
    with pytest.raises(StageError, match=r"R006 .*no time was left to send it"):
        ask(call)
    assert (call.calls, held.took) == (0, Usage())
