"""The accepted baseline as a file: what it keeps, and what it refuses."""

import json
from pathlib import Path

import pytest

from harness.errors import GateError
from harness.fingerprint import fingerprint
from harness.gates.baseline import Baseline, as_record, check_name, from_record, load, path_of, render, save
from harness.types import Aggregate
from tests.gates.records import accepted, record

ROWS = {"recall_at_5": [1 / 3, 1.0, None, "error"], "dense/recall_at_5": [0.0, 1.0, None, "skipped"], "over_refusal_rate": [0.0]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "smoke" / "hybrid.json"
    save(path, accepted(ROWS, groups={"q000": "a"}))
    return path


def test_a_saved_baseline_comes_back_as_it_was(file: Path) -> None:
    assert load(file) == accepted(ROWS, groups={"q000": "a"})


def test_saving_it_again_gives_the_same_bytes(file: Path) -> None:
    before = file.read_bytes()
    save(file, load(file))
    assert file.read_bytes() == before


def test_it_keeps_scores_rounded_and_leaves_out_what_is_not_known() -> None:
    kept = from_record(record(ROWS))
    assert kept.scores["recall_at_5"] == {"q000": 0.333333, "q001": 1.0, "q002": None}
    assert kept.scores["dense/recall_at_5"] == {"q000": 0.0, "q001": 1.0, "q002": None}
    assert kept.aggregates["recall_at_5"] == Aggregate("recall_at_5", 0.666667, 2, 0.0, 1.0)
    assert (kept.run_id, kept.golden_set, kept.golden_version, kept.splits["q003"]) == ("run-1", "smoke", 1, "test")


def test_every_changed_character_that_matters_is_refused(file: Path) -> None:
    text = file.read_text()
    places = [place for place, letter in enumerate(text) if letter.isalnum()]
    for place in places[:: max(1, len(places) // 150)]:
        file.write_text(text[:place] + ("8" if text[place] != "8" else "9") + text[place + 1 :])
        with pytest.raises(GateError, match=r"hybrid\.json"):
            load(file)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ("<<<<<<< HEAD\n{}", "not JSON"),
        ('{"format": NaN}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "has not the keys"),
        ("{}", "has not the keys"),
        ('{"format": 2, "digest": "", "baseline": {}}', "its format is 2, this harness reads 1"),
        ('{"format": 1, "digest": "00", "baseline": {}}', "its content has digest"),
    ],
)
def test_what_is_no_baseline_is_refused_with_what_to_do(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "hybrid.json"
    path.write_text(content)
    with pytest.raises(GateError, match=words) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "harness accept" in str(caught.value)


def test_bytes_that_are_no_text_are_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"hybrid", b"hybr\xffd", 1))
    with pytest.raises(GateError, match="not JSON"):
        load(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(GateError, match=r"nothing\.json.*No such file"):
        load(tmp_path / "nothing.json")


def test_a_well_signed_file_with_other_fields_is_refused(file: Path) -> None:
    content = {**json.loads(file.read_text())["baseline"], "extra": 1}
    file.write_text(json.dumps({"format": 1, "digest": fingerprint(content), "baseline": content}))
    with pytest.raises(GateError, match="extra"):
        load(file)


def test_the_config_of_the_accepted_run_is_kept_and_given_back(tmp_path: Path) -> None:
    config = {"chunker": {"size": 256}, "reranker": None, "ks": [1, 5], "gate": {"alpha": 0.01}}
    save(tmp_path / "a.json", accepted(ROWS, config=config))
    kept = load(tmp_path / "a.json")
    assert kept.config == as_record(kept).config == config


def test_an_address_with_a_password_to_log_to_is_not_kept() -> None:
    kept = accepted(ROWS, config={"chunker": {"size": 256}, "tracking": {"uri": "https://me:hunter2@mlflow.example"}})
    assert kept.config == {"chunker": {"size": 256}}


def test_a_file_from_before_configs_were_kept_still_loads(file: Path) -> None:
    content = json.loads(file.read_text())["baseline"]
    del content["config"]
    file.write_text(json.dumps({"format": 1, "digest": fingerprint(content), "baseline": content}))
    assert load(file).config == {}
    assert load(file).scores == accepted(ROWS).scores


def test_a_baseline_lies_below_its_golden_set() -> None:
    assert path_of(Path("reports"), "smoke", "hybrid-rerank_2") == Path("reports/smoke/hybrid-rerank_2.json")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".hidden", "a\0b", "x" * 200, "a b"])
