"""Which place of evidence became which, when a question was edited.

Neither the order of groups nor that inside a group says anything. A place that left its group for another is gone from the
one and new in the other, for what is needed has changed.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

_Place = tuple[str, Any]
"""Field and value, such as `evidence[0][1]` and `{doc, quote}`."""
_Group = Sequence[_Place]
"""Places of which one is enough."""
_Item = TypeVar("_Item")
_Marks = Sequence[Callable[[_Item], Sequence[str]]]


def paired_places(old: Any, new: Any, field: str) -> Iterator[tuple[str, Any, Any]]:
    """Field, old and new place of `evidence` or `forbid`; None stands for a place that is not there.

    Groups, then the places in them, are paired by document and quote first, then by quote alone, the rest in order. Values of
    a wrong shape are places too.
    """
    for left, right in _pairs(_groups(old, field), _groups(new, field), _GROUP_MARKS):
        for one, other in _pairs(left or (), right or (), _PLACE_MARKS):
            yield (other or one or (field, None))[0], one and one[1], other and other[1]


def shown(place: Any) -> Any:
    """What stands for a place: its quote, or the document that it names as a whole."""
    return place.get("quote", place.get("doc")) if isinstance(place, dict) else place


def _groups(value: Any, field: str) -> list[_Group]:
    """The groups of evidence; each forbidden place is one."""
    if not isinstance(value, list):
        return [list(_flat(value, field))]
    return [list(_flat(item, f"{field}[{number}]")) for number, item in enumerate(value)]


def _flat(value: Any, field: str) -> Iterator[_Place]:
    """Each `{doc, quote, ...}` inside lists; what is no list stands for itself."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _flat(item, f"{field}[{number}]")
    elif value is not None:
        yield field, value


def _pairs(
    old: Sequence[_Item], new: Sequence[_Item], marks: _Marks[_Item]
) -> Iterator[tuple[_Item, _Item | None] | tuple[None, _Item]]:
    """Each old item with the new one that it became: the first with a common mark, the strictest kind of mark first."""
    became: dict[int, int] = {}
    free = dict.fromkeys(range(len(new)))
    for mark in (*marks, _any):
        by_mark = defaultdict(list)
        for place in reversed(free):
            for name in mark(new[place]):
                by_mark[name].append(place)
        for place in (place for place in range(len(old)) if place not in became):
            found = next((one for name in mark(old[place]) if (one := _last(by_mark[name], free)) is not None), None)
            if found is not None:
                became[place] = found
                del free[found]
    yield from ((item, new[became[place]] if place in became else None) for place, item in enumerate(old))
    yield from ((None, new[place]) for place in free)


def _last(places: list[int], free: dict[int, None]) -> int | None:
    """The last place that is free; those behind it are dropped."""
    while places and places[-1] not in free:
        places.pop()
    return places[-1] if places else None


def _any(_item: object) -> Sequence[str]:
    return ("",)


def _whole(place: _Place) -> Sequence[str]:
    return (json.dumps(place[1], sort_keys=True),)


def _named(place: _Place) -> Sequence[str]:
    doc = place[1].get("doc") if isinstance(place[1], dict) else None
    return (json.dumps([doc, shown(place[1])], sort_keys=True),)


def _quoted(place: _Place) -> Sequence[str]:
    return (json.dumps(shown(place[1]), sort_keys=True),)


def _all_named(group: _Group) -> Sequence[str]:
    return (json.dumps(sorted(_each_named(group))),)


def _each_named(group: _Group) -> Sequence[str]:
    return [name for place in group for name in _named(place)]


def _each_quoted(group: _Group) -> Sequence[str]:
    return [name for place in group for name in _quoted(place)]


_GROUP_MARKS: _Marks[_Group] = (_all_named, _each_named, _each_quoted)
_PLACE_MARKS: _Marks[_Place] = (_whole, _named, _quoted)
