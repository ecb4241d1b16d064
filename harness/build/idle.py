"""Settings that change nothing beside the others of a run. One function a rule; a sentence each, and the run goes on."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.generation.extractive import Extractive
from harness.generation.verification import Verification
from harness.llm.tokens import counted_by
from harness.nesting import parts_of
from harness.retrieval.sparse import BM25
from harness.retrieval.stores.faiss_flat import Flat
from harness.retrieval.stores.faiss_ivf import Ivf

Objects = Mapping[str, Any]
"""What the config made, by slot; `retrievers` by name, `depth` and `settings` beside."""


def idle(objects: Objects) -> list[str]:
    """Everything that was set and changes nothing."""
    return [notice for rule in RULES for notice in rule(objects)]


def embeds(objects: Objects) -> bool:
    """Whether a retriever may embed queries; a retriever of words does not."""
    return any(not isinstance(retriever, BM25) for retriever in objects["retrievers"].values())


def _unembedded(objects: Objects) -> Iterator[str]:
    """What only dense retrieval reads."""
    if embeds(objects):
        return
    why = "changes nothing: no retriever of this run embeds"
    if objects["hyde"] is not None and "llm" not in parts_of(objects["hyde"]):
        yield f"hyde ({_name(objects['hyde'])}) {why}"
    if not isinstance(objects["store"], Flat):
        yield f"store ({_name(objects['store'])}) {why}"


def _unverified(objects: Objects) -> Iterator[str]:
    """A verification that was chosen, of a run that writes no answer."""
    if objects["generator"] is None and objects["verification"] not in (None, Verification()):
        yield f"verification ({_name(objects['verification'])}) changes nothing: generator=none writes no answer"


def _unrepeated(objects: Objects) -> Iterator[str]:
    """A second draft that is never asked for, or would be the first."""
    verification, generator = objects["verification"], objects["generator"]
    if not isinstance(verification, Verification) or generator is None:
        return
    if verification.policy != "regenerate" and verification.attempts > 1:
        yield f"verification.attempts={verification.attempts} changes nothing: only verification.policy=regenerate asks again"
    if verification.policy == "regenerate" and isinstance(generator, Extractive):
        yield "verification.policy=regenerate strips at once: the generator picks sentences, and would pick the same again"


def _probes(objects: Objects) -> Iterator[str]:
    """More lists looked into than there are."""
    for name, retriever in sorted(objects["retrievers"].items()):
        store = getattr(retriever, "store", None)
        if isinstance(store, Ivf) and store.nprobe > store.lists:
            yield f"store.nprobe={store.nprobe} of {name} is no more than all store.lists={store.lists}: every vector is compared"


def _tokens(objects: Objects) -> Iterator[str]:
    """A model whose own tokenizer is not there."""
    name = getattr(objects["context"], "tokenizer", "")
    if counts := counted_by(name):
        yield f"context.tokenizer={name} counts tokens of {counts}: the model's own tokenizer is not at hand; a tokenizer.json is exact"


def _name(stage: Any) -> str:
    return type(stage).__name__


RULES = (_unembedded, _unverified, _unrepeated, _probes, _tokens)
