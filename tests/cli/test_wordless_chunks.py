"""A run whose chunker leaves punctuation over."""

from collections.abc import Callable
from pathlib import Path

from harness.chunking.fixed import Fixed
from tests.builders import document
from tests.cli.project import DOCUMENTS

NO_BASELINE = 4
"""Exit code of a run that went well but has nothing to be compared with."""
SIZE = 95
"""Of battery.md it leaves a stop and a line end."""


def test_the_last_stop_of_a_document_does_not_end_a_run(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    assert DOCUMENTS["battery.md"][SIZE:] == ".\n"
    code, printed = harness("run", "+experiment=light", "chunker=fixed", f"chunker.size={SIZE}")
    assert ("has no direction" in printed, "Recall@5" in printed, code) == (False, True, NO_BASELINE)


def test_it_is_joined_to_the_chunk_before() -> None:
    text = DOCUMENTS["battery.md"]
    assert [chunk.text for chunk in Fixed(size=SIZE).chunk(document(text=text))] == [text]
