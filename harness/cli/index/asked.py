"""The system that a run asks: built in memory from the golden corpus, or an index on disk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import join

from harness.build.compose import compose_known
from harness.build.experiment import Experiment, resolve
from harness.build.overrides import parse
from harness.cli.console import note
from harness.errors import ConfigError, Problem
from harness.fingerprint import fingerprint
from harness.golden.golden_set import GoldenSet, document_digest
from harness.indexing.contents import Contents, read_contents
from harness.indexing.embedders import check_identity
from harness.indexing.learning import outgrown
from harness.indexing.manifest import SLOTS, Manifest, differing, of_slots
from harness.indexing.opened import over
from harness.indexing.records import ALWAYS
from harness.pipeline import IndexedPipeline
from harness.protocols import Progress
from harness.reporting.configs import HIDDEN
from harness.types import Document

_SHOWN = 3
_UNNAMED = "default"
"""Name of an experiment that nobody named."""


@dataclass(frozen=True)
class Asked:
    """What a run asks, and what sets it apart from the same run over other documents."""

    system: IndexedPipeline
    """The pipeline over its documents."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Of the index: `index` is its content; `corpus` stands only where its documents are not those of the golden set."""
    held: Mapping[str, str] | None = None
    """Of the index: doc_id to digest of every document that is not withdrawn; None for a system built in memory."""
    judged: Sequence[Document] = ()
    """Documents by which the metrics are judged: who may see each, and when."""


def asked_system(experiment: Experiment, golden: GoldenSet, progress: Progress) -> Asked:
    """The system of an experiment on a golden set; differences between an index and the golden corpus are noted.

    Raises:
        ConfigError: when the index was built with other settings than the experiment's.
        StoreError: when it is damaged.
    """
    if not experiment.settings.index:
        built = experiment.pipeline.index(golden.documents, golden.as_of, progress)
        return Asked(built, judged=built.documents)
    contents = read_contents(resolve(experiment.settings.index))
    if problems := _other_settings(contents.manifest, experiment):
        raise ConfigError("The index is not that of the config.", problems)
    system = over(contents, experiment.pipeline, golden.as_of, progress)
    found = differences(contents, golden.documents)
    if found:
        note(f"note: the index does not hold the golden corpus: {'; '.join(found)}. Evidence there is scored as it was anchored.")
    if told := outgrown(contents.manifest, contents.chunks):
        note(f"note: {told}; until then the results are not those of a run without index=.")
    return Asked(system, _fingerprints(contents, golden, bool(found)), held(contents), judged(contents, golden.documents))


def _fingerprints(contents: Contents, golden: GoldenSet, differs: bool) -> dict[str, str]:
    marks = {"index": contents.manifest.digest}
    return {**marks, "corpus": fingerprint(golden.corpus_digest, marks["index"])} if differs else marks


def _other_settings(manifest: Manifest, experiment: Experiment) -> list[Problem]:
    """A problem for each slot in which the config is not that of the index, with the words that make it so."""
    problems = differing(manifest, experiment.config)
    try:
        check_identity(manifest, experiment.pipeline.embedder)
    except ConfigError as error:
        problems += error.problems
    remedy = _remedy(manifest, experiment) if problems else ""
    return [replace(problem, fix=f"{remedy}.") if remedy else problem for problem in problems]


def _remedy(manifest: Manifest, experiment: Experiment) -> str:
    """`add embedder=tfidf_svd, with which the index was built; leave out chunker.size=64`; empty where no words would do."""
    name = [f"+experiment={experiment.name}"] if experiment.name != _UNNAMED else []
    given = [*name, *(word for word in experiment.overrides if HIDDEN not in word)]
    built = [word for word in manifest.words if _decides(word)]
    add = [word for word in built if word not in given]
    named = any(_key(word) == "experiment" for word in built)
    drop = [word for word in given if _decides(word) and word not in built and (named or word not in name)]
    kept = [word for word in given if word not in drop]
    try:
        config, _ = compose_known(parse([*kept, *add])[0])
    except ConfigError:
        return ""
    if any(manifest.config.get(slot) != of_slots(config)[slot] for slot in SLOTS):
        return ""
    parts = [f"add {join(add)}, with which the index was built" if add else "", f"leave out {join(drop)}" if drop else ""]
    return "; ".join(part for part in parts if part)


def _decides(word: str) -> bool:
    """Whether an override can change what an index holds; `embedder@chunker.embedder=hashing` is one of the chunker."""
    return _key(word).rpartition("@")[2].partition(".")[0] in ("experiment", *SLOTS)


def _key(word: str) -> str:
    return word.lstrip("+").partition("=")[0]


def judged(contents: Contents, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents of an index and of a golden corpus, as the metrics judge them.

    The golden corpus says of its documents who may see them and when: what the index says of them may be out of date. Those that
    the index has withdrawn, or purged, are withdrawn on every day; copies that it leaves out are left out.
    """
    indexed = {item.doc_id: item for item in contents.documents}
    left_out = {entry.doc_id for entry in contents.entries} - {*indexed}
    golden = {item.doc_id: item for item in documents if item.doc_id not in left_out}
    withdrawn = {name for name, item in indexed.items() if item.deleted_at == ALWAYS} | {*contents.manifest.tombstones}
    found = {**indexed, **golden}
    return tuple(replace(item, deleted_at=ALWAYS) if name in withdrawn else item for name, item in sorted(found.items()))


def held(contents: Contents) -> dict[str, str]:
    """doc_id to digest of each document of an index that is not withdrawn."""
    return {entry.doc_id: document_digest(entry.document) for entry in contents.entries if not entry.deleted_at}


def differences(contents: Contents, documents: Sequence[Document]) -> list[str]:
    """`1 changed (a.md)`, `1 missing (b.md)`, `1 more (c.md)`: how what an index searches differs from a golden corpus."""
    indexed = held(contents)
    golden = {document.doc_id: document_digest(document) for document in documents}
    kinds = {
        "changed": [name for name in golden if name in indexed and golden[name] != indexed[name]],
        "missing": [name for name in golden if name not in indexed],
        "more": [name for name in indexed if name not in golden],
    }
    return [f"{len(names)} {kind} ({_listed(names)})" for kind, names in kinds.items() if names]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(sorted(names)[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
