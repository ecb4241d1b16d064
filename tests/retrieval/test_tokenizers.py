import pytest

from harness.retrieval.tokenizers import TokenizerName, tokenize

TEXT = "The pumps don't fit FH-4410-B, k=60 (v2.4)."

EXPECTED: dict[TokenizerName, list[str]] = {
    "plain": ["the", "pumps", "don't", "fit", "fh-4410-b,", "k=60", "(v2.4)."],
    "words": ["the", "pumps", "don't", "fit", "fh-4410-b", "fh", "4410", "b", "k", "60", "v2.4", "v2", "4"],
    "stemmed": ["pump", "don't", "fit", "fh-4410-b", "fh", "4410", "b", "k", "60", "v2.4", "v2", "4"],
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
