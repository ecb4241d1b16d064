"""What identifiers and summary questions look like, against questions read by hand."""

import pytest

from harness.querying.route_patterns import asks_for_summary, identifiers_in

HELD = [
    ("What is FH-5331-B, and which product does it fit?", ["FH-5331-B"]),
    ("What does E-77 mean?", ["E-77"]),
    ("Was bedeutet die Meldung K-47?", ["K-47"]),
    ("ماذا يعني الرمز M-15؟", ["M-15"]),
    ("エラーE-77とは", ["E-77"]),
    ("error E404 again", ["E404"]),
    ("Welche Störung ist F07?", []),
    ("die Störung F07", ["F07"]),
    ("Is AB-1234 in stock?", ["AB-1234"]),
    ("the drive X20381B", ["X20381B"]),
    ("Does ERR-12 stop it?", ["ERR-12"]),
    ("Is it hit by CVE-2024-3094?", ["CVE-2024-3094"]),
    ("Does ISO 9001 hold?", ["ISO 9001"]),
    ("What changed in v2.4?", ["v2.4"]),
    ("What changed in v2.4.1, of 24.12.2025?", ["v2.4.1"]),
    ("What changed in 2.4.1-rc1?", ["2.4.1-rc1"]),
    ("What changed in version 2.4.1?", ["2.4.1"]),
    ("Where does config.yaml lie?", ["config.yaml"]),
    ("Open error_log-2.txt now", ["error_log-2.txt"]),
    ("the delivery dl-7f20c9", ["dl-7f20c9"]),
    ("job 123e4567-e89b-12d3-a456-426614174000 failed", ["123e4567-e89b-12d3-a456-426614174000"]),
    ("FY2024: E-77 or FH-5331-B?", ["E-77", "FH-5331-B"]),
]
NUMBERS = [
    *(
        "on 24.12.2025",
        "am 1.2.2026",
        "2025.12.24",
        "version 24.12.2025",
        "2025-12-24",
        "12/24/2025",
        "DEC-24-2025",
        "24-DEC-2025",
    ),
    *("sales of FY2024", "FY-2024", "EURO2024", "Q3-2024", "in 2024", "the 1990s"),
    *("vitamin B12", "on the M25", "an A380", "an A4 sheet", "the B-side", "T20 cricket", "G20"),
    *("see 3.2.1", "section 3.2.1", "3.2.1 Scope", "§ 3.2.1", "Kapitel 3.2.1", "chapter 3.2.1.4", "a 2.4.1 release"),
    *("call 0800.123.456", "0800-123-4567", "+49 170 1234567", "1-800-555-0199", "at 192.168.0.1"),
    *("Node.js or Vue.js", "node.js"),
]
HELD_NOT = [
    *(
        "How far apart must two SM-60 probes be?",
        "Is the AQ-210 white?",
        "How long is 2.4 m?",
        "In 2024?",
        "It costs 19.50 euros",
    ),
    *(
        "e.g. a lamp",
        "What about refunds?",
        "the X-ray of A-team",
        "well-known co-op",
        "USB-C or USB-A",
        "",
        "?",
        "平均故障間隔は",
    ),
]
BROAD = [
    ("Summarise the returns policy.", "Summarise"),
    ("Give me a summary", "summary"),
    ("Can I have a brief overview of the SDK?", "overview"),
    ("What is the guide about?", "What is the guide about"),
    ("What does chapter 3 cover?", "What does chapter 3 cover"),
    ("What are the main points of the contract?", "main points"),
    ("Fasse den Vertrag zusammen", "Fasse den Vertrag zusammen"),
    ("Worum geht es im Vertrag?", "Worum geht"),
    ("Résumez le contrat", "Résumez"),
    ("契約の概要は", "概要"),
    ("لخص العقد", "لخص"),
]
DETAILED = [
    *("What is the price?", "What should I do about E-71?", "Is the overviewer running?", "Does the insurance cover hail?"),
    *("How long is the presumarised text?", "What does it cost?", "", "?"),
]


@pytest.mark.parametrize(("text", "identifiers"), HELD)
def test_identifiers_are_found_in_their_order(text: str, identifiers: list[str]) -> None:
    assert identifiers_in(text) == identifiers


@pytest.mark.parametrize("text", HELD_NOT)
def test_what_is_no_identifier_is_none(text: str) -> None:
    assert identifiers_in(text) == []


@pytest.mark.parametrize("text", NUMBERS)
def test_dates_sections_phone_numbers_and_ordinary_names_are_no_identifiers(text: str) -> None:
    assert identifiers_in(f"What about {text}?") == []


@pytest.mark.parametrize(("text", "words"), BROAD)
def test_a_question_for_a_summary_is_told_by_its_words(text: str, words: str) -> None:
    assert asks_for_summary(text) == words


@pytest.mark.parametrize("text", DETAILED)
def test_a_question_for_a_detail_asks_for_no_summary(text: str) -> None:
    assert asks_for_summary(text) == ""


@pytest.mark.parametrize("piece", ["A-", "1,", "a-1", "what is ", "fass ", "_", "E", "0-"])
def test_a_megabyte_of_pieces_holds_neither(piece: str) -> None:
    text = piece * 300_000
    assert (identifiers_in(text), asks_for_summary(text)) == ([], "")
