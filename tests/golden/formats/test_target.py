"""What is written stands under its name as a whole, or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import ConfigError, StoreError
from harness.golden.formats.target import all_or_nothing, check_outside_corpora, check_target
from harness.store import write_atomic
from tests.golden.folders import write

KILLED = """
import os, signal, sys
from pathlib import Path
from harness.golden.formats.target import all_or_nothing
with all_or_nothing(Path(sys.argv[1])) as place:
    place.mkdir()
    (place / "half").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""

RIVAL = """
import sys
from pathlib import Path
from harness.errors import ConfigError
from harness.golden.formats.target import all_or_nothing
try:
    with all_or_nothing(Path(sys.argv[1])) as place:
        place.mkdir()
        for number in range(20):
            (place / str(number)).write_text(sys.argv[2])
        sys.stdin.read()
except ConfigError:
    sys.exit(2)
"""


def fill(folder: Path, text: str = "mine") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a").write_text(text)


class TestAllOrNothing:
    @pytest.mark.parametrize("there", [True, False])
    def test_a_folder_takes_the_place_of_nothing_and_of_an_empty_folder(self, tmp_path: Path, there: bool) -> None:
        target = tmp_path / "new" / "set"
        if there:
            target.mkdir(parents=True)
        with all_or_nothing(target) as place:
            fill(place)
            assert place.name == "set"
            assert not (target / "a").exists()
        assert (target / "a").read_text() == "mine"
        assert [path.name for path in target.parent.iterdir()] == ["set"]

    def test_a_file_is_written_the_same_way(self, tmp_path: Path) -> None:
        with all_or_nothing(tmp_path / "out.csv") as place:
            place.write_text("x")
        assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]

    @pytest.mark.parametrize("error", [KeyboardInterrupt, ConfigError("x")])
    def test_when_it_is_stopped_nothing_is_left_new_folders_included(self, tmp_path: Path, error: type[BaseException]) -> None:
        with pytest.raises((KeyboardInterrupt, ConfigError)), all_or_nothing(tmp_path / "a" / "b" / "set") as place:
            fill(place)
            raise error
        assert list(tmp_path.iterdir()) == []

    def test_a_killed_process_leaves_nothing_under_the_name(self, tmp_path: Path) -> None:
        done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "set")], check=False)
        assert done.returncode == -signal.SIGKILL
        assert not (tmp_path / "set").exists()
        with all_or_nothing(tmp_path / "set") as place:
            fill(place)
        assert (tmp_path / "set" / "a").read_text() == "mine"

    def test_of_two_at_once_the_first_stays_whole(self, tmp_path: Path) -> None:
        target = tmp_path / "new" / "set"
        with pytest.raises(ConfigError, match="exists by now and was left as it is"), all_or_nothing(target) as slow:
            fill(slow, "slow")
            with all_or_nothing(target) as quick:
                fill(quick, "quick")
        assert {path.name for path in target.parent.iterdir()} == {"set"}
        assert (target / "a").read_text() == "quick"

    def test_of_several_processes_one_wins_whole(self, tmp_path: Path) -> None:
        words = [sys.executable, "-c", RIVAL, str(tmp_path / "set")]
        rivals = [subprocess.Popen([*words, str(number)], stdin=subprocess.PIPE) for number in range(3)]
        for rival in rivals:
            assert rival.stdin is not None
            rival.stdin.close()
        codes = [rival.wait() for rival in rivals]
        assert sorted(codes) == [0, 2, 2]
        assert {path.read_text() for path in (tmp_path / "set").iterdir()} == {str(codes.index(0))}
        assert (len(list((tmp_path / "set").iterdir())), [path.name for path in tmp_path.iterdir()]) == (20, ["set"])

    @pytest.mark.parametrize("kind", ["file", "folder"])
    def test_a_file_that_appeared_stays(self, tmp_path: Path, kind: str) -> None:
        with pytest.raises(ConfigError, match="exists by now"), all_or_nothing(tmp_path / "out") as place:
            place.write_text("x") if kind == "file" else fill(place)
            (tmp_path / "out").write_text("theirs")
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
        assert (tmp_path / "out").read_text() == "theirs"

    def test_an_error_of_writing_names_the_place_that_was_asked_for(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError) as caught, all_or_nothing(tmp_path / "set") as place:
            fill(place)
            write_atomic(place / "a" / "b", "x")
        assert str(tmp_path / "set" / "a" / "b") in str(caught.value)
        assert list(tmp_path.iterdir()) == []


class TestTargets:
    def test_a_folder_in_use_a_file_and_a_link_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "used").mkdir()
        (tmp_path / "used" / "a").write_text("x")
        (tmp_path / "file").write_text("x")
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        for name in ("used", "used/a", "file", "link"):
            with pytest.raises(ConfigError, match="exists already"):
                check_target(tmp_path / name)

    @pytest.mark.parametrize("name", ["a b", ".hidden", "C:\\sets\\mine", "x" * 200])
    def test_a_name_that_no_set_can_have_is_refused(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(ConfigError, match="cannot be called"):
            check_target(tmp_path / name)

    def test_the_current_folder_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "empty").mkdir()
        monkeypatch.chdir(tmp_path / "empty")
        with pytest.raises(ConfigError, match="current folder"):
            check_target(Path(os.curdir))

    @pytest.mark.parametrize("place", ["corpus/new", "corpus/deep/er/new", "corpus/../corpus/new", "link/new"])
    def test_a_place_in_the_corpus_of_a_set_is_refused(self, tmp_path: Path, place: str) -> None:
        mine = write(tmp_path / "mine")
        (mine / "link").symlink_to(mine / "corpus")
        for check in (check_target, check_outside_corpora):
            with pytest.raises(ConfigError, match="inside the corpus of the golden set"):
                check(mine / place)

    def test_a_folder_that_is_only_called_corpus_is_fine(self, tmp_path: Path) -> None:
        write(tmp_path / "mine")
        (tmp_path / "corpus").mkdir()
        check_target(tmp_path / "corpus" / "new")
        check_target(tmp_path / "mine" / "new")
