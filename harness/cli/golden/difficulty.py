"""How hard a golden set is: every answerable question asked of BM25 and of dense retrieval, answers left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.build.compose import compose
from harness.build.experiment import build, gate_of
from harness.build.overrides import parse
from harness.cli.console import note
from harness.cli.paid import within_budget
from harness.evaluation import ask, score
from harness.golden.golden_set import GoldenSet
from harness.golden.ties import group_of
from harness.golden.unreachable import Cut, cut
from harness.metrics.recall import Recall
from harness.metrics.success import Complete
from harness.protocols import Progress
from harness.resources import cache_dir
from harness.statistics.power import minimum_detectable_effect
from harness.store import Store
from harness.types import Question

VARIANTS = ("bm25_only", "dense_only")
"""Experiments that are asked."""
RETRIEVAL = ("generator=none", "verification=none", "judge=none", "gate=none", "tracking=none")
"""What turns an experiment into a retrieval-only one."""
DEPTH = 5
"""Passages within which everything must be found."""
TOO_EASY = 0.95
"""A variant that solves a larger share leaves nothing to be measured."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What simple retrieval makes of the answerable questions."""

    n: int
    """Answerable questions."""
    solved: Mapping[str, tuple[str, ...]]
    """By variant, ids of questions of which all evidence is within the first five passages (complete@5)."""
    kinds: Mapping[str, str]
    """Kind of each of the questions."""
    failed: tuple[str, ...]
    """Ids on which a variant failed; they count as not solved."""
    chunker: str
    """Name of the chunker that both variants use."""
    cut: Cut
    """What it does to the evidence."""
    differences: Mapping[str, float]
    """question_id -> Recall@5 of dense minus that of BM25."""

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """Ids by who solves them, each once: bm25_only, dense_only, both, neither."""
        bm25, dense = (frozenset(self.solved[name]) for name in VARIANTS)
        whose = {(True, False): "bm25_only", (False, True): "dense_only", (True, True): "both", (False, False): "neither"}
        parts: dict[str, list[str]] = {part: [] for part in whose.values()}
        for name in self.kinds:
            parts[whose[name in bm25, name in dense]].append(name)
        return {part: tuple(ids) for part, ids in parts.items()}

    @property
    def too_easy(self) -> tuple[str, ...]:
        """Variants that solve more than .95."""
        return tuple(name for name, solved in self.solved.items() if len(solved) > TOO_EASY * self.n)


def measure(golden: GoldenSet, progress: Progress) -> Difficulty | None:
    """Asks both variants through the code of `harness run`, no run folder is written; None without answerable questions.

    Raises:
        ConfigError: when an experiment of the user's own does not hold.
    """
    questions = [question for question in golden.questions if question.answerable]
    if not questions:
        return None
    metrics = (Complete(k=DEPTH, tau=golden.coverage), Recall(k=DEPTH, tau=golden.coverage))
    store, made = Store(cache_dir() / "stages.sqlite"), dict[str, object]()
    values: dict[tuple[str, str, str], float | None] = {}
    found = Cut(0, (), ())
    chunker = ""
    for name in VARIANTS:
        (cell,) = parse([f"+experiment={name}", *RETRIEVAL])
        experiment = build(cell, store, made)
        with within_budget(experiment.settings.budget):
            system = experiment.pipeline.index(golden.documents, golden.as_of, progress)
            answers = ask(system, questions, {}, lambda _: None, experiment.settings.workers, _named(progress, name))
        found, chunker = cut(golden, system.chunks), type(experiment.pipeline.chunker).__name__.lower()
        if answers.failures:
            note(f"warning: {name} failed on {len(answers.failures)} questions; first: {answers.failures[0].error}")
        scores = score(questions, answers, metrics)
        values |= {(name, item.metric, item.question_id): item.value for item in scores}
    store.close()
    return _difficulty(questions, values, chunker, found)


def smallest_difference(golden: GoldenSet, differences: Mapping[str, float], split: str, alpha: float) -> float | None:
    """Smallest drop of Recall@5 that a comparison on a split can show with 80 % power, clustered by group.

    The spread is that of BM25 against dense, question by question; None when fewer than two groups leave it unknown.
    """
    questions = [question for question in golden.asked(split) if question.question_id in differences]
    spread = [differences[question.question_id] for question in questions]
    effect = minimum_detectable_effect(spread, [group_of(question) for question in questions], alpha) if spread else float("inf")
    return None if effect == float("inf") else effect


def default_alpha() -> float:
    """The error rate of the gate that runs when nothing else is said; .05 when the user's config has none.

    Raises:
        ConfigError: when the config or the gate's rules do not hold.
    """
    (cell,) = parse([])
    gate = gate_of(compose(cell))
    return gate.alpha if gate else 0.05


def _difficulty(
    questions: Sequence[Question], values: Mapping[tuple[str, str, str], float | None], chunker: str, found: Cut
) -> Difficulty:
    names = [question.question_id for question in questions]
    complete, recall = f"complete_at_{DEPTH}", f"recall_at_{DEPTH}"
    solved = {variant: tuple(name for name in names if values[variant, complete, name] == 1) for variant in VARIANTS}
    pairs = {name: [values[variant, recall, name] for variant in VARIANTS] for name in names}
    return Difficulty(
        n=len(names),
        solved=solved,
        kinds={question.question_id: question.kind for question in questions},
        failed=tuple(name for name, both in pairs.items() if None in both),
        chunker=chunker,
        cut=found,
        differences={name: dense - bm25 for name, (bm25, dense) in pairs.items() if bm25 is not None and dense is not None},
    )


def _named(progress: Progress, variant: str) -> Progress:
    return lambda what, done, total: progress(f"{variant}: {what}", done, total)