def test_a_name_that_could_leave_the_folder_is_refused(name: str) -> None:
    for pair in ((name, "ok"), ("ok", name)):
        with pytest.raises(GateError, match="cannot name a baseline"):
            path_of(Path("reports"), *pair)
    with pytest.raises(GateError, match=r"experiment .* cannot name a baseline"):
        check_name("experiment", name)


@pytest.mark.parametrize("name", ["smoke", "hybrid-rerank_2", "v1.2", "fuser.k=60,reranker=none", "x" * 128])
def test_a_plain_name_is_a_name_for_a_baseline(name: str) -> None:
    check_name("golden set", name)
    assert path_of(Path("reports"), name, name).name == f"{name}.json"


def test_the_page_shows_numbers_and_where_they_come_from() -> None:
    assert render(small()) == (
        "# smoke: hybrid\n"
        "\n"
        "Accepted run `run-0` on golden set 'smoke' version 1, 2 questions. Written by `harness accept`; "
        "the numbers gates compare with are in the JSON beside it.\n"
        "\n"
        "| Metric | Value | 95 % interval | n |\n"
        "|---|---:|---|---:|\n"
        "| Over-refusal rate (lower is better) | 0.500 | 0.000 to 1.000 | 2 |\n"
        "| Recall@5 | 1.000 | 0.000 to 1.000 | 2 |\n"
        "\n"
        "| After each station | Value | 95 % interval | n |\n"
        "|---|---:|---|---:|\n"
        "| Recall@5 (dense) |  | 0.000 to 1.000 | 0 |\n"
        "\n"
        "| Index | |\n"
        "|---|---|\n"
        "| chunks | 12 |\n"
        "| documents | 3 |\n"
        "\n"
        "| Digest | |\n"
        "|---|---|\n"
        "| config | `c1` |\n"
        "| corpus | `d1` |\n"
        "| golden_set | `g1` |\n"
        "| judge | `j1` |\n"
        "\n"
        "| Environment | |\n"
        "|---|---|\n"
        "| python | 3.11 |\n"
    )


def test_the_page_says_how_often_each_question_was_asked_and_how_many_flipped() -> None:
    flips = {"recall_at_5": {"q000": 0.5}, "mrr_at_10": {"q000": 0.5, "q001": 1.0}}
    page = render(accepted({"recall_at_5": [0.5, 1.0, 1.0]}, repeats=3, flips=flips))
    assert "version 1, 3 questions, each asked 3 times (2 with a score that flipped). Written by" in page


def test_flips_and_repeats_come_back_as_they_were(tmp_path: Path) -> None:
    kept = accepted(ROWS, repeats=5, flips={"recall_at_5": {"q000": 0.25}}, labels={"q000": ("kind:table",)})
    save(tmp_path / "a.json", kept)
    assert load(tmp_path / "a.json") == kept
    assert (as_record(kept).repeats, as_record(kept).flips) == (5, {"recall_at_5": {"q000": 0.25}})


def small() -> Baseline:
    return accepted({"over_refusal_rate": [0.0, 1.0], "recall_at_5": [1.0, 1.0], "dense/recall_at_5": [None, None]})


def test_a_page_cannot_be_broken_by_what_a_run_says_of_itself() -> None:
    page = render(accepted({"made_up": [1.0]}, environment={"host": "a|b\n# c"}))
    assert "| host | a\\|b # c |" in page
    assert "| made_up | 1.000 |" in page
