"""Tables inside a README are rendered, never typed."""

import pytest

from harness.errors import ConfigError
from harness.reporting.readme import render_tables

README = "# Title\n\n<!-- table:results -->\nold\n<!-- /table -->\n\nMore.\n<!-- table:speed -->\n<!-- /table -->\n"


def test_each_table_replaces_what_stood_between_its_markers() -> None:
    found = render_tables(README, {"results": "| a |\n| --- |\n", "speed": "fast"})
    assert found == (
        "# Title\n\n<!-- table:results -->\n| a |\n| --- |\n<!-- /table -->\n\nMore.\n"
        "<!-- table:speed -->\nfast\n<!-- /table -->\n"
    )


def test_rendering_twice_changes_nothing() -> None:
    tables = {"results": "| a |", "speed": "fast"}
    once = render_tables(README, tables)
    assert render_tables(once, tables) == once


def test_backslashes_of_a_table_are_kept() -> None:
    assert r"a \1 \| b" in render_tables(README, {"results": r"a \1 \| b", "speed": ""})


@pytest.mark.parametrize(
    ("text", "tables", "message"),
    [
        (README, {"results": "x"}, "<!-- table:speed --> — has no table. Fix: known tables: results"),
        (README, {"results": "x", "speed": "y", "cost": "z"}, "<!-- table:cost --> — is not in the text"),
        ("<!-- table:a -->\nx\n", {"a": "y"}, "<!-- table:a --> — is not closed"),
        ("<!-- table:a -->\n<!-- table:b -->\n<!-- /table -->", {"a": "1", "b": "2"}, "<!-- table:a --> — is not closed"),
    ],
)
def test_markers_and_tables_must_match(text: str, tables: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError) as found:
        render_tables(text, tables)
    assert message in str(found.value)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as found:
        render_tables(README, {"cost": "z"})
    assert len(found.value.problems) == 3
