"""Personal data in logged queries."""

import pytest

from harness.golden.drafting.masking import mask


def masked(text: str, public: str = "") -> tuple[str, int]:
    return mask(text, lambda piece: piece in public)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write to jane.doe+x@mail.example.org, please.", "Write to [email], please."),
        ("Call +43 660 123 45 67 today", "Call [number] today"),
        ("Call (0660) 123-4567 today", "Call [number] today"),
        ("My number is 0660/1234567.", "My number is [number]."),
        ("IBAN AT611904300234573201", "IBAN AT[number]"),
        ("order 1234567890 is late", "order [number] is late"),
    ],
)
def test_addresses_telephone_and_long_numbers_are_replaced(text: str, kept: str) -> None:
    assert masked(text) == (kept, 1)


@pytest.mark.parametrize(
    "text",
    [
        "Sold on 2025-03-01?",
        "Until 24.12.2025?",
        "FH-4410-B or register 40027",
        "firmware 3.1.2",
        "0 to 20000 ppm",
        "E-17 and 90 m",
    ],
)
def test_dates_part_numbers_and_short_numbers_stay(text: str) -> None:
    assert masked(text) == (text, 0)


def test_a_number_that_the_documents_hold_is_public() -> None:
    assert masked("Is 5901234123457 yours?", "EAN 5901234123457") == ("Is 5901234123457 yours?", 0)


def test_all_are_counted() -> None:
    assert masked("a@b.org, c@d.org and 1234567") == ("[email], [email] and [number]", 3)
