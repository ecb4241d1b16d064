"""Durable bytes: what is acknowledged stays, what is torn is noticed."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from harness.errors import StoreError
from harness.fingerprint import digest
from harness.store import Journal, Store, write_atomic, write_json
from harness.types import Usage


def test_a_replaced_file_holds_only_the_new_bytes(tmp_path):
    path = tmp_path / "deep" / "file.txt"
    write_atomic(path, "long old content")
    write_atomic(path, "new")
    assert path.read_text() == "new"
    assert [item.name for item in path.parent.iterdir()] == ["file.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    with pytest.raises(StoreError, match="the old file is untouched"):
        write_atomic(target, "a folder cannot be replaced by a file")
    assert [item.name for item in tmp_path.iterdir()] == ["folder"]


def test_json_is_sorted_and_ends_in_a_newline(tmp_path):
    write_json(tmp_path / "a.json", {"b": 1, "a": "ü"})
    assert (tmp_path / "a.json").read_text() == '{\n  "a": "ü",\n  "b": 1\n}\n'


def test_json_refuses_nan(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", {"score": float("nan")})


def test_a_journal_gives_back_its_records_in_order(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    for number in range(3):
        journal.append({"n": number, "text": "line\nbreak ü"})
    assert [record["n"] for record in journal.read()] == [0, 1, 2]


def test_a_missing_journal_is_empty(tmp_path):
    assert list(Journal(tmp_path / "none").read()) == []


def test_a_journal_cut_at_any_byte_of_its_last_line_loses_only_that_line(tmp_path):
    path = tmp_path / "j.jsonl"
    Journal(path).append({"n": 1})
    whole = len(path.read_bytes())
    Journal(path).append({"n": 2, "text": "ü"})
    data = path.read_bytes()
    for cut in range(whole, len(data) - 1):
        path.write_bytes(data[:cut])
        assert list(Journal(path).read()) == [{"n": 1}], cut


def test_two_journals_of_one_file_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "deep" / "j.jsonl"
    first, second = Journal(path), Journal(path)
    for number in range(6):
        (first if number % 2 else second).append({"n": number})
    assert [record["n"] for record in Journal(path).read()] == list(range(6))


def test_a_journal_keeps_numbers_and_records_of_other_packages(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    journal.append({"score": np.float32(0.5), "count": np.int64(3), "usage": Usage(1, 2)})
    (record,) = journal.read()
    assert (record["score"], record["count"], record["usage"]["input_tokens"]) == (0.5, 3, 1)
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal.append({"score": float("nan")})


def test_a_record_appended_after_a_torn_line_is_not_lost_with_it(tmp_path):
    path = tmp_path / "j.jsonl"
    Journal(path).append({"n": 1})
    path.write_bytes(path.read_bytes() + b"0123456789abcdef {torn")
    Journal(path).append({"n": 2})
    Journal(path).append({"n": 3})
    assert [record["n"] for record in Journal(path).read()] == [1, 2, 3]


def test_a_rewritten_journal_holds_just_the_given_records(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    journal.append({"n": 1})
    journal.rewrite([{"n": 5}, {"n": 4}])
    assert list(journal.read()) == [{"n": 5}, {"n": 4}]


def test_threads_write_whole_lines(tmp_path):
    journal = Journal(tmp_path / "j.jsonl")
    threads = [threading.Thread(target=lambda: [journal.append({"x": "y" * 5000}) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(journal.read())) == 200


def test_a_store_keeps_bytes_by_namespace_and_key(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.put("embed", "k", b"one")
    store.put("rerank", "k", b"two")
    assert store.get("embed", "k") == b"one"
    assert store.get("rerank", "k") == b"two"
    assert store.get("rerank", "other") is None


def test_a_store_reads_more_keys_than_one_statement_takes(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    entries = {f"k{number}": str(number).encode() for number in range(1203)}
    store.put_many("n", entries)
    assert store.get_many("n", [*entries, "missing"]) == entries


def test_an_entry_that_fails_its_digest_is_not_served(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.put("n", "k", b"true")
    store._db.execute("UPDATE entries SET value = ?", [b"forged"])
    assert store.get("n", "k") is None


def test_two_open_stores_see_each_others_entries(tmp_path):
    first, second = Store(tmp_path / "s.sqlite"), Store(tmp_path / "s.sqlite")
    first.put("n", "k", b"v")
    assert second.get("n", "k") == b"v"


def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / "s.sqlite").write_bytes(b"this is text, not sqlite" * 100)
    with pytest.raises(StoreError, match=r"cannot open the cache .*s\.sqlite"):
        Store(tmp_path / "s.sqlite")


def test_writing_to_a_closed_store_is_a_store_error(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.close()
    with pytest.raises(StoreError, match="what it held before is safe"):
        store.put("n", "k", b"v")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_replaced_file_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "private.jsonl"
    path.write_text("old")
    path.chmod(mode)
    write_atomic(path, "new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", mode)


def test_of_a_link_the_target_is_replaced(tmp_path):
    (tmp_path / "target.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("target.txt")
    write_atomic(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"


def test_a_read_only_file_is_refused_and_stays(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(StoreError, match="it is read-only"):
        write_atomic(path, "new")
    assert [(item.name, item.read_text()) for item in tmp_path.iterdir()] == [("kept.txt", "old")]


def test_a_file_in_the_way_of_a_folder_is_an_error_with_its_name(tmp_path):
    (tmp_path / "a").write_text("a file")
    with pytest.raises(StoreError, match=r"cannot write '.*a/b\.txt'"):
        write_atomic(tmp_path / "a" / "b.txt", "new")


BROKEN = ["[" * 100_000, "NaN", "1e999", "1" * 5_000, "{", '{"a": 1, "a": 2}']
"""What a person or a change may have put into a file: none of it may end in a traceback."""


@pytest.mark.parametrize("body", BROKEN)
def test_a_journal_line_that_cannot_be_read_is_named_though_its_digest_holds(tmp_path, body):
    path = tmp_path / "j.jsonl"
    Journal(path).append({"n": 1})
    path.write_bytes(path.read_bytes() + f"{digest(body.encode())[:16]} {body}\n".encode())
    with pytest.raises(StoreError, match=r"line 2 of '.*j\.jsonl' is damaged"):
        list(Journal(path).read())


def test_a_folder_in_place_of_a_journal_is_named(tmp_path):
    with pytest.raises(StoreError, match="cannot read"):
        list(Journal(tmp_path).read())


def test_the_first_bytes_under_a_key_stay(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    assert [store.put_first("n", "k", value) for value in (b"one", b"two")] == [b"one", b"one"]
    assert (store.get("n", "k"), store.put_first("m", "k", b"two")) == (b"one", b"two")


def test_damaged_bytes_are_no_first_ones(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.put("n", "k", b"true")
    store._db.execute("UPDATE entries SET value = ?", [b"forged"])
    assert store.put_first("n", "k", b"new") == b"new"
    assert store.get("n", "k") == b"new"


def test_of_many_that_put_first_all_get_the_same(tmp_path):
    stores = [Store(tmp_path / "s.sqlite") for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda number: stores[number % 4].put_first("n", "k", str(number).encode()), range(40)))
    assert len(found) == 1


def test_a_key_has_one_maker_and_a_maker_nobody_holds_is_forgotten(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    maker = store.maker("k")
    assert store.maker("k") is maker
    assert store.maker("other") is not maker
    del maker
    assert len(store._makers) == 0
