"""Semantic: a cut where neighbouring sentences stop being about the same."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from harness.cache import CachedEmbedder
from harness.chunking.semantic import Semantic
from harness.embedding.bge import BgeSmall
from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import TfidfSvd
from harness.protocols import Vectors
from harness.store import Store
from harness.text import words
from tests.builders import document
from tests.contracts.chunker import ChunkerContract

DIRECTIONS = {"pump": 0.0, "valve": 30.0, "price": 90.0, "euro": 100.0}


@dataclass(frozen=True)
class Compass:
    """Every text points where its first known word does, in degrees."""

    calls: list[Sequence[str]] = field(default_factory=list)
    identity = "compass"

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.calls.append(texts)
        degrees = [next((DIRECTIONS[word] for word in words(text) if word in DIRECTIONS), 45.0) for text in texts]
        return np.array([[np.cos(np.radians(at)), np.sin(np.radians(at))] for at in degrees], dtype=np.float32)

    embed_queries = embed


class TestSemantic(ChunkerContract):
    limit = 24

    @pytest.fixture
    def chunker(self) -> Semantic:
        return Semantic(Hashing(64), threshold=0.2, size=24)


class TestSemanticThatNeverCutsByMeaning(ChunkerContract):
    limit = 5

    @pytest.fixture
    def chunker(self) -> Semantic:
        return Semantic(Hashing(64), threshold=-1, size=5, heading=False)


def _cut(text: str, mime_type: str = "text/markdown", **knobs: float) -> list[str]:
    made = Semantic(Compass(), **knobs).chunk(document(text=text, mime_type=mime_type))  # type: ignore[arg-type]
    return [chunk.text for chunk in made]


def test_sentences_about_the_same_stay_together_and_another_topic_starts_a_chunk() -> None:
    text = "The pump runs. The valve opens. The price is low. The euro is strong."
    assert _cut(text, threshold=0.8) == ["The pump runs. The valve opens.", "The price is low. The euro is strong."]


@pytest.mark.parametrize(
    ("threshold", "chunks"),
    [
        (0.87, ["The valve opens. The pump runs. Now this."]),
        (0.88, ["The valve opens.", "The pump runs.", "Now this."]),
    ],
)
def test_the_cosine_with_the_mean_of_the_chunk_so_far_decides(threshold: float, chunks: list[str]) -> None:
    # 30 and 0 degrees: cosine 0.866. Their mean points to 15 degrees: 45 is 30 degrees away from it, 0.866 again.
    assert _cut("The valve opens. The pump runs. Now this.", threshold=threshold - 0.01) == chunks


def test_a_chunk_never_exceeds_its_size_however_alike_its_sentences_are() -> None:
    assert _cut("The pump runs. The pump stops. The pump rests.", threshold=0, size=8) == [
        "The pump runs. The pump stops.",
        "The pump rests.",
    ]


def test_a_heading_starts_a_chunk_and_is_not_left_alone() -> None:
    text = "# One\n\nThe pump runs.\n\n## Two\n\nThe pump stops."
    assert _cut(text, threshold=0) == ["# One\n\nThe pump runs.", "## Two\n\nThe pump stops."]


def test_small_sections_are_not_merged() -> None:
    text = "### One\n\nThe pump.\n\n### Two\n\nThe pump."
    assert _cut(text, threshold=0) == ["### One\n\nThe pump.", "### Two\n\nThe pump."]


@pytest.mark.parametrize(
    "block",
    [
        "```\npump = 1\n\n# price\nprice = 2\n```",
        "| pump | price |\n| --- | --- |\n| 1 | 2 |\n| price | euro |",
        "- The pump runs. The price is low.\n  The euro is strong.",
    ],
)
def test_a_fence_a_table_and_a_list_item_are_never_cut(block: str) -> None:
    assert any(block in chunk for chunk in _cut(f"The pump runs.\n\n{block}\n\nThe price is low.", threshold=0.99))


def test_sentences_without_words_stay_with_what_stands_before_them() -> None:
    assert _cut("The pump runs.\n\n***\n\nThe price is low.", threshold=0.8) == ["The pump runs.\n\n***", "The price is low."]
    assert _cut("🙂 !!!", threshold=0.8) == ["🙂 !!!"]


def test_a_document_is_embedded_in_one_call_and_only_what_has_words() -> None:
    compass = Compass()
    Semantic(compass).chunk(document(text="# A\n\nOne pump.\n\n***\n\n# B\n\nTwo.", mime_type="text/markdown"))
    assert compass.calls == [["# A\n\nOne pump.", "# B\n\nTwo."]]


def test_a_change_in_one_paragraph_moves_no_cut_in_another_section() -> None:
    text = "# A\n\nThe pump. The price.\n\n# B\n\nThe valve. The euro."
    before, after = _cut(text, threshold=0.8), _cut(text.replace("The pump. The", "The euro. A"), threshold=0.8)
    assert before[-2:] == after[-2:] == ["# B\n\nThe valve.", "The euro."]


def test_a_text_without_an_outline_is_one_section() -> None:
    text = "# The pump runs.\n\nThe valve opens.\n\nThe price is low."
    assert _cut(text, "text/plain", threshold=0.8) == ["# The pump runs.\n\nThe valve opens.", "The price is low."]


def test_a_chunk_names_its_section_and_kind() -> None:
    text = "# Care\n\n## Parts\n\n- the pump\n- the valve\n"
    (chunk,) = Semantic(Compass(), threshold=0).chunk(document(text=text, mime_type="text/markdown"))
    assert (chunk.section_path, chunk.kind) == (("Care", "Parts"), "list")


@pytest.mark.parametrize(("name", "value"), [("threshold", 1.1), ("threshold", -1.1), ("size", 0), ("percentile", 95)])
def test_a_bad_value_is_an_error_that_names_the_field(name: str, value: float) -> None:
    with pytest.raises(ValidationError, match=name):
        Semantic(Compass(), **{name: value})  # type: ignore[arg-type]


def test_an_embedder_that_must_learn_first_is_refused_with_two_that_need_not() -> None:
    with pytest.raises(ValidationError, match=r"embedder\n.*must learn from the chunks .*chunker\.embedder=bge_small") as caught:
        Semantic(embedder=TfidfSvd())
    assert "hashing" in str(caught.value)
    assert Semantic(TfidfSvd().fit(["The pump runs.", "The valve opens."])).threshold == 0.5


def test_a_cache_is_what_it_holds(tmp_path: Path) -> None:
    store = Store(tmp_path / "s.sqlite")
    assert isinstance(Semantic(CachedEmbedder(Hashing(64), store)).embedder, CachedEmbedder)
    with pytest.raises(ValidationError, match="must learn"):
        Semantic(CachedEmbedder(TfidfSvd(), store))


@pytest.mark.parametrize("given", ["hashing", 3, None, Hashing, {"dimension": 64}], ids=repr)
def test_what_is_no_embedder_is_refused_with_how_one_is_chosen(given: object) -> None:
    with pytest.raises(ValidationError, match=r"embedder\n.*`- override /embedder@chunker\.embedder: (hashing|NAME)`"):
        Semantic(embedder=given)  # type: ignore[arg-type]


@pytest.mark.models
def test_the_packaged_model_tells_two_topics_apart() -> None:
    pump = "The pump moves water through the filter. The filter of the pump must be cleaned with water."
    bill = "The invoice is due within thirty days. Whoever pays an invoice late owes interest."
    made = Semantic(BgeSmall(), threshold=0.7).chunk(document(text=f"{pump} {bill}"))
    assert [chunk.text for chunk in made] == [pump, bill]
