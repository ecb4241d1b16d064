"""The pipeline of an index: what it was built with, what a command line changes, and nothing that it does not need."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from harness.build.compose import compose_known
from harness.build.experiment import build, resolve
from harness.build.overrides import Override, parse
from harness.cache import Tally
from harness.corpus.metadata import is_date
from harness.errors import ConfigError, Problem
from harness.fingerprint import canonical
from harness.indexing.manifest import SLOTS, Manifest, differing, need_manifest, of_slots, read_manifest
from harness.pipeline import Pipeline
from harness.reporting.configs import HIDDEN, flatten, safe_overrides
from harness.resources import cache_dir
from harness.spending import Budget
from harness.store import Store

_UNANSWERED: Mapping[str, Any] = dict.fromkeys(("generator", "verification", "judge", "gate", "tracking"))
"""An index is searched; nothing is written, judged or logged."""
_UNASKED: Mapping[str, Any] = {
    "reranker": {"_target_": "harness.reranking.none.NoReranker"},
}
"""What building an index needs no model for."""
_MODEL = ("llm", "api_base", "api_key_env")
"""Settings of a language model."""


@dataclass(frozen=True)
class Settings:
    """What a command works with."""

    pipeline: Pipeline
    """The stages, models behind their caches."""
    config: Mapping[str, Any]
    """The resolved config."""
    words: tuple[str, ...]
    """Overrides that the slots of the index came from: those that it remembers and those of the command line."""
    tally: Tally
    """Cache hits by stage."""
    budget: Budget
    """Limits of what the command sends to models."""


def for_building(folder: Path, words: Sequence[str] | None = None) -> Settings:
    """What builds and changes the index of a folder: as it was built, but for what the words change.

    A command that takes no words (None) asks no language model.

    Raises:
        ConfigError: I006 for a language model that only the index names; or every fault of the config.
        StoreError: when the manifest is damaged.
    """
    return _settings(read_manifest(folder), words or (), _UNASKED, silenced=words is None)


def for_asking(folder: Path, words: Sequence[str]) -> Settings:
    """What asks the index of a folder.

    Raises:
        ConfigError: I004 without an index, I006 when the words change what it was built with or a language model is named by the
            index alone; or every fault of the config.
        StoreError: when the manifest is damaged.
    """
    manifest = need_manifest(folder)
    found = _settings(manifest, words, {}, silenced=False)
    if problems := differing(manifest, found.config):
        raise ConfigError("The index was built with other settings.", problems)
    return found


def _settings(manifest: Manifest | None, words: Sequence[str], unasked: Mapping[str, Any], silenced: bool) -> Settings:
    """The settings; what the index remembers decides its own slots and nothing else."""
    known = remembered(manifest.words, ()) if manifest else ()
    (given,) = parse([*words])
    told = f" The index remembers: {' '.join(known)}." if known and words else ""
    held, problems = _held(manifest, known, given, silenced) if manifest else ({}, [])
    others = [item for item in given if not manifest or _slot(item) not in SLOTS]
    store = Store(cache_dir() / "stages.sqlite")
    replay = silenced and any(map(asks_a_model, held.values()))
    try:
        experiment = build(others, store, fixed={**_UNANSWERED, **unasked, **held}, replay=replay, replayable=False)
    except ConfigError as error:
        raise ConfigError(f"{error.args[0]}{told}", [*dict.fromkeys((*problems, *error.problems))]) from error
    if problems:
        raise ConfigError(f"The config does not hold.{told}", problems)
    safe = _safe(remembered(known, words))
    return Settings(experiment.pipeline, experiment.config, safe, experiment.tally, experiment.settings.budget)


def _held(
    manifest: Manifest, known: Sequence[str], given: list[Override], silenced: bool
) -> tuple[dict[str, Any], list[Problem]]:
    """The config of each slot of an index: as it was built, but for what the command line changes; and every fault.

    An index may come from anywhere. A language model is therefore never taken from it, for it says to which host text is sent, and
    with which variable of the environment as its key: whoever wants one names it on the command line, or in the own `conf/`.

    Raises:
        ConfigError: I006 for each slot whose language model the command line does not choose, or that would look values up.
    """
    built = of_slots(manifest.config)
    if read := [slot for slot in SLOTS if "${" in canonical(built[slot])]:
        raise ConfigError("The index holds what no version wrote.", [_interpolated(slot) for slot in read])
    if silenced:
        return built, []
    own = [item for item in given if _slot(item) in (*SLOTS, "experiment")]
    whole, faults = _changed(built, known, own) if own else (built, [])
    doubtful = [slot for slot in SLOTS if asks_a_model(built[slot]) or asks_a_model(whole[slot])]
    if doubtful:
        mine = of_slots(compose_known(own)[0])
        chosen = {item.key for item in own}
        refused = [slot for slot in doubtful if chosen.isdisjoint((slot, "experiment")) and mine[slot] != whole[slot]]
        if refused:
            raise ConfigError("The index names a language model.", [_again(slot, whole[slot], known) for slot in refused])
        whole |= {slot: mine[slot] for slot in doubtful}
    return whole, faults


def _changed(built: Mapping[str, Any], known: Sequence[str], own: list[Override]) -> tuple[dict[str, Any], list[Problem]]:
    """The config by slot, another one where the words compose to something else than those that the index remembers."""
    before = of_slots(compose_known(parse([*known])[0])[0])
    config, faults = compose_known(parse([*remembered(known, [item.text for item in own])])[0])
    after = of_slots(config)
    return {slot: built[slot] if before[slot] == after[slot] else after[slot] for slot in SLOTS}, faults


def asks_a_model(node: Any) -> bool:
    """Whether a part of a config holds a language model, or says where one is asked."""
    if isinstance(node, Mapping):
        named = str(node.get("_target_", "")).startswith("harness.llm.")
        return named or any(node.get(name) for name in _MODEL) or any(map(asks_a_model, node.values()))
    return isinstance(node, list | tuple) and any(map(asks_a_model, node))


def _again(slot: str, config: Any, known: Sequence[str]) -> Problem:
    """That a language model must be named again, with the words that named it."""
    words = [item.text for item in parse([*known])[0] if _slot(item) in (slot, "experiment")]
    asked = {name: value for name, value in flatten({slot: config}).items() if name.rpartition(".")[2] in ("model", *_MODEL)}
    what = f"the index names a language model ({', '.join(f'{name}={value}' for name, value in asked.items())})"
    why = "An index from elsewhere could have text and keys sent to any host."
    again = f"if you trust it, add {shlex.join(safe_overrides(words))}" if words else f"choose it with {slot}=OPTION"
    return Problem("I006", slot, what, why, f"{again}; or choose another option of {slot}.")


def _interpolated(slot: str) -> Problem:
    why = "It would be looked up when the stage is made, in the environment for one."
    return Problem("I006", slot, "a setting that the index names holds ${...}", why, "build the index anew in another folder.")


def remembered(known: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """The overrides of an index with those of a command line over them, as far as they decide what the index holds.

    An experiment takes the place of all, an option of a slot that of what was set there.

    Raises:
        ConfigError: for every word that is no override.
    """
    given = [item for item in parse([*words])[0] if _slot(item) in (*SLOTS, "experiment")]
    kept = [item for item in parse([*known])[0] if _slot(item) in (*SLOTS, "experiment")]
    if any(item.key == "experiment" for item in given):
        kept = []
    replaced = tuple(f"{_place(item)}." for item in given)
    return (*(item.text for item in kept if not f"{_place(item)}.".startswith(replaced)), *(item.text for item in given))


def _place(item: Override) -> str:
    """What an override sets: of `embedder@chunker.embedder=hashing` it is chunker.embedder."""
    return item.key.rpartition("@")[2]


def _slot(item: Override) -> str:
    return _place(item).partition(".")[0]


def _safe(words: Sequence[str]) -> tuple[str, ...]:
    """The words without those that carry a secret: these are not written down."""
    return tuple(word for word in words if not carries_secret(word))


def carries_secret(word: str) -> bool:
    """Whether an override holds what may not be written down."""
    return HIDDEN in safe_overrides([word])[0]


def index_folder(path: str) -> Path:
    """The folder of an index, absolute."""
    return resolve(path)


def day(text: str, option: str) -> str:
    """The ISO date of an option, or the clock's.

    Raises:
        ConfigError: I009, when it is no date.
    """
    if text and not is_date(text):
        raise ConfigError(
            "A date cannot be read.", [Problem("I009", option, f"{text!r} is no date", fix="write it as YYYY-MM-DD.")]
        )
    return text or date.today().isoformat()
