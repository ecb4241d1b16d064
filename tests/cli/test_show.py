"""What a person reads at the end of a run, above all: what to do next."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.cli.main import parser
from harness.cli.show import seconds_per_question, show, show_leaderboard
from harness.store import Journal
from harness.traces import encode
from harness.types import Failure, Outcome, Query, Ranking, Score, State, Trace
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
        ([Outcome.MISSING], ACCEPTED, "raise depth.reranked"),
        ([Outcome.PASS, Outcome.IMPROVED], ACCEPTED, f"{ACCEPT}   keeps the improvement"),
        ([Outcome.IMPROVED, Outcome.MISSING], ACCEPTED, "raise depth.reranked"),
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


@pytest.mark.parametrize(
    ("missing", "fields", "advice"),
    [
        ({"metric": "faithfulness"}, {}, "choose a judge that scores it, such as judge=lexical"),
        ({"metric": "faithfulness"}, {"config": {}}, "choose gate=retrieval for a run without answers"),
        ({"metric": "citation_coverage"}, {"config": {}}, "choose gate=retrieval for a run without answers"),
        ({"metric": "over_refusal_rate"}, {}, "mend the run, the rule or the accepted baseline"),
        ({"slice": "kind:tabel, test"}, {"labels": {"q1": ("kind:table",)}}, "mend the slice 'kind:tabel' of the rule"),
        ({"slice": "kind:table, test"}, {"labels": {"q1": ("kind:table",)}}, "raise depth.reranked"),
        ({"slice": "test"}, {"scores": {"recall_at_5": {"q1": 1.0}}}, "mend the run, the rule or the accepted baseline"),
    ],
)
def test_what_is_missing_is_mended_where_it_lacks(capsys, missing, fields, advice):
    verdicts = [verdict(**{"outcome": Outcome.MISSING, **missing})]
    assert next_step(printed(capsys, record(**fields), ACCEPTED, verdicts)).startswith(advice)


@pytest.mark.parametrize(
    ("strict", "advice"), [(True, "a larger golden set could tell, or give the rule a floor"), (False, SWEEP)]
)
def test_a_job_that_is_red_because_nothing_could_be_told_is_not_sent_to_a_sweep(capsys, strict, advice):
    run = record(config={"gate": {"strict": strict}})
    assert next_step(printed(capsys, run, ACCEPTED, [verdict(outcome=Outcome.INCONCLUSIVE)])).startswith(advice)


def test_the_commonest_error_of_a_metric_stands_beside_its_reason(capsys):
    errors = ["no reply in 60 s", "not recorded: [x]", "not recorded: [x]"]
    scores = tuple(Score("faithfulness", f"q{n}", None, State.ERROR, reason) for n, reason in enumerate(errors))
    run = replace(record(), scores=scores)
    verdicts = [verdict("faithfulness", Outcome.INVALID, reason="too many errors"), verdict(outcome=Outcome.INVALID, reason="no")]
    lines = printed(capsys, run, ACCEPTED, verdicts).splitlines()
    assert "  Faithfulness: too many errors; 3 errors, 2 of them: not recorded: [x]" in lines
    assert "  Recall@5: no" in lines


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
    assert "  nDCG@10: 3 questions lost" in text
    assert "all is well" not in text
    assert "mrr_at_10: higher" not in text


def test_failed_questions_are_counted_and_the_first_is_told(capsys):
    run = record(failures=[Failure("q1", "generate", "no reply in 60 s"), Failure("q2", "generate", "other")])
    assert "2 questions failed; first: no reply in 60 s" in printed(capsys, run)


def test_one_failed_question_is_no_plural(capsys):
    assert "1 question failed; first: no reply" in printed(capsys, record(failures=[Failure("q1", "generate", "no reply")]))


@pytest.mark.parametrize("accepted", [None, ACCEPTED], ids=["no baseline", "a baseline"])
@pytest.mark.parametrize(
    "outcomes", [[], [Outcome.PASS], [Outcome.IMPROVED], [Outcome.REGRESSED], [Outcome.INVALID], [Outcome.MISSING]]
)
def test_a_run_with_failed_questions_is_mended_and_run_again_never_accepted(capsys, outcomes, accepted):
    run = record(failures=[Failure("q1", "generate", "no reply in 60 s")])
    told = next_step(printed(capsys, run, accepted, [verdict(outcome=outcome) for outcome in outcomes]))
    assert told.startswith("mend what failed and run the same command again: what models said is kept")


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"config": {"split": "tune"}}, "run it with split=all"),
        ({"config": {"split": "all"}}, ACCEPT),
    ],
)
@pytest.mark.parametrize(("accepted", "outcome"), [(None, Outcome.PASS), (ACCEPTED, Outcome.IMPROVED)])
def test_nothing_is_offered_that_accept_refuses(capsys, fields, advice, accepted, outcome):
    assert next_step(printed(capsys, record(**fields), accepted, [verdict(outcome=outcome)])).startswith(advice)
    wrong = replace(record(**fields), scores=(Score("faithfulness", "q1", None, State.ERROR, "no reply"),))
    told = next_step(printed(capsys, wrong, accepted, [verdict(outcome=outcome)]))
    assert told.startswith("mend what a metric could not score and run the same command again")


def kept(folder, *traces):
    """Writes the traces of a run."""
    for item in traces:
        Journal(folder / "traces.jsonl").append(encode(item))


def test_steps_that_were_left_out_and_orders_that_were_mended_are_told_like_failed_questions(capsys, tmp_path):
    failed = Trace("q1", (Query("a", fallback="hyde: R007 model 'm' \x1b[31mrefused"),), reranked=Ranking(faults=3))
    kept(tmp_path / "r1", failed, Trace("q2", (Query("a"),)))
    lines = printed(capsys, folder="r1").splitlines()
    assert "hyde failed for 1 of 2 questions and was left out; first: R007 model 'm' refused" in lines
    assert "the model's order was mended for 1 of 2 questions, 3 places" in lines


def test_of_steps_that_all_did_their_work_nothing_is_told(capsys, tmp_path):
    kept(tmp_path / "r1", Trace("q1", (Query("a", "b", notes=("hyde: made up",)),)))
    assert "left out" not in printed(capsys, folder="r1")


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
    assert "  Recall@5, MRR@10: no baseline" in printed(capsys, verdicts=verdicts)


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


def test_seconds_per_question_are_not_known_where_an_output_came_from_a_cache_that_does_not_say_what_it_took():
    computed, cached = Trace("q1", seconds={"rerank": 1.0}), Trace("q2", seconds={"rerank from cache": 0.001})
    assert seconds_per_question({"q1": computed, "q2": cached}) is None


def test_a_run_that_answered_no_question_is_not_the_fastest():
    assert seconds_per_question({}) is None


def test_a_sweep_shows_no_seconds_of_a_variant_of_which_they_are_not_known(capsys, tmp_path):
    runs = [record({"recall_at_5": value}, run_id=name, experiment=name) for name, value in (("one", 0.5), ("two", 0.75))]
    show_leaderboard(runs, [tmp_path / "reports" / "one", tmp_path / "reports" / "two"], {"one": 0.1, "two": None})
    text = " ".join(capsys.readouterr().out.split())
    assert "100 ms" in text
    assert "The seconds of two are not known" in text


@pytest.mark.parametrize("outcome", [None, *Outcome])
@pytest.mark.parametrize("accepted", [None, ACCEPTED])
def test_a_command_that_is_advised_can_be_typed(capsys, outcome, accepted):
    verdicts = [] if outcome is None else [verdict(outcome=outcome)]
    advice = next_step(printed(capsys, accepted=accepted, verdicts=verdicts)).split("   ")[0]
    if advice.startswith("python -m harness "):
        assert parser().parse_args(advice.split()[3:]).command in ("accept", "run")
    else:
        assert advice.startswith((REPORT, "raise depth.reranked"))
