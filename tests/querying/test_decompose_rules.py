"""Questions of several parts, taken apart by rules."""

import pytest

from harness.querying.decompose_rules import LONGEST, Decomposition, parts
from harness.types import Query
from tests.builders import question
from tests.contracts.query_step import QueryStepContract


class TestDecomposition(QueryStepContract):
    @pytest.fixture
    def step(self) -> Decomposition:
        return Decomposition()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Can I return this AND change my address?", ["Can I return this?", "Can I change my address?"]),
        ("Can I open the probe and clean it?", ["Can I open the probe?", "Can I clean it? (open, probe)"]),
        ("How do I calibrate and clean the probe?", ["How do I calibrate the probe?", "How do I clean the probe?"]),
        (
            "How do I order, install and connect the probe, and also test the cable?",
            ["How do I order, install?", "How do I connect the probe?", "How do I test the cable?"],
        ),
    ],
)
def test_verbs_that_share_a_subject_are_parts(asked: str, expected: list[str]) -> None:
    assert parts(asked) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("What is the warranty? How do I claim it?", ["What is the warranty?", "How do I claim it? (warranty)"]),
        ("Where is my order and when will it arrive?", ["Where is my order?", "When will it arrive? (order)"]),
        ("Who may sign the form and who may pay the bill?", ["Who may sign the form?", "Who may pay the bill?"]),
        ("What does a probe cost, what does it weigh?", ["What does a probe cost?", "What does it weigh? (probe cost)"]),
        ("What does a probe cost; is there a discount?", ["What does a probe cost?", "Is there a discount?"]),
        ("How far does the probe reach, and how deep?", ["How far does the probe reach?", "How deep? (far, probe reach)"]),
        ("Wie lang ist das Kabel? Und wie schwer?", ["Wie lang ist das Kabel?", "Und wie schwer? (lang, Kabel)"]),
        ("電池は何か月もちますか？重さは何グラムですか？", ["電池は何か月もちますか？", "重さは何グラムですか？ (電池, 月)"]),
    ],
)
def test_questions_beside_each_other_are_parts_and_each_stands_alone(asked: str, expected: list[str]) -> None:
    assert parts(asked) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("How much do the AQ-210 and the NL-110 cost?", ["How much do the AQ-210 cost?", "How much do the NL-110 cost?"]),
        ("Do AQ-210, NL-110 or PW-30 float?", ["Do AQ-210 float?", "Do NL-110 float?", "Do PW-30 float?"]),
        ("What do the pack and its transport cost?", ["What do the pack cost?", "What do its transport cost? (pack)"]),
        (
            "What is the return policy and the warranty of the probe?",
            ["What is the return policy of the probe?", "What is the warranty of the probe?"],
        ),
    ],
)
def test_the_same_is_asked_of_each_of_several_things(asked: str, expected: list[str]) -> None:
    assert parts(asked) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Compare the AQ-210 with the NL-110.", ["The AQ-210?", "The NL-110?"]),
        ("Please compare the range of the AQ-210 to the NL-110", ["The range of the AQ-210?", "The range of the NL-110?"]),
        ("Compare the range of a probe with that of a gauge", ["The range of a probe?", "The range of a gauge?"]),
        (
            "What is the difference between a probe and a gauge in terms of price?",
            ["A probe in terms of price?", "A gauge in terms of price?"],
        ),
        ("AQ-210 vs. NL-110", ["AQ-210?", "NL-110?"]),
        ("Which is faster: Python or Visual Basic?", ["Which is faster: Python?", "Which is faster: Visual Basic?"]),
        ("Which is cheaper, the probe or the gauge?", ["Which is cheaper: the probe?", "Which is cheaper: the gauge?"]),
    ],
)
def test_things_that_are_compared_are_parts(asked: str, expected: list[str]) -> None:
    assert parts(asked) == expected


@pytest.mark.parametrize(
    "asked",
    [
        "What are the terms and conditions?",
        "Does Johnson & Johnson sell it?",
        "Who founded Johnson and Johnson?",
        "Must the probe lie between 5 and 10 degrees?",
        "What is the difference between 5 and 10?",
        "What lies between the AQ-210 and the NL-110?",
        "What does research and development cost?",
        "Is there a discount for black and white copies?",
        "Do you know when and where it was published?",
        "If I return the probe, what do I pay?",
        "When it rains, how deep is the probe?",
        "Which salt and pepper mills are sold?",
        "What is the range of the AQ-210?",
        "Tell me about Tom and Jerry.",
        "The probe is white and the gauge is red.",
        "Wie lang und wie schwer ist das Kabel?",
        "and",
        "",
        "?",
    ],
)
def test_one_question_is_not_split(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "What read timeout, in seconds, does the client set?",
        "How often, if ever, do the probes in our school need a calibration?",
        "What month, every four years, are the elections held in?",
        "What, along with rain, snow, and hail, is an event in the record?",
        "What does the probe, which is white, cost?",
        "Is it true that, when it rains, the probe is off?",
    ],
)
def test_commas_around_a_remark_part_no_question(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "The engine needs heat, light and what?",
        "He ruled on three continents, Africa, Asia and which other?",
        "Speakers are given between 5 and how many minutes?",
        "The sensor was sold in Austria, but what did other countries get?",
        "European nations and which country left the union?",
        "Is the gauge made of steel and what else?",
    ],
)
def test_a_question_word_behind_a_statement_or_at_the_end_of_a_list_is_one_question(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "What computer was popular in the 1970s and 80s?",
        "What was made valid in the late 19th and 20th centuries?",
        "Which cities grew in the mid-1970s and late-1980s?",
        "Does it work with 12 and 24 volts?",
    ],
)
def test_decades_and_plain_numbers_are_no_codes(asked: str) -> None:
    assert parts(asked) == []


