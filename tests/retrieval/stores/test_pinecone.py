"""Pinecone's client against a local server; see tests/fake_pinecone.py."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ConfigError, HarnessError, StageError
from harness.llm import calling
from harness.protocols import VectorStore
from harness.retrieval.stores import shared
from harness.retrieval.stores.pinecone import Pinecone, PineconeTable, conditions, metadata
from harness.spending import Budget, ExhaustedError, within
from harness.types import Filter
from tests.contracts.vector_store import FREE, NASTY, VectorStoreContract, entry, rows, units
from tests.fake_pinecone import KEY, FakePinecone, Fault
from tests.retrieval.stores.through_cli import on_smoke, with_faiss
from tests.retrieval.stores.through_dense import ThroughDense

ENTRIES = [entry(f"{row}.md") for row in range(6)]
OUT = Fault(503)


@pytest.fixture(scope="module", autouse=True)
def key() -> Iterator[None]:
    """The key in the environment, and back-offs a hundred times shorter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINECONE_API_KEY", KEY)
        patch.setattr(calling, "FIRST_WAIT", 0.005)
        yield


@pytest.fixture
def fake() -> Iterator[FakePinecone]:
    with FakePinecone() as server:
        yield server


def filled(fake: FakePinecone, **settings: Any) -> PineconeTable:
    return Pinecone(host=fake.url, **settings).table(units(1, 6), ENTRIES)


class TestPinecone(VectorStoreContract):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Iterator[VectorStore]:
        with FakePinecone() as server:
            yield Pinecone(host=server.url)


class TestRetrieval(ThroughDense):
    @pytest.fixture(scope="class")
    @classmethod
    def store(cls) -> Iterator[VectorStore]:
        with FakePinecone() as server:
            yield Pinecone(host=server.url)


FIVE = frozenset({"a.md", "b.md", "c.md", "d.md", "e.md"})


def test_a_filter_in_the_language_of_pinecone() -> None:
    assert conditions(Filter("ann", frozenset({"b.md", "a.md", "gone.md"}), frozenset({"prose"})), FIVE) == {
        "$and": [
            {"doc_id": {"$in": ["a.md", "b.md"]}},
            {"kind": {"$in": ["prose"]}},
            {"tenant": {"$in": ["", "ann"]}},
            {"$or": [{"open": {"$eq": True}}, {"acl": {"$in": ["ann"]}}]},
        ]
    }
    assert conditions(Filter(""), FIVE) == {"$and": [{"tenant": {"$in": [""]}}, {"$or": [{"open": {"$eq": True}}]}]}
    assert conditions(FREE, FIVE) is None


def test_the_shorter_list_of_documents_is_named() -> None:
    assert conditions(Filter(allowed=FIVE - {"c.md"}), FIVE) == {"$and": [{"doc_id": {"$nin": ["c.md"]}}]}
    assert conditions(Filter(allowed=FIVE), FIVE) is None
    assert conditions(Filter(allowed=frozenset({"gone.md"})), FIVE) == {"$and": [{"doc_id": {"$in": []}}]}


@pytest.mark.parametrize("text", NASTY)
def test_a_value_stays_a_string_of_its_own(text: str) -> None:
    assert conditions(Filter(allowed=frozenset({text})), FIVE | {text}) == {"$and": [{"doc_id": {"$in": [text]}}]}


def test_a_filter_of_more_values_than_the_service_takes_is_refused() -> None:
    documents = frozenset(map(str, range(20_002)))
    with pytest.raises(StageError, match=r"Pinecone takes 10,000 values in a filter, 10,001 of doc_id are needed"):
        conditions(Filter(allowed=frozenset(map(str, range(10_001)))), documents)


def test_metadata_holds_no_empty_list() -> None:
    assert metadata(entry("a.md")).items() >= {"doc_id": "a.md", "open": True, "tenant": ""}.items()
    assert "acl" not in metadata(entry("a.md"))
    assert metadata(entry("a.md", acl=("ann",))).items() >= {"open": False}.items()
    assert metadata(entry("a.md", acl=("ann",)))["acl"] == ["ann"]


def test_a_query_asks_for_rows_and_scores_alone_with_the_filter_in_it(fake: FakePinecone) -> None:
    rows(filled(fake), units(2, 1)[0], Filter(kinds=frozenset({"prose"})), 4)
    ((asked),) = [body for _, path, body in fake.requests if path == "/query"]
    assert (asked["topK"], asked["includeValues"], asked["includeMetadata"]) == (4, False, False)
    assert asked["filter"] == {"$and": [{"kind": {"$in": ["prose"]}}]}


