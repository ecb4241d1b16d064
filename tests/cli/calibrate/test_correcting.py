"""A judged mean corrected by labels: what is put in, and what cannot be corrected."""

from collections.abc import Mapping

import pytest

from harness.cli.calibrate.correcting import correction, scores_of
from harness.errors import ConfigError
from harness.judging.labels import Labelled
from harness.types import Aggregate, RunRecord, Score, State
from tests.judging.labelled import label


def finished(values: Mapping[str, float | None], judge: str = "lexical v2", groups: Mapping[str, str] | None = None) -> RunRecord:
    """A finished run with these faithfulness scores."""
    scores = tuple(
        Score("faithfulness", name, value, State.NOT_APPLICABLE if value is None else State.SCORED)
        for name, value in values.items()
    )
    return RunRecord(
        run_id="run-1",
        created="",
        experiment="light",
        config={},
        overrides=(),
        fingerprints={"judge": judge},
        environment={},
        statistics={},
        scores=scores,
        failures=(),
        aggregates={"faithfulness": Aggregate("faithfulness", None, 0), "reranked/recall_at_5": Aggregate("x", None, 0)},
        groups=groups or {},
    )


def judged(n: int = 300) -> dict[str, float | None]:
    """The judge says 1 to even questions and 0 to odd ones."""
    return {f"q{place:03}": float(place % 2 == 0) for place in range(n)}


def labels(n: int, harsh: bool = False) -> list[Labelled]:
    """People agree with the judge; harsh ones give every fourth answer 0, which the judge had given 1."""
    return [label(f"q{place:03}", float(place % 2 == 0 and not (harsh and place % 4 == 0))) for place in range(n)]


def test_labels_that_agree_leave_the_mean_where_it_is() -> None:
    values = judged()
    found = correction(labels(120), scores_of(finished(values), "faithfulness"), finished(values))
    assert (found.labels, found.rest) == (120, 180)
    assert found.mean == pytest.approx(0.5)
    assert found.low < 0.5 < found.high


def test_labels_that_disagree_move_the_mean_to_what_people_say() -> None:
    values = judged()
    found = correction(labels(120, harsh=True), scores_of(finished(values), "faithfulness"), finished(values))
    assert found.mean == pytest.approx(0.25)


def test_a_judge_that_agrees_makes_the_interval_narrower_than_labels_alone() -> None:
    few, many = judged(120), judged(2_000)
    alone = correction(labels(120), scores_of(finished(few), "faithfulness"), finished(few))
    helped = correction(labels(120), scores_of(finished(many), "faithfulness"), finished(many))
    assert (alone.rest, helped.rest) == (0, 1_880)
    assert helped.high - helped.low < 0.6 * (alone.high - alone.low)


def test_only_labels_with_a_score_count_towards_the_hundred() -> None:
    values = {**judged(), **{f"q{place:03}": None for place in range(30)}}
    with pytest.raises(ConfigError, match=r"90 of 120 labels have a score in run 'run-1'; correcting its mean needs 100"):
        correction(labels(120), scores_of(finished(values), "faithfulness"), finished(values))


def test_labels_of_one_group_leave_no_interval() -> None:
    values = judged()
    same = [label(item.label_id, item.label, group="one") for item in labels(120)]
    with pytest.raises(ConfigError, match="all labels are of one group"):
        correction(same, scores_of(finished(values), "faithfulness"), finished(values))


def test_a_run_without_a_judge_is_refused() -> None:
    with pytest.raises(ConfigError, match="run 'run-1' was not judged"):
        scores_of(finished(judged(), judge=""), "faithfulness")


def test_a_metric_that_the_run_lacks_is_refused_with_those_it_has() -> None:
    with pytest.raises(ConfigError, match=r"has no 'citation_recall'; it has faithfulness$"):
        scores_of(finished(judged()), "citation_recall")
