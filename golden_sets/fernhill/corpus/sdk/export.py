"""Export of readings to files, month by month, with a list of check sums.

The module is meant for jobs that run every night. It fetches readings in
windows that the API permits, writes one file for each device and month, and
keeps a manifest so that a later run continues where the last one stopped.
"""

import csv
import gzip
import hashlib
import json
from datetime import timedelta
from pathlib import Path

WINDOW_DAYS = 31
LATE_DAYS = 12
FLUSH_EVERY_ROWS = 5000
MANIFEST_NAME = "manifest.json"
COLUMNS = ("time", "value", "unit", "flag", "sequence")
FORMATS = ("csv", "csv.gz", "jsonl")


class ManifestBroken(Exception):
    """A file on disk does not match the check sum in the manifest."""


class UnknownFormat(ValueError):
    """The format is none of FORMATS."""


def windows(start, end, days=WINDOW_DAYS):
    """Yield (from, to) pairs that cover the time between start and end.

    Windows touch each other and never overlap. The last one may be shorter.
    """
    if end <= start:
        raise ValueError("the end must be later than the start")
    step = timedelta(days=days)
    while start < end:
        stop = min(start + step, end)
        yield start, stop
        start = stop


def resume_from(manifest, device, start):
    """Return the time from which a device must be fetched again.

    Gateways may deliver readings late, so the last LATE_DAYS before the end
    of the former run are always fetched once more.
    """
    done = manifest.get(device, {}).get("until")
    if done is None:
        return start
    return max(start, done - timedelta(days=LATE_DAYS))


def file_name(device, month, fmt="csv.gz"):
    """Return a name such as aq-0042_2026-05.csv.gz."""
    if fmt not in FORMATS:
        raise UnknownFormat(fmt)
    return "%s_%s.%s" % (device, month.strftime("%Y-%m"), fmt)


def open_for(path, fmt):
    """Open a file for writing text in one of the FORMATS."""
    if fmt == "csv.gz":
        return gzip.open(path, "wt", encoding="utf-8", newline="", compresslevel=6)
    return open(path, "w", encoding="utf-8", newline="")


def write_rows(path, rows, fmt="csv.gz", drop_flags=()):
    """Write rows to a file and return how many were written.

    Rows whose flag is in drop_flags are left out. The file is first written
    under a name that ends in .part and is renamed when it is complete, so a
    job that was killed never leaves half a file behind.
    """
    part = Path(str(path) + ".part")
    count = 0
    with open_for(part, fmt) as out:
        writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore")
        if fmt != "jsonl":
            writer.writeheader()
        for row in rows:
            if row["flag"] in drop_flags:
                continue
            if fmt == "jsonl":
                out.write(json.dumps({name: row[name] for name in COLUMNS}) + "\n")
            else:
                writer.writerow(row)
            count += 1
            if count % FLUSH_EVERY_ROWS == 0:
                out.flush()
    part.replace(path)
    return count


def check_sum(path, block=65536):
    """Return the SHA-256 of a file as hexadecimal text."""
    total = hashlib.sha256()
    with open(path, "rb") as source:
        while chunk := source.read(block):
            total.update(chunk)
    return total.hexdigest()


def verify(folder, manifest):
    """Raise ManifestBroken for the first file that was changed or is gone."""
    for name, entry in sorted(manifest.get("files", {}).items()):
        path = Path(folder) / name
        if not path.is_file() or check_sum(path) != entry["sha256"]:
            raise ManifestBroken(name)
