"""Client of the Fernhill REST API with retry, paging and bulk export.

The client keeps one HTTPS session open and is safe to use from several
threads as long as each thread has its own cursor. It never writes the key to
the log. All times that go in or come out are aware datetimes in UTC.
"""

import logging
import random
import time

import requests

log = logging.getLogger("fernhill.client")

BASE_URL = "https://api.fernhill.example/v2"
MAX_RETRIES = 4
BACKOFF_BASE_S = 0.5
BACKOFF_CAP_S = 30.0
JITTER_SHARE = 0.25
CONNECT_TIMEOUT_S = 6
READ_TIMEOUT_S = 20
PAGE_SIZE = 400
RETRY_STATUS = frozenset({429, 502, 503, 504})


class FernhillError(Exception):
    """Base class of everything that this package raises."""


class KeyRejected(FernhillError):
    """The key is missing, wrong or disabled; a new attempt is of no use."""


class RetriesExhausted(FernhillError):
    """The service was busy or down for longer than the client is patient."""


def pause_before(attempt, retry_after=None):
    """Return the seconds to wait before an attempt.

    A waiting time named by the service always wins. Otherwise the pause is
    doubled with each attempt up to BACKOFF_CAP_S, and a random share of it is
    added so that many clients do not come back at the same moment.
    """
    if retry_after is not None:
        return float(retry_after)
    pause = min(BACKOFF_CAP_S, BACKOFF_BASE_S * 2 ** attempt)
    return pause * (1 + random.uniform(0, JITTER_SHARE))


class Client:
    """Talks to the cloud service with one key.

    Use it as a context manager, so that the session is closed at the end.
    """

    def __init__(self, key, base=BASE_URL, session=None):
        if not key:
            raise KeyRejected("no key given")
        self._base = base.rstrip("/")
        self._session = session or requests.Session()
        self._session.headers["X-Fernhill-Key"] = key
        self._session.headers["User-Agent"] = "fernhill-python/1.8"

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self._session.close()

    def request(self, method, path, **kwargs):
        """Send a request and repeat it while the service asks for patience.

        Only GET and PUT are repeated: a POST that was cut off may have been
        carried out already, and doing it twice would send a command twice.
        """
        repeatable = method in ("GET", "PUT")
        for attempt in range(MAX_RETRIES + 1):
            answer = self._session.request(
                method,
                self._base + path,
                timeout=(CONNECT_TIMEOUT_S, READ_TIMEOUT_S),
                **kwargs,
            )
            if answer.status_code == 401:
                raise KeyRejected(answer.text)
            if answer.status_code not in RETRY_STATUS or not repeatable:
                answer.raise_for_status()
                return answer
            wait = pause_before(attempt, answer.headers.get("Retry-After"))
            log.info("attempt %d refused, waiting %.1f s", attempt, wait)
            time.sleep(wait)
        raise RetriesExhausted(path)

    def devices(self):
        """Yield all devices of the account, newest first."""
        yield from self._pages("/devices", "devices")

    def readings(self, device, start, end, step="1h"):
        """Yield the readings of one device between two times."""
        params = {"from": start.isoformat(), "to": end.isoformat(), "step": step}
        yield from self._pages("/devices/%s/readings" % device, "readings", params)

    def _pages(self, path, field, params=None):
        params = dict(params or {}, limit=PAGE_SIZE)
        while True:
            body = self.request("GET", path, params=params).json()
            yield from body[field]
            if not body.get("next_cursor"):
                return
            params["cursor"] = body["next_cursor"]

    def export(self, places, poll_s=15, give_up_s=3600):
        """Start a bulk export and return its link once it is ready.

        Raises TimeoutError when the export is not ready after give_up_s.
        """
        job = self.request("POST", "/exports", json={"places": places}).json()
        deadline = time.monotonic() + give_up_s
        while time.monotonic() < deadline:
            state = self.request("GET", "/exports/%s" % job["id"]).json()
            if state["state"] == "ready":
                return state["link"]
            time.sleep(poll_s)
        raise TimeoutError("export %s not ready" % job["id"])
