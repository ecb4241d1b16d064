from harness.terms import STOP_WORDS, compound_words, stems


def test_the_stop_words_are_lucenes_33() -> None:
    assert len(STOP_WORDS) == 33
    assert {"a", "the", "with", "such"} <= STOP_WORDS
    assert not {"k", "from", "has", "he"} & STOP_WORDS


def test_an_identifier_is_found_whole_and_by_its_parts() -> None:
    assert compound_words("FH-4410-B") == ["fh-4410-b", "fh", "4410", "b"]


def test_a_plain_word_and_a_number_have_no_parts() -> None:
    assert compound_words("valve 2.4 1.2.3") == ["valve", "2.4", "1.2.3"]


def test_an_underscore_alone_makes_no_parts() -> None:
    assert compound_words("_private __") == ["_private", "__"]


def test_stop_words_are_dropped_before_stemming() -> None:
    assert stems(["The theses of this"]) == [["these"]]


def test_a_stop_word_inside_a_compound_is_dropped_and_the_compound_stays() -> None:
    assert stems(["state-of-the-art"]) == [["state-of-the-art", "state", "art"]]
