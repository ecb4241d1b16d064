"""docs/stores.md is what its record says, and the record shows what must be shown of every store."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import stores, stores_page
from benchmarks.stores import NOT_MEASURED, ROWS, main, measure_all, nearest_found
from benchmarks.stores_page import PAGE, RECORD, rendered
from harness.build.sources import groups
from harness.golden.golden_set import load
from harness.resources import shipped_root
from harness.store import Store
from harness.types import Filter
from tests.cli.project import write_golden_set

FOUND = json.loads(RECORD.read_text("utf-8"))


def test_the_page_is_rendered_from_the_record() -> None:
    assert PAGE.read_text("utf-8") == rendered()


def test_every_store_is_measured_or_said_not_to_be() -> None:
    assert {row["option"] for row in FOUND["rows"]} | set(FOUND["not_measured"]) == set(groups()["store"])
    assert [(row["option"], tuple(row["words"])) for row in FOUND["rows"]] == [(option, words) for option, words, _ in ROWS]
    assert FOUND["not_measured"] == list(NOT_MEASURED)


def test_every_store_has_a_start_recipe_and_stands_in_the_list() -> None:
    page = PAGE.read_text("utf-8")
    for name in groups()["store"]:
        assert f"\n| `{name}` | " in page
        assert name.startswith("faiss") or f'pip install "rag-harness[{name}]"' in page


def test_the_record_is_of_the_golden_set_as_it_stands() -> None:
    golden = load(shipped_root() / "golden_sets" / FOUND["golden_set"])
    assert (FOUND["golden_version"], FOUND["corpus"]) == (golden.version, golden.corpus_digest)
    assert FOUND["questions"] == len(golden.questions)


@pytest.mark.parametrize("row", FOUND["rows"], ids=lambda row: " ".join([row["option"], *row["words"]]))
def test_nothing_leaks_and_nothing_fails(row: dict[str, object]) -> None:
    assert (row["tenant_leaks"], row["superseded_hits"], row["errors"]) == (0, 0, 0)


def test_an_exact_store_answers_every_question_as_faiss_does() -> None:
    exact = [row for row in FOUND["rows"] if row["exact"]]
    assert {row["same"] for row in exact} == {FOUND["questions"]}
    assert {row["option"] for row in exact} == {"faiss", "lancedb", "qdrant", "milvus", "pgvector"}


def test_an_approximate_store_says_how_much_it_finds() -> None:
    assert all(0.9 <= row["nearest_found"] <= 1 for row in FOUND["rows"] if not row["exact"])
    assert {row["nearest_found"] for row in FOUND["rows"] if row["exact"]} == {1.0}


def test_the_version_of_pgvector_is_that_of_the_server_and_is_as_new_as_the_page_asks() -> None:
    found = {row["version"] for row in FOUND["rows"] if row["option"] == "pgvector"}
    (words,) = (version.split() for version in found)
    assert words[1:3] == ["in", "PostgreSQL"]
    assert tuple(map(int, words[0].split("."))) >= (0, 7)


@pytest.mark.parametrize(("rows", "share"), [([0, 1, 2], 1.0), ([2, 0], 2 / 3), ([3, 0, 1], 2 / 3), ([4, 0, 1], 1.0), ([], 0.0)])
def test_the_ten_nearest_are_those_of_a_comparison_with_all(
    rows: list[int], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows 2 and 4 are equally near, third of five; a store may give either."""

    class Giving:
        def nearest(self, _vector: object, admitted: Filter, depth: int) -> tuple[object, object]:
            assert (admitted, depth) == (Filter(), 3)
            return np.array(rows, dtype=np.int64), np.zeros(len(rows))

    monkeypatch.setattr(stores, "NEAREST", 3)
    vectors = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [0, 1], [0.6, -0.8]], dtype=np.float32)
    assert nearest_found(Giving(), vectors, vectors[0]) == pytest.approx(share)  # type: ignore[arg-type]


def test_a_row_is_measured_from_the_files_to_the_record(tmp_path: Path) -> None:
    golden = load(write_golden_set(tmp_path / "tiny"))
    rest = (*stores.REST, "embedder=hashing")
    measured = [("faiss", (), "faiss-cpu"), ("lancedb", (), "lancedb"), ("chroma", (), "chromadb")]
    found = measure_all(golden, Store(tmp_path / "stages.sqlite"), measured, rest)
    facts = [(row["exact"], row["rows"], row["nearest_found"]) for row in found["rows"]]
    assert facts == [(True, 5, 1.0), (True, 5, 1.0), (False, 5, 1.0)]
    assert [row["same"] for row in found["rows"][:2]] == [27, 27]
    assert {row["recall_at_5"] for row in found["rows"]} == {1.0}


def test_without_a_record_asked_for_only_the_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "stores.md"
    page.write_text(PAGE.read_text("utf-8"))
    monkeypatch.setattr(stores_page, "PAGE", page)
    monkeypatch.setattr("sys.argv", ["stores"])
    main()
    assert page.read_text("utf-8") == PAGE.read_text("utf-8")
