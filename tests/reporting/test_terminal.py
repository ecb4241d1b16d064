"""What stands on the terminal."""

from io import StringIO

import pytest
from rich.console import Console

from harness.errors import ConfigError, HarnessError, Problem, StoreError
from harness.reporting.leaderboard import leaderboard
from harness.reporting.terminal import leaderboard_table, plain_text, problem_block, run_table, verdict_line
from harness.types import Outcome
from tests.reporting.records import baseline, full_run, full_verdicts, record, verdict

RUN = """\
hybrid on smoke v3

 Metric               Value  95 % interval  n  Accepted                 Difference  Verdict
 ───────────────────────────────────────────────────────────────────────────────────────────────────────
 Recall@5 ↑           0.500    0.400–0.600  4     0.800  -0.300 (-0.500 to -0.100)  ✗ regressed
 Over-refusal rate ↓  0.500    0.400–0.600  4
 Faithfulness ↑           –                 0                                       ∅ missing (advisory)

After every station

 Metric       bm25  dense  reranked
 ──────────────────────────────────
 Recall@5 ↑  1.000  0.500     0.500

Differences are paired: on test questions scored in both runs."""

PROBLEMS = """\
╭─ Configuration error: 2 problems ────────────────────────────────────────────╮
│ The config is wrong.                                                         │
│                                                                              │
│ F001 conf/x.yaml:7 fuser.k                                                   │
│   'sixty' is no whole number.                                                │
│   Fix: fuser.k=60                                                            │
│                                                                              │
│ F002 reranker.topk                                                           │
│   no such field. It would be ignored.                                        │
╰──────────────────────────────────────────────────────────────────────────────╯"""


def test_a_run_is_shown_with_baseline_and_verdicts() -> None:
    shown = plain_text(run_table(full_run(), baseline({"recall_at_5": 0.8}), full_verdicts()))
    assert shown == RUN


def test_a_run_without_gate_has_no_verdict_column() -> None:
    shown = plain_text(run_table(record()))
    assert "Verdict" not in shown
    assert "Accepted" not in shown


def test_settings_and_gate_rules_that_changed_stand_below_the_table() -> None:
    before = baseline({}, config={"fuser": {"k": 60}, "gate": {"alpha": 0.01}})
    shown = plain_text(run_table(record(config={"fuser": {"k": "30\x1b[31m"}, "gate": {"alpha": 0.2}}), before))
    assert shown.splitlines()[-2:] == [
        "settings differ from the accepted ones: fuser.k 60 -> 30",
        "gate rules differ from those it was accepted under: gate.alpha 0.01 -> 0.2",
    ]
    assert "differ" not in plain_text(run_table(record(), baseline({}))).replace("Difference", "")


def test_every_problem_stands_in_one_block() -> None:
    problems = [
        Problem("F001", "conf/x.yaml:7 fuser.k", "'sixty' is no whole number.", "", "fuser.k=60"),
        Problem("F002", "reranker.topk", "no such field.", "It would be ignored."),
    ]
    assert plain_text(problem_block(ConfigError("The config is wrong.", problems)), 80) == PROBLEMS


@pytest.mark.parametrize(
    ("error", "title"), [(StoreError("disk full"), "Storage error"), (HarnessError("odd"), "Error"), (ConfigError("x"), "Config")]
)
def test_a_block_names_its_kind_of_error(error: HarnessError, title: str) -> None:
    assert f"─ {title}" in plain_text(problem_block(error), 60)


def test_markup_and_terminal_codes_in_a_message_are_shown_as_text() -> None:
    shown = plain_text(problem_block(ConfigError("no [bold]such[/bold] \x1b[31mkey\x1b[0m [link=http://evil]x")), 80)
    assert "no [bold]such[/bold] key [link=http://evil]x" in shown
    assert "\x1b" not in shown


def test_no_code_of_an_experiments_name_reaches_a_colour_terminal() -> None:
    console = Console(width=80, force_terminal=True, color_system="truecolor", file=StringIO())
    console.print(run_table(record(experiment="\x1b]0;owned\x07bad[red]name")))
    written = console.file.getvalue()  # type: ignore[attr-defined]
    assert "owned" not in written
    assert "bad[red]name" in written


@pytest.mark.parametrize(
    ("outcomes", "line"),
    [
        ([], "not gated: nothing was compared"),
        ([Outcome.PASS], "✓ pass: 1 of 1 rule"),
        ([Outcome.PASS, Outcome.REGRESSED], "✗ regressed: 1 of 2 rules (Recall@5)"),
    ],
)
def test_the_verdict_is_one_line(outcomes: list[Outcome], line: str) -> None:
    assert verdict_line([verdict(outcome=outcome) for outcome in outcomes]).plain == line


def test_the_leaderboard_marks_the_best() -> None:
    shown = plain_text(leaderboard_table(leaderboard([record(experiment="a")])))
    assert "★  a" in shown
    assert "Leaderboard by Recall@5" in shown


@pytest.mark.parametrize(
    ("width", "head"),
    [
        (120, "Metric Value 95 % interval n Accepted Difference Verdict"),
        (100, "Metric Value 95 % interval n Accepted Difference Verdict"),
        (88, "Metric Value 95 % interval n Difference Verdict"),
        (80, "Metric Value 95 % interval n Difference Verdict"),
        (78, "Metric Value n Accepted Difference Verdict"),
    ],
)
def test_a_narrow_terminal_shows_fewer_columns_and_no_cut_number(width: int, head: str) -> None:
    shown = plain_text(run_table(full_run(), baseline({"recall_at_5": 0.8}), full_verdicts()), width)
    assert shown.splitlines()[2].split() == head.split()
    assert "…" not in shown
    assert "-0.300" in shown


@pytest.mark.parametrize(("width", "last"), [(120, "20 ms"), (48, "0.750"), (40, "4")])
def test_a_narrow_leaderboard_keeps_its_first_columns(width: int, last: str) -> None:
    run = record({"recall_at_5": 0.75, "mrr_at_10": 0.75, "over_refusal_rate": 0.1})
    lines = plain_text(leaderboard_table(leaderboard([run], seconds={run.run_id: 0.02})), width).splitlines()
    assert lines[-1].startswith(" ★  hybrid")
    assert lines[-1].endswith(last)
