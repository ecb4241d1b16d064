"""The main job through the command line, on a small project without models."""

import json
import re

import pytest

from harness.cli import job


def folders(project):
    """The runs, oldest first; names alone do not tell within one second."""
    found = (path for path in (project / "reports" / "runs").iterdir() if path.is_dir())
    return sorted(found, key=lambda path: (path / "run.json").stat().st_mtime_ns)


def results(project, place=-1):
    return json.loads((folders(project)[place] / "results.json").read_text())


def test_a_run_leaves_its_folder_and_says_where_it_is(project, harness):
    code, text = harness("run", "+experiment=light", "gate=none")
    assert code == 0
    (folder,) = folders(project)
    expected = (
        "config.yaml run.json traces.jsonl chunks.jsonl scores.jsonl results.json gate.json junit.xml attribution.json "
        "comment.md report.md report.html"
    )
    assert set(expected.split()) <= {path.name for path in folder.iterdir()}
    assert f"reports/runs/{folder.name}" in text
    assert "Recall@5" in text


def test_results_name_value_denominator_and_interval_of_every_metric(project, harness):
    harness("run", "+experiment=light", "gate=none")
    metrics = results(project)["metrics"]
    assert metrics["recall_at_5"]["n"] == 24
    assert metrics["recall_at_5"]["not_applicable"] == 3
    assert metrics["recall_at_5"]["value"] == 1.0
    assert metrics["false_answer_rate"]["n"] == 3
    assert metrics["invented_citations"]["value"] == 0.0
    assert {"bm25/recall_at_5", "dense/recall_at_5", "fused/recall_at_5", "context/recall_at_5"} <= set(metrics)


def test_the_same_command_twice_gives_the_same_bytes_and_answers_from_the_cache(project, harness):
    harness("run", "+experiment=light", "gate=none")
    _, text = harness("run", "+experiment=light", "gate=none", "workers=1")
    first, second = (folder / "results.json" for folder in folders(project))
    assert first.read_bytes() == second.read_bytes()
    assert re.search(r"rerank: (\d+) of \1 from the cache", text)


def test_a_first_run_has_no_baseline_and_does_not_pass(project, harness):
    code, text = harness("run", "+experiment=light")
    assert code == 4
    assert "missing" in text
    assert "python -m harness accept" in text


def test_an_accepted_run_lets_the_same_pipeline_pass_and_stops_a_worse_one(project, harness):
    harness("run", "+experiment=light")
    code, text = harness("accept")
    assert code == 0
    assert (project / "reports" / "tiny" / "light.json").exists()
    assert (project / "reports" / "tiny" / "light.md").exists()
    assert harness("run", "+experiment=light")[0] == 0
    code, text = harness("run", "+experiment=light", "retrievers=dense", "embedder.dimension=2", "depth.reranked=10")
    assert code == 1, text
    assert "regressed" in text
    assert harness("gate")[0] == 1


def test_a_retrieval_only_run_needs_no_generator_judge_or_tracking(project, harness):
    code, text = harness("run", "+experiment=light", "reranker=none", "generator=none", "judge=none", "gate=none")
    assert code == 0, text
    metrics = results(project)["metrics"]
    assert "recall_at_5" in metrics
    assert "faithfulness" not in metrics
    assert "refusal_f1" not in metrics


def test_a_metric_that_the_run_did_not_produce_does_not_pass(project, harness):
    harness("run", "+experiment=light")
    harness("accept")
    code, text = harness("run", "+experiment=light", "generator=none", "judge=none")
    assert code == 4
    assert "faithfulness" in text


def test_a_golden_set_can_be_a_folders_path(project, harness):
    code, _ = harness(
        "run", "+experiment=light", "gate=none", f"golden_set={project / 'golden_sets' / 'tiny'}", "runs_dir=elsewhere"
    )
    assert code == 0
    assert len(list((project / "elsewhere").glob("*/results.json"))) == 1


def test_a_sweep_ends_in_one_leaderboard_and_never_sets_the_exit_code(project, harness):
    code, text = harness("run", "-m", "+experiment=light", "retrievers=bm25,dense,hybrid")
    assert code == 0, text
    assert "Leaderboard by Recall@5" in text
    assert all(f"light retrievers={name}" in text for name in ("bm25", "dense", "hybrid"))
    assert len(folders(project)) == 3


def test_a_run_is_shown_again_by_name(project, harness):
    harness("run", "+experiment=light", "gate=none")
    code, text = harness("report", folders(project)[0].name)
    assert code == 0
    assert "Recall@5" in text


def test_an_interrupted_run_repeats_nothing_and_ends_as_an_uninterrupted_one(project, harness, monkeypatch):
    harness("run", "+experiment=light", "gate=none", "runs_dir=whole")
    asked, ask = [], job.ask

    def interrupted(system, questions, finished, keep, workers, progress):
        def keep_some(trace):
            keep(trace)
            asked.append(trace.question_id)
            if len(asked) == 5:
                raise KeyboardInterrupt

        return ask(system, questions, finished, keep_some, workers, progress)

    monkeypatch.setattr(job, "ask", interrupted)
    code, text = harness("run", "+experiment=light", "gate=none")
    assert code == 130
    assert "the same command goes on where it stopped" in text
    code, text = harness("run", "+experiment=light", "gate=none")
    assert code == 0
    assert "going on with" in text
    assert sorted(asked) == sorted(set(asked))
    assert len(asked) == 27
    (whole,) = (project / "whole").glob("*/results.json")
    assert (folders(project)[0] / "results.json").read_bytes() == whole.read_bytes()


def test_a_run_that_failed_cannot_become_the_baseline(project, harness, monkeypatch):
    def broken(self, question):
        raise RuntimeError("no model")

    monkeypatch.setattr("harness.pipeline.IndexedPipeline.answer", broken)
    code, text = harness("run", "+experiment=light")
    assert code == 4
    assert "27 questions failed" in text
    code, text = harness("accept")
    assert code == 2
    assert "a baseline must be whole" in text


def test_the_composed_config_is_printed_without_running(project, harness):
    code, text = harness("run", "+experiment=light", "fuser.k=7", "--cfg")
    assert code == 0
    assert "k: 7" in text
    assert not (project / "reports").exists()


def test_in_a_github_job_the_step_summary_gets_the_verdict(project, harness, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project / "summary.md"))
    (project / "summary.md").write_text("before\n")
    harness("run", "+experiment=light")
    text = (project / "summary.md").read_text()
    assert text.startswith("before\n")
    assert "missing" in text
    assert "Recall@5" in text


def test_latency_is_kept_beside_the_results_and_never_in_them(project, harness):
    harness("run", "+experiment=light", "gate=none")
    varying = json.loads((folders(project)[0] / "run.json").read_text())
    assert set(varying["latency"]["rerank"]) == {"p50", "p95"}
    assert "latency" not in (folders(project)[0] / "results.json").read_text()


def test_a_knob_that_does_nothing_is_told(project, harness):
    _, text = harness("run", "-m", "+experiment=light", "retrievers=bm25", "fuser.k=1,2")
    flat = " ".join(text.split())
    assert "light fuser.k=1 and light fuser.k=2 agree on every score" in flat


def test_overrides_may_stand_before_and_after_an_option(project, harness):
    code, _ = harness("run", "+experiment=light", "--replay", "gate=none")
    assert code == 0


def test_an_option_that_no_command_has_is_refused(project, harness, capsys):
    with pytest.raises(SystemExit) as stop:
        harness("run", "+experiment=light", "--replya", "gate=none")
    assert stop.value.code == 2
    assert "unrecognized arguments: --replya" in capsys.readouterr().err
