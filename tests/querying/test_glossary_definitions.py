"""Definitions in lists, tables and glossaries, against documents read by hand."""

import pytest

from harness.querying.glossary_definitions import definitions
from tests.builders import document

MTBF = ("MTBF", "mean time between failures")
THREE = "- aerial: antenna\n- cell: battery\n- probe: sensor"
LISTED = [
    ("- MTBF: mean time between failures", [MTBF]),
    ("* **MTBF**: mean time between failures", [MTBF]),
    ("+ **MTBF:** mean time between failures, a figure and no promise.", [MTBF]),
    ("MTBF = mean time between failures", [MTBF]),
    ("MTBF – mean time between failures; see annex 2", [MTBF]),
    ("`MTBF` - mean time between failures (a figure)", [MTBF]),
    ("- QF: quality flag of a reading; see the page on error codes.", [("QF", "quality flag")]),
    ("- ISM: industrial, scientific and medical; a band that is free", [("ISM", "industrial, scientific and medical")]),
    ("- UTC: coordinated universal time, used in all readings", [("UTC", "coordinated universal time")]),
    ("- MTBF：平均故障間隔。保証ではない", [("MTBF", "平均故障間隔")]),
    ("- MTBF: متوسط الوقت بين الأعطال، رقم", [("MTBF", "متوسط الوقت بين الأعطال")]),
    ("MTBF\n: mean time between failures", [MTBF]),
    ("MTBF\n    mean time between failures", [MTBF]),
    ("- aerial: antenna", []),
    ("- aerial: antenna\n- cell: battery", []),
    (THREE, [("aerial", "antenna"), ("cell", "battery"), ("probe", "sensor")]),
    (THREE.replace("\n", "\n\n"), [("aerial", "antenna"), ("cell", "battery"), ("probe", "sensor")]),
    (THREE.replace("\n", "\n\n# More\n\n"), []),
    (THREE.replace("- ", ""), []),
    ("aerial\n: antenna\ncell\n: battery\nprobe\n: sensor", [("aerial", "antenna"), ("cell", "battery"), ("probe", "sensor")]),
    ("- Gateway Hub: base station\n- iGate: repeater", [("Gateway Hub", "base station"), ("iGate", "repeater")]),
    ("- Gateway: base station", []),
    ("- commissioning: the first start of a device on its site", []),
    ("| MTBF | mean time between failures |", []),
    ("| A | B |\n|---|---|\n| MTBF | mean time between failures |", [MTBF]),
    ("- MTBF:", []),
    ("- MTBF: MTBF", []),
    (": nothing above", []),
    ("", []),
]
ELSEWHERE = [
    ("- MTBF: mean time between failures, a figure", [MTBF]),
    ("- UTC: coordinated universal time", []),
    ("- GET: gives everything that is there.", []),
    ("- NOTE: do not open the case", []),
    ("- CO2: 400 ppm", []),
    ("- Weight: 2 kg", []),
    ("- aerial: antenna", []),
    ("MTBF\n    mean time between failures", []),
    ("| Name | Value |\n|---|---|\n| MTBF | mean time between failures |", []),
    ("| Term | Meaning |\n|---|---|\n| MTBF | mean time between failures |\n| aerial | antenna |", [MTBF]),
    (
        "| Term | Meaning |\n|---|---|\n| MTBF | mean time between failures |\n| aerial | antenna |\n| cell | battery |",
        [MTBF, ("aerial", "antenna"), ("cell", "battery")],
    ),
    ("| No | Meaning | **Abbreviation** |\n|--|:-:|--|\n| 1 | mean time between failures | MTBF |", [MTBF]),
    ("| Term | Meaning |\n|---|---|\n| MTBF |\n\n| MTBF | mean time between failures |", []),
    ("# Abbreviations\n\n## Units\n\n- UTC: coordinated universal time", [("UTC", "coordinated universal time")]),
    ("# Abbreviations\n\n# Times\n\n- UTC: coordinated universal time", []),
    ("## Abkürzungen\n\n- LKW: Lastkraftwagen", [("LKW", "Lastkraftwagen")]),
    (
        "## 用語集\n\n- 子機：センサー\n- 親機：中継器\n- 電池：セル",
        [("子機", "センサー"), ("親機", "中継器"), ("電池", "セル")],
    ),
]