def test_an_index_is_made_for_each_dimension_where_there_is_none(fake: FakePinecone) -> None:
    store = Pinecone(host=fake.url, index="mine", cloud="gcp", region="europe-west4")
    for dimension in (8, 4, 8):
        store.table(units(1, 6, dimension), ENTRIES)
    made = [body for method, path, body in fake.requests if (method, path) == ("POST", "/indexes")]
    assert [body["name"] for body in made] == ["mine-8", "mine-4"]
    assert made[0]["deployment"] == {"deployment_type": "managed", "cloud": "gcp", "region": "europe-west4"}
    assert list(made[0]["schema"]["fields"].values()) == [{"type": "dense_vector", "dimension": 8, "metric": "cosine"}]


def test_an_index_of_another_shape_is_refused(fake: FakePinecone) -> None:
    filled(fake)
    fake.indexes["harness-32"]["schema"]["fields"]["_values"]["metric"] = "euclidean"
    with pytest.raises(StageError, match="has vectors of 32 dimensions by euclidean, 32 by cosine are needed"):
        filled(fake)


def test_a_new_index_is_waited_for(fake: FakePinecone) -> None:
    fake.starting = 2
    assert len(rows(filled(fake), units(2, 1)[0])) == 6
    assert fake.count("/indexes/harness-32") == 4


def test_what_was_written_is_waited_for_until_it_is_seen(fake: FakePinecone) -> None:
    fake.delay = 0.4
    began = time.monotonic()
    assert len(rows(filled(fake), units(2, 1)[0])) == 6
    assert time.monotonic() - began >= 0.4


def test_what_is_not_seen_within_the_deadline_is_an_error_and_never_a_shorter_index(fake: FakePinecone) -> None:
    fake.delay = 60
    with pytest.raises(StageError, match=r"it did not come about that all 6 vectors are seen within deadline=0\.5 s"):
        filled(fake, deadline=0.5)


def test_a_temporary_namespace_is_deleted_with_its_table_and_the_index_stays(fake: FakePinecone) -> None:
    table = filled(fake)
    assert len(fake.namespaces) == 1
    del table
    assert (len(fake.namespaces), list(fake.indexes)) == (0, ["harness-32"])


def test_a_kept_namespace_is_attached_again_and_not_written_anew(fake: FakePinecone) -> None:
    first = rows(filled(fake, keep=True), units(2, 1)[0])
    written = fake.count("/vectors/upsert")
    assert rows(filled(fake, keep=True), units(2, 1)[0]) == first
    assert (fake.count("/vectors/upsert"), len(fake.namespaces)) == (written, 1)


def test_a_half_filled_namespace_is_completed_without_repeating_rows(fake: FakePinecone) -> None:
    filled(fake, keep=True)
    (space,) = fake.namespaces.values()
    del space.vectors["3"], space.vectors["5"]
    assert sorted(rows(filled(fake, keep=True), units(2, 1)[0], FREE, 99)) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("dimension", "requests"), [(32, 3), (1536, 7)])
def test_long_vectors_go_in_smaller_requests(fake: FakePinecone, dimension: int, requests: int) -> None:
    Pinecone(host=fake.url).table(units(1, 250, dimension), [entry(f"{row}.md") for row in range(250)])
    assert fake.count("/vectors/upsert") == requests


@pytest.mark.parametrize("path", ["/indexes/harness-32", "/indexes", "/vectors/upsert", "/describe_index_stats", "/query"])
def test_a_passing_fault_is_mended_by_asking_again(fake: FakePinecone, path: str) -> None:
    fake.fail(path, OUT, Fault(429), Fault(500))
    assert len(rows(filled(fake), units(2, 1)[0])) == 6


@pytest.mark.parametrize(
    ("path", "fault", "kind"),
    [
        ("/vectors/upsert", OUT, StageError),
        ("/query", OUT, StageError),
        ("/indexes/harness-32", OUT, StageError),
        ("/query", Fault(429), ExhaustedError),
    ],
)
def test_requests_never_exceed_the_attempts(fake: FakePinecone, path: str, fault: Fault, kind: type[HarnessError]) -> None:
    """The client's own retries are off, on both planes."""
    fake.fail(path, *[fault] * 50)
    with pytest.raises(kind, match="failed after 3 attempts"):
        rows(filled(fake, attempts=3), units(2, 1)[0])
    assert fake.count(path) == 3


