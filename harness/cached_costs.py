"""What an output took when it was computed, kept beside it: an answer from the cache counts and costs as much as a computed one."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace

from harness.elapsed import Elapsed
from harness.spending import charge
from harness.store import Store
from harness.types import Usage


def keep_seconds(store: Store, stage: str, keys: Collection[str], took: Elapsed) -> None:
    """Keeps what each output of a call took, its share of the call; before the outputs, so that none is there without."""
    if took.known:
        store.put_many(f"{stage}_seconds", dict.fromkeys(keys, repr(took.seconds / len(keys)).encode()))


def seconds(store: Store, stage: str, keys: Collection[str]) -> float | None:
    """What the outputs under these keys took when they were computed; None where that is not kept of each."""
    kept = store.get_many(f"{stage}_seconds", list(keys))
    return sum(map(float, kept.values())) if kept.keys() >= set(keys) else None


def keep_usage(store: Store, stage: str, keys: Sequence[str], took: Usage) -> None:
    """Keeps each output's share of what a call was billed, whole numbers that add up; nothing for a call that was free."""
    if took == Usage():
        return
    count = len(keys)
    shares = [
        Usage(_share(took.input_tokens, place, count), _share(took.output_tokens, place, count), _share(took.calls, place, count))
        for place in range(count)
    ]
    shares[0] = replace(shares[0], cost=took.cost)
    kept = {key: json.dumps(asdict(share)).encode() for key, share in zip(keys, shares, strict=True)}
    store.put_many(f"{stage}_usage", kept)


def _share(whole: int, place: int, count: int) -> int:
    return whole // count + (place < whole % count)


def charge_again(store: Store, stage: str, keys: Collection[str]) -> None:
    """Bills outputs from the cache with what they took when they were computed."""
    for kept in store.get_many(f"{stage}_usage", list(keys)).values():
        charge(Usage(**json.loads(kept)))
