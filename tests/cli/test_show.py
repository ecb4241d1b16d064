"""What a person reads at the end of a run, above all: what to do next."""

from pathlib import Path

import pytest

from harness.cli.main import parser
from harness.cli.show import seconds_per_question, show, show_leaderboard
from harness.types import Failure, Outcome, Trace
from tests.reporting.records import baseline, record, verdict

ACCEPTED = baseline({"recall_at_5": 0.75})
ACCEPT = "python -m harness accept 20261130-101500-hybrid-a1b2c3"
REPORT = "open the report"
SWEEP = "python -m harness run -m"


@pytest.fixture(autouse=True)
def _wide(monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)


def printed(capsys, run=None, accepted=None, verdicts=(), folder="reports/runs/r1", **more):
    show(run or record(), accepted, verdicts, Path.cwd() / folder, **more)
    return capsys.readouterr().out


def next_step(text):
    (line,) = [line for line in text.splitlines() if line.startswith("Next")]
    return line.removeprefix("Next").strip()


@pytest.mark.parametrize(
    ("outcomes", "accepted", "advice"),
    [
        ([], None, ACCEPT),
        ([], ACCEPTED, SWEEP),
        ([Outcome.PASS], ACCEPTED, SWEEP),
        ([Outcome.INCONCLUSIVE], ACCEPTED, SWEEP),
        ([Outcome.MISSING], None, ACCEPT),
        ([Outcome.MISSING], ACCEPTED, "choose gate=retrieval"),
        ([Outcome.PASS, Outcome.IMPROVED], ACCEPTED, f"{ACCEPT}   keeps the improvement"),
        ([Outcome.IMPROVED, Outcome.MISSING], ACCEPTED, "choose gate=retrieval"),
        ([Outcome.REGRESSED], ACCEPTED, REPORT),
        ([Outcome.REGRESSED, Outcome.IMPROVED], ACCEPTED, REPORT),
        ([Outcome.INVALID], None, REPORT),  # a broken run is never offered as the baseline
        ([Outcome.REGRESSED, Outcome.MISSING], None, REPORT),
        ([Outcome.NOT_COMPARABLE], ACCEPTED, REPORT),
    ],
)
def test_the_next_step_fits_the_situation(capsys, outcomes, accepted, advice):
    verdicts = [verdict(outcome=outcome) for outcome in outcomes]
    assert next_step(printed(capsys, accepted=accepted, verdicts=verdicts)).startswith(advice)


def test_an_advisory_verdict_does_not_decide_what_to_do_next(capsys):
    verdicts = [verdict(), verdict("faithfulness", Outcome.REGRESSED, advisory=True)]
    assert next_step(printed(capsys, accepted=ACCEPTED, verdicts=verdicts)).startswith(SWEEP)


def test_the_run_and_its_report_are_named_from_the_current_folder(capsys):
    lines = printed(capsys).splitlines()
    assert "Run     reports/runs/r1" in lines
    assert "Report  reports/runs/r1/report.html" in lines


def test_a_run_elsewhere_is_named_by_its_whole_path(capsys):
    assert "Run     /elsewhere/r1" in printed(capsys, folder="/elsewhere/r1").splitlines()


def test_only_what_did_not_pass_is_explained(capsys):
    verdicts = [
        verdict(reason="all is well"),
        verdict("mrr_at_10", Outcome.IMPROVED, reason="higher"),
        verdict("ndcg_at_10", Outcome.REGRESSED, reason="3 questions lost"),
    ]
    text = printed(capsys, accepted=ACCEPTED, verdicts=verdicts)
    assert "  ndcg_at_10: 3 questions lost" in text
    assert "all is well" not in text
    assert "mrr_at_10: higher" not in text


def test_failed_questions_are_counted_and_the_first_is_told(capsys):
    run = record(failures=[Failure("q1", "generate", "no reply in 60 s"), Failure("q2", "generate", "other")])
    assert "2 questions failed; first: no reply in 60 s" in printed(capsys, run)


def test_markup_in_an_error_or_a_reason_is_shown_as_it_is(capsys):
    run = record(failures=[Failure("q1", "generate", "[red]boom[/red]")])
    text = printed(capsys, run, verdicts=[verdict(outcome=Outcome.INVALID, reason="[bold]x[/bold]")])
    assert "[red]boom[/red]" in text
    assert "[bold]x[/bold]" in text


def test_a_finished_run_that_is_only_shown_again_has_no_verdict_line(capsys):
    assert "gate" not in printed(capsys, gated=False).lower()
    assert "not gated" in printed(capsys)


def test_metrics_that_failed_for_the_same_reason_share_a_line(capsys):
    verdicts = [verdict(name, Outcome.MISSING, reason="no baseline") for name in ("recall_at_5", "mrr_at_10")]
    assert "  recall_at_5, mrr_at_10: no baseline" in printed(capsys, verdicts=verdicts)


def test_mlflow_is_named_only_where_the_run_is_logged(capsys):
    assert "harness ui" not in printed(capsys)
    assert "python -m harness ui" in printed(capsys, logged=True)


def test_a_sweep_ends_in_its_leaderboard_and_the_folders(capsys, tmp_path):
    runs = [record({"recall_at_5": value}, run_id=name, experiment=name) for name, value in (("one", 0.5), ("two", 0.75))]
    show_leaderboard(runs, [tmp_path / "reports" / "one", tmp_path / "reports" / "two"], {"one": 0.1, "two": 0.2})
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("Leaderboard by Recall@5") for line in lines)
    assert lines[-2:] == ["  reports/one", "  reports/two"]


def test_seconds_per_question_add_up_all_stages():
    traces = {"q1": Trace("q1", seconds={"retrieve": 1.0, "generate": 2.0}), "q2": Trace("q2", seconds={"retrieve": 0.5})}
    assert seconds_per_question(traces) == 1.75
    assert seconds_per_question({}) == 0


@pytest.mark.parametrize("outcome", [None, *Outcome])
@pytest.mark.parametrize("accepted", [None, ACCEPTED])
def test_a_command_that_is_advised_can_be_typed(capsys, outcome, accepted):
    verdicts = [] if outcome is None else [verdict(outcome=outcome)]
    advice = next_step(printed(capsys, accepted=accepted, verdicts=verdicts)).split("   ")[0]
    if advice.startswith("python -m harness "):
        assert parser().parse_args(advice.split()[3:]).command in ("accept", "run")
    else:
        assert advice.startswith((REPORT, "choose gate=retrieval"))
