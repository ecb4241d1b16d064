"""Which options exist, and what is said of a word that names none."""

import pytest

from harness.build.sources import experiments, first_comment, groups, suggestion
from harness.resources import shipped_root


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """An empty folder of the user's, as current folder; gives a writer of files in it."""
    monkeypatch.chdir(tmp_path)

    def write(name, text="# Mine.\n"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_in_an_empty_folder_there_is_what_is_shipped(mine):
    assert set(experiments()) == {path.stem for path in (shipped_root() / "experiments").glob("*.yaml")}
    assert groups()["fuser"] == ("rrf", "weighted")
    assert groups()["retrievers"] == ("bm25", "dense", "hybrid")


def test_a_users_option_joins_its_slot(mine):
    mine("conf/fuser/mine.yaml")
    assert groups()["fuser"] == ("mine", "rrf", "weighted")


def test_a_users_slot_joins_the_slots(mine):
    mine("conf/router/first.yaml")
    assert groups()["router"] == ("first",)
    assert list(groups()) == sorted(groups())


def test_an_option_of_the_same_name_stands_there_once(mine):
    mine("conf/fuser/rrf.yaml")
    assert groups()["fuser"] == ("rrf", "weighted")


def test_a_users_experiment_comes_before_a_shipped_one_of_the_same_name(mine):
    own = mine("experiments/naive.yaml", "# My own naive.\n")
    assert experiments()["naive"] == own
    assert experiments()["hybrid"].parent == shipped_root() / "experiments"


def test_an_experiment_in_a_sub_folder_has_its_folder_in_its_name(mine):
    mine("experiments/sizes/small.yaml")
    assert experiments()["sizes/small"].name == "small.yaml"


def test_experiments_are_listed_in_alphabetical_order(mine):
    mine("experiments/aaa.yaml")
    assert list(experiments()) == sorted(experiments())
    assert next(iter(experiments())) == "aaa"


def test_other_files_are_no_options(mine):
    mine("conf/fuser/README.md")
    mine("conf/config.yaml")
    mine("experiments/notes.txt")
    assert groups()["fuser"] == ("rrf", "weighted")
    assert "config" not in groups()
    assert "notes" not in experiments()


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("# What it is.\nkey: 1\n", "What it is."),
        ("# @package _global_\n# What it is.\nkey: 1\n", "What it is."),
        ("key: 1\n# Later.\n", "Later."),
        ("#What it is.\n", "What it is."),
        ("## What it is.\n", "What it is."),
        ("# Größe: 5 µm.\n", "Größe: 5 µm."),
        ("# First.\n# Second.\n", "First."),
        ("key: 1  # not at the start of a line\n", ""),
        ("", ""),
    ],
)
def test_a_file_says_what_it_is_in_its_first_comment(mine, text, comment):
    assert first_comment(mine("experiments/x.yaml", text)) == comment


@pytest.mark.parametrize(
    ("word", "known", "says"),
    [
        ("hybird", ("hybrid", "naive"), "did you mean 'hybrid'? Known: hybrid, naive"),
        ("zzz", ("hybrid", "naive"), "Known: hybrid, naive"),
        ("zzz", ("b", "a"), "Known: a, b"),
        ("x", (), "Known: "),
    ],
)
def test_a_word_that_names_nothing_is_told_the_nearest_and_all_others(word, known, says):
    assert suggestion(word, known) == says


def test_a_long_list_is_not_told_in_full():
    many = [f"setting_{place}" for place in range(41)]
    assert suggestion("setting_7x", many) == "did you mean 'setting_7'?"
    assert suggestion("zzz", many) == ""
