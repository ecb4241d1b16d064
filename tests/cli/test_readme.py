"""The tables of a README come from accepted baselines and nowhere else."""

from pathlib import Path

import pytest

from harness.cli.readme import tables
from harness.reporting.readme import render_tables

ROOT = Path(__file__).parent.parent.parent
MARKED = "# Mine\n\n<!-- table:tiny -->\nold\n<!-- /table -->\n\ntext stays\n"


def accept(harness, *words):
    harness("run", *words)
    assert harness("accept")[0] == 0


def test_a_table_is_filled_and_the_rest_stays(project, harness):
    accept(harness, "+experiment=light")
    (project / "README.md").write_text(MARKED)
    assert harness("readme")[0] == 0
    text = (project / "README.md").read_text()
    assert "| light |" in text
    assert "old" not in text
    assert text.endswith("text stays\n")


def test_a_marker_without_a_baseline_is_refused_and_the_file_stays(project, harness):
    (project / "README.md").write_text(MARKED)
    code, text = harness("readme")
    assert code == 2
    assert "tiny" in text
    assert (project / "README.md").read_text() == MARKED


def test_a_file_that_does_not_exist_is_named(project, harness):
    code, text = harness("readme", "nothing.md")
    assert code == 2
    assert "nothing.md" in text


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("README.md", {"fernhill", "fernhill-against-naive", "judges"}),
        ("golden_sets/README.md", {"fernhill-against-bm25_only", "polyglot"}),
    ],
)
def test_this_projects_own_tables_are_up_to_date(path, shown):
    text = (ROOT / path).read_text()
    known = {name: table for name, table in tables(ROOT / "reports").items() if f"<!-- table:{name} -->" in text}
    assert set(known) == shown
    assert render_tables(text, known) == text
