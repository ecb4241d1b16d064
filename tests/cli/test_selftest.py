"""`harness gate --selftest` and twenty real reruns of an unchanged pipeline."""

import json

import pytest

from harness.types import Outcome


def newest(project):
    return max((project / "reports" / "runs").glob("*/results.json"), key=lambda path: path.stat().st_mtime_ns).parent


def test_the_selftest_prints_and_keeps_what_the_gate_is_worth_the_same_each_time(project, harness):
    harness("run", "+experiment=light")
    harness("gate", newest(project).name, "--selftest")
    kept = (newest(project) / "selftest.json").read_bytes()
    code, text = harness("gate", newest(project).name, "--selftest")
    assert code == 3, text
    assert "The gate is blind: no rule catches half of the largest drops" in text
    assert "False alarms of the whole gate" in text
    assert "the mean must not drop by more than 0.02" in " ".join(text.split())
    assert "Identical scores: 0 red." in text
    assert (newest(project) / "selftest.json").read_bytes() == kept
    found = json.loads(kept)
    assert (found["holds"], found["identical_but_red"], found["simulations"]) == (True, [], 200)
    assert {item["red"]["n"] for item in found["false_alarms"]} == {200}
    assert {item["drop"] for item in found["caught"]} == {0.02, 0.05, 0.1}
    assert "recall_at_5 (test)" in {item["rule"] for item in found["caught"]}


def test_the_recorded_differences_to_the_accepted_run_are_a_kind_of_noise(project, harness):
    harness("run", "+experiment=light", "retrievers=dense", "embedder.dimension=2", "depth.reranked=10")
    harness("accept")
    harness("run", "+experiment=light")
    code, text = harness("gate", newest(project).name, "--selftest")
    assert code == 3, text
    assert "recorded differences to the accepted run" in text


def test_a_gate_without_difference_rules_proves_nothing(project, harness):
    (project / "conf" / "gate").mkdir(parents=True)
    rules = "rules:\n  - {metric: tenant_leaks, kind: invariant}\n  - {metric: recall_at_5, kind: floor, floor: 0.5}\n"
    (project / "conf" / "gate" / "floors.yaml").write_text(f"_target_: harness.gates.gate.Gate\n{rules}")
    harness("run", "+experiment=light", "gate=floors")
    code, text = harness("gate", newest(project).name, "--selftest")
    assert code == 4
    assert "Nothing was measured" in text
    assert "not measured: recall_at_5 (test) floor 0.5" in text


def test_a_gate_of_advisory_rules_is_not_measured_although_its_drops_are_shown(project, harness):
    (project / "conf" / "gate").mkdir(parents=True)
    rules = "rules:\n  - {metric: recall_at_5, advisory: true}\n"
    (project / "conf" / "gate" / "shown.yaml").write_text(f"_target_: harness.gates.gate.Gate\n{rules}")
    harness("run", "+experiment=light", "gate=shown")
    code, text = harness("gate", newest(project).name, "--selftest")
    assert code == 4
    assert "The gate was not measured: every rule that was tested is advisory" in text
    assert "Drops of one rule's mean" in text
    assert "False alarms of the whole gate" not in text
    kept = json.loads((newest(project) / "selftest.json").read_text())
    assert (kept["deciding_rules"], kept["holds"]) == (0, False)


def test_a_run_without_a_gate_has_nothing_to_test(project, harness):
    harness("run", "+experiment=light", "gate=none")
    code, text = harness("gate", newest(project).name, "--selftest")
    assert code == 2
    assert "gate=none" in text


@pytest.mark.slow
def test_twenty_reruns_with_empty_caches_change_no_score_and_are_never_red(project, harness, monkeypatch):
    harness("run", "+experiment=light")
    harness("accept")
    scores = (newest(project) / "scores.jsonl").read_bytes()
    outcomes, flipped = set(), []
    for number in range(20):
        monkeypatch.setenv("HARNESS_CACHE_DIR", str(project / "caches" / str(number)))
        code, text = harness("run", "+experiment=light", f"workers={1 + number % 4}")
        assert code == 0, text
        assert (newest(project) / "scores.jsonl").read_bytes() == scores
        verdicts = json.loads((newest(project) / "gate.json").read_text())
        outcomes |= {item["outcome"] for item in verdicts}
        flipped += [name for item in verdicts for name in item["flipped"]]
    assert flipped == []
    assert Outcome.REGRESSED not in outcomes
    assert len(list((project / "reports" / "runs").iterdir())) == 21
