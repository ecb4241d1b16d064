"""Turning the pages of long lists, with checkpoints and a limit on memory.

The client module has a simple loop that is good enough for short lists. This
module is for jobs that read for hours: it splits long times into spans that
the API permits, notices when a cursor grows too old, remembers how far it has
come, and drops readings that were delivered twice because two spans touch.

All functions take a fernhill.client.Client and never open a session of their
own. Nothing here starts a thread; callers who want to read several devices at
once use one Pager for each thread.
"""

import json
import logging
import os
import time
from collections import OrderedDict
from datetime import timedelta
from itertools import islice
from pathlib import Path

from fernhill.client import PAGE_SIZE, FernhillError

log = logging.getLogger("fernhill.pagination")

STATION_PAGE_SIZE = 150
TIMELINE_PAGE_SIZE = 100
DELIVERY_PAGE_SIZE = 80
SPAN_DAYS = 84
SMALLEST_SPAN_HOURS = 6
CURSOR_LIFE_S = 25 * 60
CURSOR_MARGIN_S = 90
MAX_PAGES = 2000
MAX_RESTARTS = 3
DEDUPE_WINDOW = 1024
CHECKPOINT_EVERY_PAGES = 20
CHECKPOINT_VERSION = 2

SIZES = {
    "readings": PAGE_SIZE,
    "stations": STATION_PAGE_SIZE,
    "events": TIMELINE_PAGE_SIZE,
    "deliveries": DELIVERY_PAGE_SIZE,
}


class PagingError(FernhillError):
    """Base class of the errors in this module."""


class EndlessList(PagingError):
    """More than MAX_PAGES pages came; the filter is probably too wide."""


class CursorLost(PagingError):
    """The cursor expired MAX_RESTARTS times; the consumer is too slow."""


class CheckpointUnusable(PagingError):
    """The file is of another version or belongs to another list."""


class Pager:
    """Yields the entries of one list, page after page.

    The field is the name of the array in the answer and also decides how many
    entries are asked for at once. Pass size to override that. A page that is
    shorter than asked for is no sign of the end, as the service cuts pages
    that would grow too large; only a missing next_cursor ends the list.
    """

    def __init__(self, client, path, field, params=None, size=None):
        self._client = client
        self._path = path
        self._field = field
        self._params = dict(params or {})
        self._size = size or SIZES.get(field, 100)
        self._cursor = None
        self._cursor_at = 0.0
        self.pages = 0
        self.restarts = 0

    def __iter__(self):
        for page in self.by_page():
            yield from page

    def by_page(self):
        """Yield whole pages as lists; empty pages are skipped silently."""
        skip = 0
        seen = 0
        while True:
            body = self._fetch()
            entries = body[self._field]
            if skip:
                dropped = min(skip, len(entries))
                entries = entries[dropped:]
                skip -= dropped
            if entries:
                seen += len(entries)
                yield entries
            self._cursor = body.get("next_cursor")
            if not self._cursor:
                return
            if self._too_old():
                skip = self._restart(seen)

    def resume(self, cursor, age_s=0.0):
        """Go on with a cursor that another run has stored."""
        self._cursor = cursor
        self._cursor_at = time.monotonic() - age_s

    def _fetch(self):
        if self.pages >= MAX_PAGES:
            raise EndlessList(self._path)
        params = dict(self._params, limit=self._size)
        if self._cursor:
            params["cursor"] = self._cursor
        self._cursor_at = time.monotonic()
        self.pages += 1
        return self._client.request("GET", self._path, params=params).json()

    def _too_old(self):
        age = time.monotonic() - self._cursor_at
        return age > CURSOR_LIFE_S - CURSOR_MARGIN_S

    def _restart(self, seen):
        """Begin again at the first page and tell how many entries to skip."""
        self.restarts += 1
        if self.restarts > MAX_RESTARTS:
            raise CursorLost(self._path)
        log.warning("cursor of %s is too old, starting again", self._path)
        self._cursor = None
        return seen


def spans(start, end, days=SPAN_DAYS):
    """Yield (from, to) pairs for requests that are limited in time.

    The default is a whole number of weeks, so that weekly statistics of a
    span need no neighbour. The spans touch: the end of one is the start of
    the next, and readings on the border are delivered twice. Use unique() to
    drop the second copy.
    """
    if start.tzinfo is None or end.tzinfo is None:
        raise ValueError("times must be aware")
    step = timedelta(days=days)
    while start < end:
        stop = min(start + step, end)
        yield start, stop
        start = stop


def halve(start, end):
    """Split a span in two after the service answered took_too_long.

    Raises PagingError when the halves would be shorter than
    SMALLEST_SPAN_HOURS, since the fault then lies elsewhere.
    """
    middle = start + (end - start) / 2
    if middle - start < timedelta(hours=SMALLEST_SPAN_HOURS):
        raise PagingError("the span cannot be split any further")
    return (start, middle), (middle, end)


def unique(readings, window=DEDUPE_WINDOW):
    """Drop readings whose device and sequence number were seen lately.

    Only the last entries of the window are remembered, which keeps the memory
    small. Late readings come with their old sequence number, so a reading
    that is repeated after more than window others passes a second time.
    """
    seen = OrderedDict()
    for reading in readings:
        mark = (reading.get("device"), reading.get("seq"))
        if mark[1] is not None and mark in seen:
            continue
        seen[mark] = True
        if len(seen) > window:
            seen.popitem(last=False)
        yield reading


def long_readings(client, device, start, end, step="1h"):
    """Yield readings over any length of time, without doubles."""

    def all_of_them():
        for a, b in spans(start, end):
            params = {"from": a.isoformat(), "to": b.isoformat(), "step": step}
            yield from Pager(client, "/devices/%s/readings" % device, "readings", params)

    yield from unique(all_of_them())


def batches(entries, size=50):
    """Yield lists of at most size entries, for writing to a database."""
    source = iter(entries)
    while batch := list(islice(source, size)):
        yield batch


class Checkpoint:
    """A small file that remembers the last reading that was safely stored.

    Cursors are not kept for long by the service, so the file holds the time
    of the last entry and not a cursor. Call done() after your own database
    has committed; the file is written on every CHECKPOINT_EVERY_PAGES-th call
    and by close(). It is replaced in one step and is never half written.
    """

    def __init__(self, path, name):
        self._path = Path(path)
        self._name = name
        self._calls = 0
        self.last = None
        if self._path.exists():
            stored = json.loads(self._path.read_text("utf-8"))
            if stored["version"] != CHECKPOINT_VERSION or stored["name"] != name:
                raise CheckpointUnusable(str(path))
            self.last = stored["last"]

    def done(self, last):
        """Note the time of the last entry of a page that is safe."""
        self.last = last
        self._calls += 1
        if self._calls % CHECKPOINT_EVERY_PAGES == 0:
            self.close()

    def close(self):
        """Write the file, if there is anything to write."""
        if self.last is None:
            return
        body = {"version": CHECKPOINT_VERSION, "name": self._name, "last": self.last}
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(body), "utf-8")
        os.replace(fresh, self._path)
