"""`make bench`: one line a case; `--json FILE` writes the record that published figures come from."""

import argparse
import json
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from benchmarks.cases import CASES, RIVALS
from benchmarks.timing import Row
from harness.build.environment import environment

_HEAD = f"{'case':36} {'rival':30} {'times as fast':>13} {'bar':>6}   size"


def main() -> None:
    """Runs every case in turn."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table as JSON too")
    arguments = parser.parse_args()
    print(_HEAD)
    rows = []
    for case in CASES:
        rows.append(case())
        print(_line(rows[-1]), flush=True)
    if arguments.json:
        machine = {**environment(), **{name: version(name) for name in RIVALS}}
        arguments.json.write_text(json.dumps({"environment": machine, "rows": [asdict(row) for row in rows]}, indent=2) + "\n")


def _line(row: Row) -> str:
    bar = "" if row.bar is None else f"{row.bar:g}"
    missed = "  MISSED" if row.bar is not None and row.times < row.bar else ""
    return f"{row.case:36} {row.rival:30} {row.times:13.2f} {bar:>6}   {row.size}{missed}"


if __name__ == "__main__":
    main()
