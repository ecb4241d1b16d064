"""Signals of answerability: cheap, deterministic numbers that are read from the rankings of one query alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import log

from harness.answerability.margin import margin_of
from harness.answerability.reading import Reading
from harness.types import Query, Ranking

_EDGE = 1e-6
"""Probabilities are kept this far from 0 and 1, so that their log-odds are finite."""


@dataclass(frozen=True, slots=True)
class Signal:
    """One number that may tell answerable questions from others."""

    what: str
    """What it is, in words."""
    needs: tuple[str, ...]
    """Stations it reads beside fused and context, which every pipeline has."""
    read: Callable[[Reading], float]
    """The number; 0 where its station found nothing."""


def read(names: Iterable[str], query: Query, stations: Mapping[str, Ranking]) -> dict[str, float]:
    """Signals of a query by name."""
    reading = Reading(query, stations)
    return {name: SIGNALS[name].read(reading) for name in names}


def available(stations: Iterable[str]) -> list[str]:
    """Names of all signals that these stations can give."""
    held = set(stations)
    return [name for name, signal in SIGNALS.items() if held.issuperset(signal.needs)]


def lacking(names: Iterable[str], stations: Iterable[str]) -> list[str]:
    """In words, the signals that stations cannot give."""
    held = set(stations)
    missing = {name: [need for need in SIGNALS[name].needs if need not in held] for name in names}
    return [
        f"signal {name!r} needs {' and '.join(needs)}, which the pipeline has not" for name, needs in missing.items() if needs
    ]


def unknown(names: Iterable[str]) -> str:
    """What is wrong with names of signals; empty where all are known."""
    for name in names:
        if name not in SIGNALS:
            near = get_close_matches(name, SIGNALS, 1)
            return f"there is no signal {name!r}; {f'did you mean {near[0]!r}? ' if near else ''}known: {', '.join(SIGNALS)}"
    return ""


def _log_odds(score: float) -> float:
    kept = min(max(score, _EDGE), 1 - _EDGE)
    return log(kept / (1 - kept))


def _mean(scores: Sequence[float]) -> float:
    return sum(scores) / len(scores) if scores else 0.0


def _top(station: str) -> Callable[[Reading], float]:
    return lambda reading: next(iter(reading.scores(station, 1)), 0.0)


def _lead(station: str) -> Callable[[Reading], float]:
    """The best score less the mean of the first ten."""
    return lambda reading: (scores[0] - _mean(scores)) if (scores := reading.scores(station, 10)) else 0.0


def _entropy(reading: Reading) -> float:
    """Of the first five scores as shares of their sum, in [0, 1]: 1 where all are equal (Shannon 1948)."""
    scores = [max(score, 0.0) for score in reading.scores("reranked", 5)]
    if len(scores) < 2 or not sum(scores):
        return 0.0
    shares = [score / sum(scores) for score in scores if score]
    return -sum(share * log(share) for share in shares) / log(len(scores))


def _held(reading: Reading) -> float:
    """Share of the query's details that stand in the context."""
    return len(reading.details & reading.context) / len(reading.details) if reading.details else 1.0


def _agreement(reading: Reading) -> float:
    """Chunks among the first five of both channels, of five."""
    first, second = ({hit.chunk.chunk_id for hit in reading.stations[name].hits[:5]} for name in ("bm25", "dense"))
    return len(first & second) / 5


SIGNALS: Mapping[str, Signal] = {
    "top_score": Signal("best reranked score", ("reranked",), _top("reranked")),
    "top_log_odds": Signal(
        "ln(s / (1 - s)) of the best reranked score s", ("reranked",), lambda reading: _log_odds(_top("reranked")(reading))
    ),
    "margin": Signal(
        "best reranked score less the second", ("reranked",), lambda reading: margin_of(reading.stations["reranked"])
    ),
    "mean_top_3": Signal(
        "mean of the first 3 reranked scores", ("reranked",), lambda reading: _mean(reading.scores("reranked", 3))
    ),
    "mean_top_5": Signal(
        "mean of the first 5 reranked scores", ("reranked",), lambda reading: _mean(reading.scores("reranked", 5))
    ),
    "entropy": Signal("evenness of the first 5 reranked scores, 1 where all are equal", ("reranked",), _entropy),
    "bm25_top": Signal("best BM25 score", ("bm25",), _top("bm25")),
    "bm25_per_rarity": Signal(
        "best BM25 score over the summed rarity of the query's terms",
        ("bm25",),
        lambda reading: _top("bm25")(reading) / (sum(reading.rarity.values()) or 1.0),
    ),
    "bm25_lead": Signal("best BM25 score less the mean of the first 10", ("bm25",), _lead("bm25")),
    "bm25_hits": Signal("chunks that BM25 found", ("bm25",), lambda reading: float(len(reading.stations["bm25"]))),
    "cosine_top": Signal("best cosine", ("dense",), _top("dense")),
    "cosine_lead": Signal("best cosine less the mean of the first 10", ("dense",), _lead("dense")),
    "agreement": Signal("share of the first 5 that bm25 and dense have in common", ("bm25", "dense"), _agreement),
    "best_coverage": Signal(
        "share of the query's terms, by rarity, in the best passage", (), lambda reading: reading.share(reading.best)
    ),
    "context_coverage": Signal(
        "share of the query's terms, by rarity, in the context", (), lambda reading: reading.share(reading.context)
    ),
    "sentence_coverage": Signal(
        "the same in the sentence of the context that holds most of them", (), lambda reading: reading.sentence[1]
    ),
    "details_held": Signal(
        "share of the query's numbers, identifiers and names that stand in the context; 1 without any", (), _held
    ),
    "answer_kind": Signal(
        "whether that sentence holds what when, who, where or how many asks for: 1 or 0, 0.5 for other questions",
        (),
        lambda reading: reading.has_answer_kind,
    ),
}
"""Every signal by name."""
