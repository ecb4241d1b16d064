"""ms-marco-MiniLM-L-12-v2 on this machine."""

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import exp

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.local_models import MAX_PIECES, ModelFiles, Transformer, locate, transformer, windows
from harness.reranking.ordering import read_texts, reordered
from harness.types import Query, Ranking

_PIECES = MAX_PIECES - 3
_QUERY = _PIECES // 2
_OVERLAP = 64


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class CrossEncoder:
    """cross-encoder/ms-marco-MiniLM-L-12-v2 (Reimers and Gurevych 2019; MS MARCO), weights de-quantised to float.

    score = 1 / (1 + e^-logit), in [0, 1]. A pair of more than 512 word pieces is scored in overlapping windows of the
    passage (and of a query that fills half of the pieces), and the best window counts: nothing is cut. One pair per
    call and float weights: a score is the same in every batch and on every CPU, but for rounding.
    """

    directory: str = ""
    """Folder with another model.onnx and tokenizer.json of the same architecture; empty is the built-in model."""

    @property
    def calibrated(self) -> bool:
        """True: the logit goes through a sigmoid. Where to set a threshold is still to be tuned on a golden set."""
        return True

    @property
    def identity(self) -> str:
        """Model, revision and windows."""
        return f"ms-marco-MiniLM-L-12-v2 {self._files.revision}, float weights, sigmoid, best of windows {MAX_PIECES}/{_OVERLAP}"

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """Relevance of each passage in [0, 1].

        Raises:
            ConfigError: when the model is not installed.
        """
        model = transformer(self._files, floats=True)
        asked = windows(model.pieces(query), _QUERY, _OVERLAP)
        return [_score(model, asked, passage) for passage in passages]

    def rerank(self, query: Query, ranking: Ranking) -> Ranking:
        """The chunks by relevance."""
        return reordered(ranking, self.scores(query.text, read_texts(ranking)))

    @cached_property
    def _files(self) -> ModelFiles:
        return locate("ms_marco_minilm", self.directory)


def _score(model: Transformer, asked: Sequence[Sequence[int]], passage: str) -> float:
    room = _PIECES - max(len(window) for window in asked)
    shown = windows(model.pieces(passage), room, _OVERLAP)
    return max(_sigmoid(float(model.run(*pair)[0, 0])) for pair in product(asked, shown))


def _sigmoid(logit: float) -> float:
    """1 / (1 + e^-logit) without overflow."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
