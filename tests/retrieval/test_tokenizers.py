import pytest

from harness.errors import StageError
from harness.retrieval.bm25_fast import Counts, Postings
from harness.retrieval.bm25_reference import RankBM25
from harness.retrieval.tokenizers import TokenizerName, tokenize

TEXT = "The pumps don't fit FH-4410-B, k=60 (v2.4)."

EXPECTED: dict[TokenizerName, list[str]] = {
    "plain": ["the", "pumps", "don't", "fit", "fh-4410-b,", "k=60", "(v2.4)."],
    "words": ["the", "pumps", "don't", "fit", "fh-4410-b", "fh", "4410", "b", "k", "60", "v2.4", "v2", "4"],
    "stemmed": ["pump", "don't", "fit", "fh-4410-b", "fh", "4410", "b", "k", "60", "v2.4", "v2", "4"],
    "bigrams": ["pump", "don't", "fit", "fh-4410-b", "fh", "4410", "b", "k", "60", "v2.4", "v2", "4"],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_each_tokenizer_cuts_a_sentence_in_its_way(name: TokenizerName) -> None:
    assert tokenize(name, [TEXT]) == [EXPECTED[name]]


@pytest.mark.parametrize("name", EXPECTED)
def test_texts_stay_apart_and_empty_ones_have_no_tokens(name: TokenizerName) -> None:
    assert tokenize(name, ["red", "", "pump"]) == [["red"], [], ["pump"]]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("café naïve", ["café", "naïv"]),
        ("東京都", ["東", "京", "都"]),
        ("companies company's company", ["compani", "compani", "compani"]),
        ("max_tokens", ["max_token", "max", "token"]),
        ("12.50 and 3-4", ["12.50", "3-4", "3", "4"]),
        ("to be or not to be", []),
    ],
)
def test_stemming_of_the_words_people_write(text: str, tokens: list[str]) -> None:
    assert tokenize("stemmed", [text]) == [tokens]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("plain", ["東京都の水"]),
        ("words", ["東", "京", "都", "の", "水"]),
        ("stemmed", ["東", "京", "都", "の", "水"]),
        ("bigrams", ["東京", "京都", "都の", "の水"]),
    ],
)
def test_japanese_by_each_tokenizer(name: TokenizerName, tokens: list[str]) -> None:
    assert tokenize(name, ["東京都の水"]) == [tokens]


@pytest.mark.parametrize("name", ["stemmed", "bigrams"])
def test_the_language_is_heeded(name: TokenizerName) -> None:
    assert tokenize(name, ["Die Fühler der Geräte"], "german") == [["fuhl", "gerat"]]
    assert tokenize(name, ["Die Fühler der Geräte"]) == [["die", "fühler", "der", "gerät"]]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_string_in_place_of_texts_is_an_error(name: TokenizerName) -> None:
    """rank_bm25 would take it apart into letters and say nothing."""
    with pytest.raises(StageError, match=r"a list of texts is needed, got the string 'pump'.*give \[text\]"):
        tokenize(name, "pump")


@pytest.mark.parametrize("engine", [Postings, RankBM25])
def test_a_string_in_place_of_tokens_is_an_error(engine: type[Postings | RankBM25]) -> None:
    counts = Counts()
    with pytest.raises(StageError, match="a list of tokens is needed, got the string 'hose'"):
        counts.add([["pump"], "hose"])
    counts.add([["pump"], ["hose"], ["valve"]])
    with pytest.raises(StageError, match="a list of tokens is needed, got the string 'pump'"):
        engine(counts, "okapi", 1.5, 0.75).scores("pump")
