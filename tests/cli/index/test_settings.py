"""What an index remembers of the command lines that it was built with."""

import pytest

from harness.cli.index.asked import differences
from harness.cli.index.settings import remembered
from harness.errors import ConfigError
from harness.indexing.contents import read_contents
from tests.builders import document
from tests.indexing.small import synced


@pytest.mark.parametrize(
    ("known", "words", "expected"),
    [
        ((), ("chunker.size=8",), ("chunker.size=8",)),
        (("chunker.size=8",), (), ("chunker.size=8",)),
        (("embedder=hashing", "chunker.size=8"), ("chunker.size=9",), ("embedder=hashing", "chunker.size=9")),
        (("chunker=fixed", "chunker.size=8"), ("chunker=markdown",), ("chunker=markdown",)),
        (("chunker=fixed",), ("chunker.size=9",), ("chunker=fixed", "chunker.size=9")),
        (("embedder=hashing", "chunker=fixed"), ("+experiment=light",), ("+experiment=light",)),
        (
            ("+experiment=light", "chunker.size=8"),
            ("embedder=hashing",),
            ("+experiment=light", "chunker.size=8", "embedder=hashing"),
        ),
    ],
)
def test_words_of_the_command_line_go_over_those_of_the_index(known, words, expected):
    assert remembered(known, words) == expected


def test_a_word_that_is_no_override_is_refused():
    with pytest.raises(ConfigError, match="not of the form key=value"):
        remembered((), ("chunker",))


def test_an_experiment_that_is_gone_is_told_with_what_the_index_remembers(docs, index, project):
    index("sync", "docs", "+experiment=light")
    (project / "experiments" / "light.yaml").unlink()
    assert index("search", "cells")[0] == 0
    code, text = index("sync", "docs", "chunker.size=64")
    assert code == 2
    assert "The index remembers: +experiment=light." in " ".join(text.replace("│", " ").split())
    assert index("search", "cells", "+experiment=none_such")[0] == 2


def test_how_an_index_differs_from_a_golden_corpus(tmp_path):
    synced(
        tmp_path,
        [document("same.md", source="here"), document("other.md", "Other."), *map(document, ("w.md", "x.md", "y.md", "z.md"))],
    )
    golden = [document("same.md", source="there"), document("other.md", "As it was."), document("gone.md")]
    found = differences(read_contents(tmp_path), golden)
    assert found == ["1 changed (other.md)", "1 missing (gone.md)", "4 more (w.md, x.md, y.md, ...)"]
