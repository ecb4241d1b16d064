"""What an answer says with its markers, written so that every marker is read as the citation that it is."""

from collections.abc import Sequence

from harness.generation.citations import find
from harness.generation.units import full_stop

_STOPS = ".!。！？؟｡"
_FENCES = ("```", "~~~")
"""At the start of a paragraph they would make code of all that follows, the marker included."""


def marked(text: str, ids: Sequence[str]) -> str:
    """A sentence with its markers before the final stop, so that they never drift to the next sentence."""
    text = text.lstrip("`~ ") if text.startswith(_FENCES) else text
    bare = text.rstrip(_STOPS)
    blank = " " if bare.endswith(" ") else ""
    markers = "".join(f"[{cited}]" for cited in ids)
    return f"{bare.rstrip()} {markers}{blank}{text[len(bare) :][:1] or full_stop(bare)}"


def joined(said: Sequence[str], ids: Sequence[str]) -> str:
    """One paragraph of marked sentences; a paragraph each where lone backticks would make code of a marker between them.

    Args:
        said: the sentences with their markers.
        ids: every id that one of them cites, as often as it does.
    """
    text = " ".join(said)
    read = [cited for citation in find(text) for cited in citation.ids if cited in ids]
    return text if len(read) == len(ids) else "\n\n".join(said)
