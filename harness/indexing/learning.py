"""From which texts the embedder of an index learned: it stays as it was at the first build, while documents come and go."""

from collections.abc import Sequence

from harness.indexing.embedders import embedded_texts
from harness.indexing.manifest import Manifest
from harness.types import Chunk

_LETTERS = 12
"""Of a text's digest, kept."""


def names_of(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """A name for each distinct text of the chunks that is embedded: the first 12 hex digits of its SHA-256, sorted."""
    return tuple(sorted({name[:_LETTERS] for name in embedded_texts(chunks)}))


def outgrown(manifest: Manifest, chunks: Sequence[Chunk]) -> str:
    """`the embedder learned from 120 of 540 texts; ...`; empty where it learns nothing, or learned from these very texts.

    Args:
        manifest: of the index.
        chunks: those of documents that are searched.
    """
    learned, texts = {*manifest.learned_from}, {*names_of(chunks)}
    if not learned or learned == texts:
        return ""
    gone = len(learned - texts)
    others = f" and from {gone:,} that {'is' if gone == 1 else 'are'} no longer searched" if gone else ""
    known = f"{len(learned & texts):,} of {len(texts):,} text{'' if len(texts) == 1 else 's'}"
    return f"the embedder learned from {known}{others}; `harness index reembed` learns anew"
