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
        ("~reranker", "cannot be removed"),
        ("chunker.size=" + "9" * 20_000, "quote the value"),
    ],
)
def test_a_word_that_cannot_be_read_is_told_with_its_remedy(word, says):
    with pytest.raises(ConfigError, match=says):
        parse([word])


def test_all_unreadable_words_are_told_at_once():
    with pytest.raises(ConfigError) as caught:
        parse(["one", "fuser.k=1,2", "two"])
    assert len(caught.value.problems) == 3


def test_a_key_given_twice_is_refused():
    with pytest.raises(ConfigError, match=r"'fuser\.k'.*given twice"):
        parse(["fuser.k=1", "fuser.k=2"])


@pytest.mark.parametrize("values", ["range(5,1)", "range(1,100000)"])
def test_a_sweep_without_a_value_or_without_end_is_refused(values):
    with pytest.raises(ConfigError, match="1 to 500 can be run at once"):
        parse([f"fuser.k={values}"], sweep=True)
