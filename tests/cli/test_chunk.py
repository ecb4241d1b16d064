"""`harness chunk`, through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.main import main

REPOSITORY = Path(__file__).parents[2]
MANUAL = """---
title: Valve
version: "2"
---
# Valve

Open the valve slowly. Wait for an hour.

## Parts

| part | price |
| --- | --- |
| pump | 12 |
"""


@pytest.fixture
def docs(project: Path) -> Path:
    """A folder with documents of three types, in a project."""
    folder = project / "docs"
    folder.mkdir()
    (folder / "valve.md").write_text(MANUAL)
    (folder / "page.html").write_text("<html><body><h1>Hose</h1><p>Ten metres.</p><script>x()</script></body></html>")
    (folder / "prices.csv").write_text("part,price\npump,12\nhose,7\n")
    return folder


def rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_document_is_shown_with_its_sections_and_what_was_left_out(docs, harness):
    code, text = harness("chunk", "docs/valve.md", "chunker=markdown")
    assert code == 0
    assert "━━ valve.md  Valve" in text
    assert "version 2" in text
    assert " » Valve > Parts" in text
    assert " │ | pump | 12 |" in text
    assert "front matter" in text.partition("━━ All")[2]
    assert "✓ every character that is not blank is in a chunk" in text
    assert "\x1b" not in text


def test_a_folder_is_shown_document_by_document(docs, harness):
    code, text = harness("chunk", "docs")
    assert code == 0
    places = [text.index(f"━━ {name}") for name in ("page.html", "prices.csv", "valve.md", "All")]
    assert places == sorted(places)
    assert "<script>" in text


def test_overrides_stand_before_or_after_the_options(docs, capsys):
    assert main(["chunk", "docs/valve.md", "chunker=fixed", "--json", "chunker.size=50"]) == 0
    found = rows(capsys)
    assert all(row["end"] - row["start"] <= 50 for row in found)
    assert len(found) > 2


def test_json_is_one_chunk_a_line_and_nothing_else(docs, capsys):
    assert main(["chunk", "docs", "--json", "chunker=markdown"]) == 0
    found = rows(capsys)
    assert {row["doc"] for row in found} == {"valve.md", "page.html", "prices.csv"}
    parts = next(row for row in found if row["section_path"] == ["Parts"])
    assert parts["text"].startswith("## Parts")
    assert parts["place"] == "lines 9-13"
    assert set(parts) == {"id", "doc", "start", "end", "kind", "section_path", "place", "tokens", "text"}


def test_lines_of_json_are_never_broken_by_the_width_of_a_terminal(docs, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    (docs / "long.txt").write_text("[bold]" + "word " * 200)
    main(["chunk", "docs/long.txt", "--json"])
    (row,) = rows(capsys)
    assert row["text"] == "[bold]" + ("word " * 200).strip()


def test_the_json_of_two_calls_is_the_same(docs, capsys):
    for _ in range(2):
        main(["chunk", "docs", "--json"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]


def test_a_bad_file_is_told_on_stderr_and_the_rest_goes_on(docs, capsys):
    (docs / "bad.md").write_bytes(b"caf\xe9")
    assert main(["chunk", "docs", "--json"]) == 2
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) >= 3
    assert "bad.md" in printed.err
    assert "not UTF-8" in printed.err
    assert "bad.md" not in printed.out


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("docs/nowhere.md", "does not exist"),
        ("empty", "no readable document"),
        ("docs/tool.exe", "not read"),
        ("bad.md", "UTF-8"),
    ],
)
def test_nothing_readable_is_one_error(docs, harness, path, says):
    Path("empty").mkdir()
    (docs / "tool.exe").write_bytes(b"MZ")
    Path("bad.md").write_bytes(b"caf\xe9")
    code, text = harness("chunk", path)
    assert code == 2
    assert says in " ".join(text.replace("│", " ").split())
    assert "Traceback" not in text


def test_a_wrong_override_is_told_before_anything_is_shown(docs, harness):
    code, text = harness("chunk", "docs", "chunker.sise=3", "chunker=markdown")
    assert code == 2
    assert "did you mean 'chunker.size'?" in text
    assert "valve.md" not in text


def test_models_of_other_slots_are_not_asked_for(docs, harness, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _ = harness("chunk", "docs", "generator=llm", "embedder=bge_small", "embedder.directory=/nowhere")
    assert code == 0


def test_a_chunker_whose_model_has_no_key_is_told_without_a_remedy_that_this_command_lacks(docs, harness, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, text = harness("chunk", "docs", "chunker=proposition_llm")
    assert code == 2
    assert "chunker.llm" in text
    assert "OPENAI_API_KEY" in text
    assert "--replay" not in text


def test_an_experiment_names_the_chunker(docs, harness):
    _, text = harness("chunk", "docs/valve.md", "+experiment=light")
    _, other = harness("chunk", "docs/valve.md", "+experiment=light", "chunker=fixed", "chunker.size=10")
    assert text.count("tokens,") < other.count("tokens")


def test_escapes_in_a_document_reach_no_terminal(docs, harness):
    (docs / "evil.txt").write_text("before \x1b[31mred\x1b]0;title\x07 \u202e after")
    for extra in ((), ("--json",)):
        _, text = harness("chunk", "docs/evil.txt", *extra)
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert "before" in text


def test_text_that_a_chunker_loses_is_loud_and_fails(docs, project, harness, monkeypatch):
    (project / "lossy").mkdir()
    (project / "lossy" / "__init__.py").write_text(
        "from dataclasses import dataclass\nfrom harness.types import Chunk, Span\n\n\n@dataclass(frozen=True)\nclass Lossy:\n"
        "    def chunk(self, document):\n        return (Chunk(Span(document.doc_id, 0, 4), document.text[:4]),)\n"
    )
    (project / "conf" / "chunker").mkdir(parents=True)
    (project / "conf" / "chunker" / "lossy.yaml").write_text("_target_: lossy.Lossy\n")
    monkeypatch.syspath_prepend(str(project))
    monkeypatch.setenv("HARNESS_PLUGINS", "lossy")
    code, text = harness("chunk", "docs/prices.csv", "chunker=lossy")
    assert code == 4
    assert "✗ LOST: 19 characters in no chunk" in text
    code, text = harness("chunk", "docs/prices.csv", "chunker=lossy", "--json")
    assert code == 4
    assert "LOST: prices.csv: 19 characters in no chunk, lines 1-3" in text


def test_a_copy_that_is_not_searched_is_named(docs, harness):
    for name in ("one.md", "two.md"):
        (docs / name).write_text("# Same\n\nThe very same words stand in both of these documents, from start to end.\n")
    code, text = harness("chunk", "docs", "duplicates=drop")
    assert code == 0
    assert "Copy         two.md is not searched" in text
    assert "━━ two.md" not in text


def test_a_misspelt_field_of_a_document_is_seen_in_its_header(docs, harness):
    (docs / "pump.md").write_text("---\ntitle: Pump\nreigon: eu\n---\n# Pump\n\nIt pumps.\n")
    _, text = harness("chunk", "docs")
    assert text.count("also says: ") == 1
    assert "also says: reigon: eu" in text.partition("━━ pump.md")[2].partition("━━")[0]


def test_json_lines_that_are_no_documents_are_told_from_those_that_are(docs, harness):
    (docs / "log.jsonl").write_text('{"id": 1, "words": "Pump off"}\n{"id": 2, "words": "Pump on"}\n')
    (docs / "texts.jsonl").write_text('{"_id": "t1", "text": "Ten metres.", "metadata": {"mime_type": "application/jsonl"}}\n')
    _, text = harness("chunk", "docs")
    assert text.count("taken as data rows") == 1
    assert "taken as data rows: no _id with a text" in text.partition("━━ log.jsonl")[2].partition("━━")[0]


def test_what_cleaning_left_out_stands_at_the_document_that_it_was_left_out_of(docs, harness):
    _, text = harness("chunk", "docs")
    shown = {name: text.partition(f"━━ {name}")[2].partition("━━")[0] for name in ("page.html", "prices.csv", "valve.md")}
    assert "left out by cleaning: <script>" in shown["page.html"]
    assert "left out by cleaning: front matter" in shown["valve.md"]
    assert "left out" not in shown["prices.csv"]


def test_a_reader_that_closes_the_pipe_early_sees_no_traceback(docs):
    (docs / "long.txt").write_text("word. " * 50_000)
    command = f"{sys.executable} -m harness chunk {docs} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_files_of_a_type_that_is_not_read_are_named_on_stderr(docs, capsys):
    for name in ("a.xlsx", "b.doc", "c.png", ".hidden.png"):
        (docs / name).write_bytes(b"?")
    assert main(["chunk", "docs", "--json"]) == 0
    printed = capsys.readouterr()
    assert "passed over, type not read: 3 (a.xlsx, b.doc, c.png)\n" in printed.err
    assert "passed over" not in printed.out
