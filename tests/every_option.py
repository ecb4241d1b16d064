"""Every option of every slot: which go together, and the fewest configs that bring all pairs together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from typing import Any

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from omegaconf import OmegaConf

from harness.build.compose import _PRIMARY, _register
from harness.build.sources import groups
from harness.local_models import QWEN_CODER
from harness.resources import shipped_root

Choice = tuple[str, str]
"""A slot and one of its options."""
Row = Mapping[str, str]
"""An option for each slot."""

SLOTS = groups()
"""Options by slot."""
OPTIONS: Sequence[Choice] = [(slot, option) for slot, options in SLOTS.items() for option in options]
"""All of them. An option is tested whether or not anything below names it."""


def others(slot: str, *options: str) -> tuple[str, ...]:
    """The options of a slot but these."""
    return tuple(option for option in SLOTS[slot] if option not in options)


RANKS_ONLY = ("none", "cross_encoder_logits", "llm", "local_llm")
"""Rerankers whose scores lie in no [0, 1]."""


@dataclass(frozen=True)
class Clash:
    """Options of two slots that by design do not go together, and the code of the fault that says so."""

    code: str
    first: tuple[str, tuple[str, ...]]
    second: tuple[str, tuple[str, ...]]

    def pairs(self) -> Iterator[tuple[Choice, Choice]]:
        for one in self.first[1]:
            for other in self.second[1]:
                yield (self.first[0], one), (self.second[0], other)


CLASHES = (
    Clash("F007", ("answerability", ("threshold", "margin")), ("reranker", RANKS_ONLY)),
    Clash("F014", ("answerability", ("classifier",)), ("reranker", others("reranker", "cross_encoder"))),
    Clash("F014", ("answerability", ("classifier",)), ("embedder", others("embedder", "bge_small"))),
    Clash("F013", ("answerability", ("classifier",)), ("retrievers", others("retrievers", "hybrid"))),
    *(
        Clash("F014", ("answerability", ("classifier",)), (slot, others(slot, *same)))
        for slot, same in (
            ("rewrite", ("none",)),
            ("subqueries", ("none",)),
            ("hyde", ("off",)),
            ("route", ("none",)),
            ("store", ("faiss", "lancedb", "milvus", "qdrant")),
        )
    ),
    Clash("F006", ("route", ("rules",)), ("retrievers", ("bm25",))),
    Clash("F004", ("route", ("rules",)), ("retrievers", ("dense",))),
    Clash("F006", ("hyde", ("llm", "local_llm")), ("retrievers", ("bm25",))),
    Clash("F006", ("subqueries", ("rules", "llm")), ("fuser", ("weighted",))),
)
"""A pair that is not named here must build."""
CODES: Mapping[frozenset[Choice], str] = {frozenset(pair): clash.code for clash in CLASHES for pair in clash.pairs()}
"""The fault of each pair that does not go together."""
PACKAGES = {
    "harness.llm.llama.LocalLLM": ("xllamacpp", *QWEN_CODER.packages),
    "harness.embedding.sentence_transformers.SentenceTransformers": ("sentence_transformers",),
}
"""What a stage needs and this machine may lack: the option is then refused with F010, which says what to install."""


def together(row: Row, choice: Choice) -> bool:
    """Whether an option goes together with all of a row."""
    return not any(frozenset((chosen, choice)) in CODES for chosen in row.items())


def settled(chosen: Row, preferred: Row) -> dict[str, str]:
    """The chosen options with one for each other slot: the preferred one, or the first that goes together with those before it."""
    row = dict(chosen)
    for slot in [name for name in SLOTS if name not in chosen]:
        row[slot] = next(option for option in (preferred[slot], *SLOTS[slot]) if together(row, (slot, option)))
    return row


def pairs_of(row: Row) -> set[tuple[Choice, Choice]]:
    """All pairs of options in a row, each in the order of its slots."""
    return set(combinations(sorted(row.items()), 2))


def all_pairs(slots: Mapping[str, Sequence[str]]) -> set[tuple[Choice, Choice]]:
    """Every pair of options of different slots that go together."""
    choices = sorted((slot, option) for slot, options in slots.items() for option in options)
    return {(a, b) for a, b in combinations(choices, 2) if a[0] != b[0] and frozenset((a, b)) not in CODES}


def covering(slots: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Rows in which every pair of options that go together stands at least once.

    Greedy, as in AETG (Cohen et al. 1997): each row begins with the first pair that is still missing, and takes slot by slot,
    those with most options first, the option that brings in most of the missing pairs. The same every time.
    """
    missing, rows = all_pairs(slots), []
    order = sorted(slots, key=lambda slot: (-len(slots[slot]), slot))
    while missing:
        row = dict(min(missing))
        for slot in order:
            if slot not in row:
                fitting = [option for option in slots[slot] if together(row, (slot, option))]
                row[slot] = max(fitting, key=lambda option: len(pairs_of({**row, slot: option}) & missing))
        missing -= pairs_of(row)
        rows.append(row)
    return rows


@cache
def _unresolved() -> Mapping[Choice, Any]:
    """What Hydra makes of each option, with its references to other slots; a composition brings one more option of every slot."""
    found: dict[Choice, Any] = {}
    _register(frozenset())
    GlobalHydra.instance().clear()
    with initialize_config_dir(str(shipped_root() / "conf"), version_base="1.3"):
        for place in range(max(map(len, SLOTS.values()))):
            row = {slot: options[place] for slot, options in SLOTS.items() if place < len(options)}
            made: Any = OmegaConf.to_container(compose(_PRIMARY, [f"{slot}={option}" for slot, option in row.items()]))
            found |= {choice: made[choice[0]] for choice in row.items()}
    return found


def joined(row: Row) -> dict[str, Any]:
    """The options of a row as one config, as Hydra would compose it, their references to each other followed."""
    config = OmegaConf.create({slot: _unresolved()[slot, option] for slot, option in row.items()})
    made: Any = OmegaConf.to_container(config, resolve=True)
    return dict(made)


def text_of(slot: str, option: str) -> str:
    """The conf file of an option."""
    return (shipped_root() / "conf" / slot / f"{option}.yaml").read_text("utf-8")


def nodes(config: Any) -> Iterator[Mapping[str, Any]]:
    """Every mapping of a config, the outer ones first."""
    if isinstance(config, Mapping):
        yield config
    inner = config.values() if isinstance(config, Mapping) else config if isinstance(config, list) else ()
    for value in inner:
        yield from nodes(value)


def variables(config: Mapping[str, Any]) -> set[str]:
    """Environment variables that a config names."""
    return {value for node in nodes(config) for key, value in node.items() if key.endswith("_env") and value}


def lacking(config: Mapping[str, Any]) -> bool:
    """Whether a stage of a config needs a package that is not installed."""
    return any(find_spec(name) is None for node in nodes(config) for name in PACKAGES.get(node.get("_target_", ""), ()))
