"""Where the public data sets lie, for tests marked public_data."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def public(name: str) -> Path:
    """Folder of a public data set; the test is skipped where it is absent."""
    folder = Path(os.environ.get("HARNESS_PUBLIC_DATA", ROOT.parent / "shared" / "data")) / name
    if not folder.is_dir():
        pytest.skip(f"public data {name!r} not found at {folder}; set HARNESS_PUBLIC_DATA")
    return folder
