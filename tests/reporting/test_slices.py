"""Metrics by kind, reason, language, tenant and tag."""

from dataclasses import replace

from harness.reporting.slices import Cell, Slices, slice_table
from harness.types import RunRecord, Score
from tests.reporting.records import record


def labelled(labels: dict[str, int], metric: str = "recall_at_5", value: float = 1.0) -> RunRecord:
    """A run of twelve questions, of which the first few carry each label."""
    names = [f"q{place}" for place in range(12)]
    carried = {name: tuple(label for label, size in labels.items() if place < size) for place, name in enumerate(names)}
    run = record({metric: 0.5}, {metric: {name: value if place < 6 else 0.0 for place, name in enumerate(names)}})
    return replace(run, labels=carried, groups={name: name for name in names})


def test_a_slice_needs_five_questions_and_must_not_be_the_whole_run() -> None:
    found = slice_table(labelled({"kind:table": 5, "kind:code": 4, "language:en": 12}))
    assert [(name, size) for name, size, _ in found.lines] == [("all", 12), ("kind:table", 5)]


def test_slices_stand_by_kind_reason_language_tenant_and_tag_and_others_are_left_out() -> None:
    names = ["tag:x", "tenant:acme", "kind:b", "answerable:no", "language:de", "reason:future", "kind:a"]
    found = slice_table(labelled(dict.fromkeys(names, 6)))
    expected = ["all", "kind:a", "kind:b", "reason:future", "language:de", "tenant:acme", "tag:x"]
    assert [name for name, _, _ in found.lines] == expected


def test_a_cell_holds_the_mean_of_its_slice_and_of_how_many() -> None:
    found = slice_table(labelled({"kind:table": 8}))
    assert found.columns == ("Recall@5 ↑",)
    assert [(cells[0].value, cells[0].n) for _, _, cells in found.lines] == [("0.500", 4), ("0.750", 8)]
    low, high = map(float, found.lines[1][2][0].ends.split("–"))
    assert low < 0.75 < high


def test_a_slice_in_which_a_metric_says_nothing_has_an_empty_cell() -> None:
    run = labelled({"kind:table": 6, "kind:unanswerable": 6})
    kept = tuple(item for item in run.scores if item.question_id > "q5" or len(item.question_id) > 2)
    labels = {
        name: ("kind:table",) if name in {item.question_id for item in kept} else ("kind:unanswerable",) for name in run.labels
    }
    found = {name: cells for name, _, cells in slice_table(replace(run, scores=kept, labels=labels)).lines}
    assert found["kind:unanswerable"] == (Cell("", "", 0),)


def test_an_interval_below_zero_is_written_so_that_it_can_be_read() -> None:
    run = labelled({"kind:table": 8}, "truthfulness", -1.0)
    assert " to " in slice_table(run).lines[1][2][0].ends


def test_metrics_the_run_lacks_have_no_column() -> None:
    run = labelled({"kind:table": 8})
    assert len(slice_table(run).columns) == 1
    assert slice_table(replace(run, aggregates={})) == Slices()


def test_a_run_without_labels_has_no_slices() -> None:
    assert slice_table(record(scores={"recall_at_5": {"q1": 1.0}})) == Slices()


def test_scores_of_other_metrics_and_stations_do_not_enter() -> None:
    run = labelled({"kind:table": 8})
    more = (*run.scores, *(Score("bm25/recall_at_5", f"q{place}", 0.0) for place in range(12)))
    assert slice_table(replace(run, scores=more)) == slice_table(run)
