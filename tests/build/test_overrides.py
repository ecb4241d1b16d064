"""Words on the command line: read, swept, refused by name."""

import pytest

from harness.build.overrides import parse
from harness.errors import ConfigError


def texts(*words, sweep=False):
    return [[item.text for item in cell] for cell in parse(list(words), sweep)]


def test_one_run_is_one_cell():
    assert texts("+experiment=naive", "fuser.k=30") == [["+experiment=naive", "fuser.k=30"]]


def test_a_sweep_is_the_product_of_its_values():
    assert texts("+experiment=a,b", "fuser.k=1,2", "split=test", sweep=True) == [
        ["+experiment=a", "fuser.k=1", "split=test"],
        ["+experiment=a", "fuser.k=2", "split=test"],
        ["+experiment=b", "fuser.k=1", "split=test"],
        ["+experiment=b", "fuser.k=2", "split=test"],
    ]


def test_values_keep_their_types():
    (cell,) = parse(["fuser.k=30", "chunker.overlap=0.2", "golden_set=smoke", "chunker.heading=false"])
    assert [item.value for item in cell] == [30, 0.2, "smoke", False]


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("hybrid_rerank", r"write key=value, or \+experiment=hybrid_rerank"),
        ("--multirn", "see --help"),
        ("fuser.k=1,2", "add -m to sweep"),
        ("golden_set=what's this?", "quote the value"),
    ],
)
def test_a_word_that_cannot_be_read_is_told_with_its_remedy(word, says):
    with pytest.raises(ConfigError, match=says):
        parse([word])


def test_all_unreadable_words_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        parse(["one", "fuser.k=1,2", "two"])
    assert len(caught.value.problems) == 3
