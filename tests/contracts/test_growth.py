"""The measure of growth tells work that grows with the length of a text from work that grows with its square."""

from tests.contracts.growth import LEAST, growth


def each(text: str) -> int:
    return sum(ord(letter) % 7 for letter in text for _ in range(8))


def each_pair(text: str) -> int:
    return sum(one == other for one in text for other in text)


def test_twice_as_long_is_twice_the_work_or_four_times() -> None:
    assert growth(each, "ab" * 100_000) < 8
    assert growth(each_pair, "ab" * 1_500) > 10


def test_work_too_little_to_measure_does_not_grow() -> None:
    assert growth(len, "ab" * 1_000) < 1 / LEAST
