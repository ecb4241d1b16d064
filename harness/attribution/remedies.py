"""What would have found a lost piece of evidence, in the words of config keys.

A remedy brings the evidence past the station at which it was lost; a later one may lose it still.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context

from harness.answerability.calibrated import Limited
from harness.answerability.classifier import Classifier
from harness.answerability.never import NeverRefuse
from harness.attribution.library import Library
from harness.attribution.rechunking import rechunked
from harness.attribution.stations import GroupLoss, Station
from harness.context import TopPassages
from harness.metrics.coverage import NEVER, find
from harness.pipeline import Depth
from harness.protocols import Answerability
from harness.retrieval.filters import admits
from harness.types import Assessment, Evidence, Question, Trace

_DIGITS = 3


def remedy(loss: GroupLoss, question: Question, trace: Trace, depth: Depth, tau: float, library: Library | None) -> str:
    """What would have found a group; empty when nothing was lost."""
    group, ranks = question.evidence[loss.number], loss.ranks
    channels = {name: ranks[name] for name in trace.retrieved}
    match loss.station:
        case Station.NOT_IN_CORPUS if library:
            return _absence(group, library)
        case Station.HIDDEN if library:
            return _hiding(group, question, library)
        case Station.DESTROYED_BY_CHUNKING:
            return f"its {min(map(len, group.alternatives)):,} characters lie in no single chunk: {_whole(group, tau, library)}"
        case Station.BELOW_DEPTH:
            return f"{_places(channels, loss.searched)}: {_at_depth(channels)}"
        case Station.LOST_IN_FUSION:
            return f"{_places(channels, loss.searched)}, {_in_fusion(channels, ranks['fused'], depth)}"
        case Station.CUT_BY_RERANKER:
            return _after_reranking(ranks["fused"], ranks["reranked"], depth)
        case Station.CUT_BY_CONTEXT:
            rule = _rule(loss, question, trace, depth, tau, library)
            return f"reranked rank {ranks['reranked']}, left out of the context: {rule}"
        case Station.REFUSED_ALTHOUGH_PRESENT:
            return confidence(trace, loss.station, library) or (trace.answer.refusal_reason if trace.answer else "")
        case Station.SHOWN_BUT_UNUSED | Station.USED_BUT_NOT_CITED:
            return f"shown as passage {ranks['context']} of {len(trace.context)}: generator"
    return ""


def confidence(trace: Trace, station: Station, library: Library | None) -> str:
    """Which settings of the rule would have decided otherwise; empty where the rule is not known, or scores mean nothing to it."""
    if trace.assessment is None or library is None:
        return ""
    rule, reranker = library.system.recipe.answerability, library.system.recipe.reranker
    if not (reranker.calibrated or isinstance(rule, Classifier)):
        return ""
    if station is Station.ANSWERED_ALTHOUGH_UNANSWERABLE:
        return _refusing(rule, trace, trace.assessment)
    if station is Station.REFUSED_ALTHOUGH_PRESENT and not trace.assessment.answerable:
        return _answering(rule, trace, trace.assessment)
    return ""


def _refusing(rule: Answerability, trace: Trace, said: Assessment) -> str:
    """Any one of the settings will do."""
    if isinstance(rule, NeverRefuse):
        return f"answerability=threshold with answerability.minimum above {_rounded(said.confidence, ROUND_CEILING)} refuses"
    limits = rule.limits(said, trace.stations()) if isinstance(rule, Limited) else {}
    words = (f"answerability.{name} above {_rounded(value, ROUND_CEILING)}" for name, value in limits.items())
    return f"{' or '.join(words)} refuses" if limits else ""


def _answering(rule: Answerability, trace: Trace, said: Assessment) -> str:
    """Every setting that was missed is needed."""
    limits = rule.limits(said, trace.stations()) if isinstance(rule, Limited) else {}
    missed = [name for name, value in limits.items() if value < getattr(rule, name)]
    words = [f"answerability.{name}={_rounded(limits[name], ROUND_FLOOR)}" for name in missed]
    return f"{' and '.join(words)} {'lets' if len(words) == 1 else 'let'} it through" if words else ""


def _rounded(value: float, rounding: str) -> str:
    """Three significant digits that lie on the safe side."""
    return f"{Context(prec=_DIGITS, rounding=rounding).create_decimal_from_float(value):f}"


def _absence(group: Evidence, library: Library) -> str:
    spans = (
        f"no chunk holds {span.doc_id} {span.start}-{span.end}"
        if span.doc_id in library.documents
        else f"the corpus has no {span.doc_id}"
        for span in group.alternatives
    )
    return f"{', '.join(dict.fromkeys(spans))}: corpus or chunker"


def _whole(group: Evidence, tau: float, library: Library | None) -> str:
    """The chunker that keeps a piece of evidence whole; of several alternatives the shortest one that is known."""
    spans = sorted(group.alternatives, key=lambda span: (len(span), span))
    documents = [library.documents[span.doc_id] for span in spans if span.doc_id in library.documents] if library else []
    if library is None or not documents:
        return "a larger chunker.size"
    return rechunked(group, tau, library.system.recipe.chunker, documents[0])


def _hiding(group: Evidence, question: Question, library: Library) -> str:
    names = dict.fromkeys(span.doc_id for span in group.alternatives)
    hidden = [library.documents[name] for name in names if name in library.documents]
    return ", ".join(
        f"{item.doc_id} does not hold on {library.day(question)}"
        if admits(item.tenant, item.acl, question.persona)
        else f"{item.doc_id} is kept from {question.persona or 'an asker without a name'}"
        for item in hidden
    )


def _places(channels: Mapping[str, int | None], searched: int) -> str:
    """`bm25 rank 12, dense not within 50`."""
    return ", ".join(f"{name} rank {rank}" if rank else f"{name} not within {searched:,}" for name, rank in channels.items())


def _at_depth(channels: Mapping[str, int | None]) -> str:
    known = [rank for rank in channels.values() if rank]
    return f"depth.candidates={min(known)}" if known else "no retriever ranks it at any depth"


def _in_fusion(channels: Mapping[str, int | None], fused: int | None, depth: Depth) -> str:
    if not fused:
        return "left out by the fuser"
    deeper = f" and depth.candidates={fused}" if fused > depth.candidates else ""
    alone = [f"{name} alone keeps it at rank {rank}" for name, rank in channels.items() if rank and rank <= depth.reranked]
    return f"fused rank {fused}: {' or '.join([f'depth.reranked={fused}{deeper}', *alone])}"


def _after_reranking(before: int | None, after: int | None, depth: Depth) -> str:
    kept = f" or reranker=none keeps it at rank {before}" if before and before <= depth.shown else ""
    return f"fused rank {before}, reranked rank {after}: depth.shown={after}{kept}"


def _rule(loss: GroupLoss, question: Question, trace: Trace, depth: Depth, tau: float, library: Library | None) -> str:
    """Which rule of the context builder left a group out."""
    builder = library.system.recipe.context if library else None
    if not isinstance(builder, TopPassages):
        return "context"
    kept = replace(builder, near_duplicate=1.0).build(trace.reranked, depth.shown)
    found = find(question.evidence, kept, tau).ranks[loss.number] != NEVER
    return "context.near_duplicate" if found else "context.max_tokens"
