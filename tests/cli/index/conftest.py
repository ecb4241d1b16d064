"""A project with a folder of documents and an index of it."""

import pytest

from tests.cli.project import DOCUMENTS

WORDS = ("embedder=hashing", "reranker=none")


@pytest.fixture
def docs(project):
    """The folder `docs` of the project: battery, price, range, reset, storage."""
    folder = project / "docs"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def index(harness):
    """Runs `harness index VERB ...` on 2026-03-01 and without a reranker unless told otherwise; gives exit code and everything printed."""
    dated = {"sync", "delete", "restore", "purge", "reembed", "status"}

    def call(verb, *words):
        day = ("--today", "2026-03-01") if verb in dated and "--today" not in words else ()
        plain = verb == "search" and not any(word.startswith(("reranker=", "+experiment=")) for word in words)
        return harness("index", verb, *words, *(["reranker=none"] if plain else []), *day)

    return call


@pytest.fixture
def built(docs, index):
    """The folder of documents, indexed."""
    code, text = index("sync", "docs", *WORDS)
    assert code == 0, text
    return docs
