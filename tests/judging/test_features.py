"""What words say of a claim beside passages: hand-counted shares, and the contradictions that can be seen."""

import pytest

from harness.judging.features import Passages, Words, content, contradiction, negated, share, triples

PASSAGE = "The probe runs on two AA cells. The cells last 18 months. Open the case with a coin."


def read(claim: str, *passages: str, kept: int = 4) -> Words:
    return Words.of(claim, Passages.read(passages or (PASSAGE,)), kept)


def denied(claim: str, passage: str) -> bool:
    return bool(read(claim, passage).contradiction)


@pytest.mark.parametrize(
    ("claim", "coverage", "closest", "phrases"),
    [
        ("The cells last 18 months.", 4 / 4, 4 / 4, 3 / 3),
        ("Cells last months.", 3 / 3, 3 / 3, 0 / 1),
        ("The probe opens the case.", 3 / 3, 2 / 3, 1 / 3),
        ("The probe likes bananas.", 1 / 3, 1 / 3, 0 / 2),
        ("Bananas are yellow.", 0 / 2, 0 / 2, 0 / 1),
        ("Probe bananas.", 1 / 2, 1 / 2, 1 / 2),
        ("It is.", 1.0, 1.0, 1.0),
    ],
)
def test_shares_of_a_claim(claim: str, coverage: float, closest: float, phrases: float) -> None:
    """`The probe opens the case` has the triples the-probe-open, probe-open-the, open-the-case: the last is in the passage."""
    found = read(claim)
    assert (found.coverage, found.closest, found.phrases) == pytest.approx((coverage, closest, phrases))


def test_two_neighbouring_sentences_count_as_one_place_and_two_passages_do_not() -> None:
    claim = "The probe cells last."
    assert read(claim, "The probe is new. Its cells last.").closest == 1
    assert read(claim, "The probe is new.", "Its cells last.").closest == pytest.approx(2 / 3)
    assert read(claim, "The probe is new.", "Its cells last.").coverage == 1


def test_phrases_do_not_run_over_the_end_of_a_passage() -> None:
    assert read("Red blue green.", "Red blue", "green").phrases == 0
    assert read("Red blue green.", "red blue green").phrases == 1


@pytest.mark.parametrize(
    ("claim", "new"),
    [
        ("The cells last 18 months.", ()),
        ("The cells last 18.0 months.", ()),
        ("The cells last 19 months.", ("19",)),
        ("In 2024 the cells lasted 20 months.", ("20", "2024")),
        ("The cells last long.", ()),
    ],
)
def test_new_numbers_are_named(claim: str, new: tuple[str, ...]) -> None:
    assert read(claim).new_numbers == new


def test_the_nearest_windows_stand_first_and_short_ones_before_long_ones() -> None:
    found = read("The cells last 18 months.", kept=3)
    assert found.nearest[0] == "The cells last 18 months."
    assert set(found.nearest[1:]) == {
        "The probe runs on two AA cells. The cells last 18 months.",
        "The cells last 18 months. Open the case with a coin.",
    }


def test_passages_without_words_support_nothing() -> None:
    found = read("The cells last.", "", "  \n ")
    assert (found.coverage, found.closest, found.phrases, found.nearest) == (0, 0, 0, ())


def test_the_order_of_passages_changes_nothing() -> None:
    one, other = ("The probe is new.", "Its cells last.", "A coin."), ("A coin.", "Its cells last.", "The probe is new.")
    assert read("The probe cells last.", *one) == read("The probe cells last.", *other)


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("It does not support Bluetooth.", {"support", "bluetooth"}),
        ("It doesn't support Bluetooth or radio.", {"support", "bluetooth"}),
        ("No fee is charged.", {"fee", "charg"}),
        ("Do not use it near water, but keep it dry.", {"use", "near"}),
        ("Not only cells but also mains.", set()),
        ("It never fails; it works.", {"fail"}),
        ("It works.", set()),
    ],
)
def test_a_negation_holds_for_two_content_words_of_its_clause(text: str, stems: set[str]) -> None:
    assert negated(text) == stems


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The gateway supports Bluetooth.", "The gateway does not support Bluetooth."),
        ("The gateway does not support Bluetooth.", "The gateway supports Bluetooth."),
        ("Returns are free of charge.", "Returns are never free of charge."),
        ("The valve is open in winter.", "The valve is closed in winter."),
        ("Prices increase every year.", "Prices decrease every year."),
        ("The filter is included in the price.", "The filter is excluded from the price."),
        ("Store it above the freezing point.", "Store it below the freezing point."),
    ],
)
def test_negations_and_antonyms_contradict(claim: str, passage: str) -> None:
    assert denied(claim, passage)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The gateway supports Bluetooth.", "The gateway supports Bluetooth but not in Japan."),
        ("The gateway does not support Bluetooth.", "Bluetooth isn't supported by the gateway."),
        ("Avoid opening the gateway.", "Do not open the gateway."),
        ("The gateway works without a cable.", "The gateway works and no cable is needed."),
        ("The valve is open in winter.", "The valve is open in winter and closed in summer."),
        ("The valve is not open in winter.", "The valve is closed in winter."),
        ("Cells last long.", "Bananas never last."),
        ("The gateway supports Bluetooth.", "The gateway does not support Bluetooth. The gateway supports Bluetooth."),
    ],
)
def test_what_only_looks_like_a_contradiction_is_none(claim: str, passage: str) -> None:
    assert not denied(claim, passage)


def test_a_contradiction_is_told_in_words() -> None:
    assert read("It is open now.", "It is closed now.").contradiction == "'open' against 'close'"
    assert "denies 'bluetooth'" in read("It has Bluetooth.", "It has no Bluetooth.").contradiction


def test_nothing_contradicts_where_nothing_is_near() -> None:
    assert contradiction("It is open.", []) == ""


def test_a_share_of_nothing_is_whole() -> None:
    assert share(frozenset(), frozenset("a")) == 1
    assert share(frozenset("ab"), frozenset("a")) == 0.5


def test_content_keeps_negations_and_drops_stop_words() -> None:
    assert content("The cells are not in it.") == {"cell", "not"}


def test_triples_of_a_short_text_are_none() -> None:
    assert triples("two words") == frozenset()
    assert triples("the cells last") == {("the", "cell", "last")}
