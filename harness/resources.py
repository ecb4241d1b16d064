"""Where things lie: the shipped configs and golden sets, the user's own, and the cache."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
_ELSEWHERE: ContextVar[tuple[Path, ...]] = ContextVar("elsewhere", default=())


def shipped_root() -> Path:
    """The folder with the shipped conf/, experiments/ and golden_sets/: inside the wheel, or the checkout."""
    packed = PACKAGE / "_shipped"
    return packed if packed.is_dir() else PACKAGE.parent


def roots() -> list[Path]:
    """Where conf/, experiments/ and golden_sets/ are looked for: the current folder first, then the shipped ones."""
    if elsewhere := _ELSEWHERE.get():
        return list(elsewhere)
    here, shipped = Path.cwd().resolve(), shipped_root()
    return [here] if here == shipped else [here, shipped]


@contextmanager
def looking_in(places: Sequence[Path]) -> Iterator[None]:
    """While it lasts `roots` are these places, such as the folders of another git revision."""
    token = _ELSEWHERE.set(tuple(places))
    try:
        yield
    finally:
        _ELSEWHERE.reset(token)


def cache_dir() -> Path:
    """Cached stage outputs and prepared models: HARNESS_CACHE_DIR, or .harness_cache in the current folder."""
    return Path(os.environ.get("HARNESS_CACHE_DIR") or ".harness_cache").absolute()
