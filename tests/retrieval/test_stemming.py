import unicodedata
from typing import get_args

import pytest
import Stemmer

from harness import terms
from harness.retrieval.stemming import Language, stems
from harness.retrieval.stemming_stop_words import stop_words
from harness.text import fold

LANGUAGES: tuple[Language, ...] = get_args(Language)


def one(text: str, language: Language) -> list[str]:
    return stems([text], language)[0]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("english", "The refunded payments", "refund payment"),
        ("german", "Die Fühler des Geräts", "der Fühler, das Gerät"),
        ("german", "Maße", "MASSE"),
        ("german", "Fuehler", "Fühler"),
        ("french", "l'eau des réservoirs", "les réservoirs d’eau"),
        ("french", "qu'il mesurait", "mesurer"),
        ("spanish", "las baterías del sensor", "batería y sensores"),
        ("italian", "la temperatura dell'acqua", "temperature, acqua"),
        ("dutch", "de batterijen van het apparaat", "batterij, apparaten"),
        ("arabic", "الملوحة في الماء", "ملوحة الماء"),
    ],
)
def test_inflections_of_one_word_are_one_token(language: Language, first: str, second: str) -> None:
    assert sorted(one(first, language)) == sorted(one(second, language)) != []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("english", "to be or not to be"),
        ("german", "Wie ist das für die und was muß man mit den"),
        ("french", "Est-ce que c'est pour les ou par la"),
        ("spanish", "¿Cuál es el que está en la?"),
        ("italian", "Qual è il che con la"),
        ("dutch", "Wat is het van de en met een"),
        ("arabic", "ما هي هذه التي في إلى"),
    ],
)
def test_words_that_tell_nothing_are_left_out(language: Language, text: str) -> None:
    assert [token for token in one(text, language) if "-" not in token and token not in ("c", "qual")] == []


@pytest.mark.parametrize(
    ("language", "word"),
    [("german", "nicht"), ("german", "kein"), ("french", "pas"), ("spanish", "no"), ("italian", "non"), ("dutch", "niet")],
)
def test_words_of_negation_stay(language: Language, word: str) -> None:
    assert one(word, language)


def test_a_german_compound_stays_whole() -> None:
    """A limit: nothing takes compounds apart, so the parts do not find the whole."""
    assert one("Luftfeuchtigkeit", "german") == ["luftfeucht"]
    assert not set(one("Luftfeuchtigkeit", "german")) & set(one("Feuchtigkeit der Luft", "german"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_identifiers_and_numbers_are_the_same_in_every_language(language: Language) -> None:
    assert one("FH-4410-B 2,5 12.50", language) == ["fh-4410-b", "fh", "4410", "b", "2", "5", "12.50"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_composed_decomposed_and_full_width_forms_are_one(language: Language) -> None:
    text = "Fühler réservoir Temperatur"
    assert one(unicodedata.normalize("NFD", text), language) == one(text, language)
    assert one("ＬＫ－１５", language) == one("LK-15", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_arabic_words_are_stemmed_as_by_default_whatever_the_language(language: Language) -> None:
    assert one("الملوحة", language) == terms.stems(["الملوحة"])[0]


def test_english_is_what_it_was() -> None:
    texts = ["The theses of this", "max_tokens café", "الملوحة"]
    assert stems(texts, "english") == terms.stems(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_stemmer_and_a_folded_list_without_words_with_digits(language: Language) -> None:
    assert language in Stemmer.algorithms()
    listed = stop_words(language)
    assert len(listed) >= 30
    assert all(word == fold(word) and word.isalpha() for word in listed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_stay_apart_and_empty_ones_have_no_tokens(language: Language) -> None:
    assert stems(["sensor", "", "2024"], language) == [["sensor"], [], ["2024"]]
