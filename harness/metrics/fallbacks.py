"""How many steps on the way from question to search were left out because their model failed?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from harness.metrics.base import Measure
from harness.types import Question, Score, Trace

_STEP = re.compile(r"(?:^|; )(history|rewrite|subqueries|hyde|route): ")
"""Where the reason of a step begins in a query's `fallback`."""


@dataclass(frozen=True)
class QueryFallbacks(Measure):
    """Steps that were left out of a question: rewording, splitting, hypothetical passage, history; each once, however many queries.

    Such a question was answered by another pipeline than the one that was named; above 0 the run says so. Only computed where a
    step has `on_failure: skip`; elsewhere a step that fails is an error of the question.
    """

    family: ClassVar[str] = "query_fallbacks"
    label: ClassVar[str] = "Query steps left out"
    formula: ClassVar[str] = (
        "number of query steps of the question that were left out of one of its queries or more because their model failed"
    )
    source: ClassVar[str] = "this project"
    kind: ClassVar[str] = "invariant"
    higher_is_better: ClassVar[bool] = False
    high: ClassVar[float] = inf

    def score(self, question: Question, trace: Trace) -> Score:
        """The count, with the reasons as the remark; not applicable to a trace without queries, such as another system's."""
        if not trace.queries:
            return self.not_applicable(question, "the trace has no queries")
        left = [query.fallback for query in trace.queries if query.fallback]
        steps = {step for reasons in left for step in _STEP.findall(reasons) or [reasons]}
        return self.scored(question, len(steps), "; ".join(dict.fromkeys(left)))


def can_fall_back(steps: Iterable[object]) -> bool:
    """Whether a step leaves its work out when its model fails."""
    return any(getattr(step, "on_failure", "") == "skip" for step in steps)
