"""Exact match and token F1 beyond English: a right answer scores 1 in whatever script and form it is written."""

import json
import re
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.metrics.answer import ExactMatch, TokenF1, normalised

POLYGLOT = Path(__file__).parents[2] / "golden_sets" / "polyglot" / "questions.jsonl"
ROWS = [row for row in map(json.loads, POLYGLOT.read_text(encoding="utf-8").splitlines()) if row.get("answers")]
ACCEPTED = [(row["tags"][0], answer) for row in ROWS for answer in row["answers"]]


def scores(given_text: str, accepted: str) -> tuple[float, float]:
    return ExactMatch().compare(given_text, accepted), TokenF1().compare(given_text, accepted)


def test_the_set_has_answers_in_all_five_languages() -> None:
    assert {language for language, _ in ACCEPTED} == {"de", "fr", "ja", "zh", "ar"}


@pytest.mark.parametrize(("language", "answer"), ACCEPTED)
def test_every_accepted_answer_with_the_stop_of_its_script_is_perfect(language: str, answer: str) -> None:
    assert scores(f"{answer}{'。' if language in ('ja', 'zh') else '.'}", answer) == (1, 1)


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ("390元。", "390元"),
        ("３９０元", "390元"),
        ("「ＳＩＭ卡无法识别」", "SIM卡无法识别"),
        ("直射日光、湯気。", "直射日光，湯気"),
        ("ﾃﾞﾝﾁ", "デンチ"),
        ("٣٠ شهرًا", "30 شهرا"),
        ("٠٫٨ غ/ل؟", "0.8 غ/ل"),
        ("الأحد، الخميس", "الاحد الخميس"),
        ("Die Fußplatte!", "die Fussplatte"),
        ("„Größere“", "größere"),
        ("«l’horloge retarde»", "l'horloge retarde"),
        ("l’horloge", "l'horloge"),
        ("e\u0301te\u0301", "été"),
    ],
)
def test_the_form_in_which_a_right_answer_is_written_does_not_count(said: str, accepted: str) -> None:
    assert scores(said, accepted) == scores(accepted, said) == (1, 1)


@pytest.mark.parametrize(
    ("said", "accepted", "f1"),
    [
        ("保証は3年です。", "3年", 2 * 2 / (7 + 2)),
        ("3か月", "3年", 2 * 1 / (3 + 2)),
        ("最多120个", "120个", 2 * 2 / (4 + 2)),
        ("مدة الضمان ٢٢ شهرًا", "22 شهرا", 2 * 2 / (4 + 2)),
        ("neun lange Tage", "neun Tage", 2 * 2 / (3 + 2)),
        ("是", "否", 0),
        ("。", "、", 1),
        ("。", "是", 0),
    ],
)
def test_f1_counts_words_and_single_cjk_characters(said: str, accepted: str, f1: float) -> None:
    assert TokenF1().compare(said, accepted) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("390元。", "390 元"),
        ("是．", "是"),
        ("l’horloge", "lhorloge"),
        ("±３％", "±3"),
        ("Der Über-Test", "der übertest"),
        ("an der Tür", "der tür"),
        ("في «البيت»", "في البيت"),
    ],
)
def test_normalisation_beyond_english(text: str, bare: str) -> None:
    assert normalised(text) == bare


@given(st.text(alphabet=[*string.printable, *"–—’“”°±…€×²½™"], max_size=40))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_english_is_normalised_by_the_rule_of_squad_whatever_signs_it_holds(text: str) -> None:
    if not re.search(r"[cdjlmnstu]’", text, re.IGNORECASE):
        bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
        assert normalised(text) == " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


@given(st.text(max_size=20), st.text(alphabet="漢字かなカナ、。！あ1a ", max_size=20))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_both_measures_are_symmetric_and_a_text_equals_itself(one: str, other: str) -> None:
    assert scores(one, other) == scores(other, one)
    assert scores(one, one) == scores(other, other) == (1, 1)
    assert scores(one, other)[1] >= scores(one, other)[0]
