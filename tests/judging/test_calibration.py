"""When a judge is good enough for a gate, and records that hold what was measured."""

import json
from pathlib import Path

import pytest

from harness.errors import GateError
from harness.judging.calibration import Estimate, NotJudged, Rival, find, load, path_of, records_in, save
from tests.judging.labelled import GOOD_RECORD, THREE_CLASSES, record

JUDGE = GOOD_RECORD.judge


def test_a_good_record_is_calibrated() -> None:
    assert GOOD_RECORD.calibrated
    assert GOOD_RECORD.shortcomings == ()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"judged": 99}, "99 labels were judged, 100 are needed"),
        ({"judged": 1}, "1 label was judged, 100 are needed"),
        ({"judged": 100, "base_rate": 0.99}, "1 label is of the rarer of good and bad, 20 are needed"),
        ({"base_rate": 0.9}, "12 labels are of the rarer of good and bad, 20 are needed"),
        ({"base_rate": 0.1}, "12 labels are of the rarer of good and bad, 20 are needed"),
        ({"base_rate": None}, "0 labels are of the rarer"),
        ({"auroc": Estimate(0.9, 0.749, 0.95)}, "AUROC may be as low as 0.749, 0.75 is needed"),
        ({"auroc": Estimate(0.9)}, "AUROC has no interval"),
        ({"auroc": Estimate(None)}, "AUROC has no interval"),
        ({"auroc": Estimate(1.0), "groups": 1}, "an AUROC of 1 on 1 group is no proof, 20 groups are needed"),
        ({"auroc": Estimate(1.0), "groups": 19}, "an AUROC of 1 on 19 groups is no proof"),
        (
            {"agreement": Estimate(0.74, 0.7, 0.8)},
            "agrees with 0.740 of the labels, always giving the more common one with 0.750",
        ),
        ({"not_judged": (NotJudged("error", 7, "no reply"),)}, "the judge failed on 7 of 120 labels, 5% are allowed"),
    ],
)
def test_each_shortcoming_keeps_a_metric_advisory(changes: dict[str, object], says: str) -> None:
    found = record(**changes)
    assert not found.calibrated
    assert any(says in told for told in found.shortcomings)


@pytest.mark.parametrize(
    "changes",
    [
        {"judged": 100, "base_rate": 0.8},
        {"auroc": Estimate(0.9, 0.75, 0.95)},
        {"auroc": Estimate(1.0)},
        {"auroc": Estimate(1.0), "groups": 20},
        {"agreement": Estimate(0.75, 0.7, 0.8)},
        {"not_judged": (NotJudged("error", 6, "no reply"), NotJudged("not_applicable", 40, "no claim"))},
    ],
)
def test_what_just_reaches_a_limit_is_good_enough(changes: dict[str, object]) -> None:
    assert record(**changes).calibrated


def test_a_record_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    full = record(not_judged=(NotJudged("error", 1, "x"),), rivals=(Rival("ragas", 9, 0.5, None),), classes=THREE_CLASSES)
    save(tmp_path / "r.json", full)
    assert load(tmp_path / "r.json") == full


def test_the_file_is_named_after_judge_metric_and_labels(tmp_path: Path) -> None:
    assert path_of(tmp_path, GOOD_RECORD) == tmp_path / "judges" / "lexical-faithfulness-mine.json"
    assert path_of(tmp_path, record(labels="../my labels")).name == "lexical-faithfulness-..-my-labels.json"


def test_an_edited_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    save(path, record(auroc=Estimate(0.6, 0.5, 0.7)))
    path.write_text(path.read_text().replace("0.5", "0.8"))
    with pytest.raises(GateError, match="its content has digest"):
        load(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not JSON"),
        ("[]", "has not the keys"),
        ('{"format": 9, "digest": "", "record": {}}', "its format is 9"),
        ('{"format": 1, "digest": "", "record": {}}', "has digest"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(GateError, match=says):
        load(path)


def test_a_record_with_a_foreign_field_is_refused(tmp_path: Path) -> None:
    from harness.fingerprint import fingerprint

    path = tmp_path / "r.json"
    save(path, GOOD_RECORD)
    content = {**json.loads(path.read_text())["record"], "calibrated": True}
    path.write_text(json.dumps({"format": 1, "digest": fingerprint(content), "record": content}))
    with pytest.raises(GateError, match="calibrated"):
        load(path)


def test_a_missing_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GateError, match="cannot read"):
        load(tmp_path / "none.json")


def kept(folder: Path, *records: object) -> Path:
    for item in records:
        save(path_of(folder, item), item)  # type: ignore[arg-type]
    return folder


def test_only_exactly_this_judge_is_found(tmp_path: Path) -> None:
    kept(tmp_path, GOOD_RECORD)
    assert find([tmp_path], JUDGE) == {"faithfulness": GOOD_RECORD}
    assert find([tmp_path], JUDGE.replace("0.6", "0.7")) == {}
    assert find([tmp_path], "lexical") == {}


def test_a_record_that_is_not_good_enough_is_not_found(tmp_path: Path) -> None:
    assert find([kept(tmp_path, record(judged=50))], JUDGE) == {}


def test_each_metric_has_the_record_of_most_labels(tmp_path: Path) -> None:
    more, other = record(labels="zzz", judged=300), record(metric="citation_recall")
    kept(tmp_path, GOOD_RECORD, more, other, record(labels="aaa", judged=40))
    assert find([tmp_path], JUDGE) == {"faithfulness": more, "citation_recall": other}


def test_the_first_folder_with_a_good_record_counts(tmp_path: Path) -> None:
    mine = kept(tmp_path / "mine", record(judged=50), record(metric="citation_recall"))
    shipped = kept(tmp_path / "shipped", record(judged=400), record(metric="citation_recall", judged=400))
    found = find([mine, tmp_path / "absent", shipped], JUDGE)
    assert (found["faithfulness"].judged, found["citation_recall"].judged) == (400, 120)


def test_records_are_listed_by_file_name(tmp_path: Path) -> None:
    assert records_in(tmp_path) == []
    kept(tmp_path, record(labels="b"), record(labels="a"))
    assert [item.labels for item in records_in(tmp_path)] == ["a", "b"]
