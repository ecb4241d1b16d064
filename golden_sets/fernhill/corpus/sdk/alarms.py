"""Alarm rules as plain objects, and a local check of them.

The check runs on your own computer and is meant for trying out thresholds on
old readings before a rule is created in the cloud service.
"""

from dataclasses import dataclass
from enum import IntEnum

DEFAULT_DELAY_S = 600
DEFAULT_BAND_SHARE = 0.05
MAX_NAME_LENGTH = 48
IGNORED_FLAGS = (5, 7)


class Level(IntEnum):
    """How urgent a rule is; only CRITICAL gets through quiet hours."""

    INFO = 10
    WARNING = 20
    CRITICAL = 40


@dataclass(frozen=True)
class Rule:
    """One threshold on one value of one device.

    With above=True the rule fires when the value exceeds the threshold,
    otherwise when it falls below. The band is the hysteresis in the unit of
    the value; None stands for DEFAULT_BAND_SHARE of the threshold.
    """

    name: str
    device: str
    value: str
    threshold: float
    above: bool = True
    delay_s: int = DEFAULT_DELAY_S
    band: float | None = None
    level: Level = Level.WARNING

    def __post_init__(self):
        if len(self.name) > MAX_NAME_LENGTH:
            raise ValueError("the name of the rule is too long")
        if self.delay_s % 60:
            raise ValueError("the delay must be a whole number of minutes")

    @property
    def width(self):
        """Width of the hysteresis band."""
        if self.band is None:
            return abs(self.threshold) * DEFAULT_BAND_SHARE
        return self.band

    def beyond(self, x):
        """True when a value lies on the wrong side of the threshold."""
        return x > self.threshold if self.above else x < self.threshold

    def calm(self, x):
        """True when a value has come back by the width of the band."""
        if self.above:
            return x <= self.threshold - self.width
        return x >= self.threshold + self.width


def replay(rule, readings):
    """Yield (time, state) for each change of state of a rule.

    Readings are (seconds, value, flag) in order of time. Values with a flag
    in IGNORED_FLAGS are skipped. The state is "fired" once the value has been
    beyond the threshold for the whole delay, and "ended" once it is calm.
    """
    since = None
    fired = False
    for when, x, flag in readings:
        if flag in IGNORED_FLAGS:
            continue
        if fired:
            if rule.calm(x):
                fired = False
                since = None
                yield when, "ended"
        elif rule.beyond(x):
            if since is None:
                since = when
            if when - since >= rule.delay_s:
                fired = True
                yield when, "fired"
        else:
            since = None


def to_json(rule):
    """Return the body for POST /alarms."""
    return {
        "name": rule.name,
        "device": rule.device,
        "value": rule.value,
        "threshold": rule.threshold,
        "direction": "above" if rule.above else "below",
        "delay_s": rule.delay_s,
        "band": rule.width,
        "level": rule.level.name.lower(),
    }


def busiest(events, top=3):
    """Names of the rules that fired most often, to find the noisy ones."""
    counts = {}
    for name, state in events:
        if state == "fired":
            counts[name] = counts.get(name, 0) + 1
    return sorted(counts, key=lambda n: (-counts[n], n))[:top]
