"""Qdrant in memory, really run, and as a server, whose API tests/fake_qdrant.py speaks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from harness.errors import ConfigError, StageError
from harness.retrieval.stores.qdrant import Qdrant, condition
from harness.types import Filter
from tests.contracts.vector_store import FREE, VectorStoreContract, entry, rows, units
from tests.fake_qdrant import KEY, FakeQdrant
from tests.retrieval.stores.through_dense import ThroughDense

SIX = [entry(f"{row}.md", tenant="acme" if row == 3 else "") for row in range(6)]
ASKED = units(21, 1)[0]


@pytest.fixture(scope="module", autouse=True)
def key() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QDRANT_KEY", KEY)
        yield


@pytest.fixture
def fake() -> Iterator[FakeQdrant]:
    with FakeQdrant() as server:
        yield server


def remote(fake: FakeQdrant, **settings: object) -> Qdrant:
    return Qdrant(url=fake.url, api_key_env="QDRANT_KEY", **settings)  # type: ignore[arg-type]


class TestQdrant(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Qdrant:
        return Qdrant()


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Qdrant:
        return Qdrant()


def test_only_this_process_compares_all_vectors() -> None:
    assert Qdrant().exact
    assert not Qdrant(url="http://localhost:6333").exact


def test_a_server_is_sent_vectors_payloads_and_the_filter(fake: FakeQdrant) -> None:
    table = remote(fake).table(units(20, 6), SIX)
    assert sorted(rows(table, ASKED)) == [0, 1, 2, 3, 4, 5]
    assert sorted(rows(table, ASKED, Filter("zoe", frozenset({"1.md", "3.md"}), frozenset({"prose"})))) == [1]
    sent = fake.requests[-1][2]["filter"]
    assert [part["key"] for part in sent["must"] if "key" in part] == ["tenant", "kind", "doc_id"]
    assert sent["must"][1]["should"][0] == {"is_empty": {"key": "acl"}}
    (batch,) = [body for verb, path, body in fake.requests if verb == "PUT" and "/points" in path]
    assert batch["batch"]["payloads"][3]["tenant"] == "acme"


def test_columns_of_the_filter_are_indexed_on_a_server(fake: FakeQdrant) -> None:
    table = remote(fake).table(units(20, 6), SIX)
    assert [body["field_name"] for _, path, body in fake.requests if "/index" in path] == ["doc_id", "kind", "tenant", "acl"]
    del table


def test_a_collection_of_a_server_goes_with_its_table_and_takes_no_other_along(fake: FakeQdrant) -> None:
    first, second = (remote(fake).table(units(20, 6), SIX) for _ in range(2))
    del first
    assert len(fake.local.get_collections().collections) == 1
    assert len(rows(second, ASKED)) == 6
    del second
    assert fake.local.get_collections().collections == []


def test_a_kept_collection_is_attached_again_and_a_half_filled_one_filled_anew(fake: FakeQdrant) -> None:
    for _ in range(2):
        remote(fake, keep=True).table(units(20, 6), SIX)
    fills = [path for verb, path, _ in fake.requests if verb == "PUT" and "/points" in path]
    assert len(fills) == 1
    (name,) = [item.name for item in fake.local.get_collections().collections]
    fake.local.delete(name, [4, 5])
    assert len(rows(remote(fake, keep=True).table(units(20, 6), SIX), ASKED)) == 6


def test_a_server_that_fails_is_a_stage_error_without_the_key(fake: FakeQdrant) -> None:
    table = remote(fake).table(units(20, 6), SIX)
    fake.broken = True
    with pytest.raises(StageError, match=r"the qdrant server 'http://127.0.0.1:\d+' did not answer: .*500") as failure:
        rows(table, ASKED)
    assert KEY not in str(failure.value)


def test_a_server_that_is_not_there_is_a_stage_error() -> None:
    with pytest.raises(StageError, match=r"the qdrant server 'http://127\.0\.0\.1:9' did not answer"):
        Qdrant(url="http://127.0.0.1:9").table(units(20, 6), SIX)


def test_a_missing_key_is_named_before_anything_is_sent(fake: FakeQdrant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QDRANT_KEY")
    with pytest.raises(ConfigError, match="'QDRANT_KEY' is unset; the store qdrant needs it"):
        remote(fake).check()
    assert fake.requests == []


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"keep": True}, "only a server reads .*; give its url"),
        ({"search_ef": 64}, "only a server reads .*; give its url"),
        ({"url": "http://me:pw@localhost"}, "bare http:// or https:// URL"),
        ({"url": "ftp://localhost"}, "bare http:// or https:// URL"),
        ({"url": "http://db.example.org", "api_key_env": "QDRANT_KEY"}, "over http to another machine"),
        ({"path": "x"}, "Unexpected keyword argument"),
    ],
)
def test_settings_that_would_do_nothing_or_harm_are_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises((ValidationError, ConfigError), match=says) as failure:
        Qdrant(**settings)  # type: ignore[arg-type]
    assert "pw" not in str(failure.value)


def test_a_filter_names_the_fewer_documents() -> None:
    known = frozenset({"a", "b", "c"})
    assert condition(Filter(allowed=frozenset({"a", "x"})), known).must[0].match.any == ["a"]
    assert condition(Filter(allowed=frozenset({"a", "b"})), known).must_not[0].match.any == ["c"]
    assert condition(FREE, known).must_not is None


def test_nothing_is_written_where_no_server_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    table = Qdrant().table(units(20, 6), SIX)
    assert len(rows(table, ASKED)) == 6
    assert list(tmp_path.iterdir()) == []
