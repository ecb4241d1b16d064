"""Which identifiers a corpus holds, told for each asker from the passages that one may see."""

import re
from collections import defaultdict
from collections.abc import Sequence

from harness.types import Chunk

_PIECE = re.compile(r"[0-9]{1,30}|\.[a-z]{1,5}(?![A-Za-z0-9])")
"""A run of digits, or the ending of a file name: each identifier has one."""


class Identifiers:
    """The passages of a corpus by the pieces that identifiers consist of."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = tuple(chunks)
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, chunk in enumerate(self._chunks):
            for piece in set(_PIECE.findall(chunk.indexed_text)):
                self._places[piece].append(place)

    def held(self, identifier: str, allowed: frozenset[str] | None) -> bool:
        """Whether a passage that the asker may see holds it, not as a part of a longer word; None for `allowed` is all passages."""
        places = min((self._places.get(piece, []) for piece in _PIECE.findall(identifier)), key=len, default=[])
        whole = re.compile(rf"(?<![A-Za-z0-9]){re.escape(identifier)}(?![A-Za-z0-9])")
        seen = (self._chunks[place] for place in places)
        return any(whole.search(chunk.indexed_text) for chunk in seen if allowed is None or chunk.span.doc_id in allowed)