CODE = [
    "---\nid: terminology\ntitle: Terminology\nRTC: real time clock\n---\n",
    "```yaml\nuser:\n  name: James Bond\n  age: 7\n  RTC: real time clock\n```\n",
    "~~~~\nRTC: real time clock\n~~~\nRTC: real time clock\n~~~~\n",
    "Text.\n\n    RTC: real time clock\n\n    RTC = real time clock\n\n",
    "- See:\n  ```yaml\n  RTC: real time clock\n  ```\n",
    "```\na real time clock (RTC)\n```\n",
    "API_KEY: secret of yours\nLOG_LEVEL = warnings alone\n",
    "name: str\nage: int\ncfg = compose(config_name)\nbond: james_bond\n",
    "- name: James Bond\n- age: 7\n- title: config.yaml\n",
    "- mode: str\n- count: int\n- width: 2.5 mm\n- speed: 400\n- state: none\n- place: see\n- part: an_id\n- site: a=b\n",
    "- NOTE: do not open the case\n- TIP: ask before\n- WARNING: high voltage\n",
    "In the examples below, `key=value` is an override:\n",
    "Config files are form of [YAML](https://yaml.org/) format\n",
    "Run `nox -s NAME` (you may need to quote the session name in some cases), as Jimmy Lin (@lintool) did.\n",
]


@pytest.mark.parametrize("text", CODE)
def test_code_settings_and_asides_define_nothing_even_in_a_glossary(text: str) -> None:
    assert list(definitions(document("glossary.md", f"{text}\nMTBF: mean time between failures"))) == [MTBF]


def test_a_rule_above_the_text_is_no_front_matter() -> None:
    assert list(definitions(document("glossary.md", "---\nSome words.\n\n- MTBF: mean time between failures\n\n---\n"))) == [MTBF]


def test_a_fence_that_is_never_closed_hides_the_rest() -> None:
    assert list(definitions(document("glossary.md", "```\n- MTBF: mean time between failures"))) == []


@pytest.mark.parametrize("title", ["Glossy paper", "A hypersynonymous index", "How to sign", "Terminological questions"])
def test_a_title_that_only_resembles_a_glossary_makes_none(title: str) -> None:
    assert list(definitions(document("a.md", "- UTC: coordinated universal time", title=title))) == []


@pytest.mark.parametrize(("text", "pairs"), LISTED)
def test_what_a_glossary_defines(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(definitions(document("help/glossary.md", text))) == pairs


@pytest.mark.parametrize(("text", "pairs"), ELSEWHERE)
def test_what_another_document_defines(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(definitions(document("help/start.md", text))) == pairs


@pytest.mark.parametrize(
    "fields", [{"title": "Glossaire"}, {"doc_id": "docs/list_of_abbreviations.md"}, {"title": "شرح المصطلحات"}]
)
def test_a_title_or_a_file_name_makes_a_glossary(fields: dict[str, str]) -> None:
    item = document(**{"doc_id": "a.md", "text": "- UTC: coordinated universal time", **fields})
    assert list(definitions(item)) == [("UTC", "coordinated universal time")]


@pytest.mark.parametrize(
    "text", ["term;meaning\nMTBF;mean time between failures", 'Term,Meaning\nMTBF,"mean time between failures, a figure"']
)
def test_a_csv_file_whose_header_names_terms_is_a_glossary(text: str) -> None:
    assert list(definitions(document("a.csv", text, mime_type="text/csv"))) == [MTBF]


def test_a_csv_file_of_prices_is_none() -> None:
    assert list(definitions(document("a.csv", "part,price\nMTBF,mean time between failures", mime_type="text/csv"))) == []


def test_an_empty_csv_file_defines_nothing() -> None:
    assert list(definitions(document("a.csv", "", mime_type="text/csv"))) == []


def test_brackets_and_lists_of_one_document_are_both_read() -> None:
    text = "A role-based access control (RBAC).\n\n- MTBF: mean time between failures"
    assert list(definitions(document(text=text))) == [("RBAC", "role-based access control"), MTBF]


@pytest.mark.parametrize(
    "hostile",
    [
        "| " * 500_000,
        "|a" * 500_000,
        "x" * 1_000_000,
        "- " * 500_000,
        "A: " * 330_000,
        "a =\n" * 250_000,
        "# " * 500_000,
        "``` \n```\n" * 100_000,
        "- a: b\n" * 150_000,
        "    a: b\n" * 100_000,
        "a\n: b\n" * 150_000,
        " " * 1_000_000,
    ],
)
def test_a_megabyte_of_marks_is_read_to_its_end(hostile: str) -> None:
    text = f"{hostile}\n\n- MTBF: mean time between failures"
    assert list(definitions(document("glossary.md", text)))[-1] == MTBF