def test_a_server_that_asks_to_wait_is_given_that_time(fake: FakePinecone) -> None:
    table = filled(fake)
    fake.fail("/query", Fault(429, {"Retry-After": "0.3"}))
    began = time.monotonic()
    assert len(rows(table, units(2, 1)[0])) == 6
    assert time.monotonic() - began >= 0.3


def test_a_server_that_asks_for_more_than_the_deadline_ends_the_attempts(fake: FakePinecone) -> None:
    table = filled(fake, deadline=2)
    fake.fail("/query", Fault(429, {"Retry-After": "600"}))
    with pytest.raises(ExhaustedError, match="the server asked to wait 600 s"):
        rows(table, units(2, 1)[0])


def test_an_index_made_by_a_request_whose_answer_got_lost_is_used(fake: FakePinecone) -> None:
    fake.fail("/indexes", Fault(500, done=True))
    assert len(rows(filled(fake), units(2, 1)[0])) == 6
    assert fake.count("/indexes") == 2


@pytest.mark.parametrize("status", [400, 403, 404])
def test_a_refusal_is_not_asked_again(fake: FakePinecone, status: int) -> None:
    table = filled(fake)
    fake.fail("/query", Fault(status, message="not like this"))
    with pytest.raises(StageError, match=r"Pinecone refused to search: .*not like this"):
        rows(table, units(2, 1)[0])
    assert fake.count("/query") == 1


def test_a_wrong_key_names_the_variable_and_not_the_key(fake: FakePinecone, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server repeats the key in its message."""
    monkeypatch.setenv("PINECONE_API_KEY", "pc-wrong-0815")
    with pytest.raises(StageError, match=r"refused to find the index.*look at the key in 'PINECONE_API_KEY'") as refused:
        filled(fake)
    assert "pc-wrong-0815" not in str(refused.value)
    assert len(fake.requests) == 1


def test_the_key_goes_to_no_other_host_that_the_environment_names(fake: FakePinecone, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakePinecone() as other:
        monkeypatch.setenv("PINECONE_CONTROLLER_HOST", other.url)
        filled(fake)
        assert other.requests == []


def test_requests_count_in_the_budget(fake: FakePinecone) -> None:
    table = filled(fake)
    with within(Budget(calls=2)) as ledger:
        for _ in range(2):
            rows(table, units(2, 1)[0])
        with pytest.raises(ExhaustedError, match=r"R004 Pinecone \(search\): budget.calls=2"):
            rows(table, units(2, 1)[0])
    assert (ledger.sent.calls, ledger.unpriced, fake.count("/query")) == (2, 2, 2)


def test_a_key_goes_over_http_to_this_machine_only() -> None:
    assert Pinecone(host="http://127.0.0.1:5081").host == "http://127.0.0.1:5081"
    with pytest.raises(ConfigError, match="host of pinecone: a key would be sent over http to another machine"):
        Pinecone(host="http://api.pinecone.io")


@pytest.mark.parametrize(
    "host", ["https://me:hunter2@api.pinecone.io", "api.pinecone.io?key=hunter2", "https://x.io?k=hunter2", ""]
)
def test_a_host_that_is_no_bare_url_is_refused_and_not_repeated(host: str) -> None:
    with pytest.raises(ConfigError, match="bare http") as refused:
        Pinecone(host=host)
    assert "hunter2" not in str(refused.value)


def test_a_key_in_the_config_is_refused_and_not_repeated() -> None:
    with pytest.raises(ValueError, match="api_key_env") as refused:
        Pinecone(api_key_env="pcsk-hunter2")
    assert "hunter2" not in str(refused.value)


def test_an_unset_variable_is_named_before_anything_is_asked() -> None:
    with pytest.raises(ConfigError, match="environment variable 'NOT_SET' is unset; the store pinecone needs it"):
        Pinecone(api_key_env="NOT_SET").check()


def test_a_missing_package_is_named_with_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match=r"pip install .rag-harness\[pinecone\]."):
        Pinecone().check()


def test_a_run_by_the_command_line_finds_what_faiss_finds_and_leaks_nothing(fake: FakePinecone, tmp_path: Path) -> None:
    found = on_smoke(tmp_path, "store=pinecone", f"store.host={fake.url}")
    assert (found["recall_at_5"], found["leaks"]) == (with_faiss()["recall_at_5"], {"tenant_leaks": 0.0})
    assert (fake.count("/query") > 0, len(fake.namespaces)) == (True, 0)
    assert not [path for path in tmp_path.rglob("reports/**/*.*") if KEY in path.read_text()]
