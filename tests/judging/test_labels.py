"""Files of human labels: three shapes, one record, every fault at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError
from harness.judging.labels import Labelled, read_labels

ROW = {"id": "q1", "contexts": ["The cells last 18 months."], "answer": "They last 18 months.", "label": 1}
MTRAG = {
    "_id": "c1<::>2|gpt-4o",
    "kind": "faithfulness",
    "question": "How long?",
    "contexts": [{"_id": "p1", "title": "T", "text": "The cells last 18 months."}],
    "answer": "18 months.",
    "human": {"faithfulness": [4, 1, 4], "completeness": [1, 1, 1]},
    "auto": {"rl_f": 0.5, "RougeL": 0.9, "rb_llm": None},
}
WICE = {"_id": "dev1", "kind": "citation_support", "claim": "It is red.", "contexts": ["It is.", "Red."], "label": "supported"}


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def one(folder: Path, **fields: Any) -> Labelled:
    (found,) = read_labels(write(folder, {**ROW, **fields}))
    return found


def faults(folder: Path, *rows: dict[str, Any], of_run: bool = False) -> list[tuple[str, str]]:
    with pytest.raises(ConfigError) as caught:
        read_labels(write(folder, *rows), of_run)
    return [(problem.where, problem.what) for problem in caught.value.problems]


def test_the_least_that_a_label_needs(tmp_path: Path) -> None:
    assert one(tmp_path) == Labelled(
        "q1", "faithfulness", (1.0,), passages=("The cells last 18 months.",), answer="They last 18 months."
    )


def test_everything_that_a_label_may_say(tmp_path: Path) -> None:
    found = one(tmp_path, question="How long?", label=[4, 1], scale=[1, 4], metric="citation_recall", group="battery.md")
    assert (found.question, found.metric, found.group) == ("How long?", "citation_recall", "battery.md")
    assert (found.ratings, found.label) == ((1.0, 0.0), 0.5)


@pytest.mark.parametrize(
    ("label", "scale", "value"),
    [
        (0.25, [0, 1], 0.25),
        (3, [1, 4], 2 / 3),
        ([4, 4, 1], [1, 4], 2 / 3),
        ([3, 3, 3], [1, 4], 2 / 3),
        ([2, 3, 4], [1, 4], 2 / 3),
        (-1, [-1, 1], 0.0),
        (1, [0, 5], 0.2),
    ],
)
def test_labels_are_brought_to_zero_and_one_and_averaged(tmp_path: Path, label: Any, scale: list[float], value: float) -> None:
    assert one(tmp_path, label=label, scale=scale).label == round(value, 9)


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"label": None}, "label is None"),
        ({"label": "good"}, "label is 'good'"),
        ({"label": []}, "label is []"),
        ({"label": [1, None]}, "label is [1, None]"),
        ({"label": True}, "label is True"),
        ({"label": 4}, "label 4 lies outside of 0 to 1"),
        ({"label": [1, 5], "scale": [1, 4]}, "label 5 lies outside of 1 to 4"),
        ({"scale": [4, 1]}, "scale is [4, 1]"),
        ({"scale": 4}, "scale is 4"),
        ({"answer": "  "}, "has no answer"),
        ({"answer": 7}, "answer is 7"),
        ({"contexts": "one text"}, "contexts is 'one text'"),
        ({"contexts": ["fine", 7]}, "contexts holds what is no text"),
        ({"context": ["a"]}, "field 'context' is unknown"),
        ({"id": ""}, "has no id"),
        ({"metric": 3}, "metric is 3"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, fields: dict[str, Any], what: str) -> None:
    assert faults(tmp_path, {**ROW, "id": "q0"}, {**ROW, **fields}) == [("mine.jsonl:2", what)]


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    rows = [{**ROW, "label": 2}, {**ROW, "id": "q2", "answer": ""}, {**ROW, "id": "q2", "metric": "answer_relevancy"}]
    assert faults(tmp_path, *rows) == [
        ("mine.jsonl:1", "label 2 lies outside of 0 to 1"),
        ("mine.jsonl:2", "has no answer"),
        ("mine.jsonl:3", "id 'q2' stands in mine.jsonl:2 already"),
    ]


def test_a_typing_error_in_a_field_is_guessed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean 'answer'"):
        one(tmp_path, anwser="x")


def test_one_file_judges_one_metric(tmp_path: Path) -> None:
    rows = [ROW, {**ROW, "id": "q2", "metric": "citation_recall"}]
    assert faults(tmp_path, *rows) == [("mine.jsonl:2", "judges 'citation_recall', where 1 of 2 lines judge 'faithfulness'")]


@pytest.mark.parametrize("content", [b"", b"[1]\n", b'{"id": "a", "id": "b"}\n', b'{"label": NaN}\n', b"\xff\n", b'{"id": "q'])
def test_what_is_no_json_lines_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"odd\.jsonl"):
        read_labels(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is missing"):
        read_labels(tmp_path / "none.jsonl")


def test_answers_and_contexts_are_needed_unless_a_run_has_them(tmp_path: Path) -> None:
    bare = {"id": "q1", "label": 1}
    assert faults(tmp_path, bare) == [("mine.jsonl:1", "has no answer")]
    assert faults(tmp_path, {**bare, "answer": "A."}) == [("mine.jsonl:1", "has no contexts")]
    assert read_labels(write(tmp_path, bare), of_run=True) == [Labelled("q1", "faithfulness", (1.0,))]


def test_human_ratings_of_mt_rag_are_read_as_published(tmp_path: Path) -> None:
    (found,) = read_labels(write(tmp_path, MTRAG))
    assert (found.label_id, found.group, found.metric) == ("c1<::>2|gpt-4o", "c1<::>2", "faithfulness")
    assert (found.ratings, found.rivals) == ((1.0, 0.0, 1.0), {"ragas faithfulness": 0.5})
    assert found.passages == ("The cells last 18 months.",)


def test_ratings_of_something_else_are_no_label(tmp_path: Path) -> None:
    assert faults(tmp_path, {**MTRAG, "human": {"completeness": [1]}}) == [
        ("mine.jsonl:1", "human has no ratings of 'faithfulness'")
    ]
    assert faults(tmp_path, {**MTRAG, "human": [1]}) == [("mine.jsonl:1", "human has no ratings of 'faithfulness'")]


@pytest.mark.parametrize(("word", "label"), [("supported", 1.0), ("partially_supported", 0.5), ("not_supported", 0.0)])
def test_claims_of_wice_are_read_as_published(tmp_path: Path, word: str, label: float) -> None:
    (found,) = read_labels(write(tmp_path, {**WICE, "label": word}))
    assert (found.answer, found.passages, found.label) == ("It is red.", ("It is.\n\nRed.",), label)
    assert found.metric == "citation_support_precision"


def test_a_word_that_wice_does_not_use_is_refused(tmp_path: Path) -> None:
    assert faults(tmp_path, {**WICE, "label": "maybe"}) == [("mine.jsonl:1", "label is 'maybe'")]


HUGE, ENDLESS = "1" + "0" * 299, "1e999"
LARGEST = "2" + "0" * 308


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + "0" * 5_000, ENDLESS, "NaN", "-Infinity", f"-{LARGEST}", LARGEST])
@pytest.mark.parametrize(
    "fields", ['"label": @', '"label": [1, @]', '"label": 1, "scale": [0, @]', '"label": 1, "scale": [@, 1]']
)
def test_a_number_that_is_no_finite_float_is_told_with_its_line(tmp_path: Path, fields: str, number: str) -> None:
    path = tmp_path / "mine.jsonl"
    line = '{"id": "q2", "contexts": ["x"], "answer": "x", FIELDS}'.replace("FIELDS", fields).replace("@", number)
    path.write_text(f"{json.dumps(ROW)}\n{line}\n")
    with pytest.raises(ConfigError) as caught:
        read_labels(path)
    assert [problem.where for problem in caught.value.problems] == ["mine.jsonl:2"]


@pytest.mark.parametrize("scale", [[-1e308, 1e308], [1, 1], [0, float(HUGE) * 1e300]])
def test_a_scale_whose_width_is_no_number_is_told(tmp_path: Path, scale: list[float]) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({**ROW, "scale": scale}) + "\n")
    with pytest.raises(ConfigError, match="cannot be used") as caught:
        read_labels(path)
    assert [problem.where for problem in caught.value.problems] == ["mine.jsonl:1"]


def test_a_large_scale_that_a_float_can_hold_will_do(tmp_path: Path) -> None:
    assert one(tmp_path, label=int(HUGE), scale=[0, int(HUGE)]).ratings == (1.0,)


@pytest.mark.parametrize("number", ["1" + "0" * 400, ENDLESS])
def test_a_rivals_score_that_is_no_finite_float_is_told_with_its_line(tmp_path: Path, number: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({**MTRAG, "auto": {"rl_f": "@"}}).replace('"@"', number) + "\n")
    with pytest.raises(ConfigError) as caught:
        read_labels(path)
    assert [problem.where for problem in caught.value.problems] == ["mine.jsonl:1"]
