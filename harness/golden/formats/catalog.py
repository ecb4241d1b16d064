"""The foreign formats by name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from harness.golden.formats import autorag, beir, columns, huggingface, ragas, ragchecker, squad, trec
from harness.golden.formats.foreign import Foreign, Options
from harness.golden.golden_set import GoldenSet


class Format(NamedTuple):
    """How a format is read and written."""

    read: Callable[[Path, Options], Foreign]
    """Source and options in, questions and documents out."""
    write: Callable[[Sequence[Mapping[str, Any]], GoldenSet, Path], list[str]]
    """Rows of questions.jsonl, the set and a target in; what could not be held out."""


FORMATS: Mapping[str, Format] = {
    "autorag": Format(autorag.read, autorag.write),
    "beir": Format(beir.read, beir.write),
    "csv": Format(columns.read_csv, columns.write_csv),
    "huggingface": Format(huggingface.read, huggingface.write),
    "jsonl": Format(columns.read_jsonl, columns.write_jsonl),
    "ragas": Format(ragas.read, ragas.write),
    "ragchecker": Format(ragchecker.read, ragchecker.write),
    "squad": Format(squad.read, squad.write),
    "trec": Format(trec.read, trec.write),
}
"""By the name used on the command line."""
