"""Seconds as if nothing had come from a cache, on a clock set by hand."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from harness.elapsed import CACHED, Elapsed, counted_as, measured, timed


class HandSet:
    """A clock of each thread that stands still unless it is set on."""

    def __init__(self) -> None:
        self._local = threading.local()

    def __call__(self) -> float:
        return getattr(self._local, "now", 100.0)

    def pass_(self, seconds: float) -> None:
        self._local.now = self() + seconds


@pytest.fixture
def clock(monkeypatch):
    hand_set = HandSet()
    monkeypatch.setattr("harness.elapsed.perf_counter", hand_set)
    return hand_set


def a_block(clock, cost, lookup=0.25) -> Elapsed:
    """A second of work, and a call that a cache answers in no time."""
    with measured() as took:
        clock.pass_(1.0)
        with counted_as(lambda: cost):
            clock.pass_(lookup)
    return took


@pytest.mark.parametrize(
    ("cost", "lookup", "seconds", "known"),
    [
        (4.0, 0.25, 5.0, True),
        (0.0, 0.25, 1.0, True),  # what the cache itself takes is not counted
        (2.0, 9.0, 3.0, True),  # nor where it is the slower one
        (None, 0.25, 1.25, False),
    ],
)
def test_a_cached_call_counts_as_what_it_took_when_it_was_computed(clock, cost, lookup, seconds, known):
    assert a_block(clock, cost, lookup) == Elapsed(seconds, known)


def test_one_block_does_not_reach_into_the_next(clock):
    assert [a_block(clock, cost).known for cost in (None, 1.0, None)] == [False, True, False]
    assert a_block(clock, 1.0) == Elapsed(2.0, True)


def test_an_inner_block_is_part_of_the_outer_one(clock):
    with measured() as outer:
        clock.pass_(1.0)
        inner = a_block(clock, 4.0)
        a_block(clock, None)
    assert inner == Elapsed(5.0, True)
    assert outer == Elapsed(1.0 + 5.0 + 1.25, False)


def test_a_cached_call_inside_a_cached_call_counts_once(clock):
    with measured() as took, counted_as(lambda: 3.0):
        a_block(clock, 4.0)
    assert took.seconds == 3.0


def test_nobody_looks_up_seconds_where_nobody_measures():
    with counted_as(lambda: pytest.fail("was looked up")):
        pass


def test_a_block_that_fails_leaves_the_account_in_order(clock):
    with pytest.raises(ValueError, match="x"), measured(), counted_as(lambda: 9.0):
        raise ValueError("x")
    test_nobody_looks_up_seconds_where_nobody_measures()
    assert a_block(clock, 4.0) == Elapsed(5.0, True)


def test_threads_do_not_share_their_accounts(clock):
    together = threading.Barrier(2)

    def one(cost):
        with measured() as took:
            together.wait(30)
            with counted_as(lambda: cost):
                clock.pass_(0.5)
            together.wait(30)
        return took

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(one, (7.0, None))) == [Elapsed(7.0, True), Elapsed(0.5, False)]


def test_a_stage_from_a_cache_without_seconds_is_told_by_its_name():
    assert timed(["query", "rerank"])
    assert not timed(["query", f"rerank{CACHED}"])
    assert timed([])
