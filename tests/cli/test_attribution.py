"""Where evidence was lost, through the command line."""

import json


def newest(project):
    return max((project / "reports" / "runs").glob("*/run.json"), key=lambda path: path.stat().st_mtime_ns).parent


def test_a_run_says_where_each_question_lost_its_evidence(project, harness):
    code, text = harness("run", "+experiment=light", "gate=none", "depth.candidates=1", "depth.reranked=1", "depth.shown=1")
    assert code == 0
    rows = json.loads((newest(project) / "attribution.json").read_text())
    stations = {row["question_id"]: row["station"] for row in rows}
    assert len(stations) == 27
    assert stations["u0"] == "rightly_refused"
    assert "of 24 questions cited" in text
    assert sum(row["station"] == "answered" for row in rows) == int(text.split("Evidence: ")[1].split()[0])


def test_both_reports_show_the_waterfall_and_the_remedy(project, harness):
    harness("run", "+experiment=light", "gate=none", "chunker=fixed", "chunker.size=20", "retrievers=bm25")
    folder = newest(project)
    for name in ("report.md", "report.html"):
        text = (folder / name).read_text()
        assert "Where evidence was lost" in text
        assert "lie in no single chunk: chunker=markdown chunker.size=128" in text


def test_a_run_without_answers_is_attributed_up_to_the_context(project, harness):
    _, text = harness("run", "+experiment=light", "gate=none", "generator=none", "judge=none")
    assert "24 of 24 questions in the context" in text


def test_the_same_run_is_attributed_with_the_same_bytes(project, harness):
    for workers in ("1", "2"):
        harness("run", "+experiment=light", "gate=none", f"workers={workers}")
    first, second = (path.read_bytes() for path in sorted((project / "reports" / "runs").glob("*/attribution.json")))
    assert first == second
