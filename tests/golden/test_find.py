"""Finding a golden set by name or path."""

from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.golden.find import find, known_names
from tests.golden.folders import write


@pytest.fixture
def roots(tmp_path: Path) -> list[Path]:
    """The user's own root, then the shipped one."""
    for place in ("own/golden_sets/support", "own/golden_sets/smoke", "shipped/golden_sets/smoke", "elsewhere/kb"):
        write(tmp_path / place)
    return [tmp_path / "own", tmp_path / "shipped"]


def test_a_name_is_looked_up_in_each_root(roots: list[Path]) -> None:
    assert find("support", roots) == roots[0] / "golden_sets" / "support"


def test_the_first_root_wins(roots: list[Path]) -> None:
    assert find("smoke", roots) == roots[0] / "golden_sets" / "smoke"
    assert find("smoke", roots[::-1]) == roots[1] / "golden_sets" / "smoke"


def test_a_path_is_taken_as_it_is(roots: list[Path], tmp_path: Path) -> None:
    assert find(str(tmp_path / "elsewhere" / "kb"), roots) == tmp_path / "elsewhere" / "kb"


@pytest.mark.parametrize("name", ["smok", "elsewhere/nothing", ""])
def test_an_unknown_name_lists_those_known(roots: list[Path], name: str) -> None:
    with pytest.raises(ConfigError, match="Known: smoke, support"):
        find(name, roots)


def test_a_near_name_is_suggested(roots: list[Path]) -> None:
    with pytest.raises(ConfigError, match="did you mean 'smoke'"):
        find("smok", roots)


def test_names_are_known_once(roots: list[Path]) -> None:
    assert known_names(roots) == ["smoke", "support"]


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "golden_sets/" + "y" * 5000])
def test_a_name_that_no_file_can_have_is_unknown(roots: list[Path], name: str) -> None:
    with pytest.raises(ConfigError, match="not found"):
        find(name, roots)
