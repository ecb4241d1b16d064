from math import log
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.local_models import locate
from harness.reranking.cross_encoder import CrossEncoder, _sigmoid
from tests.contracts.reranker import BERLIN, PARIS, QUERY, ScoringRerankerContract

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def cross_encoder() -> CrossEncoder:
    return CrossEncoder()


class TestCrossEncoder(ScoringRerankerContract):
    @pytest.fixture
    def reranker(self, cross_encoder: CrossEncoder) -> CrossEncoder:
        return cross_encoder


def logit(score: float) -> float:
    return log(score / (1 - score))


def test_it_scores_like_the_published_float_model(cross_encoder: CrossEncoder) -> None:
    """The float original gives 9.33 and -2.04; de-quantised weights 9.14 and -2.05."""
    paris, berlin = cross_encoder.scores(QUERY.text, [PARIS.text, BERLIN.text])
    assert logit(paris) == pytest.approx(9.14, abs=0.02)
    assert logit(berlin) == pytest.approx(-2.05, abs=0.02)


def test_the_answer_at_the_end_of_a_long_passage_is_found(cross_encoder: CrossEncoder) -> None:
    filler = "The weather was mild and nobody complained about it. " * 120
    without, with_end = cross_encoder.scores(QUERY.text, [filler, filler + PARIS.text * 20])
    assert without < 0.001
    assert with_end > 0.5


def test_a_long_passage_scores_as_its_best_window(cross_encoder: CrossEncoder) -> None:
    """`cat` is one piece and the query `dog` too, so a window holds 508 pieces of the passage."""
    head, tail = ["cat"] * 508, ["cat"] * 408 + ["dog"] * 100
    first, second = cross_encoder.scores("dog", [" ".join(head), " ".join(tail)])
    (whole,) = cross_encoder.scores("dog", [" ".join(head + ["cat"] * 344 + ["dog"] * 100)])
    assert whole == max(first, second)


def test_a_query_that_fills_half_of_the_pieces_is_read_in_windows_too(cross_encoder: CrossEncoder) -> None:
    """A window holds 254 pieces of the query; 444 are two windows that share 64."""
    head, tail = ["cat"] * 254, ["cat"] * 64 + ["capital"] * 190
    parts = [cross_encoder.scores(" ".join(window), [PARIS.text])[0] for window in (head, tail)]
    assert cross_encoder.scores(" ".join(head + ["capital"] * 190), [PARIS.text]) == [max(parts)]
    assert parts[0] != parts[1]


def test_scores_are_calibrated(cross_encoder: CrossEncoder) -> None:
    assert cross_encoder.calibrated is True


def test_a_folder_with_the_same_files_is_the_same_model(cross_encoder: CrossEncoder) -> None:
    other = CrossEncoder(directory=str(locate("ms_marco_minilm").model.parent))
    assert other.identity == cross_encoder.identity
    assert other.scores(QUERY.text, [PARIS.text]) == cross_encoder.scores(QUERY.text, [PARIS.text])


def test_a_folder_without_a_model_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.onnx.*No such file.*rag-harness\[local\]"):
        CrossEncoder(directory=str(tmp_path)).scores("q", ["p"])


@pytest.mark.parametrize(("value", "result"), [(0, 0.5), (-1000, 0.0), (1000, 1.0), (log(3), 0.75), (-log(3), 0.25)])
def test_the_sigmoid_has_no_overflow(value: float, result: float) -> None:
    assert _sigmoid(value) == pytest.approx(result)
