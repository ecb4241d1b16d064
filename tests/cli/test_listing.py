"""What `run --help` lists: experiments, slots, golden sets, the user's own among them."""

import pytest

from harness.build.sources import experiments, groups
from harness.cli.options import listing


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_experiment_stands_there_with_what_it_says_of_itself(folder):
    (folder / "experiments").mkdir()
    (folder / "experiments" / "mine.yaml").write_text("# Smaller chunks.\nchunker: {size: 64}\n")
    assert "  mine                   Smaller chunks." in listing().splitlines()
    assert all(f"\n  {name} " in listing() for name in experiments())


def test_every_slot_stands_there_with_its_options(folder):
    lines = listing().splitlines()
    for slot, options in groups().items():
        assert f"  {slot:22} {' | '.join(options)}" in lines


def test_golden_sets_of_both_places_are_named_once_and_sorted(folder):
    for name in ("zebra", "smoke", "no_card"):
        (folder / "golden_sets" / name).mkdir(parents=True)
    for name in ("zebra", "smoke"):
        (folder / "golden_sets" / name / "golden_set.yaml").write_text("name: x\n")
    (line,) = [line for line in listing().splitlines() if line.startswith("golden sets")]
    names = line.partition(": ")[2].split(", ")
    assert names == sorted(set(names))
    assert {"zebra", "smoke"} <= set(names)
    assert "no_card" not in names


def test_it_says_how_each_kind_is_written_and_how_to_see_every_setting(folder):
    text = listing()
    for words in ("+experiment=NAME", "SLOT=OPTION", "golden_set=NAME", "python -m harness run --cfg"):
        assert words in text


def test_the_help_of_run_ends_in_the_listing(folder, capsys):
    from harness.cli.main import main

    with pytest.raises(SystemExit) as stop:
        main(["run", "--help"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.rstrip().endswith(listing().rstrip().splitlines()[-1])


def test_the_help_of_other_commands_does_not_list_experiments(folder, capsys):
    from harness.cli.main import main

    with pytest.raises(SystemExit):
        main(["gate", "--help"])
    assert "+experiment" not in capsys.readouterr().out
