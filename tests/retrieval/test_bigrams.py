import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.retrieval.bigrams import bigrams
from harness.retrieval.stemming import stems
from harness.retrieval.tokenizers import tokenize
from tests.retrieval.test_sparse import built, scores


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("東京都", ["東京", "京都"]),
        ("水", ["水"]),
        ("水。火", ["水", "火"]),
        ("センサー", ["セン", "ンサ", "サー"]),
        ("ｾﾝｻｰ", ["セン", "ンサ", "サー"]),
        ("ガス", ["ガス"]),
        ("人々の水", ["人々", "々の", "の水"]),
        ("배터리를 교체", ["배터", "터리", "리를", "교체"]),
        ("ＴＳ－８８の電池", ["ts-88", "ts", "88", "の電", "電池"]),
        ("Pumps for 水道", ["pump", "水道"]),
        ("𠮷野家", ["𠮷野", "野家"]),
        ("plain text", ["plain", "text"]),
        ("", []),
    ],
)
def test_runs_of_cjk_characters_are_cut_in_overlapping_pairs(text: str, tokens: list[str]) -> None:
    assert bigrams([text], "english") == [tokens]


def test_composed_and_decomposed_kana_are_one() -> None:
    text = "ガスボンベ"
    assert bigrams([unicodedata.normalize("NFD", text)], "english") == bigrams([text], "english")


@given(st.text("abc é.水火木金ガ ", max_size=20))
def test_a_text_has_a_token_for_every_place_between_two_characters_of_a_run(text: str) -> None:
    runs = ["".join(letter if letter in "水火木金ガ" else " " for letter in text).split()][0]
    pairs = [token for token in bigrams([text], "english")[0] if set(token) <= set("水火木金ガ")]
    assert len(pairs) == sum(max(1, len(run) - 1) for run in runs)


def test_other_scripts_are_stemmed_in_the_language() -> None:
    texts = ["Die Fühler des Geräts", "The pumps"]
    assert bigrams(texts, "german") == stems(texts, "german")


def test_a_word_of_two_characters_is_told_from_its_characters_apart() -> None:
    texts = ["日本の温度計", "本日の湿度", "風速計", "雨量計"]
    assert list(scores(built(texts, tokenizer="bigrams"), "日本")) == ["0.md"]
    assert set(scores(built(texts, tokenizer="words"), "日本")) == {"0.md", "1.md"}


def test_a_character_inside_a_longer_word_is_not_found_alone() -> None:
    assert scores(built(["温度計", "風速計", "雨量計"], tokenizer="bigrams"), "度") == {}


def test_the_tokenizer_of_that_name_does_it() -> None:
    assert tokenize("bigrams", ["東京都 Fühlers"], "german") == [["fuhl", "東京", "京都"]]
