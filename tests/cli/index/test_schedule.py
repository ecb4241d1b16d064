"""`harness index schedule` as a user runs it."""

import shlex
import sys

import pytest


def test_the_crontab_line_holds_absolute_paths_and_runs_where_it_was_made(docs, index, project, monkeypatch):
    monkeypatch.delenv("HARNESS_CACHE_DIR")
    code, text = index("schedule", "docs", "chunker.size=64", "--every", "hour")
    comment, line = text.splitlines()
    assert (code, comment) == (0, "# Put this line into your crontab: crontab -e")
    fields, command = line.split(" ", 5)[:5], line.split(" ", 5)[5].replace(r"\%", "%")
    assert fields == ["17", "*", "*", "*", "*"]
    call = [sys.executable, "-m", "harness", "index", "sync", str(docs), "chunker.size=64", "--index", str(project / "index")]
    assert shlex.split(command) == ["cd", str(project), "&&", *call]


def test_the_cache_goes_with_the_job(docs, index, project):
    assert f"HARNESS_CACHE_DIR={project / 'cache'}" in index("schedule", "docs")[1]


def test_plugins_go_with_the_job(docs, index, monkeypatch):
    monkeypatch.setenv("HARNESS_PLUGINS", "json")
    assert "HARNESS_PLUGINS=json" in index("schedule", "docs")[1]


def test_systemd_units_name_where_they_go(docs, index):
    code, text = index("schedule", "docs", "--format", "systemd", "--every", "week")
    assert code == 0
    assert "# ~/.config/systemd/user/harness-index-" in text
    assert "OnCalendar=Sun *-*-* 03:17:00" in text


def test_a_secret_is_not_written_down(docs, index):
    code, text = index("schedule", "docs", "embedder.api_key=sk-1234567890")
    assert code == 2
    assert "I010" in text and "sk-1234567890" not in text


@pytest.mark.parametrize("format_", ["cron", "systemd"])
@pytest.mark.parametrize("corpus", ["do\ncs", "do\\%cs"])
def test_a_path_with_a_line_break_or_a_backslash_is_refused(docs, index, format_, corpus):
    code, text = index("schedule", corpus, "--format", format_)
    assert (code, "I010" in text) == (2, True)


@pytest.mark.parametrize(("corpus", "says"), [("nowhere", "does not exist"), ("docs/battery.md", "is a file"), (".", "I008")])
def test_what_no_sync_could_read_is_not_scheduled(docs, index, corpus, says):
    code, text = index("schedule", corpus)
    assert (code, says in " ".join(text.replace("│", " ").split())) == (2, True)
    assert "harness index sync" not in text
