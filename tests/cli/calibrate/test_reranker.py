"""`harness calibrate reranker`: scores become probabilities, learned on tune, told on test, used as an option."""

import json

import numpy as np
import pytest
import yaml
from scipy.optimize import minimize

from harness.cli.calibrate.reranker import Passages, _isotonic, _platt
from harness.reranking.calibrated import Calibrated
from harness.reranking.lexical import Lexical
from harness.reranking.logits import logit
from tests.cli.project import questions, write_golden_set

LIGHT = ("golden_set=tiny", "embedder=hashing", "judge=lexical", "tracking=none", "gate=none", "ks=[1,3,5]")
"""Its light experiment without a minimum."""


@pytest.fixture
def finished(project, harness):
    """A run whose questions stand half in tune and half in test."""
    again = [
        {**row, "id": f"x{row['id']}", "question": f"Well. {row['question']}", "group": f"x{row['group']}"} for row in questions()
    ]
    rows = [{**row, "split": "tune" if place % 2 else "test"} for place, row in enumerate([*questions(), *again])]
    write_golden_set(project / "golden_sets" / "tiny", rows)
    code, text = harness("run", "+experiment=light", "gate=none")
    assert code == 0, text
    return project


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_the_option_it_writes_runs_and_keeps_the_order(finished, harness, method):
    before = recall(finished)
    code, text = harness("calibrate", "reranker", "--method", method, "--name", "mine")
    assert code == 0, text
    assert "reranker=mine" in text
    written = yaml.safe_load((finished / "conf" / "reranker" / "mine.yaml").read_text())
    assert (written["method"], written["holds_for"]) == (method, "lexical overlap of stems")
    code, text = harness("run", *LIGHT, "reranker=mine", "answerability=never")
    assert code == 0, text
    assert recall(finished) == before


def test_a_minimum_for_plain_scores_is_refused_with_probabilities_and_the_command_said_so(finished, harness):
    code, text = harness("calibrate", "reranker", "--name", "mine")
    said = " ".join(text.split())
    assert "reranker=mine answerability=never" in said
    assert "Then `python -m harness calibrate refusal`" in said
    code, text = harness("run", "+experiment=light", "gate=none", "reranker=mine")
    said = " ".join(text.replace("│", " ").split())
    assert (code, "F007 answerability.minimum=" in said, "calibrate refusal" in said) == (2, True, True)


def recall(project):
    path = sorted((project / "reports" / "runs").glob("*/results.json"))[-1]
    return json.loads(path.read_text())["metrics"]["recall_at_3"]["value"]


def test_it_says_what_the_scores_were_worth_before_and_after(finished, harness):
    code, text = harness("calibrate", "reranker", "--json", "--no-save")
    assert code == 0
    found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert found["tune"]["brier_after"] <= found["tune"]["brier_before"]
    assert found["tune"]["passages"] > found["tune"]["relevant"] > 0
    assert not (finished / "conf" / "reranker").exists()


def test_a_curve_of_another_reranker_is_refused_before_anything_runs(finished, harness):
    harness("calibrate", "reranker", "--name", "mine")
    path = finished / "conf" / "reranker" / "mine.yaml"
    path.write_text(path.read_text().replace("holds_for: lexical overlap of stems", "holds_for: another"))
    code, text = harness("run", "+experiment=light", "gate=none", "reranker=mine")
    assert (code, "learned with 'another'" in " ".join(text.replace("│", " ").split())) == (2, True)


def test_too_few_passages_teach_nothing(project, harness):
    harness("run", "+experiment=light", "gate=none")
    code, text = harness("calibrate", "reranker")
    assert (code, "nothing is learned" in text) == (4, True)
    assert "golden_set=fernhill with split=all" in " ".join(text.split())


def test_a_name_that_is_shipped_is_refused(finished, harness):
    code, text = harness("calibrate", "reranker", "--name", "cross_encoder")
    assert (code, "an option of that name is shipped" in " ".join(text.replace("│", " ").split())) == (2, True)
    assert not (finished / "conf" / "reranker").exists()


def given(scores, relevant):
    return Passages(np.array(scores), np.array(relevant, dtype=bool), [str(place) for place in range(len(scores))])


def test_platt_is_the_curve_of_platt_s_targets():
    """Against the cross-entropy with targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2), minimised by scipy."""
    scores, relevant = [0.9, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1], [1, 1, 0, 1, 0, 0, 0]
    targets = np.where(np.array(relevant, dtype=bool), 4 / 5, 1 / 6)
    logits = np.array([logit(score) for score in scores])

    def loss(curve):
        power = curve[0] * logits + curve[1]
        return float(np.sum(targets * np.logaddexp(0, -power) + (1 - targets) * np.logaddexp(0, power)))

    best = minimize(loss, [1.0, 0.0], tol=1e-12).x
    found = _platt(given(scores, relevant))
    assert (found["slope"], found["intercept"]) == (pytest.approx(best[0], rel=1e-3), pytest.approx(best[1], abs=1e-3))


@pytest.mark.parametrize("size", [5, 50])
def test_classes_that_are_wholly_parted_do_not_run_away(size):
    found = _platt(given([0.4] * size + [0.6] * size, [0] * size + [1] * size))
    curve = Calibrated(Lexical(), "x", **found)
    assert curve.probability(0.6) == pytest.approx((size + 1) / (size + 2), abs=1e-3)
    assert curve.probability(0.4) == pytest.approx(1 / (size + 2), abs=1e-3)


def test_scores_that_crowd_at_one_keep_their_knots():
    scores = [1 - 3e-6 + place * 1e-8 for place in range(200)]
    found = _isotonic(given(scores, [place % 7 < place // 30 for place in range(200)]))
    assert found["knots"] == sorted(set(found["knots"]))
    assert set(found["knots"]) <= set(scores)
    assert len(found["knots"]) > 5
    read = yaml.safe_load(yaml.safe_dump(found))
    assert read == found
    Calibrated(Lexical(), "x", "isotonic", **read)


def test_logits_are_told_from_other_scores_and_sent_to_their_reranker(project, harness):
    words = ["reranker=cross_encoder_logits", "reranker@reranker.reranker=lexical", "answerability=never"]
    assert harness("run", *LIGHT, *words)[0] == 0
    code, text = harness("calibrate", "reranker")
    said = " ".join(text.replace("│", " ").split())
    assert (code, "Logits gives logits" in said, "whose logits they are" in said) == (2, True, True)


def test_a_reranker_without_scores_in_zero_to_one_is_refused(project, harness):
    harness("run", "+experiment=light", "gate=none", "reranker=none", "generator=none", "judge=none")
    code, text = harness("calibrate", "reranker")
    assert (code, "gives scores of fusion, no score in [0, 1]" in " ".join(text.replace("│", " ").split())) == (2, True)


def test_a_file_that_somebody_wrote_by_hand_is_kept(finished, harness):
    (finished / "conf" / "reranker").mkdir(parents=True)
    (finished / "conf" / "reranker" / "mine.yaml").write_text("# Mine.\n")
    code, text = harness("calibrate", "reranker", "--name", "mine")
    assert (code, "written by hand" in text) == (2, True)
    assert (finished / "conf" / "reranker" / "mine.yaml").read_text() == "# Mine.\n"
