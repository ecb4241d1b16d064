"""Client of the Fernhill REST API with retry and paging."""

import time

import requests

MAX_RETRIES = 4
BACKOFF_BASE_S = 0.5
TIMEOUT_S = 20
RETRY_STATUS = (429, 502, 503)


class FernhillError(Exception):
    """Raised when the service refuses a request for good."""


def wait_before(attempt):
    """Seconds to sleep before an attempt: doubled each time, never above 30."""
    return min(30.0, BACKOFF_BASE_S * 2 ** attempt)


class Client:
    """Talks to the cloud service with one key."""

    def __init__(self, key, base="https://api.fernhill.example/v2"):
        self.key = key
        self.base = base

    def get(self, path, **params):
        """Fetch a path; repeat on RETRY_STATUS, raise FernhillError otherwise."""
        for attempt in range(MAX_RETRIES + 1):
            answer = requests.get(
                self.base + path,
                params=params,
                headers={"X-Fernhill-Key": self.key},
                timeout=TIMEOUT_S,
            )
            if answer.status_code not in RETRY_STATUS:
                break
            time.sleep(wait_before(attempt))
        if answer.status_code >= 400:
            raise FernhillError(answer.text)
        return answer.json()
