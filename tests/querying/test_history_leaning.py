"""Whether an English turn leans on the conversation before it, told from its words."""

import pytest

from harness.querying.history_leaning import asks_nothing, leaning, refers_back
from harness.querying.history_terms import terms


def why(text: str) -> str:
    return leaning(text, terms(text, english=True), english=True)


def pointed(text: str) -> str:
    return refers_back(text, terms(text, english=True))


@pytest.mark.parametrize(
    "text",
    [
        "Is it raining in Berlin when the gateway sensor SM-70 stops measuring temperature?",
        "Is it possible to mount the probe outside in winter without a mast?",
        "Is it true that the probe loses its readings when the battery pack is exchanged?",
        "How long does it take to charge an empty battery pack in winter?",
        "How much does it cost to send a heavy parcel abroad?",
        "Does it make sense to calibrate new probes before winter?",
        "It's cheaper to buy two outdoor gauges, right?",
    ],
)
def test_it_that_stands_for_nothing_leans_on_nothing(text: str) -> None:
    assert why(text) == ""


@pytest.mark.parametrize(
    "text", ["How long does it take?", "Is it cheap?", "What does it cost in Austria?", "Is it free on Mars?"]
)
def test_it_without_a_thing_of_its_own_leans(text: str) -> None:
    assert why(text) == "'it' refers back"


@pytest.mark.parametrize(
    "text",
    [
        "Where did General Sejm make his permanent seat?",
        "What problems did the Yuan dynasty have near its beginning?",
        "Where had the Mongol capital been before Kublai destroyed it?",
        "When imperialism changes the norms of a state, what is it called?",
        "How old was Chopin when he moved to Wola with his family?",
        "Can I open the outdoor probe and clean it with water?",
        "The gauge on the roof is full. Can I empty it?",
        "I like the camp by the lake. May I grill in this camp?",
    ],
)
def test_a_pronoun_whose_thing_stands_before_it_in_the_turn_leans_on_nothing(text: str) -> None:
    assert pointed(text) == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("What elements does it support on Linux?", "it"),
        ("How does CIS do it?", "it"),
        ("What is the process for applying for it?", "it"),
        ("Does the manual say how it works?", "it"),
        ("How old was he when he moved to Wola?", "he"),
        ("What did they do with the old sensors on the roof?", "they"),
        ("How long may its cable be on a roof with a mast?", "its"),
        ("Could I grill on those camp sites by the lake?", "those"),
    ],
)
def test_a_pronoun_whose_thing_is_not_named_before_its_clause_leans(text: str, word: str) -> None:
    assert pointed(text) == word


@pytest.mark.parametrize(
    "text",
    [
        "What does the warranty of the SM-60 lithium battery say about that damage that is caused by frost?",
        "Which chemicals did chemists make that could be used in warfare?",
        "Do you think that the sensor on the roof measures rain well?",
        "How does the power of an engine compare to that of a turbine?",
        "Which people are those who measure rain by hand?",
        "Is the fact that rain falls the reason?",
    ],
)
def test_that_as_a_conjunction_or_relative_pronoun_leans_on_nothing(text: str) -> None:
    assert pointed(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "What does the warranty say about that?",
        "Is that true for every sensor on the roof?",
        "Does that apply to the long outdoor cable on a drum?",
        "What did you mean by that number?",
        "Why did they say that?",
    ],
)
def test_that_as_a_demonstrative_leans(text: str) -> None:
    assert pointed(text) in ("that", "they")


@pytest.mark.parametrize(
    "text",
    [
        "Can another person other than me use the same API key?",
        "What other English towns had Huguenot settlements?",
        "Which old sensors have the same size as outdoor gauges?",
        "Can two gauges measure rain at the same time?",
        "Which countries such as Spain forbid it to collect rain?",
        "Did Emilia Clarke also appear in a film of 2016?",
    ],
)
def test_a_word_that_compares_leans_on_nothing_beside_things_that_are_named(text: str) -> None:
    assert not pointed(text) or pointed(text) == "it"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("What other gauges are sold?", "other"),
        ("Does the same apply to outdoor gauges?", "same"),
        ("Is there another way?", "another"),
        ("Can you tell me more?", "more"),
        ("Who else may open the box?", "else"),
        ("Can we get the WL-45 that way?", "that way"),
        ("Can we get the WL-45 on loan, too?", "too?"),
    ],
)
def test_a_word_that_compares_leans_where_little_is_named_or_nothing_follows(text: str, word: str) -> None:
    assert pointed(text) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who created ARPANET?", ""),
        ("What is the price of the AQ-210?", ""),
        ("Who created the network?", "few words of its own"),
        ("Why was the Berlin wall built?", ""),
        ("Why?", "'Why' goes on"),
        ("Why not?", "'Why' goes on"),
        ("No one wants rain during summer holidays abroad, right?", ""),
        ("No, outdoor gauges for farms near big rivers", "'No' goes on"),
    ],
)
def test_few_words_stand_alone_where_one_is_a_name(text: str, expected: str) -> None:
    assert why(text) == expected


@pytest.mark.parametrize(
    "text", ["", "?", "...", "Thanks!", "ok, thank you very much", "Hello", "ありがとう", "谢谢！", "Merci !"]
)
def test_punctuation_thanks_and_greetings_ask_nothing(text: str) -> None:
    assert asks_nothing(text)


@pytest.mark.parametrize("text", ["thanks, and the cable?", "Ok so what", "cable", "それは", "What?"])
def test_a_turn_with_a_word_of_its_own_asks_something(text: str) -> None:
    assert not asks_nothing(text)


def test_what_stands_far_behind_in_a_long_turn_is_not_read() -> None:
    said = "The AQ-210 stands on our roof for years now"
    assert pointed(f"{said} {'x ' * 1100} {'. Does it work? ' * 9}") == ""
