"""What the measurement of scale is taken on, and that its record keeps the promise."""

import json
from argparse import Namespace

from benchmarks.material import documents, prose
from benchmarks.published import RECORDS
from benchmarks.scale import SIZE, STEPS, _Clock, _index
from harness.chunking.recursive import Recursive
from harness.text import count_tokens

RECORD = json.loads((RECORDS / "scale.json").read_text("utf-8"))


def test_each_made_up_paragraph_becomes_one_chunk() -> None:
    first, second = documents(2, 50, 100)
    assert [len(Recursive(SIZE).chunk(document)) for document in (first, second)] == [50, 50]
    assert first.text != second.text
    assert documents(2, 50, 100) == [first, second]


def test_passages_for_the_model_have_about_as_many_tokens_as_asked_for() -> None:
    passages = prose(20, 100)
    assert all(100 <= count_tokens(passage) < 250 for passage in passages)
    assert prose(20, 100) == passages


def test_a_small_measurement_counts_every_step() -> None:
    found = _index(Namespace(documents=2))
    assert (found["documents"], found["chunks"]) == (2, 100)
    assert found["seconds"].keys() == set(STEPS)
    assert all(seconds > 0 for seconds in found["seconds"].values())
    assert found["peak_bytes"] >= found["peak_bytes_before"] > 0


def test_the_time_after_the_last_chunk_is_that_of_learning() -> None:
    clock, steps = _Clock(), []
    for what, done in (("chunk documents", 0), ("chunk documents", 2), ("index BM25", 0), ("index BM25", 2), ("embed chunks", 0)):
        before = dict(clock.seconds)
        sum(range(200_000))
        clock(what, done, 2)
        steps += [name for name in STEPS if clock.seconds[name] > before[name]]
    assert steps == ["mark duplicates", "chunk documents", "learn the embedder", "index BM25", "index BM25"]


def test_100_000_passages_were_indexed_within_4_gigabytes() -> None:
    index = RECORD["index"]
    assert index["chunks"] == RECORD["rivals"]["passages"] == 100_000
    assert index["peak_bytes"] < index["limit_bytes"] == 4 * 2**30


def test_the_local_models_rate_was_measured_on_2_000_passages() -> None:
    model = RECORD["model"]
    assert model["passages"] == 2000
    assert set(model["rates"]) == {"1 thread", "2 threads", "2 processes"}
    assert max(model["rates"], key=model["rates"].get) != "1 thread"
