"""Do the cited passages support what they are cited for?

citation_recall and citation_precision after ALCE (Gao et al. 2023, arXiv 2305.14627), citation_support_* after the TREC 2024
RAG track (Thakur et al. 2025, arXiv 2504.15205). Sentences are the answer's own, by rules, whatever splits the claims. An
invented id has no passage: it supports nothing, and it counts wherever citations are counted.
"""

from collections.abc import Sequence
from statistics import fmean

from harness.generation.statements import Statement
from harness.judging.reading import UNSHOWN, Finding, Reading, told
from harness.types import Support


def citation_recall(reading: Reading) -> Finding:
    """Sentences that their cited passages together support / sentences; a sentence without citation is not supported."""
    if reason := _nothing_stated(reading):
        return Finding(None, reason)
    together = [_together(reading, sentence, sentence.ids) for sentence in reading.sentences]
    supported = sum(verdict.supported for verdict in together)
    pairs = zip(reading.sentences, together, strict=True)
    left = [_named(sentence, verdict) for sentence, verdict in pairs if not verdict.supported]
    headline = f"{supported} of {len(together)} sentences supported by what they cite"
    return Finding(supported / len(together), told(headline, left))


def citation_precision(reading: Reading) -> Finding:
    """Precise citations / citations.

    A citation is precise when its sentence is supported by all that it cites, and the citation either supports it alone or is
    needed: the others do not support it without it.
    """
    if reason := _nothing_cited(reading):
        return Finding(None, reason)
    imprecise, total = list[str](), 0
    for sentence in reading.sentences:
        total += len(sentence.ids)
        imprecise += [f"[{cited}] {why} {sentence.text!r}" for cited in sentence.ids if (why := _fault(reading, sentence, cited))]
    headline = f"{total - len(imprecise)} of {total} citations are precise"
    return Finding(1 - len(imprecise) / total, told(headline, imprecise))


def citation_support_precision(reading: Reading) -> Finding:
    """Support that each citation gives its sentence, full 1, partial .5, none 0 / citations."""
    if reason := _nothing_cited(reading):
        return Finding(None, reason)
    degrees = [degree for sentence in reading.sentences for degree in _degrees(reading, sentence)]
    return Finding(fmean(degrees), f"{_counts(degrees)} of {len(degrees)} citations")


def citation_support_recall(reading: Reading) -> Finding:
    """Support that each sentence gets from its best citation, full 1, partial .5, none 0 / sentences."""
    if reason := _nothing_stated(reading):
        return Finding(None, reason)
    degrees = [max(_degrees(reading, sentence), default=0.0) for sentence in reading.sentences]
    return Finding(fmean(degrees), f"{_counts(degrees)} of {len(degrees)} sentences")


def _fault(reading: Reading, sentence: Statement, cited: str) -> str:
    """Why a citation is not precise; empty when it is."""
    if cited not in reading.by_id:
        return "was not shown, cited for"
    if not _together(reading, sentence, sentence.ids).supported:
        return "does not support, nor do all citations together,"
    if _together(reading, sentence, [cited]).supported:
        return ""
    others = [item for item in sentence.ids if item != cited]
    return "is not needed for" if _together(reading, sentence, others).supported else ""


def _together(reading: Reading, sentence: Statement, ids: Sequence[str]) -> Support:
    shown = [reading.by_id[cited] for cited in ids if cited in reading.by_id]
    return reading.verdicts([sentence.text], shown)[0] if shown else UNSHOWN


def _degrees(reading: Reading, sentence: Statement) -> list[float]:
    return [reading.degree(_together(reading, sentence, [cited])) for cited in sentence.ids]


def _counts(degrees: Sequence[float]) -> str:
    return f"full support {degrees.count(1.0)}, partial {degrees.count(0.5)}, none {degrees.count(0.0)}"


def _named(sentence: Statement, verdict: Support) -> str:
    if not sentence.ids:
        return f"{sentence.text!r}: cites nothing"
    return f"{sentence.text!r} [{', '.join(sentence.ids)}]: {verdict.reason or 'not supported'}"


def _nothing_stated(reading: Reading) -> str:
    return reading.unanswered or ("" if reading.sentences else "the answer states no claim")


def _nothing_cited(reading: Reading) -> str:
    cites = any(sentence.ids for sentence in reading.sentences)
    return _nothing_stated(reading) or ("" if cites else "the answer cites nothing")
