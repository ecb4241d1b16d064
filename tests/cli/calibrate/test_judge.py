"""`harness calibrate judge`, from a file of labels to a record that a gate finds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import runs
from harness.cli.calibrate.judge import labels_name
from harness.cli.main import parser
from harness.judging import calibration
from harness.judging.labels import read_labels
from tests.cli.project import ANSWERABLE, questions, write_golden_set

Command = Callable[..., tuple[int, str]]
PASSAGE = "The soil probe runs on two AA cells. The cells last 18 months at one reading an hour."
TRUE = ["The soil probe runs on two AA cells.", "The cells last 18 months.", "The probe runs on cells."]
FALSE = ["Bananas grow in warm countries.", "The cells last 99 months.", "Its purple handle glows at night."]


def rows(n: int = 120) -> list[dict[str, Any]]:
    """Three of four labels are good, and the words tell which."""
    return [
        {
            "id": f"q{place}",
            "contexts": [PASSAGE],
            "answer": (TRUE if place % 4 else FALSE)[place % 3],
            "label": [4, 4, 3] if place % 4 else [1, 2, 1],
            "scale": [1, 4],
        }
        for place in range(n)
    ]


def write(path: Path, labels: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in labels))
    return path


@pytest.fixture
def labels(project: Path) -> Path:
    return write(project / "mine.jsonl", rows())


def test_a_judge_is_measured_and_the_record_kept_where_a_gate_finds_it(project: Path, labels: Path, harness: Command) -> None:
    code, text = harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical")
    assert code == 0
    assert "lexical against mine: faithfulness" in text and "calibrated: faithfulness by this judge can fail a gate" in text
    (record,) = calibration.records_in(project / "reports")
    assert (record.judged, record.base_rate, record.auroc.value, record.agreement.value) == (120, 0.75, 1.0, 1.0)
    assert calibration.find([project / "reports"], record.judge) == {"faithfulness": record}
    page = (project / "reports" / "judges" / "lexical-faithfulness-mine.md").read_text()
    assert "| Labels judged | 120 of 120 |" in page and record.labels_digest in page


def test_the_record_can_be_printed_as_json_and_left_unsaved(project: Path, labels: Path, harness: Command) -> None:
    code, text = harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical", "--json", "--no-save")
    printed = json.loads(text)
    assert (code, printed["judged"], printed["calibrated"], printed["shortcomings"]) == (0, 120, True, [])
    assert not (project / "reports" / "judges").exists()


def test_the_words_of_judge_reach_its_parts(project: Path, labels: Path, harness: Command) -> None:
    _, text = harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical judge.support.minimum=0.9", "--json", "--no-save")
    assert "minimum=0.9" in json.loads(text)["judge"]


@pytest.mark.parametrize("more", [(), ("--json",), ("--no-save",)])
def test_with_too_few_judged_labels_the_numbers_are_printed_and_no_record_is_kept(
    project: Path, harness: Command, more: tuple[str, ...]
) -> None:
    write(project / "few.jsonl", rows(99))
    code, text = harness("calibrate", "judge", "few.jsonl", "--judge", "lexical", *more)
    assert code == 4
    assert "99 labels were judged, 100 are needed" in text
    assert "no record is kept: 99 of 99 labels judged, 100 are needed" in text
    assert not (project / "reports" / "judges").exists()


def test_a_judge_that_is_measured_on_enough_labels_and_not_good_enough_is_a_result(project: Path, harness: Command) -> None:
    write(project / "lax.jsonl", [{**row, "label": 1 if place % 2 else 4} for place, row in enumerate(rows(100))])
    code, text = harness("calibrate", "judge", "lax.jsonl", "--judge", "lexical")
    assert code == 0
    assert "not calibrated: AUROC may be as low as" in text
    assert calibration.records_in(project / "reports")[0].calibrated is False


def test_the_help_says_what_is_needed_and_its_example_is_a_line_that_can_be_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["calibrate", "judge", "--help"])
    text = capsys.readouterr().out
    assert f"{calibration.MIN_LABELS} labels were judged, {calibration.MIN_RARER} of them of the rarer" in text
    assert f"interval is {calibration.MIN_AUROC} or more" in text and f"at most {calibration.MAX_ERRORS * 100:g} %" in text
    (example,) = [line for line in text.splitlines() if line.startswith("  {")]
    (project / "example.jsonl").write_text(example.strip() + "\n")
    (labelled,) = read_labels(project / "example.jsonl")
    assert (labelled.label_id, labelled.label) == ("q7", round((1 + 1 + 2 / 3) / 3, 9))


def test_a_mistyped_metric_is_told_with_its_line_and_the_nearest(project: Path, harness: Command) -> None:
    path = write(project / "odd.jsonl", [{**row, "metric": "faithfullness"} for row in rows(3)])
    path.write_text("\n" + path.read_text())
    code, text = harness("calibrate", "judge", "odd.jsonl", "--judge", "lexical")
    assert code == 2
    assert "J003 odd.jsonl:2" in text and "did you mean 'faithfulness'?" in text


def test_a_judge_that_cannot_be_asked_is_not_advised_to_replay(
    project: Path, labels: Path, harness: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, text = harness("calibrate", "judge", "mine.jsonl", "--judge", "llm")
    assert code == 2
    assert "F010" in text and "No label would be judged." in text and "choose another judge" in text
    assert "replay" not in text and "question" not in text


def test_an_answer_without_context_is_counted_and_not_judged(project: Path, harness: Command) -> None:
    write(project / "some.jsonl", [*rows(8), {"id": "bare", "contexts": [], "answer": "Yes, it is.", "label": 1}])
    _, text = harness("calibrate", "judge", "some.jsonl", "--judge", "lexical")
    assert "8 of 9" in text and "1 no_context" in text


def test_another_judge_under_the_same_name_is_told_before_it_replaces_a_record(labels: Path, harness: Command) -> None:
    harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical")
    _, same = harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical")
    _, other = harness("calibrate", "judge", "mine.jsonl", "--judge", "lexical judge.support.minimum=0.9")
    assert "this replaces" not in same
    assert "this replaces the record of 'lexical" in other


def test_citations_are_judged_on_answers_that_cite_every_passage(project: Path, harness: Command) -> None:
    cited = [{**row, "metric": "citation_support_precision"} for row in rows(100)]
    write(project / "cited.jsonl", cited)
    _, text = harness("calibrate", "judge", "cited.jsonl", "--judge", "lexical", "--json", "--no-save")
    printed = json.loads(text)
    assert (printed["metric"], printed["judged"], printed["agreement"]["value"]) == ("citation_support_precision", 100, 1.0)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("none.jsonl",), "is missing"),
        (("mine.jsonl", "--judge", "nobody"), "judge has no option 'nobody'"),
        (("mine.jsonl", "--judge", "none"), "judges nothing"),
        (("mine.jsonl", "--judge", "lexical judge.support.maximum=1"), "judge.support.maximum"),
        (("mine.jsonl", "--judge", "lexical", "--metric", "helpfulness"), "does not score 'helpfulness'"),
        (("mine.jsonl", "--judge", "lexical", "--run", "any"), "exclude each other"),
        (("mine.jsonl", "--run", "never"), "no run folder 'never'"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(labels: Path, harness: Command, words: tuple[str, ...], says: str) -> None:
    code, text = harness("calibrate", "judge", *words)
    assert code == 2
    assert says in text and "Traceback" not in text


def test_every_fault_of_the_labels_is_told_at_once(project: Path, harness: Command) -> None:
    write(project / "bad.jsonl", [{"id": "a", "contexts": [], "answer": "A.", "label": 9}, {"id": "a", "label": 1}])
    code, text = harness("calibrate", "judge", "bad.jsonl", "--judge", "lexical")
    assert code == 2
    assert "bad.jsonl:1" in text and "lies outside of 0 to 1" in text and "bad.jsonl:2" in text and "has no answer" in text


def test_text_of_the_labels_cannot_drive_the_terminal_or_the_page(project: Path, harness: Command) -> None:
    path = write(project / "[red]x|<b>.jsonl", rows(100))
    _, text = harness("calibrate", "judge", path.name, "--judge", "lexical")
    (page,) = (project / "reports" / "judges").glob("*.md")
    assert "[red]x|<b>" in text
    assert "<b>" not in page.read_text() and "x|" not in page.read_text()


@pytest.mark.parametrize(("path", "name"), [("sets/wice/labels.jsonl", "wice"), ("sets/mine.jsonl", "mine")])
def test_labels_are_named_after_their_file_or_their_folder(path: str, name: str) -> None:
    assert labels_name(Path(path)) == name


@pytest.fixture
def run(project: Path, harness: Command) -> dict[str, float]:
    """A run of 120 answerable questions; gives its scores."""
    openings = [f"Question {number}: " for number in range(20)]
    texts = [(opening + text, doc, quote) for opening in openings for text, doc, quote, _ in ANSWERABLE]
    base = questions()[0]
    asked = [
        {**base, "id": f"q{n}", "group": f"q{n}", "question": text, "evidence": [[{"doc": doc, "quote": quote}]], "answers": []}
        for n, (text, doc, quote) in enumerate(texts)
    ]
    write_golden_set(project / "golden_sets" / "tiny", asked)
    code, text = harness("run", "+experiment=light", "gate=none", "answerability.minimum=0", "judge=lexical")
    assert code == 0, text
    (folder,) = (project / "reports" / "runs").iterdir()
    scores = runs.load(folder).scores
    return {item.question_id: item.value for item in scores if item.metric == "faithfulness" and item.value is not None}


def test_a_runs_mean_is_corrected_by_labels_of_its_answers(project: Path, run: dict[str, float], harness: Command) -> None:
    """People give every third answer 0, the judge gives them all full marks: the corrected mean is theirs."""
    named = sorted(run)[:105]
    write(project / "own.jsonl", [{"id": name, "label": int(place % 3 > 0)} for place, name in enumerate(named)])
    (folder,) = (project / "reports" / "runs").iterdir()
    code, text = harness("calibrate", "judge", "own.jsonl", "--run", folder.name)
    assert code == 0
    assert f"Faithfulness of {folder.name}: judged 1.000" in text and "corrected by 105 labels 0.667" in text
    _, text = harness("calibrate", "judge", "own.jsonl", "--run", folder.name, "--json", "--no-save")
    corrected = json.loads(text)["corrected"]
    assert (corrected["labels"], corrected["rest"]) == (105, len(run) - 105)
    assert corrected["low"] < 2 / 3 < corrected["high"]


def test_labels_that_do_not_belong_to_a_run_are_refused(project: Path, run: dict[str, float], harness: Command) -> None:
    (folder,) = (project / "reports" / "runs").iterdir()
    few = [{"id": name, "label": 1} for name in sorted(run)[:30]]
    write(project / "few.jsonl", few)
    assert "30 of 30 labels have a score" in harness("calibrate", "judge", "few.jsonl", "--run", folder.name)[1]
    write(
        project / "odd.jsonl", [*few, {"id": "elsewhere", "label": 1}, {**few[0], "id": "q1", "answer": "Another answer."}][-2:]
    )
    code, text = harness("calibrate", "judge", "odd.jsonl", "--run", folder.name)
    assert code == 2
    assert "no question of the run has this id" in text and "the run gave another answer" in text
    write(project / "met.jsonl", few)
    assert (
        "has no 'self_esteem'" in harness("calibrate", "judge", "met.jsonl", "--run", folder.name, "--metric", "self_esteem")[1]
    )


def test_labels_that_never_vary_cannot_correct_a_mean(project: Path, run: dict[str, float], harness: Command) -> None:
    write(project / "same.jsonl", [{"id": name, "label": 1} for name in sorted(run)[:105]])
    (folder,) = (project / "reports" / "runs").iterdir()
    code, text = harness("calibrate", "judge", "same.jsonl", "--run", folder.name)
    assert (code, "cannot be corrected: the labels never vary" in text) == (2, True)
