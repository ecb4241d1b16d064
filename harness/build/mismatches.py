"""Settings that hold each by itself and not together. One function a rule; each is given every slot's object by its name."""

from collections.abc import Collection, Iterator

from harness.answerability.calibrated import Parts, retrieval_of
from harness.build.idle import Objects, embeds
from harness.build.sources import suggestion
from harness.chunking.two_tier import TwoTier
from harness.errors import Problem
from harness.fusion import WeightedFusion
from harness.nesting import kinds_of, parts_of
from harness.querying.decompose_llm import LLMDecomposition
from harness.querying.decompose_rules import Decomposition


def mismatches(objects: Objects) -> list[Problem]:
    """Every fault between slots."""
    return [problem for rule in RULES for problem in rule(objects)]


def _depths(objects: Objects) -> Iterator[Problem]:
    if min(objects["settings"].ks) > objects["depth"].reranked:
        what = f"no k is within depth.reranked={objects['depth'].reranked}"
        yield Problem("F008", f"ks={list(objects['settings'].ks)}", what, "Recall@k could not be computed.", "add a smaller k")


def _answerability(objects: Objects) -> Iterator[Problem]:
    """What the rule itself finds wrong with the models whose scores it reads."""
    rule = objects["answerability"]
    if objects["generator"] is not None and hasattr(rule, "faults"):
        names = tuple(sorted(objects["retrievers"]))
        yield from rule.faults(Parts(objects["reranker"], objects["embedder"], names, retrieval_of(objects)))


def _channels(objects: Objects) -> Iterator[Problem]:
    """Settings by retriever that name none."""
    yield from _unknown_retrievers("depth.channels", objects["depth"].channels, objects)
    weights = getattr(objects["fuser"], "weights", {})
    yield from _unknown_retrievers("fuser.weights", weights, objects)
    if all(weights.get(name, 1) == 0 for name in objects["retrievers"]):
        why = "Nothing would be ranked."
        yield Problem("F006", "fuser.weights", "every retriever's weight is 0", why, "give one a weight above 0")


def _routes(objects: Objects) -> Iterator[Problem]:
    """A retriever of identifiers that is not there, or is the only one."""
    named, known = getattr(objects["route"], "identifiers", ""), sorted(objects["retrievers"])
    if named and (named not in known or len(known) == 1):
        where = f"route.identifiers={named}"
        fix = 'retrievers=hybrid, or route.identifiers="" with route.summaries=true, or route=none'
        if len(known) > 1:
            why = "A question with an identifier would find nothing."
            yield Problem("F004", where, "no such retriever", why, suggestion(named, known))
        elif named not in known:
            why = "A question with an identifier would find nothing."
            yield Problem("F004", where, f"the run's only retriever is {known[0]}", why, fix)
        else:
            yield Problem("F006", where, f"{named} is the only retriever", "Every query goes there anyway.", fix)


def _summaries(objects: Objects) -> Iterator[Problem]:
    """Summary questions routed to summaries that no chunker of the harness makes; a plugin's may."""
    if not getattr(objects["route"], "summaries", False):
        return
    kinds = kinds_of(objects["chunker"])
    if TwoTier not in kinds and all(kind.__module__.startswith("harness.") for kind in kinds):
        what, why = "the chunker makes no summaries", "Every summary question would find nothing."
        yield Problem("F006", "route.summaries=true", what, why, "chunker=two_tier, or route.summaries=false")


def _hypothetical(objects: Objects) -> Iterator[Problem]:
    """A model asked for a passage that nothing embeds."""
    if "llm" in parts_of(objects["hyde"]) and not embeds(objects):
        what, why = "no retriever of this run embeds", "A model would be asked for passages that nothing reads."
        yield Problem("F006", "hyde", what, why, "retrievers=hybrid or dense, or hyde=off")


def _parts(objects: Objects) -> Iterator[Problem]:
    """The parts of a question are joined in turn; such scores are places, not how well a passage fits."""
    if isinstance(objects["fuser"], WeightedFusion) and isinstance(objects["subqueries"], Decomposition | LLMDecomposition):
        why = "A weighted sum would add places as if they were how well a passage fits."
        what = "the rankings of a question's parts are joined in turn, so their scores only say the order"
        yield Problem("F006", "fuser", what, why, "fuser=rrf, or subqueries=none or multi_query")


def _unknown_retrievers(where: str, names: Collection[str], objects: Objects) -> Iterator[Problem]:
    known = sorted(objects["retrievers"])
    for name in sorted(set(names) - {*known}):
        yield Problem("F004", f"{where}.{name}", "no such retriever", "It would change nothing.", suggestion(name, known))


RULES = (_depths, _answerability, _channels, _routes, _summaries, _hypothetical, _parts)
