"""Exact and near copies among documents.

Exact copies have the same cleaned text. Near copies share most of their shingles (runs of five words, Broder 1997), which the exact
Jaccard similarity decides. A document is held against at most `COMPARED` others: all, while there are no more, so that the result
of a small corpus is exact; then those whose MinHash signatures (datasketch) agree best, of what locality-sensitive hashing proposes,
at most `BUCKET` a band. So the work a document is bounded, however alike the corpus; a near copy can be missed where more than
`COMPARED` documents are about as like. A near copy that differs in one number says something else: leaving it out loses that fact.

Only documents that the same askers may see on the same days are copies of each other. Two tenants' papers, two versions, and the
documents of a series never are, however alike.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.text import words
from harness.types import Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Shingles = NDArray[np.uint64]
    Signature = NDArray[np.uint64]

SHINGLE = 5
"""Words of a shingle; a shorter document is one shingle."""
COMPARED = 50
"""Documents that one is held against at most."""
BUCKET = 100
"""Documents with the same band of their signatures that are proposed at most, the first by doc_id."""

_SIGNATURE = 64
_SEED = 7
_MISSED = 1e-4
"""Share of pairs at the threshold that no band proposes, at most where the threshold allows."""
_BATCH = 100_000
"""Shingles that are signed at once, which bounds the memory that takes."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Duplicates:
    """Marks copies and keeps, drops or links them."""

    policy: Literal["keep", "drop", "link"] = "keep"
    """keep searches copies too, drop leaves them out, link leaves them out and names them with the one that is searched."""
    threshold: Annotated[float, Field(gt=0, le=1)] = 0.9
    """Share of common shingles (Jaccard) from which two documents are copies; 1 is exact copies only."""

    def apply(self, documents: Sequence[Document]) -> Sequence[Document]:
        """The documents to be searched, in their order, each with `copy_of` and `copies`."""
        originals = copies(documents, self.threshold)
        if self.policy == "keep":
            return [replace(item, copy_of=originals.get(item.doc_id, "")) for item in documents]
        left: dict[str, list[str]] = defaultdict(list)
        for doc_id in sorted(originals):
            left[originals[doc_id]].append(doc_id)
        named = left if self.policy == "link" else {}
        return [replace(item, copies=tuple(named.get(item.doc_id, ()))) for item in documents if item.doc_id not in originals]


def copies(documents: Iterable[Document], threshold: float) -> dict[str, str]:
    """By doc_id of every copy the document that it repeats: the first by doc_id, which is itself no copy.

    A near copy is held against that document, not against other copies of it, so that no chain of small steps joins two
    documents that are unlike.
    """
    groups: dict[tuple[object, ...], list[Document]] = defaultdict(list)
    for document in sorted(documents, key=lambda item: item.doc_id):
        if not document.series:
            groups[audience(document)].append(document)
    found: dict[str, str] = {}
    for group in groups.values():
        exact = _exact(group)
        found |= exact
        if threshold < 1:
            found |= _near([item for item in group if item.doc_id not in exact], threshold)
    return {name: found.get(original, original) for name, original in found.items()}


def exact_copies(documents: Iterable[Document]) -> dict[str, str]:
    """By doc_id of every exact copy the document that it repeats, of those whose audience is the same."""
    return copies(documents, 1)


def audience(document: Document) -> tuple[object, ...]:
    """Who may see a document, on which days, in which version: what copies must have in common."""
    acl = tuple(sorted(set(document.acl)))
    return document.tenant, acl, document.valid_from, document.valid_to, document.deleted_at, document.version


def _exact(documents: Sequence[Document]) -> dict[str, str]:
    first: dict[str, str] = {}
    for document in documents:
        first.setdefault(document.text, document.doc_id)
    return {item.doc_id: first[item.text] for item in documents if first[item.text] != item.doc_id}


def _near(documents: Sequence[Document], threshold: float) -> dict[str, str]:
    """Copies among documents of distinct texts; those without a word have no near copies."""
    if len(documents) < 2:
        return {}
    signatures = _Signatures(threshold)
    names: list[str] = []
    held: list[Shingles] = []
    found: dict[str, str] = {}
    for document in documents:
        own = shingles(document.text)
        if not len(own):
            continue
        signature = signatures.of(own)
        alike = (names[place] for place in signatures.most_like(signature) if jaccard(own, held[place]) >= threshold)
        if original := next(alike, ""):
            found[document.doc_id] = original
        else:
            names.append(document.doc_id)
            held.append(own)
            signatures.add(signature)
    return found


class _Signatures:
    """The signatures of originals, by their place, and which of them agree best with another one."""

    def __init__(self, threshold: float) -> None:
        from datasketch import MinHash

        self._blank = MinHash(_SIGNATURE, seed=_SEED, hashfunc=int)
        self._rows = next((rows for rows in range(16, 1, -1) if (1 - threshold**rows) ** (_SIGNATURE // rows) <= _MISSED), 1)
        self._held: list[Signature] = []
        self._buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)

    def of(self, found: "Shingles") -> "Signature":
        signature = self._blank.copy()
        for start in range(0, len(found), _BATCH):
            signature.update_batch((found[start : start + _BATCH] >> 32).tolist())
        held: Signature = signature.hashvalues
        return held

    def most_like(self, signature: "Signature") -> Sequence[int]:
        """All while there are no more than `COMPARED`, then the best of those that share a band; in their order."""
        import numpy as np

        if len(self._held) <= COMPARED:
            return range(len(self._held))
        proposed = sorted({place for band in self._bands(signature) for place in self._buckets.get(band, ())})
        if not proposed:
            return []
        agreeing = (np.stack([self._held[place] for place in proposed]) == signature).sum(axis=1)
        return sorted(proposed[place] for place in np.argsort(-agreeing, kind="stable")[:COMPARED])

    def add(self, signature: "Signature") -> None:
        for band in self._bands(signature):
            if len(self._buckets[band]) < BUCKET:
                self._buckets[band].append(len(self._held))
        self._held.append(signature)

    def _bands(self, signature: "Signature") -> Iterator[tuple[int, bytes]]:
        for start in range(0, _SIGNATURE - self._rows + 1, self._rows):
            yield start, signature[start : start + self._rows].tobytes()


def shingles(text: str) -> "Shingles":
    """Sorted hashes of the distinct runs of `SHINGLE` folded words; of all words of a shorter text; none without a word."""
    import numpy as np

    found = words(text)
    runs = (" ".join(found[start : start + SHINGLE]) for start in range(max(1, len(found) - SHINGLE + 1)) if found)
    hashes = b"".join(blake2b(run.encode(), digest_size=8).digest() for run in runs)
    return np.unique(np.frombuffer(hashes, "<u8"))


def jaccard(one: "Shingles", other: "Shingles") -> float:
    """Common shingles as a share of all, 0 to 1; 0 where there is none."""
    import numpy as np

    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common) if common else 0.0
