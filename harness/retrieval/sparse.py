"""BM25 with the scores of rank_bm25."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from harness.errors import Problem, StageError
from harness.protocols import Embedder, Progress, silent
from harness.retrieval.bm25_fast import LEAST_IDF, Counts, Postings, Variant
from harness.retrieval.bm25_reference import RankBM25
from harness.retrieval.ordering import Catalogue
from harness.retrieval.stemming import Language
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Chunk, Filter, Query, Ranking

FEWEST_CHUNKS = 3
"""Below, the rarity of a word says nothing."""

_BLOCK = 1000
"""Chunks read between two reports of progress."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class BM25:
    """BM25 as rank_bm25 0.2.2 computes it: Okapi (Robertson et al. 1994), BM25+ or BM25L (both Lv and Zhai 2011).

    The variants are compared in Trotman, Puurula and Burgess 2014, "Improvements to BM25 and Language Models Examined". BM25+
    adds 1 to each word found and BM25L 0.5 to its frequency, so that long chunks are not held back as far as those without the
    word. rank_bm25's BM25L multiplies by the word's frequency once more, which the paper does not: repeated words never saturate.

    Okapi's idf, ln((N - n + 0.5) / (n + 0.5)), is zero for a word in half of the chunks and negative above; rank_bm25
    raises a negative one to 0.25 x the mean idf, which in a small corpus is itself negative. A chunk that holds a word
    of the query would then score no more than one that holds none. So a word whose idf is still not positive counts
    1e-30: its chunks are found, behind all that match a telling word, and every other score is exactly rank_bm25's. Where the
    mean is negative the index says so in its `notices`. BM25+ and BM25L have no such words.

    A chunk without a word of the query is no hit, though rank_bm25's BM25Plus gives it a score above 0. The words of a chunk's
    questions count like words of its text (Nogueira et al. 2019, arXiv 1904.08375).
    """

    variant: Variant = "okapi"
    """okapi, plus or l."""
    k1: Annotated[float, Field(ge=0, le=1000)] = 1.5
    """How slowly repeated words saturate."""
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    """How much long chunks are held back: 0 not at all, 1 fully."""
    tokenizer: TokenizerName = "stemmed"
    """stemmed, words, plain or bigrams; the same for chunks and queries."""
    language: Language = "english"
    """Stop words and stemmer of `stemmed` and `bigrams`."""
    engine: Literal["fast", "rank_bm25"] = "fast"
    """`fast`: postings. `rank_bm25`: the package itself, the same scores and much slower."""

    @model_validator(mode="after")
    def _meant(self) -> Self:
        if self.language != "english" and self.tokenizer in ("plain", "words"):
            raise ValueError(
                f"language={self.language} changes nothing with tokenizer={self.tokenizer}; take tokenizer=stemmed or bigrams"
            )
        if self.engine == "rank_bm25" and self.k1 == 0:
            raise ValueError("k1=0 makes rank_bm25 divide 0 by 0; take a larger k1 or engine=fast")
        return self

    def index(self, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress = silent) -> "BM25Index":
        """An index of the chunks' `indexed_text` and questions; the embedder is not used.

        Raises:
            StageError: when there is no chunk, or the tokenizer gives no token for more than half of them (C006).
        """
        catalogue, counts = Catalogue(chunks), Counts()
        for start in range(0, len(catalogue), _BLOCK):
            progress("index BM25", start, len(catalogue))
            counts.add(self.tokens([_read(chunk) for chunk in catalogue.chunks[start : start + _BLOCK]]))
        _check_mute(self, catalogue, counts)
        progress("index BM25", len(catalogue), len(catalogue))
        return BM25Index(catalogue, counts, self)

    def tokens(self, texts: Sequence[str]) -> list[list[str]]:
        """The tokens of each text."""
        return tokenize(self.tokenizer, texts, self.language)


class BM25Index:
    """Scores by one engine, rankings by one rule. Searching changes nothing, so several threads may."""

    notices: tuple[str, ...]
    """What weakens its rankings, a sentence each for the person who runs it; empty if nothing does."""

    def __init__(self, catalogue: Catalogue, counts: Counts, recipe: BM25) -> None:
        engine = Postings if recipe.engine == "fast" else RankBM25
        self._catalogue = catalogue
        self._recipe = recipe
        self._engine = engine(counts, recipe.variant, recipe.k1, recipe.b)
        self.notices = tuple(_notices(recipe, catalogue, counts, self._engine.mean_idf))

    def search(self, queries: Sequence[Query], k: int) -> list[Ranking]:
        """One ranking of at most k hits per query: chunks that hold a token of its text. A made-up passage is not read."""
        tokens = self._recipe.tokens([query.text for query in queries])
        return [self._one(found, query.filter, k) for found, query in zip(tokens, queries, strict=True)]

    def _one(self, tokens: Sequence[str], wanted: Filter, k: int) -> Ranking:
        scores = self._engine.scores(tokens)
        scores[~self._catalogue.admitted(wanted)] = 0.0
        return self._catalogue.ranking(np.arange(len(scores)), scores, k)


def _read(chunk: Chunk) -> str:
    return "\n".join((chunk.indexed_text, *chunk.questions))


def _check_mute(recipe: BM25, catalogue: Catalogue, counts: Counts) -> None:
    if 2 * np.count_nonzero(counts.lengths == 0) > len(catalogue):
        what = _mute(recipe, catalogue, counts)
        fix = "take another tokenizer or language, or leave BM25 out (retrievers=dense)"
        problem = Problem("C006", "BM25", what, "BM25 could never find them by their text.", fix)
        raise StageError("BM25 cannot search these chunks.", [problem])


def _notices(recipe: BM25, catalogue: Catalogue, counts: Counts, mean_idf: float) -> Iterator[str]:
    if (counts.lengths == 0).any():
        yield f"C006: {_mute(recipe, catalogue, counts)}; BM25 never finds them by their text"
    if len(catalogue) < FEWEST_CHUNKS:
        yield (
            f"C007: BM25 needs {FEWEST_CHUNKS} or more chunks to give meaningful idf, there "
            f"{'is 1' if len(catalogue) == 1 else f'are {len(catalogue)}'}; every ranking is nearly right by chance"
        )
    if recipe.variant == "okapi" and mean_idf < 0:
        yield (
            f"C007: the mean idf of Okapi is {mean_idf:.3g} over {len(catalogue)} chunks, so rank_bm25 would rank chunks with a "
            f"common word of the query below those without it; here such a word counts {LEAST_IDF:g} and the order among its "
            "chunks means little: take variant=plus or l, or add documents"
        )


def _mute(recipe: BM25, catalogue: Catalogue, counts: Counts) -> str:
    mute = [catalogue.chunks[row] for row in np.flatnonzero(counts.lengths == 0)]
    shown = ", ".join(repr(chunk.span.doc_id) for chunk in mute[:3]) + (", ..." if len(mute) > 3 else "")
    return f"tokenizer {recipe.tokenizer!r} gives no token for {len(mute)} of {len(catalogue)} chunks: {shown}"
