"""Abbreviations explained in brackets, against sentences read by hand."""

import pytest

from harness.querying.glossary_abbreviations import explained, is_short, long_form

EXPLAINED = [
    ("The mean time between failures (MTBF) is 9 years.", [("MTBF", "mean time between failures")]),
    ("The MTBF (mean time between failures) is 9 years.", [("MTBF", "mean time between failures")]),
    ("The MTBF (the mean time between failures) is 9 years.", [("MTBF", "mean time between failures")]),
    ("a **service level agreement** (**SLA**)", [("SLA", "service level agreement")]),
    ("a service level agreement (“SLA”, see annex 2)", [("SLA", "service level agreement")]),
    ("its vapour pressure\ndeficit (VPD)", [("VPD", "vapour pressure deficit")]),
    ("role-based access control (RBAC)", [("RBAC", "role-based access control")]),
    ("It failed. Mean time between failures (MTBF)", [("MTBF", "Mean time between failures")]),
    (
        "safety extra-low voltage (SELV) and power over Ethernet (PoE)",
        [("SELV", "safety extra-low voltage"), ("PoE", "power over Ethernet")],
    ),
    ("level in decibels (dB)", [("dB", "decibels")]),
    ("level in watts (dB)", []),
    ("the kilowatt hour (kWh)", [("kWh", "kilowatt hour")]),
    ("heat shock transcription factor (HSF)", [("HSF", "heat shock transcription factor")]),
    ("среднее время между отказами (СВМО)", [("СВМО", "среднее время между отказами")]),
    ("μέσος χρόνος μεταξύ βλαβών（ΜΧΜΒ）", [("ΜΧΜΒ", "μέσος χρόνος μεταξύ βλαβών")]),
    ("mean time (between failures (MTBF", []),
    ("the sensor (see below) and the lamp (red)", []),
    ("The table (FH-4410) and chapter 3 (2024)", []),
    ("Store it (IMPORTANT) upright", []),
    ("call POST (Promise<ExportState> { let state = 1 })", []),
    (
        "Organization of Arab Petroleum Exporting Countries (OAPEC)",
        [("OAPEC", "Organization of Arab Petroleum Exporting Countries")],
    ),
    (
        "the Treaty on the Functioning of the European Union (TFEU)",
        [("TFEU", "Treaty on the Functioning of the European Union")],
    ),
    ("To be filed merger (TBFM)", [("TBFM", "To be filed merger")]),
    ("World War II (in infantry)", []),
    ("the Upstroke '' Proto Kingdom (UPK)", []),
    ("quote NAME (the session name in some cases)", []),
    ("Jimmy Lin (@lintool) wrote", []),
    ("the folder AB (see /abc/about)", []),
    ("between failures. (MTBF)", []),
    ("mean time. Between failures (MTBF)", []),
    ("()(())((()))", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "pairs"), EXPLAINED)
def test_what_a_sentence_explains_in_brackets(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(explained(text)) == pairs


@pytest.mark.parametrize(
    ("text", "it_is"),
    [
        *((short, True) for short in ("MTBF", "PM2.5", "PoE", "dB", "pH", "O&M", "HQ100", "IP 67", "ДНК")),
        *(
            (other, False)
            for other in (
                "Note",
                "mtbf",
                "A",
                "A.",
                "H-",
                "II",
                "IV",
                "XIX",
                "see below",
                "INSTRUCTIONS FOR",
                "A B C",
                "(A",
                "",
                "平均",
            )
        ),
    ],
)
def test_what_can_be_a_short_form(text: str, it_is: bool) -> None:
    assert is_short(text) is it_is


def test_the_first_letter_starts_a_word_and_the_others_may_stand_anywhere() -> None:
    assert long_form("HTML", "in hypertext markup language") == "hypertext markup language"
    assert long_form("EC", "the selectric") == ""


def test_a_long_form_has_no_more_words_than_the_letters_allow() -> None:
    assert list(explained("a b c d e f g h i j (AJ)")) == []


def test_a_short_form_does_not_explain_itself() -> None:
    assert list(explained("the SLA SLA (SLA)")) == []


@pytest.mark.parametrize(
    "hostile", ["(" * 1_000_000, "(A" * 500_000, "a(AB)" * 200_000, "(" + "x " * 500_000, "word " * 200_000 + "(WORD)"]
)
def test_a_megabyte_of_brackets_is_read_to_its_end(hostile: str) -> None:
    assert list(explained(f"{hostile} . mean time between failures (MTBF)"))[-1] == ("MTBF", "mean time between failures")
