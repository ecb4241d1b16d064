"""Two tiers: a summary finds a section, the section is shown."""

import pytest
from pydantic import ValidationError

from harness.chunking.markdown import Markdown
from harness.chunking.summary import central, rarity
from harness.chunking.two_tier import TwoTier
from harness.types import Chunk
from tests.builders import document
from tests.contracts.chunker import ChunkerContract, own


class TestTwoTier(ChunkerContract):
    limit = 24 + 7

    @pytest.fixture
    def chunker(self) -> TwoTier:
        return TwoTier(sentences=1, size=24, overlap=0.3)


class TestTwoTierWithoutHeadings(ChunkerContract):
    limit = 6

    @pytest.fixture
    def chunker(self) -> TwoTier:
        return TwoTier(sentences=3, size=6, overlap=0, heading=False)


CARE = "# Care\n\nThe filter lasts long. Clean the filter often. Call us. The filter lasts six months.\n"


def _made(text: str, title: str = "", **knobs: float) -> tuple[Chunk, ...]:
    made = TwoTier(**knobs).chunk(document(text=text, mime_type="text/markdown", title=title))  # type: ignore[arg-type]
    return tuple(made)


def _summaries(text: str, **knobs: float) -> list[str]:
    return [chunk.search_text for chunk in _made(text, **knobs) if chunk.parent]


def test_a_summary_leads_to_its_whole_section() -> None:
    section, summary = _made(CARE)
    assert (section.text, section.kind) == (CARE.rstrip(), "prose")
    assert (summary.kind, summary.parent, summary.search_text) == (
        "summary",
        section.chunk_id,
        "The filter lasts long. The filter lasts six months.",
    )


def test_section_and_summary_are_both_searched() -> None:
    assert [chunk.searched for chunk in _made(CARE)] == [True, True]


def test_a_summary_is_indexed_below_its_heading_path() -> None:
    assert _made(CARE, title="Manual", sentences=1)[1].indexed_text == "Manual > Care\nThe filter lasts long."
    assert _made(CARE, title="Manual", sentences=1, heading=False)[1].indexed_text == "The filter lasts long."


def test_the_sections_are_those_of_the_markdown_chunker() -> None:
    text = "".join(f"# Part {part}\n\n" + "The filter lasts long. Clean it often. Call us.\n\n" * part for part in range(1, 9))
    sections = Markdown(size=64, overlap=0.15).chunk(document(text=text, mime_type="text/markdown"))
    assert [chunk.text for chunk in own(_made(text, size=64))] == [chunk.text for chunk in sections]


def test_each_part_of_a_long_section_has_a_summary_of_its_own() -> None:
    text = "# Care\n\nOne filter. Two filters. Three pumps.\n\nFour valves. Five valves. Six seals.\n"
    made = _made(text, sentences=1, size=12, overlap=0)
    shown = {chunk.chunk_id: chunk for chunk in own(made)}
    led = [(child.search_text, shown[child.parent].text.split()[-1]) for child in made if child.parent]
    assert led == [("One filter.", "pumps."), ("Four valves.", "seals.")]


def test_a_section_no_longer_than_its_summary_has_none() -> None:
    assert _summaries("# Care\n\nThe filter lasts long. Call us.") == []


def test_the_summary_keeps_the_order_of_the_text() -> None:
    text = "# A\n\nCall us. The pump moves water. Write. The pump cleans water."
    assert _summaries(text) == ["The pump moves water. The pump cleans water."]


def test_headings_and_listings_are_no_sentences_of_a_summary() -> None:
    text = "# Filter filter\n\nFilter it.\n\n```\nfilter filter filter\n```\n\nCall us. Filter now."
    assert _summaries(text) == ["Filter it. Filter now."]


TABLE = "| Part | Price |\n| --- | --- |\n| Pump | 19 EUR |\n| Seal | |\n| Valve | 2 EUR |\n"


def test_a_summary_prefers_sentences_to_rows() -> None:
    assert _summaries(f"# Parts\n\nPrices are in euros.\n\n{TABLE}\nPart and price.") == ["Prices are in euros. Part and price."]
    assert _summaries(f"# Parts\n\nPrices are in euros.\n\n{TABLE}") == ["Prices are in euros."]


def test_rows_are_in_a_summary_with_their_columns_where_there_is_no_sentence() -> None:
    assert _summaries(f"# Parts\n\n{TABLE}", sentences=2) == ["Part: Pump, Price: 19 EUR; Part: Valve, Price: 2 EUR"]
    _, summary = TwoTier(sentences=1).chunk(document(text='part;note\npump;"a; b"\nseal;x\n', mime_type="text/csv"))
    assert summary.search_text == "part: pump, note: a; b"


def test_a_section_of_no_more_rows_than_its_summary_has_none() -> None:
    assert _summaries(f"# Parts\n\n{TABLE}", sentences=3) == []


def test_list_items_can_be_in_a_summary() -> None:
    assert _summaries("# A\n\n- red pump\n- blue pump\n- seal", sentences=2) == ["- red pump - blue pump"]


def test_the_most_central_sentence_shares_the_most_weight_with_all_others() -> None:
    # df: pump 3, red 2, and 1 of the others; of the stop words none. idf = log(1 + 4 / df).
    texts = ["The red pump", "A red pump is loud", "pump", "seal"]
    idf = rarity(texts)
    assert {word: round(value, 3) for word, value in idf.items()} == {
        "pump": 0.847,
        "red": 1.099,
        "loud": 1.609,
        "seal": 1.609,
    }
    # Sums of cosines with all four: 2.264, 2.052, 2.010, 1.
    assert [central(texts, idf, most) for most in (1, 2, 3, 9)] == [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]


def test_of_equally_central_sentences_the_earlier_is_taken() -> None:
    texts = ["red pump", "red pump", "red pump"]
    assert central(texts, rarity(texts), 2) == [0, 1]


def test_sentences_of_stop_words_alone_are_the_last_choice() -> None:
    texts = ["It is.", "The pump.", "The seal."]
    assert central(texts, rarity(texts), 2) == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "# Pflege\n\nDer Filter hält lange. Rufen Sie an. Der Filter hält sechs Monate.",
        "# 手入れ\n\nフィルターは長持ちします。電話してください。フィルターは六か月もちます。",
        "# Уход\n\nФильтр служит долго. Звоните нам. Фильтр служит шесть месяцев.",
    ],
)
def test_a_summary_is_drawn_from_texts_in_other_scripts(text: str) -> None:
    (summary,) = _summaries(text, sentences=1)
    assert summary in text
    assert summary not in ("Rufen Sie an.", "電話してください。", "Звоните нам.")


@pytest.mark.parametrize(("name", "value"), [("sentences", 0), ("size", 0), ("overlap", 0.6), ("summary", 1)])
def test_a_bad_value_is_an_error_that_names_the_field(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        TwoTier(**{name: value})  # type: ignore[arg-type]
