"""What an index says of itself: how it was made, what it holds, and the digest of every file.

The manifest is the one file of an index that is ever replaced. A generation of files is written whole beside the one in use
and counts from the moment the manifest names it: a process that is killed before leaves the old index, after it the new one.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.cache import code_of
from harness.errors import ConfigError, Problem, StoreError
from harness.fingerprint import fingerprint
from harness.indexing.salvage import to_delete_again
from harness.jsonl import JsonError, parse_json
from harness.nesting import kinds_of
from harness.pipeline import Pipeline
from harness.shapes import mismatches
from harness.store import write_json

NAME = "manifest.json"
FORMAT = 1
"""Version of the files; an index of a newer one is not read."""
SLOTS = ("duplicates", "chunker", "doc2query", "embedder")
"""Slots of the config that decide what an index holds."""

_SHAPE = {
    "format": int,
    "digest": str,
    "generation": int,
    "embedder": str,
    "recipe": str,
    "config": dict.fromkeys(SLOTS, dict),
    "fingerprints": dict,
    "words": [str],
    "corpus": str,
    "changed": str,
    "counts": dict.fromkeys(("documents", "deleted", "left_out", "chunks", "chunks_searched", "vectors"), int),
    "tombstones": dict,
    "files": dict,
    "folder": str,
    "learned_from": [str],
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """How an index was made and what it holds."""

    generation: int
    """Number of the files in use, from 1; each change of the index adds one."""
    embedder: str
    """Identity of the embedder of all vectors, what it learned included."""
    recipe: str
    """Identity of the same embedder before it learned: what a config names."""
    config: Mapping[str, Any]
    """Resolved config by slot of `SLOTS`."""
    fingerprints: Mapping[str, str]
    """By slot of what cuts and marks: fingerprint of its config and its code."""
    words: tuple[str, ...] = ()
    """Overrides of the command line that the config came from, oldest first."""
    corpus: str = ""
    """Fingerprint of all documents that are not deleted."""
    changed: str = ""
    """ISO date of the last change."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Documents, deleted ones, chunks and vectors."""
    tombstones: Mapping[str, str] = field(default_factory=dict)
    """doc_id of documents deleted by hand and purged, to the ISO date of their deletion: no sync brings them back."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name to SHA-256 of each file of the generation."""
    folder: str = ""
    """Name of the folder of documents that it was last synced with; empty where that is not known."""
    learned_from: tuple[str, ...] = ()
    """First 12 hex digits of the digest of each text that the embedder learned from, sorted; empty where it learns nothing."""

    @property
    def digest(self) -> str:
        """SHA-256 of what the index holds, whenever, wherever and with which words it was made.

        Two indexes with one digest answer alike. The reverse does not always hold: withdrawn documents, copies that were searched
        before and what an embedder learned at the first build are part of it.
        """
        return fingerprint(replace(self, generation=0, changed="", words=(), folder=""))


def generation_folder(folder: Path, generation: int) -> Path:
    """Where the files of a generation lie."""
    return folder / f"generation-{generation:06d}"


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of an index; None where there is none.

    Raises:
        ConfigError: I004, when the folder is none, or the system does not let it be read.
        StoreError: I002, when it is damaged or of a newer format.
    """
    path = folder / NAME
    try:
        record = parse_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        problem = Problem("I004", str(folder), "is a file; --index needs a folder", fix="name a folder with --index.")
        raise ConfigError("There is no index.", [problem]) from error
    except OSError as error:
        raise unreadable(path, error) from error
    except JsonError as error:
        raise damaged(path, str(error), folder) from error
    newest = record.get("format") if isinstance(record, dict) else None
    if isinstance(newest, int) and newest > FORMAT:
        what = f"is of format {newest}; this version reads formats up to {FORMAT}"
        raise StoreError("The index cannot be read.", [Problem("I002", str(path), what, fix="update the harness.")])
    if faults := list(mismatches(record, _SHAPE)):
        raise damaged(path, f"{faults[0].field} {faults[0].what}", folder)
    mark, _ = record.pop("digest"), record.pop("format")
    if mark != fingerprint(record):
        raise damaged(path, "does not have the digest that it was written with", folder)
    return Manifest(**{**record, "words": tuple(record["words"]), "learned_from": tuple(record["learned_from"])})


def need_manifest(folder: Path) -> Manifest:
    """The manifest of an index that must be there.

    Raises:
        ConfigError: I004, when there is no index.
        StoreError: I002, when it is damaged or of a newer format.
    """
    manifest = read_manifest(folder)
    if manifest is None:
        fix = "build one with `harness index sync CORPUS`, or name its folder with --index."
        raise ConfigError("There is no index.", [Problem("I004", str(folder), "holds no index", fix=fix)])
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Makes a generation the one in use, in one step."""
    record = asdict(manifest)
    write_json(folder / NAME, {**record, "format": FORMAT, "digest": fingerprint(record)})


def unreadable(path: Path, error: OSError) -> ConfigError:
    """The error of a file that the system does not let be read: it may be whole."""
    what = f"cannot be read: {error.strerror or type(error).__name__}"
    fix = "make it readable, or name another folder with --index."
    return ConfigError(
        "The index cannot be read.", [Problem("I004", str(path), what, "It may be whole: nothing was changed.", fix)]
    )


def damaged(path: Path, what: str, folder: Path | None = None) -> StoreError:
    """The error of a file that cannot be trusted; with the index's folder also what must be deleted by hand again."""
    why = "What it would answer is not what was indexed."
    fix = (
        "take the folder back from a copy, or sync into another one with --index: embeddings in the cache are not paid again, "
        "but what was deleted by hand must be deleted again."
    )
    again = to_delete_again(folder) if folder else ()
    return StoreError("The index is damaged.", [Problem("I002", str(path), what, why, fix), *again])


def slot_fingerprints(pipeline: Pipeline, config: Mapping[str, Any]) -> dict[str, str]:
    """By slot of what cuts and marks documents: a fingerprint of its config and of the code that carries it out."""
    stages = {"duplicates": pipeline.duplicates, "chunker": pipeline.chunker, "doc2query": pipeline.doc2query}
    code = {slot: [code_of(kind) for kind in kinds_of(stage)] for slot, stage in stages.items() if stage is not None}
    return {slot: fingerprint(of_slots(config)[slot], code.get(slot, [])) for slot in stages}


def differing(manifest: Manifest, config: Mapping[str, Any]) -> list[Problem]:
    """A problem for each slot in which a config differs from that of the index, the embedder's identity aside."""
    return [
        Problem(
            "I006",
            slot,
            f"the index was built with {_shown(manifest.config.get(slot))}; the config asks for {_shown(config.get(slot))}",
            "Its chunks would not be those of the config.",
            "run `harness index sync CORPUS` with the setting that you want, or leave the setting out.",
        )
        for slot in SLOTS
        if slot != "embedder" and manifest.config.get(slot) != of_slots(config)[slot]
    ]


def of_slots(config: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a resolved config that decides what an index holds."""
    return {slot: config.get(slot) or {} for slot in SLOTS}


def _shown(config: Mapping[str, Any] | None) -> str:
    if not config:
        return "none"
    kind = str(config.get("_target_", "")).rpartition(".")[2]
    settings = ", ".join(f"{name}={value}" for name, value in sorted(config.items()) if name != "_target_")
    return f"{kind}({settings})"
