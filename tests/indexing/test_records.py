"""Documents and chunks as they come back from the disk."""

import json
from dataclasses import replace

import pytest

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.build.sources import groups
from harness.errors import HarnessError
from harness.indexing.contents import read_contents
from harness.indexing.records import ALWAYS, Entry, decode_entry, encode_chunk, encode_entry, same
from harness.indexing.sync import sync
from harness.store import Store
from harness.types import Chunk, Span
from tests.builders import document
from tests.indexing.small import TODAY

FULL = document(
    "a/ü.md",
    "Line one.\nLine two. 🙂",
    title="T",
    mime_type="text/markdown",
    source="a/ü.md",
    version="2",
    valid_from="2025-01-01",
    valid_to="2026-01-01",
    tenant="north",
    acl=("staff", "sales"),
    author="Ada",
    updated_at="2025-06-01",
    content_hash="abc",
    metadata={"tags": ["x", {"deep": [1, 2.5, None]}]},
    series="s",
    deleted_at="2026-02-01",
    unit="page",
    places=((0, 1), (10, 2)),
)
PARENT = Chunk(Span("a/ü.md", 0, 20), "Line one.\nLine two. 🙂", version="abc", searched=False)
CHILD = Chunk(
    Span("a/ü.md", 0, 9),
    "Line one.",
    title="T",
    section_path=("A", "B"),
    position=1,
    kind="summary",
    parent=PARENT.chunk_id,
    version="abc",
    place="page 1",
    preface="head",
    search_text="short",
    questions=("What?", "Why?"),
)


def back(entry: Entry) -> Entry:
    rows = [json.loads(json.dumps(encode_chunk(chunk, entry))) for chunk in entry.chunks or ()]
    return decode_entry(json.loads(json.dumps(encode_entry(entry))), rows)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(FULL, (PARENT, CHILD)),
        Entry(FULL, ()),
        Entry(FULL, None, copy_of="b.md", left_out=True),
        Entry(FULL, (PARENT,), "2026-03-01", "deleted", "2026-04-01", copies=("b.md", "c.md")),
    ],
)
def test_every_field_comes_back(entry):
    assert back(entry) == entry
    assert [chunk.chunk_id for chunk in back(entry).chunks or ()] == [chunk.chunk_id for chunk in entry.chunks or ()]


@pytest.mark.parametrize(
    ("own", "of_index", "expected"),
    [
        ("", "", ""),
        ("", "2026-03-01", ALWAYS),
        ("2026-02-01", "", "2026-02-01"),
        ("2026-02-01", "2026-03-01", ALWAYS),
    ],
)
def test_a_document_is_withdrawn_from_its_own_day_on_and_by_the_index_on_every_day(own, of_index, expected):
    assert Entry(replace(FULL, deleted_at=own), deleted_at=of_index).shown.deleted_at == expected


@pytest.mark.parametrize(
    ("change", "expected"),
    [({"source": "elsewhere"}, True), ({"title": "U"}, False), ({"acl": ()}, False), ({"metadata": {}}, False)],
)
def test_two_readings_are_the_same_but_for_where_the_bytes_came_from(change, expected):
    assert same(FULL, replace(FULL, **change)) is expected


PAGES = [
    document(
        "guide.md",
        "# Guide\n\n## Care\n\nWash the filter. Dry it well. Do not use soap.\n\n- one\n- two\n\n| part | price |\n| --- | --- |\n"
        "| filter | 19 |\n| cell | 3 |\n\n## Use\n\nPress the button for ten seconds. The light turns green.\n",
        title="Guide",
        mime_type="text/markdown",
        content_hash="1",
    ),
    document("prices.csv", "part,price\nfilter,19\ncell,3\n", title="Prices", mime_type="text/csv", content_hash="2"),
    document(
        "tool.py", "def wash(a):\n    return a\n\n\nclass Filter:\n    x = 1\n", mime_type="text/x-python", content_hash="3"
    ),
]


@pytest.mark.parametrize("option", groups()["chunker"])
def test_the_chunks_of_every_chunker_come_back_from_the_disk_as_they_were_cut(tmp_path, option):
    words = [f"chunker={option}", "embedder=hashing", "generator=none", "judge=none", "gate=none", "tracking=none"]
    words += ["chunker.embedder=${embedder}"] if option == "semantic" else []
    try:
        experiment = build(parse(words)[0], Store(tmp_path / "cache.sqlite"))
    except HarnessError as error:
        if option.endswith("llm"):
            pytest.skip(f"no language model: {error}")
        raise
    sync(tmp_path / "index", PAGES, experiment.pipeline, experiment.config, TODAY)
    contents = read_contents(tmp_path / "index")
    cut = experiment.pipeline.chunks([entry.document for entry in contents.entries])
    assert contents.chunks == cut
    assert [chunk.chunk_id for chunk in contents.chunks] == [chunk.chunk_id for chunk in cut]
