"""Labelled answers put before a judge exactly as a run's answers are: each as a question with its trace."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.errors import ConfigError, Problem
from harness.evaluation import Answers, score
from harness.judging.labels import Labelled
from harness.protocols import Judge, Progress
from harness.resources import cache_dir
from harness.spending import Budget
from harness.store import Store
from harness.types import Answer, Chunk, Hit, Question, Ranking, Score, Span, Trace


def chosen_judge(words: str) -> tuple[Judge, Budget]:
    """The judge that a run with these words would have, its cache included, and what it may spend.

    Args:
        words: option of the slot judge, then overrides, separated by blanks; empty is the configured judge.

    Raises:
        ConfigError: with every fault of the words, and when they leave no judge.
    """
    given = words.split()
    named = given and "=" not in given[0]
    (overrides,) = parse([f"judge={given[0]}", *given[1:]] if named else given)
    try:
        experiment = build(overrides, Store(cache_dir() / "stages.sqlite"))
    except ConfigError as error:
        raise ConfigError(error.args[0], [_without_replay(item) for item in error.problems]) from error
    if experiment.judge is None:
        raise ConfigError(f"--judge {words!r} judges nothing; name another option of the slot judge, such as lexical")
    return experiment.judge, experiment.settings.budget


def _without_replay(problem: Problem) -> Problem:
    """A model that cannot be asked, as it stands here: nothing is recorded for labels."""
    if problem.code != "F010":
        return problem
    return replace(problem, why="No label would be judged.", fix="provide it, or choose another judge")


def check_metric(judge: Judge, metric: str, where: str) -> None:
    """That the judge scores the metric.

    Args:
        judge: the judge.
        metric: what the labels judge.
        where: the line, or the option, that says so.

    Raises:
        ConfigError: J003, when it does not.
    """
    if metric in judge.metrics:
        return
    near = get_close_matches(metric, judge.metrics, 1)
    other = f"measure another metric on these labels with --metric {judge.metrics[0]}, or choose another judge"
    what = f"the judge {judge.identity.partition(' ')[0]!r} does not score {metric!r}, only {', '.join(judge.metrics)}"
    fix = f"did you mean {near[0]!r}?" if near else other
    raise ConfigError("The labels cannot be judged.", [Problem("J003", where, what, fix=fix)])


def judged(judge: Judge, labelled: Sequence[Labelled], metric: str, progress: Progress) -> dict[str, Score]:
    """The judge's score of each labelled answer by label_id; answers without any passage are not put before it."""
    traces = {item.label_id: trace(item, metric) for item in labelled if item.passages}
    questions = [Question(item.label_id, item.question) for item in labelled if item.passages]
    scores = score(questions, Answers(traces, ()), (), judge, progress)
    return {item.question_id: item for item in scores if item.metric == metric}


def trace(item: Labelled, metric: str) -> Trace:
    """The trace of a labelled answer. For a metric of citations the answer cites every passage."""
    chunks = [
        Chunk(Span(f"context {place}", 0, len(passage)), passage, version=item.label_id)
        for place, passage in enumerate(item.passages, 1)
    ]
    context = Ranking.of(Hit(chunk, float(-place)) for place, chunk in enumerate(chunks))
    cited = tuple(chunk.chunk_id for chunk in chunks) if metric.startswith("citation_") else ()
    text = " ".join([item.answer, *(f"[{name}]" for name in cited)])
    return Trace(item.label_id, reranked=context, context=context, answer=Answer(text, cited))
