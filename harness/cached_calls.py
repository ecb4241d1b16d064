"""One call for each output, whoever asks: kept outputs are looked up, the others computed by one thread while others wait."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from harness.cached_costs import charge_again, keep_seconds, keep_usage, seconds
from harness.elapsed import counted_as, measured
from harness.spending import spent
from harness.store import Store


def each_once(
    store: Store,
    count: Callable[[str, int, int], None],
    stage: str,
    keys: Sequence[str],
    texts: Sequence[str],
    compute: Callable[[list[str]], list[bytes]],
    batch: int = sys.maxsize,
) -> list[bytes]:
    """The output for each text, kept under its key or computed now.

    Threads that want the same wait for the one that computes it. Keys are held in their order, so that no two threads wait for each
    other.

    Args:
        store: where outputs are kept.
        count: told the stage and how many were answered from the cache and how many were not.
        stage: namespace in the store.
        keys: of each text, the fingerprint of everything that can change its output.
        texts: what is asked for.
        compute: the outputs of several texts in one call.
        batch: texts in one call at most.
    """
    with counted_as(partial(seconds, store, stage, keys)):
        found = store.get_many(stage, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        count(stage, len(keys) - len(missing), 0)
        charge_again(store, stage, found)
        pending = list(missing.items())
        for start in range(0, len(pending), batch):
            with ExitStack() as held:
                part = dict(pending[start : start + batch])
                for key in sorted(part):
                    held.enter_context(alone(store.maker(key)))
                late = store.get_many(stage, list(part))
                charge_again(store, stage, late)
                rest = {key: text for key, text in part.items() if key not in late}
                count(stage, len(late), len(rest))
                found |= late | (_computed(store, stage, rest, compute) if rest else {})
        return [found[key] for key in keys]


def _computed(
    store: Store, stage: str, texts: Mapping[str, str], compute: Callable[[list[str]], list[bytes]]
) -> dict[str, bytes]:
    """The outputs of one call, kept with what it took under the keys of its texts."""
    with measured() as took, spent() as bill:
        fresh = dict(zip(texts, compute(list(texts.values())), strict=True))
    keep_seconds(store, stage, fresh, took)
    keep_usage(store, stage, list(fresh), bill.usage)
    store.put_many(stage, fresh)
    return fresh


@contextmanager
def alone(lock: threading.RLock) -> Iterator[None]:
    """Holds a lock; the wait for it counts as no time, for what is waited for has its own."""
    with counted_as(lambda: 0.0):
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
