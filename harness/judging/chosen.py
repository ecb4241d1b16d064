"""Which metrics a judge is told to score."""

from collections.abc import Collection, Sequence

from harness.errors import Problem


def metric_problems(chosen: Sequence[str], known: Collection[str]) -> list[Problem]:
    """Ids that the judge cannot score, and ids named twice."""
    unknown = [name for name in dict.fromkeys(chosen) if name not in known]
    words = f"known: {', '.join(known)}"
    problems = [Problem("F001", "judge.metrics", f"this judge has no metric {name!r}", fix=words) for name in unknown]
    if len(set(chosen)) < len(chosen):
        problems.append(Problem("F001", "judge.metrics", "names a metric twice", fix="name each once"))
    return problems
