"""The ledger of a command: nothing is sent that the budget might not cover, whatever the threads do."""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event
from time import monotonic

import pytest
from pydantic import ValidationError

from harness.errors import StageError
from harness.spending import Budget, ExhaustedError, Ledger, charge, ledger, spent, within
from harness.types import Usage


def take(ledger: Ledger, most: Usage, took: Usage) -> bool:
    """One request; whether it was sent."""
    try:
        with ledger.request("model 'm'", most) as held:
            held.took = took
    except ExhaustedError:
        return False
    return True


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        (Budget(calls=3), "budget.calls=3 leaves no room for this request: 3 calls are sent. Raise budget.calls"),
        (
            Budget(tokens=330),
            "budget.tokens=330 leaves no room for this request: 330 tokens are spent, it takes up to 110. Raise",
        ),
        (Budget(cost=0.031), "budget.cost=0.031 leaves no room for this request: $0.030000 are spent, it takes up to $0.010000."),
    ],
)
def test_the_request_that_could_cross_a_limit_is_not_sent_and_only_that_limit_is_told(budget: Budget, says: str) -> None:
    book, each = Ledger(budget), Usage(100, 10, 1, 0.01)
    assert [take(book, each, each) for _ in range(4)] == [True, True, True, False]
    with (
        pytest.raises(ExhaustedError, match=re.escape(f"R004 model 'm': {says}")),
        book.request("model 'm'", each),
    ):
        pytest.fail("sent")
    assert book.refused == 2


def test_what_a_request_did_not_take_is_free_for_the_next() -> None:
    book = Ledger(Budget(tokens=200))
    assert [take(book, Usage(100, 90), Usage(10, 5, 1)) for _ in range(2)] == [True, False]
    assert take(book, Usage(100, 85), Usage(10, 5, 1))
    assert book.sent == Usage(20, 10, 2)


def test_a_request_that_fails_in_an_unknown_way_is_booked_at_its_most() -> None:
    book = Ledger()
    with pytest.raises(StageError), book.request("model 'm'", Usage(100, 10, 1, 0.5)):
        raise StageError("no reply")
    assert book.sent == Usage(100, 10, 1, 0.5)


def test_a_model_without_a_price_is_refused_by_name_under_a_budget_of_money_only() -> None:
    with (
        pytest.raises(
            ExhaustedError, match=r"R004 model 'm' has no price in the bundled table, so budget.cost=1.0 cannot be kept"
        ),
        Ledger(Budget(cost=1.0)).request("model 'm'", Usage(1, 1), priced=False),
    ):
        pytest.fail("sent")
    with Ledger(Budget(tokens=9)).request("model 'm'", Usage(1, 1), priced=False):
        pass


@pytest.mark.parametrize("limit", [Budget(calls=40), Budget(tokens=4_000), Budget(cost=0.04)])
def test_eight_threads_never_spend_more_than_the_budget(limit: Budget) -> None:
    book, random = Ledger(limit), Random(7)
    taken = [(random.randint(0, 100), random.randint(0, 50)) for _ in range(200)]

    def one(tokens: tuple[int, int]) -> bool:
        return take(book, Usage(100, 50, 1, 0.0015), Usage(*tokens, 1, sum(tokens) * 1e-5))

    with ThreadPoolExecutor(8) as pool:
        sent = sum(pool.map(one, taken))
    assert book.budget.crossed(book.sent) == ""
    assert (book.sent.calls, book.refused) == (sent, 200 - sent)
    assert 0 < sent < 200


def test_a_request_that_fits_waits_for_those_under_way_and_is_not_refused() -> None:
    book, begun, go_on = Ledger(Budget(tokens=150)), Event(), Event()

    def first() -> None:
        with book.request("model 'm'", Usage(100, 0)) as held:
            begun.set()
            go_on.wait(10)
            held.took = Usage(10, 0, 1)

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(first)
        begun.wait(10)
        second = pool.submit(take, book, Usage(100, 0), Usage(10, 0, 1))
        go_on.set()
        running.result(10)
        assert second.result(10)


def test_zero_is_no_limit() -> None:
    book = Ledger()
    assert all(take(book, Usage(10**6, 10**6, 1, 99.0), Usage(10**6, 10**6, 1, 99.0)) for _ in range(100))


@pytest.mark.parametrize("wrong", [{"calls": -1}, {"calls": 1.5}, {"tokens": "many"}, {"cost": float("nan")}, {"money": 1}])
def test_a_wrong_limit_names_its_field(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        Budget(**wrong)  # type: ignore[arg-type]


def test_the_summary_tells_what_was_sent_from_what_was_answered() -> None:
    book = Ledger()
    assert book.summary() == ""
    take(book, Usage(1, 1), Usage(1, 1, 1, 0.25))
    book.answer()
    assert book.summary() == "1 calls sent, 1 answered from the cache; cost of this run $0.2500"


def test_the_summary_never_passes_off_an_unknown_price_as_nothing() -> None:
    book = Ledger()
    with book.request("model 'm'", Usage(1, 1), priced=False):
        pass
    assert "and 1 calls without a known price" in book.summary()


def test_a_command_has_its_own_ledger_which_other_threads_see_too() -> None:
    outside = ledger()
    with within(Budget(calls=1)) as inside, ThreadPoolExecutor(1) as pool:
        assert pool.submit(ledger).result() is inside
    assert ledger() is outside


def test_bills_of_blocks_in_one_another_all_get_what_was_spent() -> None:
    with spent() as outer:
        charge(Usage(1, 2, 1, 0.5))
        with spent() as inner:
            charge(Usage(10, 20, 1))
    charge(Usage(99, 99, 99))
    assert (outer.usage, inner.usage) == (Usage(11, 22, 2, 0.5), Usage(10, 20, 1))


def test_the_wait_for_requests_under_way_ends_at_a_moment() -> None:
    book, each = Ledger(Budget(tokens=120)), Usage(100, 10)
    with book.request("model 'a'", each):
        with (
            pytest.raises(ExhaustedError, match=r"R004 model 'b': requests under way held all that budget.tokens=120 leaves"),
            book.request("model 'b'", each, until=monotonic() + 0.05),
        ):
            pytest.fail("sent")
        assert (book.refused, book.sent.calls) == (1, 0)
    with book.request("model 'b'", Usage(9, 1), until=monotonic() - 1):
        pass
    assert book.sent.calls == 2


def test_a_request_that_was_not_sent_after_all_is_not_counted() -> None:
    book = Ledger(Budget(calls=1, tokens=150))
    for priced in (True, False):
        with book.request("model 'm'", Usage(100, 10), priced) as held:
            held.took = Usage()
    assert (book.sent, book.unpriced, book.summary()) == (Usage(), 0, "")
    assert take(book, Usage(100, 10), Usage(100, 10, 1))
