"""Stations from Python: search, change without collisions, move devices.

A station is a fixed measuring point, as described on the API page of the
stations. This module turns the JSON objects into dataclasses, repeats a
change that collided with somebody else's, and knows a little geometry. It
keeps no store: each call asks the service. Programs that ask for the same
station again and again should keep the object and use refresh().
"""

import logging
import math
from dataclasses import dataclass, replace

import requests

from fernhill.client import FernhillError
from fernhill.pagination import Pager

log = logging.getLogger("fernhill.stations")

KINDS = ("mast", "well", "stream", "tank", "room", "field")
NEAR_RADIUS_KM = 10.0
LATEST_MAX_AGE_S = 5400
UPDATE_ATTEMPTS = 3
MAX_TAGS = 9
MAX_TAG_LENGTH = 20
MAX_DEVICES = 16
EARTH_RADIUS_KM = 6371.0088
SAME_POINT_M = 5.0
MISSING_VALUE = float("nan")


class StationError(FernhillError):
    """Base class of the errors in this module."""


class ChangedMeanwhile(StationError):
    """Others changed the station UPDATE_ATTEMPTS times in a row."""


class DeviceTaken(StationError):
    """The device belongs to another station and move was not allowed."""


class NoPosition(StationError):
    """A distance was asked for, but the station has no position."""


@dataclass(frozen=True)
class Station:
    """One station. Objects never change; update() returns a new one."""

    id: str
    name: str
    kind: str
    revision: int
    lat: float | None = None
    lon: float | None = None
    altitude_m: float | None = None
    zone: str = "UTC"
    tags: tuple = ()
    devices: tuple = ()

    @property
    def free_places(self):
        """How many more devices can be attached."""
        return MAX_DEVICES - len(self.devices)


def from_json(body):
    """Make a Station from an object of the API; unknown fields are ignored."""
    return Station(
        id=body["id"],
        name=body["name"],
        kind=body["kind"],
        revision=body["revision"],
        lat=body.get("lat"),
        lon=body.get("lon"),
        altitude_m=body.get("altitude_m"),
        zone=body.get("zone", "UTC"),
        tags=tuple(body.get("tags", ())),
        devices=tuple(body.get("devices", ())),
    )


def find(client, kind=None, tags=(), name_part=None):
    """Yield stations, sorted by name.

    The filters kind and tags are applied by the service. The filter name_part
    is applied here, without regard to capital letters, because the service
    cannot search in names; it therefore saves no requests.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError("unknown kind %r" % kind)
    params = {"tag": list(tags)}
    if kind:
        params["kind"] = kind
    for body in Pager(client, "/stations", "stations", params):
        if name_part and name_part.lower() not in body["name"].lower():
            continue
        yield from_json(body)


def nearest(client, lat, lon, count=5, radius_km=NEAR_RADIUS_KM):
    """Return up to count stations around a point, the closest one first.

    If the circle holds fewer stations than asked for, the radius is doubled
    once. The second answer is final, even if it is still too short.
    """
    found = []
    for radius in (radius_km, 2 * radius_km):
        params = {"near": "%.5f,%.5f" % (lat, lon), "radius_km": radius, "sort": "distance"}
        pager = Pager(client, "/stations", "stations", params, size=count)
        found = [from_json(body) for body in next(pager.by_page(), [])]
        if len(found) >= count:
            break
    return found[:count]


def refresh(client, station):
    """Return the present state of a station."""
    return from_json(client.request("GET", "/stations/%s" % station.id).json())


def update(client, station, change):
    """Apply a change and send it, again if somebody was faster.

    The change is a function that takes a Station and returns a dictionary
    with the fields to set. It is called afresh for every attempt, with the
    newest state, so it must not rely on what it saw before. An empty
    dictionary means that nothing is left to do and sends nothing.
    """
    for _ in range(UPDATE_ATTEMPTS):
        fields = change(station)
        if not fields:
            return station
        headers = {"If-Match": str(station.revision)}
        try:
            path = "/stations/%s" % station.id
            return from_json(client.request("PATCH", path, json=fields, headers=headers).json())
        except requests.HTTPError as fault:
            if fault.response.status_code != 412:
                raise
        station = refresh(client, station)
        log.info("%s changed meanwhile, now revision %d", station.id, station.revision)
    raise ChangedMeanwhile(station.id)


def add_tag(client, station, tag):
    """Add one tag; does nothing when the station has it already."""
    tag = tag.strip().lower()
    if not tag or len(tag) > MAX_TAG_LENGTH:
        raise ValueError("a tag has 1 to %d characters" % MAX_TAG_LENGTH)

    def change(now):
        if tag in now.tags:
            return {}
        if len(now.tags) >= MAX_TAGS:
            raise StationError("the station has %d tags" % MAX_TAGS)
        return {"tags": [*now.tags, tag]}

    return update(client, station, change)


def attach(client, station, device, move=False):
    """Attach a device; with move=True take it from its former station."""
    path = "/stations/%s/devices/%s" % (station.id, device)
    try:
        client.request("PUT", path, params={"move": "true"} if move else None)
    except requests.HTTPError as fault:
        if fault.response.json()["error"]["code"] == "device_taken":
            raise DeviceTaken(device) from fault
        raise
    return replace(station, devices=(*station.devices, device), revision=station.revision + 1)


def latest(client, station, max_age_s=LATEST_MAX_AGE_S, drop_stale=False):
    """Return the newest values as {device: {quantity: value}}.

    The age limit is shorter than that of the API, because a probe that has
    been silent for an hour and a half deserves a look. A value that could not be measured becomes MISSING_VALUE. Stale
    entries are kept unless drop_stale is set, as an old value is often better
    than a hole in a report.
    """
    body = client.request(
        "GET", "/stations/%s/latest" % station.id, params={"max_age_s": max_age_s}
    ).json()
    result = {}
    for entry in body["latest"]:
        if drop_stale and entry.get("stale"):
            continue
        values = entry.get("values") or {}
        result[entry["device"]] = {
            name: MISSING_VALUE if value is None else value for name, value in values.items()
        }
    return result


def distance_km(a, b):
    """Great-circle distance of two stations by the haversine formula."""
    if None in (a.lat, a.lon, b.lat, b.lon):
        raise NoPosition(a.id if a.lat is None else b.id)
    p, q = math.radians(a.lat), math.radians(b.lat)
    half = math.sin((q - p) / 2) ** 2
    half += math.cos(p) * math.cos(q) * math.sin(math.radians(b.lon - a.lon) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(half))


def same_point(a, b):
    """True when two stations are closer than the service would notice."""
    return distance_km(a, b) * 1000.0 < SAME_POINT_M
