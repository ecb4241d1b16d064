"""`harness calibrate refusal`, from a finished run to an option that the next run uses."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.cli import job
from harness.cli.main import main
from harness.fingerprint import digest
from tests.cli.project import ANSWERABLE, questions, write_golden_set, write_project

Command = Callable[..., tuple[int, str]]
THINGS = ("violin", "sofa", "bridge", "cello", "lamp", "kettle", "piano", "tractor", "carpet", "mirror", "saddle", "hammock")
ASKS = ("Which paint fits a {}?", "Who sells a gateway with a {}?", "Does the soil probe come with a {}?", "Why is my {} blue?")
OPENINGS = ("", "Please tell me: ", "Quick question. ", "Hello, ", "Good morning! ", "One more: ", "Sorry, ", "Now: ")


def rows() -> list[dict[str, Any]]:
    """24 answerable and 24 unanswerable questions in each split; some of the latter share words with the documents."""
    found: list[dict[str, Any]] = []
    for number, opening in enumerate(OPENINGS):
        for place, (text, doc, quote, answer) in enumerate(ANSWERABLE):
            row = {
                "id": f"a{number}-{place}",
                "question": opening + text,
                "kind": "factoid",
                "answerable": True,
                "group": f"a{number}-{place}",
            }
            found.append(
                {**row, "split": ("tune", "test")[number % 2], "evidence": [[{"doc": doc, "quote": quote}]], "answers": [answer]}
            )
    for place, thing in enumerate(THINGS):
        for number, ask in enumerate(ASKS):
            row = {"id": f"u{place}-{number}", "question": ask.format(thing), "kind": "unanswerable", "answerable": False}
            found.append(
                {**row, "refusal_reason": "out_of_corpus", "split": ("tune", "test")[place % 2], "group": f"u{place}-{number}"}
            )
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a run of its light experiment."""
    folder = write_project(tmp_path_factory.mktemp("refusal"))
    write_golden_set(folder / "golden_sets" / "tiny", rows())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
        patch.setenv("COLUMNS", "160")
        job._load.cache_clear()
        assert main(["run", "+experiment=light", "gate=none", "judge=none"]) == 0
        yield folder
    job._load.cache_clear()


@pytest.fixture
def here(finished: Path) -> Iterator[Path]:
    """The folder, without options of its own before and after."""
    yield finished
    shutil.rmtree(finished / "conf", ignore_errors=True)


@pytest.mark.parametrize("method", ["threshold", "margin", "classifier"])
def test_a_rule_is_chosen_on_tune_written_with_its_evidence_and_used_by_the_next_run(
    here: Path, harness: Command, method: str
) -> None:
    code, text = harness("calibrate", "refusal", "--method", method, "--name", "mine")
    assert code == 0, text
    assert "tune 24 answerable and 24 unanswerable questions; test 24 answerable and 24 unanswerable questions" in text
    for heading in ("AUROC of each signal", "Risk and coverage on test", "chosen", "the run's own", "Grounded refusal F1"):
        assert heading in text
    written = here / "conf" / "answerability" / "mine.yaml"
    option = yaml.safe_load(written.read_text())
    assert option["calibrated"]["golden_set"] == "tiny v1"
    assert option["calibrated"]["questions"] == digest((here / "golden_sets" / "tiny" / "questions.jsonl").read_bytes())
    assert (option["calibrated"]["reranker"], option["calibrated"]["n"]) == ("lexical overlap of stems", 48)
    assert "# Over-refusal rate" in written.read_text()
    settings = [
        "golden_set=tiny",
        "embedder=hashing",
        "reranker=lexical",
        "judge=none",
        "tracking=none",
        "gate=none",
        "runs_dir=again",
    ]
    code, text = harness("run", "answerability=mine", *settings, "ks=[1,3,5]")
    assert code == 0, text
    shutil.rmtree(here / "again")


def printed(harness: Command, *words: str) -> dict[str, Any]:
    code, text = harness("calibrate", "refusal", *words, "--json", "--no-save")
    assert code == 0, text
    return json.loads(text)


def test_the_evidence_can_be_printed_as_json_and_left_unsaved(here: Path, harness: Command) -> None:
    found = printed(harness)
    assert (found["method"], found["tune"], found["test"], found["left_out"]) == ("threshold", [24, 24], [24, 24], 0)
    top = next(row for row in found["signals"] if row["name"] == "top_score")
    assert top["tune"]["value"] > 0.9
    assert found["source"]["auroc"] == pytest.approx(found["confidence"]["test"]["value"], abs=1e-4)
    assert not (here / "conf").exists()


def test_the_test_questions_do_not_move_the_choice(here: Path, harness: Command) -> None:
    """Chosen again by hand on the tune questions alone."""
    from harness.cli.calibrate.choosing import best_limit
    from harness.cli.calibrate.examples import read_run
    from harness.runs import newest

    tune = read_run(newest(here / "reports" / "runs")).tune
    assert {question.split for question, _ in tune.pairs} == {"tune"}
    limit, _ = best_limit(tune.values["top_score"], tune.answerable)
    assert printed(harness)["settings"] == {"minimum": limit}


