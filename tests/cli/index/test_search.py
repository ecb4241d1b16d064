"""`harness index search` as a user runs it."""

import json

import pytest

from harness.cli.index.search import excerpt


def rows(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_passages_come_with_document_place_section_and_score(built, index):
    code, text = index("search", "How long do the cells of the soil probe last?")
    assert code == 0
    first = text.splitlines()[0]
    assert first.startswith("1. battery.md  lines 1-3  ")
    assert "score 0." in first
    assert "The cells last 18 months" in text


def test_json_is_one_passage_a_line(built, index):
    code, text = index("search", "cells of the soil probe", "--json")
    found = rows(text)
    assert code == 0
    assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
    assert found[0].items() >= {"doc": "battery.md", "source": "battery.md", "place": "lines 1-3", "also_in": []}.items()
    assert len(found) <= 5


def test_overrides_choose_how_the_index_is_asked(built, index):
    found = rows(index("search", "soil probe cells", "retrievers=bm25", "depth.shown=1", "--json")[1])
    assert [row["doc"] for row in found] == ["battery.md"]


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("embedder.dimension=64", ("I001", "512 dimensions", "64 dimensions")),
        ("chunker.size=64", ("I006", "chunker", "size=512", "size=64")),
        ("chunker=markdown", ("I006", "Recursive", "Markdown")),
    ],
)
def test_a_setting_that_the_index_was_not_built_with_is_refused_by_name(built, index, word, parts):
    code, text = index("search", "cells", word)
    flat = " ".join(text.replace("│", " ").split())
    assert code == 2
    assert [part for part in parts if part not in flat] == []


def test_only_documents_that_hold_on_the_day_are_found(docs, index):
    (docs / "metadata.yaml").write_text(
        "battery.md: {series: cells, valid_from: 2025-01-01}\nstorage.md: {valid_to: 2026-02-01}\n"
        "reset.md: {series: cells, valid_from: 2026-06-01}\n"
    )
    index("sync", "docs", "embedder=hashing", "reranker=none")

    def found(day):
        words = "soil probe cells button gateway water level"
        return {row["doc"] for row in rows(index("search", words, "--as-of", day, "--json")[1])}

    assert {"battery.md", "storage.md"} <= found("2026-01-31") and "reset.md" not in found("2026-01-31")
    assert "storage.md" not in found("2026-02-01")
    assert "reset.md" in found("2026-06-01") and "battery.md" not in found("2026-06-01")


def test_only_those_who_may_see_a_document_find_it(docs, index):
    (docs / "metadata.yaml").write_text("battery.md: {acl: [staff]}\n")
    index("sync", "docs", "embedder=hashing", "reranker=none")
    for words, expected in (((), False), (("--persona", "guest"), False), (("--persona", "staff"), True)):
        found = {row["doc"] for row in rows(index("search", "cells of the soil probe", "--json", *words)[1])}
        assert ("battery.md" in found) is expected


def test_a_linked_copy_is_named(docs, index):
    (docs / "copy.md").write_text((docs / "battery.md").read_text())
    index("sync", "docs", "embedder=hashing", "reranker=none", "duplicates=link", "duplicates.threshold=1")
    code, text = index("search", "cells of the soil probe")
    assert code == 0
    assert "also in copy.md" in text


def test_nothing_found_is_said(docs, index):
    index("sync", "docs", "embedder=hashing", "reranker=none", "retrievers=bm25")
    code, text = index("search", "zymurgy", "--as-of", "2026-03-01")
    assert (code, "no passage is found by an asker without a name on 2026-03-01" in text) == (0, True)


def test_without_an_index_it_says_how_to_build_one(project, index):
    code, text = index("search", "anything")
    assert code == 2
    assert "I004" in text and "harness index sync" in text


def test_a_passage_cannot_write_to_the_terminal(docs, index):
    (docs / "evil.md").write_text("# Evil\n\nzymurgy [bold]red[/bold] \x1b[2J\n::error::cells\n")
    index("sync", "docs", "embedder=hashing", "reranker=none")
    _, text = index("search", "zymurgy")
    assert "[bold]red[/bold]" in text
    assert "\x1b" not in text


def test_an_index_that_learned_its_embedder_answers(docs, index):
    index("sync", "docs", "embedder=tfidf_svd", "reranker=none", "retrievers=dense")
    assert rows(index("search", "How far away can sensors be?", "--json")[1])[0]["doc"] == "range.md"


LONG = "\n".join(f"Line {number} of zymurgy." for number in range(1, 10))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One.\n\nTwo.", "One.\n\nTwo."),
        ("\n".join("abcdef"), "\n".join("abcdef")),
        ("\n".join("abcdefg"), "\n".join("abcdef") + " …"),
        ("word " * 200, ("word " * 120).strip() + " …"),
        ("x" * 601, "x" * 600 + " …"),
        ("x" * 600, "x" * 600),
    ],
)
def test_six_lines_or_six_hundred_letters_of_a_passage_are_shown(text, shown):
    assert excerpt(text) == shown


def test_a_long_passage_is_cut_on_the_screen_and_whole_in_json(docs, index):
    (docs / "long.md").write_text(f"# Long\n\n{LONG}\n")
    index("sync", "docs", "embedder=hashing", "reranker=none", "retrievers=bm25")
    text = index("search", "zymurgy")[1]
    assert "Line 4 of zymurgy. …" in text and "Line 5" not in text
    assert LONG in rows(index("search", "zymurgy", "--json")[1])[0]["text"]


ODD = ":smile: key:lock:x \x9b31m \u202e zymurgy"


def test_a_passage_stands_as_it_was_written_and_json_is_ascii(docs, index):
    (docs / "odd.md").write_text(f"# Odd\n\n{ODD}\n")
    index("sync", "docs", "embedder=hashing")
    assert ":smile: key:lock:x" in index("search", "zymurgy")[1]
    _, text = index("search", "zymurgy", "--json")
    lines = [line for line in text.splitlines() if line.startswith("{")]
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert ODD in json.loads(lines[0])["text"]
