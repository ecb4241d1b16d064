import numpy as np
import pytest
from pydantic import ValidationError

from harness.embedding.bge import BgeSmall
from harness.errors import ConfigError
from harness.local_models import locate
from tests.contracts.embedder import TEXTS, EmbedderContract

pytestmark = pytest.mark.models
PREFIX = "Represent this sentence for searching relevant passages: "


@pytest.fixture(scope="module")
def bge() -> BgeSmall:
    return BgeSmall()


class TestBgeSmall(EmbedderContract):
    @pytest.fixture
    def embedder(self, bge: BgeSmall) -> BgeSmall:
        return bge


def test_it_is_version_1_5_within_the_noise_of_int8(bge: BgeSmall) -> None:
    """Against the canonical float values that fastembed's own tests hold."""
    assert bge.embed(["hello world"])[0, :5] == pytest.approx([0.0152, -0.0227, 0.0086, -0.0742, 0.0039], abs=0.006)


def test_meaning_counts_and_not_only_words(bge: BgeSmall) -> None:
    query = bge.embed_queries(["How long do I wait for my money back?"])[0]
    refund, lunch = bge.embed(["Refunds are paid within 14 days.", "How long is the lunch break?"])
    assert query @ refund > query @ lunch


def test_the_prefix_stands_before_queries_only(bge: BgeSmall) -> None:
    assert np.array_equal(bge.embed_queries(["pump"]), bge.embed([PREFIX + "pump"]))
    assert np.array_equal(BgeSmall(query_prefix="").embed_queries(["pump"]), bge.embed(["pump"]))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_changes_no_bit(bge: BgeSmall, threads: int) -> None:
    texts = [f"{text} {number}" for number in range(5) for text in TEXTS]
    assert np.array_equal(BgeSmall(threads=threads).embed(texts), bge.embed(texts))


def test_threads_are_no_part_of_the_identity_and_the_prefix_is(bge: BgeSmall) -> None:
    assert BgeSmall(threads=7).identity == bge.identity
    assert BgeSmall(query_prefix="query: ").identity != bge.identity


def test_the_end_of_a_long_text_is_not_cut(bge: BgeSmall) -> None:
    """1,500 filler words, then the one sentence that the query asks for."""
    filler = "The weather was mild and nobody complained. " * 200
    without, with_end = bge.embed([filler, filler + "The reactor pressure is 155 bar. " * 20])
    query = bge.embed_queries(["reactor pressure"])[0]
    assert query @ with_end > query @ without + 0.02


def test_a_long_text_is_the_mean_of_its_windows(bge: BgeSmall) -> None:
    """`cat` and `dog` are one word piece each: 510 + 446 pieces are two windows that share 64."""
    first, second = ["cat"] * 510, ["cat"] * 64 + ["dog"] * 446
    parts = bge.embed([" ".join(first), " ".join(second)])
    whole = bge.embed([" ".join(first + ["dog"] * 446)])[0]
    mean = parts.mean(axis=0)
    assert whole == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


def test_a_folder_with_the_same_files_is_the_same_model(bge: BgeSmall) -> None:
    folder = locate("bge_small").model.parent
    assert BgeSmall(directory=str(folder)).identity == bge.identity
    assert np.array_equal(BgeSmall(directory=str(folder)).embed(TEXTS[:1]), bge.embed(TEXTS[:1]))


def test_a_model_of_another_kind_is_an_error() -> None:
    """The cross-encoder's graph gives one logit, not a vector per word piece."""
    folder = locate("ms_marco_minilm").model.parent
    with pytest.raises(ConfigError, match=r"shape \(1, 1\).*directory"):
        BgeSmall(directory=str(folder)).embed(["pump"])


@pytest.mark.parametrize("threads", [0, -1, "two"])
def test_a_bad_number_of_threads_names_the_field(threads: object) -> None:
    with pytest.raises(ValidationError, match="threads"):
        BgeSmall(threads=threads)  # type: ignore[arg-type]
