"""Any course of syncs, deletions, restorations and purges, held against plain dicts."""

import shutil
import tempfile
from datetime import date, timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from harness.errors import CorpusError
from harness.indexing.contents import read_contents
from harness.indexing.opened import open_index
from harness.indexing.sync import sync
from harness.indexing.withdrawing import delete, purge, restore
from tests.builders import document
from tests.indexing.small import config, found, pipeline, snapshot

NAMES = st.sampled_from(["a", "b", "c", "d"])
WORDS = st.sampled_from(["lemon", "pear", "quince", "plum"])
START = date(2026, 1, 1)


class Life(RuleBasedStateMachine):
    """The folder is a dict of texts; the index is a dict of (text, day of withdrawal, by hand, purge day)."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.files = {"base": "lemon tree"}
        self.held: dict[str, str] = {}
        self.gone: dict[str, tuple[str, bool, str]] = {}
        self.stones: set[str] = set()
        self.day = START

    def teardown(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self.folder)

    @property
    def today(self) -> str:
        """The day."""
        return self.day.isoformat()

    @initialize()
    def begin(self) -> None:
        """The first sync."""
        assert self._sync().changes.added == ("base",)

    def _sync(self):
        corpus = [document(name, text, content_hash=text) for name, text in sorted(self.files.items())]
        known = set(self.held.values())
        report = sync(self.folder, corpus, pipeline(), config(), self.today)
        for name in {*self.held} - {*self.files} - {*self.gone}:
            self.gone[name] = (self.today, False, (self.day + timedelta(days=30)).isoformat())
        for name, text in self.files.items():
            if name in self.stones or (name in self.gone and self.gone[name][1]):
                continue
            self.gone.pop(name, None)
            self.held[name] = text
        assert report.embedded == len({*self.held.values()} - known)
        return report

    @rule(name=NAMES, word=WORDS)
    def write(self, name: str, word: str) -> None:
        """A file is added or changed."""
        self.files[name] = f"{word} tree"

    @rule(name=NAMES)
    def lose(self, name: str) -> None:
        """A file is gone."""
        self.files.pop(name, None)

    @rule(days=st.integers(1, 20))
    def wait(self, days: int) -> None:
        """Days go by."""
        self.day += timedelta(days=days)

    @rule()
    def update(self) -> None:
        """A sync; a second one does nothing."""
        self._sync()
        before = snapshot(self.folder)
        assert self._sync().up_to_date
        assert snapshot(self.folder) == before

    @rule(data=st.data(), grace=st.integers(0, 15))
    def withdraw(self, data: st.DataObject, grace: int) -> None:
        """A document is deleted by hand."""
        name = data.draw(st.sampled_from(sorted({*self.held, *self.stones})))
        result = delete(self.folder, [name], pipeline(), self.today, grace)
        fresh = name in self.held and not (name in self.gone and self.gone[name][1])
        assert result.done == ((name,) if fresh else ())
        if fresh:
            self.gone[name] = (self.today, True, (self.day + timedelta(days=grace)).isoformat())

    @precondition(lambda self: self.gone or self.stones)
    @rule(data=st.data())
    def bring_back(self, data: st.DataObject) -> None:
        """A withdrawn document is restored, and nothing is embedded."""
        name = data.draw(st.sampled_from(sorted({*self.gone, *self.stones})))
        result = restore(self.folder, [name], pipeline(), self.today)
        assert result.made.embedded == 0
        assert result.done == ((name,) if name in self.gone else ())
        self.gone.pop(name, None)
        self.stones.discard(name)

    @rule()
    def clear(self) -> None:
        """What is over is purged."""
        over = {name for name, (_, _, last) in self.gone.items() if last <= self.today}
        assert set(purge(self.folder, pipeline(), self.today).done) == over
        for name in over:
            self.stones |= {name} if self.gone.pop(name)[1] else set()
            del self.held[name]

    @invariant()
    def the_index_holds_what_the_model_holds(self) -> None:
        """Documents, withdrawals, tombstones and vectors."""
        if not (self.folder / "manifest.json").exists():
            return
        contents = read_contents(self.folder)
        assert {entry.doc_id: entry.document.text for entry in contents.entries} == self.held
        assert {entry.doc_id: entry.deleted_at for entry in contents.entries if entry.deleted_at} == {
            name: day for name, (day, _, _) in self.gone.items()
        }
        assert set(contents.manifest.tombstones) == self.stones
        assert len(contents.vectors) == len({*self.held.values()})

    @invariant()
    def exactly_the_live_documents_are_found(self) -> None:
        """By every retriever, on the day and long before."""
        live = {*self.held} - {*self.gone}
        if not (self.folder / "manifest.json").exists():
            return
        try:
            system = open_index(self.folder, pipeline())
        except CorpusError:
            assert not live
            return
        for as_of in (self.today, "2020-01-01"):
            assert found(system, "tree", as_of) == live


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=25, stateful_step_count=15, deadline=None, database=None, derandomize=True)
