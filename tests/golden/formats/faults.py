"""Reading what is faulty."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import GoldenSetError


def problems(read: Callable[[], Any]) -> dict[str, str]:
    """Code and place of each problem of a read that fails, with what it says."""
    with pytest.raises(GoldenSetError) as caught:
        read()
    return {f"{problem.code} {problem.where}": str(problem) for problem in caught.value.problems}