def test_a_code_has_a_letter_before_its_digits_or_a_hyphen() -> None:
    assert parts("Is the B12 or the 12-B sold?") == ["Is the B12 sold?", "Is the 12-B sold?"]


@pytest.mark.parametrize(
    "asked",
    [
        "What are problems that cannot be solved in theory, but which in practice take too long?",
        "Which probes are there that float and which never sink?",
    ],
)
def test_a_second_relative_clause_is_no_question(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "Which function should compare the signature that I computed with the one in the header?",
        "What defined the differences between the red probe and the blue probe?",
        "Who wrote the comparison of the probe and the gauge?",
        "What is the difference between a probe and a gauge and a ring?",
    ],
)
def test_a_question_about_a_comparison_is_no_comparison(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "Can a single PW-30 keep an AQ-210 and an NL-110 going together through December?",
        "What do the pack and its transport cost in total?",
        "Can I run both the AQ-210 and the NL-110 at once?",
        "Do the AQ-210 and the NL-110 fit into one box at the same time?",
        "Do both the AQ-210 and the NL-110 float?",
        "Who is the current President and the High Representative for Foreign Policy?",
    ],
)
def test_what_is_asked_of_things_together_is_not_asked_of_each(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    "asked",
    [
        "How large must a change be for an SM-50 to doubt it and measure once more?",
        "How large must a sudden change of moisture be for an SM-50 to doubt it and measure once more?",
        "Can I get a ladder to clean the probe and test the cable?",
    ],
)
def test_two_verbs_of_a_purpose_are_one_question(asked: str) -> None:
    assert parts(asked) == []


def test_what_is_needed_is_asked_of_each_verb() -> None:
    assert parts("Do I need to open the probe and clean the ring?") == [
        "Do I need to open the probe?",
        "Do I need to clean the ring?",
    ]


@pytest.mark.parametrize(
    "asked",
    [
        "Which comes first: the antenna or the supply?",
        "Which comes first on a GW-12: the antenna or the supply?",
        "Which was sold earlier, the probe or the gauge?",
        "Which is more costly, formal, or informal imperialism?",
    ],
)
def test_an_order_of_two_and_two_halves_of_one_name_stay_together(asked: str) -> None:
    assert parts(asked) == []


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("What is FH-5331-B, and which product does it fit?", ["What is FH-5331-B?", "Which product does it fit? (FH-5331-B)"]),
        ("Until when can it be undone, and how often?", ["Until when can it be undone?", "How often? (undone)"]),
        ("Today, does the API take bars, or is the field off?", ["Today, does the API take bars?", "Is the field off?"]),
        ("With which QoS does it send, and are the rest kept?", ["With which QoS does it send?", "Are the rest kept?"]),
        ("How much do I pour, and which counts are fine?", ["How much do I pour?", "Which counts are fine?"]),
        ("Does your fitter climb, or do we hire a lift?", ["Does your fitter climb?", "Do we hire a lift?"]),
    ],
)
def test_two_questions_are_still_told_apart(asked: str, expected: list[str]) -> None:
    assert parts(asked) == expected


def test_a_statement_goes_with_each_part() -> None:
    asked = "My case was closed with NFF. What does that stand for and what will I be charged?"
    said = "My case was closed with NFF."
    assert parts(asked) == [f"{said} What does that stand for?", f"{said} What will I be charged?"]


def test_statements_too_long_for_a_query_stay_with_the_whole_question_alone() -> None:
    assert parts(f"{'It rained. ' * 40} Is the probe wet? Is the gauge on?") == ["Is the probe wet?", "Is the gauge on?"]


def test_of_statements_alone_the_last_one_is_the_question() -> None:
    said = "I have two devices."
    assert parts(f"{said} Compare the AQ-210 with the NL-110.") == [f"{said} The AQ-210?", f"{said} The NL-110?"]


def test_a_sentence_that_is_too_long_for_a_question_stays_whole() -> None:
    asked = f"Can I return this {'very ' * (LONGEST // 5)}thing and change my address?"
    assert parts(asked) == []
    assert parts(f"{asked} Is it white?") == [asked, "Is it white?"]


def test_the_whole_question_comes_first_with_a_note_and_other_queries_last() -> None:
    whole, other = Query("Can I return this and change my address?", hypothetical="h", notes=("n",)), Query("o", hypothetical="p")
    assert Decomposition().transform(question(), [whole, other]) == [
        Query(whole.text, hypothetical="h", notes=("n", "subqueries: 2 by rules")),
        Query("Can I return this?", part=True),
        Query("Can I change my address?", part=True),
        other,
    ]


def test_a_question_of_one_part_stays_as_it_is() -> None:
    assert Decomposition().transform(question(), [Query("What is it?")]) == [Query("What is it?")]


def test_parts_over_the_bound_and_repeated_ones_are_left_out_and_noted() -> None:
    found = Decomposition(2).transform(question(), [Query("Is a probe on? Is a gauge on? Is a Gauge on? Is a ring on?")])
    assert [query.text for query in found[1:]] == ["Is a probe on?", "Is a gauge on?"]
    assert found[0].notes == (
        "subqueries: 2 by rules",
        "subqueries: left out 1 repeated",
        "subqueries: left out 1 over the bound of 2",
    )
