"""Every pair of options of different slots builds together, in the fewest configs that bring all pairs.

That each option composes is Hydra's part, done once an option; the configs of the pairs are joined from these.
"""

from itertools import combinations
from pathlib import Path

import pytest

from harness.build.compose import compose
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.errors import ConfigError
from harness.store import Store
from tests.every_option import CODES, OPTIONS, SLOTS, all_pairs, covering, joined, pairs_of, settled, together

SMALL = {"fuser": ("f1", "f2"), "reranker": ("r1", "r2", "r3"), "store": ("s1", "s2")}


def test_every_pair_of_a_small_matrix_stands_in_a_row() -> None:
    rows = covering(SMALL)
    pairs = {pair for row in rows for pair in pairs_of(row)}
    by_hand = {((a, x), (b, y)) for a, b in combinations(sorted(SMALL), 2) for x in SMALL[a] for y in SMALL[b]}
    assert pairs == by_hand
    assert len(by_hand) == 2 * 3 + 2 * 2 + 3 * 2


def test_a_small_matrix_needs_no_more_rows_than_its_two_longest_slots_multiplied() -> None:
    """3 x 2 rows at least, as each brings one pair of these slots; all 12 combinations would be twice as many."""
    assert len(covering(SMALL)) == 6


def test_two_slots_need_every_combination_and_one_slot_none() -> None:
    assert covering({"fuser": ("f1", "f2"), "store": ("s1", "s2")}) == [
        {"fuser": "f1", "store": "s1"},
        {"fuser": "f1", "store": "s2"},
        {"fuser": "f2", "store": "s1"},
        {"fuser": "f2", "store": "s2"},
    ]
    assert covering({"fuser": ("f1", "f2")}) == []


def test_options_that_do_not_go_together_stand_in_no_row_and_all_other_pairs_do() -> None:
    rows = covering(SLOTS)
    held = {pair for row in rows for pair in pairs_of(row)}
    assert held == all_pairs(SLOTS)
    assert not any(frozenset(pair) in CODES for pair in held)
    every = sum(len(SLOTS[a]) * len(SLOTS[b]) for a, b in combinations(SLOTS, 2))
    assert len(held) == every - len(CODES)
    assert all(row.keys() == SLOTS.keys() for row in rows)


def test_the_rows_are_few_and_the_same_every_time() -> None:
    rows, longest = covering(SLOTS), sorted(map(len, SLOTS.values()))[-2:]
    assert rows == covering(SLOTS)
    assert longest[0] * longest[1] <= len(rows) < 1.5 * longest[0] * longest[1]


def test_every_option_that_does_not_go_together_with_another_exists() -> None:
    """A renamed option would leave a clash behind that nothing holds against the code."""
    assert {choice for pair in CODES for choice in pair} <= set(OPTIONS)


def test_what_is_chosen_stays_and_the_rest_is_what_was_preferred_where_it_goes_together() -> None:
    preferred = {slot: options[0] for slot, options in SLOTS.items()} | {
        "answerability": "threshold",
        "reranker": "lexical",
        "hyde": "off",
    }
    row = settled({"reranker": "none"}, preferred)
    assert (row["reranker"], row["answerability"]) == ("none", "never")
    assert {slot: row[slot] for slot in row if slot not in ("reranker", "answerability")} == {
        slot: preferred[slot] for slot in preferred if slot not in ("reranker", "answerability")
    }
    assert together({"reranker": "lexical"}, ("answerability", "threshold"))
    assert not together({"reranker": "none"}, ("answerability", "threshold"))


def test_options_that_are_joined_are_what_hydra_composes() -> None:
    for row in covering(SLOTS)[::40]:
        composed = compose(parse([f"{slot}={option}" for slot, option in row.items()])[0])
        assert joined(row) == {slot: composed[slot] for slot in row}


def test_every_pair_of_options_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No model is loaded, and none need be installed."""
    monkeypatch.setenv("HARNESS_NLI_DIR", str(tmp_path))
    store = Store(tmp_path / "stages.sqlite")
    made: dict[str, object] = {}
    faults: dict[str, str] = {}
    for row in covering(SLOTS):
        config = joined(row)
        try:
            experiment = build([], store, made, replay=True, fixed=config)
        except ConfigError as error:
            faults[" ".join(f"{slot}={option}" for slot, option in row.items())] = str(error)
            continue
        assert {slot: experiment.config[slot] for slot in row} == config
    assert faults == {}
