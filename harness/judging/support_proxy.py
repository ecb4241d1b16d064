"""Support by words, phrases, numbers and nearness of meaning: offline and cheap, a stand-in for an entailment model.

It is named for what it is: a proxy. It sees paraphrase a little, and of contradiction only new numbers, plain negations and
a list of English antonyms. How far it agrees with people is measured by `harness calibrate judge`.

    p = s(-4.7 + 1.5 coverage + 3 closest + 1.5 phrases + 3.75 similarity),   s(x) = 1 / (1 + e^-x)

coverage    share of the claim's distinct content stems that stand in the passages
closest     the same share of the one window of two sentences at most that holds most of them
phrases     share of the claim's three words in a row that stand so in a passage
similarity  largest cosine of the claim and the four windows that hold most of its stems, by bge-small-en-v1.5

A number that no passage has, or a contradiction by the nearest sentences, multiplies p by .25, so that such a claim is
never supported. Weights and threshold were chosen by half of the conversations of mt-rag's human evaluation and by WiCE's
dev part, and rounded; the other halves were seen beside them but not chosen by. A cross-encoder over the nearest windows
was tried on the same halves and left out: it added nothing to these features.
"""

from collections.abc import Sequence
from math import exp
from typing import Annotated

import numpy as np
from pydantic import ConfigDict, Field, SkipValidation
from pydantic.dataclasses import dataclass

from harness.judging.features import Passages, Words
from harness.protocols import Embedder
from harness.types import Support

WEIGHTS = {"coverage": 1.5, "closest": 3.0, "phrases": 1.5, "similarity": 3.75}
"""Weight of each feature in the logit."""
BIAS = -4.7
"""The logit where every feature is 0."""
DAMPING = 0.25
"""Factor of the probability where a new number or a contradiction speaks against the claim."""
NEAREST = 4
"""Windows that are embedded."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class SupportProxy:
    """A monotone function of four features and two vetoes; the formula stands above."""

    embedder: SkipValidation[Embedder]
    """Gives the similarity. The weights were chosen with bge_small: with another one the probability has no known meaning."""
    minimum: Annotated[float, Field(gt=DAMPING, le=1)] = 0.7
    """Probability from which a claim is supported."""

    @property
    def identity(self) -> str:
        """Name, version, weights, threshold and embedder."""
        weights = " ".join(f"{name}={weight:g}" for name, weight in WEIGHTS.items())
        rule = f"bias={BIAS:g} {weights} damping={DAMPING:g} nearest={NEAREST}"
        return f"support_proxy v1 minimum={self.minimum:g} {rule} by {self.embedder.identity}"

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim; passages are read whole, `coverage` over all of them together, windows inside each."""
        shown = Passages.read(passages)
        found = [Words.of(claim, shown, NEAREST) for claim in claims]
        cosines = self._similarities(claims, found)
        return [self._verdict(words, cosine) for words, cosine in zip(found, cosines, strict=True)]

    def _similarities(self, claims: Sequence[str], found: Sequence[Words]) -> list[float]:
        """Largest cosine of each claim and its nearest windows, 0 without any."""
        texts = list(dict.fromkeys([*claims, *(text for words in found for text in words.nearest)]))
        vectors = dict(zip(texts, self.embedder.embed(texts), strict=True)) if texts else {}
        return [
            max((float(np.dot(vectors[claim], vectors[text])) for text in words.nearest), default=0.0)
            for claim, words in zip(claims, found, strict=True)
        ]

    def _verdict(self, words: Words, similarity: float) -> Support:
        probability = sigmoid(logit(words, similarity))
        doubts = [f"no passage has {', '.join(words.new_numbers)}"] if words.new_numbers else []
        doubts += [words.contradiction] if words.contradiction else []
        if doubts:
            return Support(DAMPING * probability, False, "; ".join(doubts))
        said = f"{words.coverage:.2f} of its words in the passages, {words.closest:.2f} in one place, similarity {similarity:.2f}"
        return Support(probability, probability >= self.minimum, said)


def logit(words: Words, similarity: float) -> float:
    """The weighted sum of the features; it never falls when one of them rises."""
    values = {
        "coverage": words.coverage,
        "closest": words.closest,
        "phrases": words.phrases,
        "similarity": min(1.0, max(0.0, similarity)),
    }
    return BIAS + sum(WEIGHTS[name] * value for name, value in values.items())


def sigmoid(x: float) -> float:
    """1 / (1 + e^-x)."""
    return 1 / (1 + exp(-x))
