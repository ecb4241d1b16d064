"""How much of a text changed."""

import random
import time
from collections.abc import Callable

import pytest

from harness.golden.changed_text import text_change


def table(rows: int, row: Callable[[int], str]) -> str:
    """A CSV file of so many rows."""
    return "id,site,date,value,unit\n" + "".join(f"{row(number)}\n" for number in range(rows))


def spaced(number: int) -> str:
    """A row whose cells hold blanks."""
    return f"{number},Station North,2025-01-{number % 28 + 1:02},{number * 37 % 100} , mg per litre of water"


def dense(number: int) -> str:
    """A row without a blank."""
    return f"{number},N{number % 7},2025-01-{number % 28 + 1:02},{number * 37 % 9000 + 1000}"


def edits(old: str, new: str) -> int:
    """Levenshtein distance, by the table of the textbook."""
    row = list(range(len(new) + 1))
    for line, letter in enumerate(old, 1):
        above, row = row, [line]
        for place, other in enumerate(new, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (letter != other)))
    return row[-1]


def longest_common(old: str, new: str) -> int:
    """Length of the longest common subsequence, by the table of the textbook."""
    row = [0] * (len(new) + 1)
    for letter in old:
        above, row = row, [0]
        for place, other in enumerate(new):
            row.append(above[place] + 1 if letter == other else max(above[place + 1], row[-1]))
    return row[-1]


@pytest.mark.parametrize(
    ("old", "new", "characters", "ratio"),
    [
        ("", "", 0, 1.0),
        ("abc", "abc", 0, 1.0),
        ("", "abcd", 4, 0.0),
        ("abcd", "", 4, 0.0),
        ("one two\nthree\n", "one two\n", 6, 16 / 22),
        ("lasts 6 months\n", "lasts 9 months\n", 1, 28 / 30),
        ("lasts 6 months\n", "lasts 18 months\n", 2, 28 / 31),
        ("a\nb\nc\n", "a\nx\nb\nc\n", 2, 12 / 14),
        ("colour", "color", 1, 10 / 11),
        ("the cat sat", "the dog sat", 3, 16 / 22),
        ("line\n", "line", 1, 8 / 9),
        ("x" * 3_000, "y" * 3_000, 3_000, 0.0),
    ],
)
def test_characters_that_changed_are_counted_a_replaced_one_once(old: str, new: str, characters: int, ratio: float) -> None:
    assert text_change(old, new) == (characters, pytest.approx(ratio))


@pytest.mark.parametrize("row", [spaced, dense])
@pytest.mark.parametrize("rows", [400, 5_000])
def test_one_digit_changed_in_every_row_of_a_table_is_told_as_so_many_characters(row: Callable[[int], str], rows: int) -> None:
    old = table(rows, row)
    new = old.replace("2025-", "2026-")
    started = time.process_time()
    characters, ratio = text_change(old, new)
    assert time.process_time() - started < 10
    assert characters == rows
    assert ratio == pytest.approx(1 - rows / len(old))


def test_rows_put_in_and_taken_out_of_a_table_that_changed_in_every_row_do_not_hide_the_rest() -> None:
    old = table(5_000, spaced)
    new = (
        old.replace("2025-", "2026-").replace("\n400,", "\nnew row\n400,").replace(f"{spaced(900)}\n".replace("2025", "2026"), "")
    )
    started = time.process_time()
    characters, _ = text_change(old, new)
    assert time.process_time() - started < 10
    assert 5_000 < characters < 5_200


def test_a_word_put_into_every_row_of_a_table_whose_rows_are_much_alike_is_told_row_by_row() -> None:
    old = "".join(f"ok,{number % 3},fine\n" for number in range(400))
    assert text_change(old, old.replace(",fine", ",very fine"))[0] == 400 * len("very ")


def test_a_new_paragraph_before_paragraphs_that_were_all_edited_is_told_alone() -> None:
    old = [f"Part {name}{name} of the manual names {name}{name}{name} in 5 words." for name in "abcdefgh"]
    new = ["Quite another one.", *(part.replace("5", "6") for part in old)]
    assert text_change("\n\n".join(old), "\n\n".join(new))[0] == len("Quite another one.\n\n") + len(old)


def test_a_few_edits_among_many_equal_lines_are_told_exactly() -> None:
    generator = random.Random(7)
    lines = [generator.choice(("ok\n", "fail\n", "\n")) for _ in range(4_000)]
    new = [*lines[:1_000], "late\n", *lines[1_000:3_000], *lines[3_001:]]
    characters, _ = text_change("".join(lines), "".join(new))
    assert characters == len("late\n") + len(lines[3_000])


@pytest.mark.parametrize("letters", ["ab", "a ", "a\n", "a b\n", "abc .\n"])
def test_texts_that_have_nothing_to_hold_on_to_take_no_time(letters: str) -> None:
    generator = random.Random(1)
    old, new = ("".join(generator.choices(letters, k=60_000 + more)) for more in (0, 7))
    started = time.process_time()
    characters, ratio = text_change(old, new)
    assert time.process_time() - started < 15
    assert 0 < characters <= len(old) + len(new)
    assert 0 <= ratio < 1


def test_no_fewer_characters_are_told_than_edits_are_needed_and_no_more_is_alike_than_can_be() -> None:
    generator = random.Random(3)
    for _ in range(300):
        old = "".join(generator.choices("ab c\n", k=generator.randrange(40)))
        new = "".join(letter for letter in old if generator.random() > 0.2)
        new = "".join(generator.choice("abx \n") + letter if generator.random() < 0.2 else letter for letter in new)
        characters, ratio = text_change(old, new)
        assert edits(old, new) <= characters <= len(old) + len(new)
        assert (characters == 0) == (old == new)
        assert ratio * (len(old) + len(new)) / 2 <= longest_common(old, new) + 1e-9


@pytest.mark.parametrize("unit", ["\n", " "])
def test_single_edits_in_ordinary_text_are_told_to_the_letter(unit: str) -> None:
    words = [f"word{number}" for number in range(300)]
    for place in (0, 150, 299):
        old = unit.join(words)
        assert text_change(old, unit.join([*words[:place], "extra", *words[place:]]))[0] == len("extra") + 1
        assert text_change(old, unit.join([*words[:place], f"{words[place]}s", *words[place + 1 :]]))[0] == 1
        assert text_change(unit.join([*words[:place], "extra", *words[place:]]), old)[0] == len("extra") + 1
