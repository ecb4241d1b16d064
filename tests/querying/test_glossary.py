"""Expansion of queries by the corpus's own glossary."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError
from harness.protocols import QueryTransformer
from harness.querying.glossary import Glossary
from harness.types import Document, Query
from tests.builders import document, question
from tests.contracts.query_step import QueryStepContract

GLOSSARY = document(
    "glossary.md", "- MTBF: mean time between failures\n- SLA: service level agreement\n- CAN: controller area network\n"
)
MANUAL = document("manual.md", "You can replace the cell. The mean time between failures (MTBF) is 9 years.")


def asked(
    text: str, documents: Sequence[Document] = (GLOSSARY, MANUAL), allowed: frozenset[str] | None = None, **fields: object
) -> Query:
    """The query after expansion."""
    step = Glossary(**fields).learn(documents, ())  # type: ignore[arg-type]
    (found,) = step.transform(question(text=text), [Query(text, allowed=allowed)])
    return found


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("What is the MTBF of the AQ-210?", "What is the MTBF (mean time between failures) of the AQ-210?"),
        ("what is the mtbf?", "what is the mtbf (mean time between failures)?"),
        ("Which SLAs are there?", "Which SLAs (service level agreement) are there?"),
        ("Is a mean time between failures promised?", "Is a mean time between failures (MTBF) promised?"),
        ("Is a Mean Time Between Failures promised?", "Is a Mean Time Between Failures (MTBF) promised?"),
        ("MTBF or mean time between failures?", "MTBF or mean time between failures?"),
        ("MTBF, MTBF and MTBF?", "MTBF (mean time between failures), MTBF and MTBF?"),
        ("MTBFはいくつですか", "MTBF (mean time between failures)はいくつですか"),
        ("Does the CAN fail?", "Does the CAN (controller area network) fail?"),
        ("Can it fail? What can I do?", "Can it fail? What can I do?"),
        ("MTBFX and X-MTBF?", "MTBFX and X-MTBF?"),
        ("?", "?"),
        ("", ""),
    ],
)
def test_the_other_wording_stands_beside_the_one_in_the_question(text: str, expanded: str) -> None:
    assert asked(text).text == expanded


def test_notes_say_what_was_added_and_from_where() -> None:
    assert asked("MTBF?").notes == ("glossary: MTBF = mean time between failures, from glossary.md",)
    assert asked("Price?").notes == ()


def test_everything_else_of_a_query_is_kept() -> None:
    query = Query("MTBF?", "a passage", frozenset({"manual.md"}), "north", notes=("before",))
    (found,) = Glossary().learn([MANUAL], ()).transform(question(), [query])
    assert replace(found, text=query.text, notes=query.notes) == query
    assert found.notes[0] == "before"


def test_each_query_is_expanded_and_none_is_added() -> None:
    step = Glossary().learn([GLOSSARY], ())
    found = step.transform(question(), [Query("MTBF?"), Query("Price?"), Query("SLA?")])
    assert [query.text for query in found] == ["MTBF (mean time between failures)?", "Price?", "SLA (service level agreement)?"]


@pytest.mark.parametrize(("most", "added"), [(1, 1), (2, 2), (4, 2)])
def test_expansions_are_bounded(most: int, added: int) -> None:
    assert asked("MTBF and SLA", most=most).text.count("(") == added


SECRET = document(
    "north/secret.md", "MTBF: the merger to be filed (MTBF).\n\nTo be filed merger (TBFM) stays secret.", tenant="north"
)


def test_what_only_another_tenants_document_defines_is_never_said() -> None:
    public = frozenset({"glossary.md", "manual.md"})
    everything = (GLOSSARY, MANUAL, SECRET)
    assert asked("What is TBFM?", everything, public).text == "What is TBFM?"
    assert asked("What is TBFM?", everything, public | {"north/secret.md"}).text == "What is TBFM (To be filed merger)?"
    assert asked("A to be filed merger?", everything, public).text == "A to be filed merger?"


def test_who_sees_nothing_is_told_nothing() -> None:
    assert asked("MTBF?", allowed=frozenset()) == Query("MTBF?", allowed=frozenset())


def test_a_note_names_no_document_that_the_asker_may_not_see() -> None:
    hidden = document("a-secret.md", "The mean time between failures (MTBF).", tenant="north")
    found = asked("MTBF?", (hidden, MANUAL), frozenset({"manual.md"}))
    assert found.notes == ("glossary: MTBF = mean time between failures, from manual.md",)


def test_of_two_meanings_the_one_of_most_visible_documents_is_taken() -> None:
    ours = document("b.md", "preventive maintenance (PM)")
    theirs = [document(f"{name}.md", "particulate matter (PM)") for name in ("c", "d")]
    assert "particulate matter" in asked("PM?", [ours, *theirs]).text
    assert "preventive maintenance" in asked("PM?", [ours, *theirs], frozenset({"b.md"})).text
    assert "particulate matter" in asked("PM?", [ours, theirs[0]]).text


def test_the_order_of_the_documents_changes_nothing() -> None:
    documents = [GLOSSARY, MANUAL, document("b.md", "main transformer bus fault (MTBF)")]
    assert asked("MTBF?", documents) == asked("MTBF?", documents[::-1])


def test_an_ordinary_word_does_not_get_its_abbreviation() -> None:
    defined = [document("a.md", "The European (EUR) level in decibels (dB), the man-in-the-middle (MitM), 平均故障間隔（MTBF）")]
    assert asked("Is the European level in decibels?", defined).notes == ()
    assert asked("What is dB?", defined).text == "What is dB (decibels)?"
    assert asked("Is it a man-in-the-middle attack?", defined).text == "Is it a man-in-the-middle (MitM) attack?"


WORDS = document("words.md", "# Synonyms\n\n- aerial: antenna\n- cell: battery\n- probe: sensor\n")


@pytest.mark.parametrize(("others", "expanded"), [(0, True), (1, True), (2, False), (5, False)])
def test_a_word_that_documents_commonly_use_is_not_expanded(others: int, expanded: bool) -> None:
    used = [document(f"{place}.md", "The aerial is white.") for place in range(others)]
    assert ("antenna" in asked("Which aerial?", [WORDS, *used]).text) is expanded


def test_a_word_is_common_from_a_tenth_of_the_documents_on() -> None:
    plain = [document(f"p{place}.md", "Nothing.") for place in range(36)]
    used = [document(f"{place}.md", "The aerial is white.") for place in range(3)]
    assert "antenna" not in asked("Which aerial?", [WORDS, *used, *plain[:35]]).text
    assert "antenna" in asked("Which aerial?", [WORDS, *used, *plain, document("x.md")]).text


def test_only_documents_that_the_asker_may_see_make_a_word_common() -> None:
    hidden = [document(f"{place}.md", "The aerial is white.", tenant="north") for place in range(5)]
    assert "antenna" in asked("Which aerial?", [WORDS, *hidden], frozenset({"words.md"})).text


def test_a_name_that_is_written_like_an_abbreviation_is_not_expanded() -> None:
    defined = document("a.md", "- MARCH: maritime air rescue chart hub\n- Ah: ampere hour\n")
    held = [defined, document("b.md", "It opens in March.")]
    assert asked("Is it open in March or march?", held).notes == ()
    assert asked("What is MARCH?", held).text == "What is MARCH (maritime air rescue chart hub)?"
    assert asked("How many ah?", held).text == "How many ah (ampere hour)?"


def test_a_part_of_a_longer_word_makes_no_abbreviation_ordinary() -> None:
    defined = document("a.md", "- ONS: optical network system\n")
    assert "optical" in asked("what is ons?", [defined, document("b.md", "The abbreviations.")]).text


def test_the_users_own_synonyms_come_first_and_hold_for_everybody(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("MTBF: [reliability]\naerial: [antenna, feed]\n")
    own = str(tmp_path / "own.yaml")
    assert asked("MTBF?", file=own).text == "MTBF (reliability, mean time between failures)?"
    assert asked("Which aerial?", allowed=frozenset(), file=own).text == "Which aerial (antenna, feed)?"
    assert asked("Which Antenna?", file=own).notes[0] == "glossary: antenna = aerial, from the file of synonyms"


def test_before_it_learned_it_knows_the_users_synonyms(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("aerial,antenna\n")
    found = Glossary(file=str(tmp_path / "own.csv")).transform(question(), [Query("aerial MTBF")])
    assert [query.text for query in found] == ["aerial (antenna) MTBF"]


def test_what_it_learned_of_one_corpus_is_not_kept_for_another() -> None:
    step = Glossary().learn([GLOSSARY], ()).learn([document(text="nothing")], ())
    assert step.transform(question(), [Query("MTBF?")]) == [Query("MTBF?")]


def test_a_wrong_file_is_found_when_the_step_is_made() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml"):
        Glossary(file="nowhere.yaml")


@pytest.mark.parametrize("fields", [{"most": 0}, {"most": 51}, {"longest": 3}])
def test_settings_out_of_range_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Glossary(**fields)  # type: ignore[arg-type]


def test_a_very_long_query_is_expanded_to_its_bound() -> None:
    found = asked("MTBF " * 20_000 + "SLA", most=50)
    assert found.text.startswith("MTBF (mean time between failures) MTBF")
    assert found.text.endswith("SLA (service level agreement)")


class TestGlossaryKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        defined = document(
            "a.md", "# Glossary\n\n- AQ: air quality\n- range: reach\n- how far it reaches (HFIR)\n- IT: information technology\n"
        )
        return Glossary().learn([defined], ())


class TestGlossaryThatLearnedNothingKeepsTheContract(QueryStepContract):
    @pytest.fixture
    def step(self) -> QueryTransformer:
        return Glossary()