def test_the_run_s_own_rates_stand_beside_those_of_the_choice(here: Path, harness: Command) -> None:
    found = printed(harness)["rates"]
    before, after = ({item["metric"]: item["value"] for item in found[name]} for name in ("current", "chosen"))
    assert after["grounded_refusal_f1"] - before["grounded_refusal_f1"] == pytest.approx(found["changes"][-1]["value"])
    assert {item["metric"]: item["n"] for item in found["chosen"]}["over_refusal_rate"] == 24


def test_a_cap_on_over_refusal_is_kept_on_tune(here: Path, harness: Command) -> None:
    free, capped = printed(harness), printed(harness, "--max-over-refusal", "0")
    assert capped["settings"]["minimum"] <= free["settings"]["minimum"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--name", "../x"), "is no file name"),
        (("--name", "threshold"), "an option of that name is shipped"),
        (("--name", "classifier", "--method", "classifier"), "an option of that name is shipped"),
        (("--max-over-refusal", "1.5"), "is no share"),
        (("--max-over-refusal", "nan"), "is no share"),
        (("nowhere",), "no run folder 'nowhere'"),
    ],
)
def test_words_that_cannot_be_used_are_one_error(here: Path, harness: Command, words: tuple[str, ...], says: str) -> None:
    code, text = harness("calibrate", "refusal", *words)
    assert code == 2
    assert says in " ".join(text.split())


def test_a_file_that_was_written_by_hand_is_kept(here: Path, harness: Command) -> None:
    mine = here / "conf" / "answerability" / "mine.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("# Mine.\n")
    code, text = harness("calibrate", "refusal", "--name", "mine")
    assert (code, mine.read_text()) == (2, "# Mine.\n")
    assert "was written by hand" in " ".join(text.split())


def test_another_reranker_than_the_one_it_was_chosen_for_is_refused_when_the_pipeline_is_built(
    here: Path, harness: Command
) -> None:
    harness("calibrate", "refusal", "--method", "classifier", "--name", "mine")
    code, text = harness(
        "run", "golden_set=tiny", "embedder=hashing", "reranker=none", "tracking=none", "judge=none", "answerability=mine"
    )
    assert code == 2
    assert "F014" in text
    assert "lexical overlap of stems" in text


@pytest.mark.parametrize(
    ("words", "slot"),
    [
        (["route=rules"], "route"),
        (["subqueries=rules"], "subqueries"),
        (["retrievers.bm25.variant=l"], "retrievers.bm25"),
        (["retrievers.bm25.tokenizer=plain"], "retrievers.bm25"),
        (["rewrite=glossary"], "rewrite"),
        (["store=faiss_hnsw"], "retrievers.dense"),
    ],
)
def test_scores_that_are_made_otherwise_are_refused_when_the_pipeline_is_built(
    here: Path, harness: Command, words: list[str], slot: str
) -> None:
    harness("calibrate", "refusal", "--method", "classifier", "--name", "mine")
    settings = ["golden_set=tiny", "embedder=hashing", "reranker=lexical", "tracking=none", "judge=none", "answerability=mine"]
    code, text = harness("run", *settings, *words)
    said = " ".join(text.replace("│", " ").split())
    assert code == 2, text
    assert f"F014 answerability.calibrated.retrieval its numbers were chosen with another setting of {slot}" in said
    assert "harness calibrate refusal" in said


def test_too_few_questions_of_a_class_choose_nothing(project: Path, harness: Command) -> None:
    harness("run", "+experiment=light", "gate=none", "judge=none")
    code, text = harness("calibrate", "refusal")
    assert code == 4
    said = " ".join(text.split())
    assert "asked 0 answerable and 0 unanswerable tune questions, 20 of each are needed" in said
    assert "golden_set=fernhill with split=all" in said
    assert "harness golden split" in said
    assert not (project / "conf").exists()


def test_scores_of_fusion_are_refused_by_name_but_a_classifier_may_read_them(here: Path, harness: Command) -> None:
    settings = [
        "golden_set=tiny",
        "embedder=hashing",
        "reranker=none",
        "answerability=never",
        "judge=none",
        "tracking=none",
        "gate=none",
    ]
    assert harness("run", *settings, "runs_dir=plain", "ks=[1,3,5]")[0] == 0
    code, text = harness("calibrate", "refusal", "--runs-dir", "plain")
    assert code == 2
    assert "F007" in text
    assert harness("calibrate", "refusal", "--runs-dir", "plain", "--method", "classifier", "--no-save")[0] == 0
    shutil.rmtree(here / "plain")


def test_a_golden_set_that_has_changed_since_is_refused(here: Path, harness: Command) -> None:
    folder = here / "golden_sets" / "tiny"
    write_golden_set(folder, questions())
    code, text = harness("calibrate", "refusal")
    write_golden_set(folder, rows())
    assert code == 2
    assert "has changed since run" in " ".join(text.split())
