"""Every shipped experiment runs on smoke through the command line, shows nobody what they may not see, and invents nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.build.sources import experiments
from harness.cli import job
from harness.cli.main import main
from harness.recordings import NAME
from harness.resources import cache_dir, shipped_root
from harness.store import Journal

INVARIANTS = ("tenant_leaks", "superseded_hits", "deleted_hits", "invented_citations")


def results(folder: Path, name: str) -> dict[str, Any]:
    (path,) = folder.glob(f"reports/runs/*/{name}")
    return json.loads(path.read_text("utf-8"))  # type: ignore[no-any-return]


@pytest.mark.models
@pytest.mark.parametrize("name", sorted(experiments()))
def test_an_experiment_leaks_and_invents_nothing_and_each_stage_gives_something(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(cache_dir()))
    monkeypatch.chdir(tmp_path)
    job._load.cache_clear()
    recorded = shipped_root() / "reports" / "smoke" / f"{name}.{NAME}"
    replay = ["--replay"] if recorded.exists() else []
    code = main(["run", *replay, f"+experiment={name}", "golden_set=smoke", "gate=none", "tracking=none"])
    assert code == 0, capsys.readouterr()
    metrics = results(tmp_path, "results.json")["metrics"]
    assert {metric: (metrics[metric]["value"], metrics[metric]["errors"]) for metric in INVARIANTS} == dict.fromkeys(
        INVARIANTS, (0, 0)
    )
    assert all(metrics[metric]["n"] == 32 for metric in INVARIANTS[:3])
    assert 0 < metrics["invented_citations"]["n"] <= 32
    (path,) = tmp_path.glob("reports/runs/*/traces.jsonl")
    traces = list(Journal(path).read())
    assert len(traces) == 32
    for trace in traces:
        assert [station for station, hits in trace["stations"].items() if not hits] == []
        assert trace["answer"]["text"] and trace["queries"] and trace["seconds"]
    assert any(trace["answer"]["citations"] for trace in traces)
