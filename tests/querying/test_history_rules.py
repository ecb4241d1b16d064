"""Turns of a conversation made to stand alone by rules."""

import pytest

from harness.querying.history_rules import Rules
from harness.types import Query, Turn
from tests.builders import question
from tests.contracts.history_rewriter import HistoryRewriterContract

VOLTAGE = ("What supply voltage does the AQ-210 need?", "The AQ-210 needs 9 to 28 V DC.")


class TestRules(HistoryRewriterContract):
    @pytest.fixture
    def rewriter(self) -> Rules:
        return Rules()


def asked(text: str, *said: str, terms: int = 5) -> Query:
    """The query for a turn after others, of which every second is the assistant's."""
    turns = tuple(Turn("assistant" if place % 2 else "user", content) for place, content in enumerate(said))
    found, query = Rules(terms).standalone(question(text=text, history=turns))
    assert found.text == query.text
    return query


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("How long may its cable be on a roof without a mast?", "'its' refers back"),
        ("Which of those cables is sold by the metre on a drum?", "'those' refers back"),
        ("Does the drum of the long outdoor cable fit there?", "'there?' refers back"),
        ("Does that apply to the long outdoor cable on a drum?", "'that' refers back"),
        ("Which cables are sold for the larger one?", "'one?' refers back"),
        ("What about the long outdoor cable on a drum?", "'What about' goes on"),
        ("And the long outdoor cable on a drum with plugs?", "'And' goes on"),
        ("Sorry, I was asking for the outdoor cable on a drum", "'Sorry' goes on"),
        ("Which cable length?", "few words of its own"),
        ("Cable", "few words of its own"),
    ],
)
def test_a_turn_that_leans_on_the_conversation_gets_its_terms(text: str, why: str) -> None:
    query = asked(text, *VOLTAGE)
    assert query.text.startswith(f"{text} (") and "supply voltage, AQ-210" in query.text
    assert query.notes[0].endswith(f": {why}")


@pytest.mark.parametrize(
    "text",
    [
        "What is the warranty of the PW-36?",
        "Who was Ada Lovelace?",
        "I hope that the supply voltage of the AQ-210 stays within range",
        "Which air filters does Fernhill sell for old school buildings near a busy street?",
        "Where is a long outdoor cable on sale?",
        "Can another person other than me use the same API key?",
        "Who donated Kolb House?",
        "Does the AQ-210 draw more than the voltage supply of the NL-110 gives?",
    ],
)
def test_a_turn_that_names_its_own_topic_stays_as_it_is(text: str) -> None:
    assert asked(text, *VOLTAGE) == Query(text, notes=("history: nothing carried: the turn names its own topic",))


@pytest.mark.parametrize(
    ("said", "text", "expected"),
    [
        (["grenade by bruno mars", "A song of 2010."], "When was it released?", "grenade, bruno mars, song"),
        (["old topic words here", "x", "Where is Kolb House?"], "Who donated it?", "topic words, Kolb House"),
        (["Are alpha and beta here?", "", "Are gamma delta zeta theta?"], "Is it?", "alpha, gamma delta zeta theta"),
        (["What is Twilio?", "A service. Twilio sends texts."], "Is it free?", "Twilio, service, sends texts"),
        (["The cables, the Cable and the CABLE"], "Is it long?", "cables"),
        (["AQ-210"], "Is the AQ-210 white, and its ring?", None),
        (["And what is it?"], "Is it?", None),
    ],
)
def test_the_weightiest_new_terms_are_carried_in_the_order_in_which_they_were_said(
    said: list[str], text: str, expected: str | None
) -> None:
    assert asked(text, *said).text == (f"{text} ({expected})" if expected else text)


def test_no_more_terms_are_carried_than_is_set() -> None:
    assert asked("Is it?", "alpha beta gamma delta", terms=2).text == "Is it? (alpha beta)"


def test_a_name_or_a_code_weighs_more_than_another_word_of_its_turn() -> None:
    assert asked("Is it?", "measure humidity under the roof with an RG-20", terms=1).text == "Is it? (RG-20)"
    assert asked("Is it?", "say who owns the old house of Kolb", terms=1).text == "Is it? (Kolb)"


def test_a_turn_counts_half_of_the_next_one() -> None:
    assert asked("Is it?", "alpha", "", "beta", "", "gamma", terms=2).text == "Is it? (beta, gamma)"


def test_a_term_that_is_said_again_and_again_outweighs_a_new_one() -> None:
    assert asked("Is it?", "alpha", "alpha", "alpha beta", terms=1).text == "Is it? (alpha)"


def test_only_the_last_answer_counts_and_less_than_the_last_question() -> None:
    assert asked("Is it?", "alpha", "beta", "gamma", "delta", terms=2).text == "Is it? (gamma, delta)"


def test_what_was_said_long_ago_is_not_read() -> None:
    assert "ancient" not in asked("Is it?", "ancient", "", *(["later", ""] * 8)).text


@pytest.mark.parametrize(
    ("said", "text", "carried"),
    [
        ("Wann endete der Ausfall vom 11. Februar?", "Und was hatte ihn ausgelöst?", "Wann endete, Ausfall, Februar"),
        ("Le voyant de ma station VM-8 est rouge", "Et s'il clignote ?", "voyant, station VM-8, rouge"),
        ("GX-5のランプが青く点灯しています", "紫になったら？", "GX-5, ランプ, 青, 点灯"),
        ("ZQ-40断网的时候", "那它呢？", "ZQ-40, 断网的时候"),
        ("مصباح البوابة BW-2", "وإذا صار أحمر؟", "مصباح البوابة BW-2"),
    ],
)
def test_a_short_turn_in_another_language_gets_the_terms(said: str, text: str, carried: str) -> None:
    assert asked(text, said).text == f"{text} ({carried})"


def test_a_long_turn_in_another_language_stays_as_it_is() -> None:
    text = "Welche Kabel liefert Fernhill für Schulen neben belebten Straßen ohne eigene Stromversorgung beim Ausfall"
    assert asked(text, "Wann endete der Ausfall?").text == text


def test_a_conversation_without_a_term_is_noted() -> None:
    assert asked("Is it?", "Hello!").notes == ("history: nothing carried: 'it' refers back",)


def test_the_answer_is_read_even_where_the_user_said_nothing_of_weight() -> None:
    assert asked("Is it?", "Hello!", "The probe is ready.").text == "Is it? (probe, ready)"


def test_a_run_of_letters_that_is_no_word_is_not_carried() -> None:
    assert asked("Is it?", f"{'a' * 41} probe").text == "Is it? (probe)"


@pytest.mark.parametrize("text", ["", "?", "thanks", "Thank you!", "ありがとう"])
def test_a_turn_that_asks_nothing_gets_nothing(text: str) -> None:
    assert asked(text, *VOLTAGE) == Query(text, notes=("history: nothing carried: the turn asks nothing",))


@pytest.mark.parametrize(
    ("said", "answer", "text", "carried"),
    [
        ("Was kostet der Sensor AQ-210?", "189 Euro", "Und wie viel ist das?", "kostet, Sensor AQ-210"),
        ("東京都の人口は", "1400 万人", "それはいくらですか", "東京都, 人口"),
        ("How wide is the probe?", "It is 1,400.5 mm wide, since 2019.", "And its ring?", "wide, probe"),
        ("My page shows 400", "Reload", "Is it broken?", "page shows 400, Reload"),
    ],
)
def test_numbers_of_an_answer_and_their_units_are_not_carried(said: str, answer: str, text: str, carried: str) -> None:
    assert asked(text, said, answer).text == f"{text} ({carried})"
