"""Recorded completions: kept while a run goes on, published sorted, read back line by line."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.errors import StoreError
from harness.recordings import Recordings, publish
from harness.types import Completion, Usage
from tests.test_store import BROKEN


def written(path: Path, *keys: str) -> Recordings:
    """A run that used a completion per key."""
    recordings = Recordings()
    recordings.write_to(path)
    for key in keys:
        recordings.use(key, Completion(f"text of {key}", usage=Usage(5, 5, 1, 0.01)))
    return recordings


def test_what_a_run_used_is_read_back_with_what_it_took(tmp_path: Path) -> None:
    path = tmp_path / "completions.jsonl"
    recordings = Recordings()
    recordings.write_to(path)
    recordings.use("k", Completion("Ja\nund «nein»", "length", Usage(5, 5, 1, 0.01), {"Ja": -0.1}))
    other = Recordings()
    assert other.read(path) == 0
    assert other.get("k") == Completion("Ja\nund «nein»", "length", Usage(5, 5, 1, 0.01), {"Ja": -0.1})
    assert other.recorded == 1
    assert other.get("another") is None


def test_a_file_from_before_usage_was_kept_is_read_with_none(tmp_path: Path) -> None:
    from harness.fingerprint import digest

    record = '{"finish_reason":"stop","key":"k","logprobs":{},"text":"old"}'
    (tmp_path / "c.jsonl").write_text(f"{digest(record.encode())[:16]} {record}\n")
    recordings = Recordings()
    assert recordings.read(tmp_path / "c.jsonl") == 0
    assert recordings.get("k") == Completion("old")


def test_each_key_is_written_once_and_the_first_completion_counts(tmp_path: Path) -> None:
    recordings = written(tmp_path / "c.jsonl", "k", "k")
    assert recordings.use("k", Completion("later")).text == "text of k"
    assert len((tmp_path / "c.jsonl").read_text().splitlines()) == 1


def test_threads_that_ask_the_same_agree_on_one_completion(tmp_path: Path) -> None:
    recordings = Recordings()
    recordings.write_to(tmp_path / "c.jsonl")
    with ThreadPoolExecutor(8) as pool:
        texts = set(pool.map(lambda number: recordings.use("k", Completion(str(number))).text, range(40)))
    assert len(texts) == 1
    assert len((tmp_path / "c.jsonl").read_text().splitlines()) == 1


def test_what_was_used_before_the_run_had_a_folder_is_written_too(tmp_path: Path) -> None:
    recordings = Recordings()
    recordings.use("early", Completion("bird"))
    recordings.write_to(tmp_path / "c.jsonl")
    assert publish(tmp_path / "c.jsonl", tmp_path / "accepted.jsonl") == 1


def test_an_interrupted_run_goes_on_with_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    written(path, "a")
    again = written(path, "b")
    assert again.get("a") == Completion("text of a", usage=Usage(5, 5, 1, 0.01))
    assert publish(path, tmp_path / "accepted.jsonl") == 2


def test_published_recordings_are_the_same_bytes_whatever_the_order(tmp_path: Path) -> None:
    written(tmp_path / "1.jsonl", "a", "b", "c")
    written(tmp_path / "2.jsonl", "c", "a", "b")
    for name in ("1", "2"):
        publish(tmp_path / f"{name}.jsonl", tmp_path / f"accepted{name}.jsonl")
    assert (tmp_path / "accepted1.jsonl").read_bytes() == (tmp_path / "accepted2.jsonl").read_bytes()


def test_a_run_without_a_language_model_leaves_no_recordings_behind(tmp_path: Path) -> None:
    accepted = tmp_path / "accepted.jsonl"
    accepted.write_text("of an earlier run\n")
    assert publish(tmp_path / "none.jsonl", accepted) == 0
    assert not accepted.exists()


def edit(line: bytes) -> bytes:
    return line.replace(b"text of b", b"text of z")


@pytest.mark.parametrize("damage", [edit, lambda line: line[:20], lambda line: b"no digest", lambda line: line + b"\r"])
def test_a_torn_or_edited_line_is_left_out_and_counted(tmp_path: Path, damage) -> None:
    path = tmp_path / "c.jsonl"
    written(path, "a", "b", "c")
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], damage(lines[1]), lines[2], b""]))
    recordings = Recordings()
    assert recordings.read(path) == 1
    assert [recordings.get(key) is not None for key in "abc"] == [True, False, True]


@pytest.mark.parametrize(
    "record",
    [
        '{"text":"no key"}',
        '["list"]',
        '{"key":"k","text":7}',
        "7",
        '{"key":"k","text":"x","logprobs":{"a":"b"}}',
        *BROKEN,
    ],
)
def test_a_line_that_is_no_completion_is_an_error_that_names_the_file(tmp_path: Path, record: str) -> None:
    from harness.fingerprint import digest

    path = tmp_path / "c.jsonl"
    path.write_text(f"{digest(record.encode())[:16]} {record}\n")
    with pytest.raises(StoreError, match=r"cannot read the recorded completions .*c\.jsonl"):
        Recordings().read(path)


def test_a_file_that_is_not_there_records_nothing(tmp_path: Path) -> None:
    recordings = Recordings()
    assert recordings.read(tmp_path / "none.jsonl") == 0
    assert recordings.get("k") is None


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot read the recorded completions"):
        Recordings().read(tmp_path)


def tear(path: Path) -> None:
    """Cuts the first line short, as a crash or a hand does."""
    first, *others = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([first[:-5], *others]))


def test_damaged_completions_are_not_published_and_the_recordings_stay(tmp_path: Path) -> None:
    path, accepted = tmp_path / "c.jsonl", tmp_path / "accepted.jsonl"
    written(path, "a", "b", "c")
    accepted.write_text("of an earlier run\n")
    tear(path)
    with pytest.raises(StoreError, match=r"1 of the completions .*c\.jsonl' are damaged: .*run it again"):
        publish(path, accepted)
    assert accepted.read_text() == "of an earlier run\n"


def test_a_run_that_a_crash_cut_off_is_whole_once_it_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    written(path, "a", "b")
    tear(path)
    again = written(path, "a")
    assert [again.get(key) is not None for key in "ab"] == [True, True]
    assert publish(path, tmp_path / "accepted.jsonl") == 2
