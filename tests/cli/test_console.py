"""What stands on the screen while a command runs: lines for logs, a bar for people, nothing for what is quick."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from harness.cli import console
from harness.cli.console import note, out, print_error, print_json, progress
from harness.errors import ConfigError, Problem


class Clock:
    """A clock that the test winds."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    wound = Clock()
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=wound))
    return wound


def reported(clock, capsys, *steps, what="embed", total=1_000):
    """Lines on stderr after (seconds from the start, done) pairs."""
    began = clock.now
    with progress() as bar:
        for seconds, done in steps:
            clock.now = began + seconds
            bar(what, done, total)
    return capsys.readouterr().err.splitlines()


def test_a_step_that_takes_less_than_ten_seconds_says_nothing(clock, capsys):
    assert reported(clock, capsys, (0, 0), (5, 500), (9.9, 1_000)) == []


def test_a_long_step_says_how_far_it_is_and_how_long_it_will_take(clock, capsys):
    assert reported(clock, capsys, (0, 0), (20, 250)) == ["embed: 250 of 1,000, about 60 s left"]


def test_there_is_one_line_every_ten_seconds_however_often_the_step_reports(clock, capsys):
    steps = [(second, 10 * second) for second in range(35)]
    assert [line.split(",")[0] for line in reported(clock, capsys, *steps)] == [
        "embed: 100 of 1",
        "embed: 200 of 1",
        "embed: 300 of 1",
    ]


def test_without_anything_done_there_is_no_time_to_tell(clock, capsys):
    assert reported(clock, capsys, (0, 0), (30, 0)) == []


def test_large_numbers_are_grouped(clock, capsys):
    lines = reported(clock, capsys, (0, 0), (100, 50_000), total=1_234_567)
    assert lines == ["embed: 50,000 of 1,234,567, about 2,369 s left"]


def test_every_step_has_its_own_start(clock, capsys):
    with progress() as bar:
        bar("chunk", 1, 2)
        clock.now += 30
        bar("embed", 1, 2)  # has only begun
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def on_a_terminal(clock, monkeypatch):
    """Runs steps (what, seconds, done); gives the visible (description, completed, total) and the screen."""
    screen = Terminal()

    def run(*steps):
        began = clock.now
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", screen)
            with progress() as bar:
                for what, seconds, done in steps:
                    clock.now = began + seconds
                    bar(what, done, 10)
                return [(task.description, task.completed, task.total) for task in bar.bars.tasks if task.visible], screen

    return run


def test_on_a_terminal_a_step_under_two_seconds_shows_no_bar(on_a_terminal):
    bars, _ = on_a_terminal(("embed", 0, 0), ("embed", 1.9, 9))
    assert bars == []


def test_on_a_terminal_a_longer_step_shows_its_bar(on_a_terminal):
    bars, _ = on_a_terminal(("embed", 0, 0), ("embed", 2.5, 4), ("embed", 3, 7))
    assert bars == [("embed", 7, 10)]


def test_only_the_bar_of_the_step_going_on_is_shown(on_a_terminal):
    bars, _ = on_a_terminal(("chunk", 0, 0), ("chunk", 3, 10), ("embed", 3, 0), ("embed", 6, 2))
    assert bars == [("embed", 2, 10)]


def test_bars_leave_no_line_behind(on_a_terminal):
    _, screen = on_a_terminal(("embed", 0, 0), ("embed", 3, 5))
    assert "embed" in screen.getvalue()
    assert "embed" not in screen.getvalue().rpartition("\n")[2]


def test_results_go_to_stdout_and_remarks_to_stderr(capsys):
    out().print("a result")
    note("a remark")
    assert capsys.readouterr() == ("a result\n", "a remark\n")


def test_an_error_is_one_block_on_stderr_with_its_remedy(capsys):
    print_error(ConfigError("Two words are wrong.", [Problem("F001", "fuser.kk", "no such key", fix="write fuser.k")]))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert all(
        words in printed.err for words in ("Configuration error", "Two words are wrong.", "fuser.kk", "Fix: write fuser.k")
    )


ODD = ":smile: key:lock:x [red]no[/red] http://host/:tada: 'quoted' 42"


def test_what_is_printed_stays_as_it_is(capsys):
    out().print(ODD, soft_wrap=True)
    note(ODD)
    print_error(ConfigError(ODD, [Problem("F001", ":lock:", ":smile:", ":tada:", ":x:")]))
    told = capsys.readouterr()
    assert told.out == f"{ODD}\n"
    assert told.err.startswith(f"{ODD}\n")
    assert [
        word for word in (":lock:", ":smile:", ":tada:", ":x:", "[red]no[/red]") if word not in told.err.split("\n", 1)[1]
    ] == []


@pytest.mark.parametrize("indent", [None, 2])
def test_json_holds_no_character_that_a_terminal_obeys_and_reads_back(capsys, indent):
    value = {"text": f"{ODD} \x1b[2J \x9b31m \x7f \u202e \u2066 \ud800 \u2028 é 東 " + "long " * 100, "rows": [1, None, True]}
    print_json(value, indent)
    told = capsys.readouterr().out
    assert all(letter == "\n" or " " <= letter <= "~" for letter in told)
    assert json.loads(told) == value
    assert len(told.splitlines()) == (1 if indent is None else 8)
