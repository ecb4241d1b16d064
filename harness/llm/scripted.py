"""A language model that replays what it was given: tests, examples and recordings."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import field

from pydantic import ConfigDict, SkipValidation
from pydantic.dataclasses import dataclass

from harness.errors import StageError
from harness.fingerprint import fingerprint
from harness.text import count_tokens
from harness.types import Completion, Request, Usage


class _Place:
    """The next reply of a sequence, handed out once even among threads."""

    def __init__(self) -> None:
        self._next = 0
        self._lock = threading.Lock()

    def take(self) -> int:
        with self._lock:
            self._next += 1
            return self._next - 1


@dataclass(frozen=True, config=ConfigDict(extra="forbid", arbitrary_types_allowed=True))
class Scripted:
    """Replies by a piece of the last turn (a mapping; the first key found wins) or one after the other (a sequence)."""

    replies: Mapping[str, str] | Sequence[str]
    """Piece of the last turn to reply, or replies in order."""
    _place: SkipValidation[_Place] = field(init=False, repr=False, compare=False, default=None)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_place", _Place())

    @property
    def identity(self) -> str:
        """The word scripted and a digest of the replies."""
        return f"scripted {fingerprint(self.replies)[:12]}"

    def complete(self, request: Request) -> Completion:
        """The scripted reply, cut to nothing: `max_tokens` is not looked at.

        Raises:
            StageError: when no key fits or the replies are used up.
        """
        text = self._reply(request.turns[-1].content)
        read = sum(count_tokens(turn.content) for turn in request.turns)
        return Completion(text, "stop", Usage(read, count_tokens(text), 1))

    def _reply(self, asked: str) -> str:
        if isinstance(self.replies, Mapping):
            for key, reply in self.replies.items():
                if key in asked:
                    return reply
            raise StageError(f"no scripted reply fits {asked[-80:]!r}; keys are {list(self.replies)!r}")
        place = self._place.take()
        if place >= len(self.replies):
            raise StageError(f"all {len(self.replies)} scripted replies are used up; asked for {asked[-80:]!r}")
        return self.replies[place]
