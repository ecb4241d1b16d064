"""Receiving webhooks in Python: check, sort out doubles, hand on.

The module has no web server of its own. Give it the raw body and the headers
of a request from any framework, and it returns an Event or raises one of the
exceptions below, each of which carries the status that you should answer.

    receiver = Receiver(secrets=[os.environ["HOOK_SECRET"].encode()])

    @receiver.on("alarm.begin")
    def ring(event):
        print(event.place, event.rule)

    status = receiver.take(request.body, request.headers)

Handlers run in a thread behind a queue, because the service waits only a few
seconds for the answer. An event whose handler fails is not asked for again:
it is put into the list `failed`, which your own program should look through.
"""

import hashlib
import hmac
import json
import logging
import queue
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field

log = logging.getLogger("fernhill.webhooks")

TOLERANCE_S = 240
CLOCK_AHEAD_S = 30
SEEN_TTL_S = 4 * 3600
SEEN_CAPACITY = 5000
QUEUE_SIZE = 256
MAX_BODY_BYTES = 48 * 1024
HANDLER_WARN_S = 20
FAILED_KEPT = 100

PLAIN_HEADER = "x-fernhill-signature"
DATED_HEADER = "x-fernhill-signature-v2"
DELIVERY_HEADER = "x-fernhill-delivery"
REPLAY_HEADER = "x-fernhill-replay"

EVENT_TYPES = ("alarm.begin", "alarm.end", "device.lost")


class WebhookError(Exception):
    """Base class; status is what the web server should answer."""

    status = 400


class BadSignature(WebhookError):
    """No signature fits any of the secrets."""

    status = 401


class TooOld(WebhookError):
    """The attempt was made too long ago, or the clock is wrong."""

    status = 401


class TooLarge(WebhookError):
    """The body is larger than the service would ever send."""

    status = 413


class Busy(WebhookError):
    """The queue is full; the service will come again later."""

    status = 503


@dataclass(frozen=True)
class Event:
    """One event, as handed to the handlers."""

    delivery: str
    type: str
    device: str = ""
    place: str = ""
    rule: str = ""
    level: str = "warning"
    attempt: int = 1
    replayed: bool = False
    raw: dict = field(default_factory=dict)


def lower(headers):
    """Headers with names in small letters, since proxies change them."""
    return {name.lower(): value for name, value in headers.items()}


def parse_dated(value):
    """Split "t=...,s=...,s=..." into the time and a list of sums.

    Parts with another name are skipped. BadSignature is raised when the time
    or every sum is missing.
    """
    when = None
    sums = []
    for part in value.split(","):
        name, _, text = part.strip().partition("=")
        if name == "t" and text.isdigit():
            when = int(text)
        elif name == "s":
            sums.append(text)
    if when is None or not sums:
        raise BadSignature("the header cannot be read")
    return when, sums


def check_dated(body, headers, secrets, now=None, tolerance=TOLERANCE_S):
    """Check the second form of the signature and return the time in it.

    Every secret is tried with every sum, so that a renewal needs no downtime
    on either side. The comparison takes the same time for right and wrong.
    A time in the future is allowed up to CLOCK_AHEAD_S, which is far less
    than the tolerance for the past: clocks of servers seldom run ahead.
    """
    when, sums = parse_dated(headers.get(DATED_HEADER, ""))
    delivery = headers.get(DELIVERY_HEADER, "")
    signed = b"%d.%s.%s" % (when, delivery.encode(), body)
    good = False
    for secret in secrets:
        want = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        for have in sums:
            good |= hmac.compare_digest(want, have)
    if not good:
        raise BadSignature("no sum fits")
    now = time.time() if now is None else now
    if now - when > tolerance or when - now > CLOCK_AHEAD_S:
        raise TooOld("the time of the attempt is off by %d s" % (now - when))
    return when


def check_plain(body, headers, secrets):
    """Check the plain signature; only for webhooks with signing v1."""
    have = headers.get(PLAIN_HEADER, "")
    good = False
    for secret in secrets:
        want = hmac.new(secret, body, hashlib.sha256).hexdigest()
        good |= hmac.compare_digest(want, have)
    if not good:
        raise BadSignature("the plain sum does not fit")


class Seen:
    """Remembers delivery ids for SEEN_TTL_S, but no more than capacity.

    The oldest id goes first when the store is full. The store lives in the
    memory of one process: behind a load balancer give Receiver an object with
    the same method `add` that uses a shared database.
    """

    def __init__(self, ttl=SEEN_TTL_S, capacity=SEEN_CAPACITY):
        self._ttl = ttl
        self._capacity = capacity
        self._ids = OrderedDict()
        self._lock = threading.Lock()

    def add(self, delivery, now=None):
        """Return True for a new id and False for one seen before."""
        now = time.monotonic() if now is None else now
        with self._lock:
            while self._ids:
                oldest, born = next(iter(self._ids.items()))
                if now - born < self._ttl and len(self._ids) < self._capacity:
                    break
                del self._ids[oldest]
            if delivery in self._ids:
                return False
            self._ids[delivery] = now
            return True


class Receiver:
    """Takes requests, answers quickly and calls handlers in one thread."""

    def __init__(self, secrets, signing="v2", seen=None):
        if signing not in ("v1", "v2"):
            raise ValueError("signing must be v1 or v2")
        self._secrets = list(secrets)
        self._signing = signing
        self._seen = seen or Seen()
        self._handlers = {name: [] for name in EVENT_TYPES}
        self._queue = queue.Queue(QUEUE_SIZE)
        self.failed = []
        threading.Thread(target=self._work, daemon=True).start()

    def on(self, event_type):
        """Decorator that registers a handler; unknown types raise KeyError."""

        def register(handler):
            self._handlers[event_type].append(handler)
            return handler

        return register

    def take(self, body, headers):
        """Check one request and return the status to answer.

        A delivery that was seen before is answered with 200 but not handed
        on, so that the service stops repeating it; a new one gets 202. A
        replay that somebody asked for is always handed on.
        """
        if len(body) > MAX_BODY_BYTES:
            raise TooLarge("%d bytes" % len(body))
        headers = lower(headers)
        if self._signing == "v2":
            check_dated(body, headers, self._secrets)
        else:
            check_plain(body, headers, self._secrets)
        data = json.loads(body)
        replayed = headers.get(REPLAY_HEADER) == "yes"
        if not self._seen.add(data["delivery_id"]) and not replayed:
            return 200
        event = Event(
            delivery=data["delivery_id"],
            type=data["type"],
            device=data.get("device", ""),
            place=data.get("place", ""),
            rule=data.get("rule", ""),
            level=data.get("level", "warning"),
            attempt=int(headers.get("x-fernhill-attempt", 1)),
            replayed=replayed,
            raw=data,
        )
        try:
            self._queue.put_nowait(event)
        except queue.Full:
            raise Busy("%d events wait" % QUEUE_SIZE) from None
        return 202

    def _work(self):
        while True:
            event = self._queue.get()
            started = time.monotonic()
            for handler in self._handlers.get(event.type, ()):
                try:
                    handler(event)
                except Exception as fault:
                    log.exception("handler of %s failed", event.type)
                    self.failed = (self.failed + [(event, fault)])[-FAILED_KEPT:]
            if time.monotonic() - started > HANDLER_WARN_S:
                log.warning("handlers of %s are slow", event.delivery)
