"""Answers that people have judged: what a judge is held against.

The harness' own format is JSON lines, one answer a line:

    {"id": "q7", "question": "How long do the cells last?", "contexts": ["The cells last 18 months. ..."],
     "answer": "They last 18 months.", "label": [4, 4, 3], "scale": [1, 4], "metric": "faithfulness", "group": "battery.md"}

id         unique; with `--run` the question_id of the run's question
question   optional; some judges read it
contexts   the passages that the answer was written from; with `--run` left out, for the run has them
answer     the answer, or one claim; with `--run` optional, and then it must be the run's own
label      a number, or one per rater in the order of the raters
scale      [worst, best] of the label; left out it is [0, 1]
metric     what was judged; left out it is faithfulness; one file judges one metric
group      answers that rise and fall together, such as those to one question; left out each stands alone

Two public sets are read as they are published: mt-rag's human evaluation (fields `human`, `auto`; Katsis et al. 2025,
arXiv 2501.03468) and WiCE (fields `claim`, `label` in words; Kamoi et al. 2023, arXiv 2303.01432). In WiCE a claim cites
one page: its sentences are one passage, and the label is what that citation gives, supported 1, partially 1/2, not 0.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from statistics import fmean
from sys import float_info
from typing import Any

from harness.errors import ConfigError, Problem
from harness.jsonl import Row, read_rows

DEFAULT_METRIC = "faithfulness"
"""What labels judge unless they say so."""
_FIELDS = ("id", "question", "contexts", "answer", "label", "scale", "metric", "group")
_RIVALS = {"rl_f": "ragas faithfulness", "rb_llm": "rad-bench judge", "Bert-KPrec": "bertscore k-precision"}
"""Names of mt-rag's own scores that judge an answer against its passages."""
_WORDS = {"not_supported": 0.0, "partially_supported": 0.5, "supported": 1.0}


@dataclass(frozen=True, slots=True)
class Labelled:
    """One answer with what people said of it."""

    label_id: str
    """Unique in the file."""
    metric: str
    """What was judged."""
    ratings: tuple[float, ...]
    """One per rater, 0 is the worst and 1 the best of the scale."""
    question: str = ""
    """What was asked."""
    passages: tuple[str, ...] = ()
    """What the answer was written from."""
    answer: str = ""
    """The answer, or one claim."""
    group: str = ""
    """Cluster of the statistics; empty stands alone."""
    rivals: Mapping[str, float] = field(default_factory=dict)
    """Scores of other judges that the file carries."""

    @property
    def label(self) -> float:
        """Mean of the raters, rounded so that equal sums are equal."""
        return round(fmean(self.ratings), 9)


class LabelError(ValueError):
    """One fault of a line: what, why, fix."""


def read_labels(path: Path, of_run: bool = False) -> list[Labelled]:
    """The labelled answers of a file, in its order.

    Args:
        path: a JSON lines file.
        of_run: the answers are those of a run, so that lines may leave out answer and contexts.

    Raises:
        ConfigError: with every fault of the file.
    """
    rows, problems = read_rows(path)
    found: dict[str, Labelled] = {}
    for row in rows:
        try:
            found[row.where] = _read(row.fields, of_run)
        except LabelError as fault:
            what, why, fix = fault.args
            problems.append(Problem("J001", row.where, what, why, fix))
    problems += _repeated(rows) + _mixed(found)
    if problems:
        raise ConfigError(f"the labels {path.name!r} cannot be used", sorted(problems, key=_line))
    return list(found.values())


def _line(problem: Problem) -> int:
    """The line that a problem stands in; 0 for one of the whole file."""
    line = problem.where.rpartition(":")[2].partition(" ")[0]
    return int(line) if line.isdecimal() else 0


def _read(fields: Mapping[str, Any], of_run: bool) -> Labelled:
    shape: Callable[[Mapping[str, Any]], Labelled] = _mtrag if "human" in fields else _wice if "claim" in fields else _own
    labelled = shape(fields)
    if not (of_run or labelled.answer.strip()):
        raise LabelError(
            "has no answer", "There is nothing to judge.", 'add "answer", or give the run whose answers these are: --run'
        )
    if not of_run and "contexts" not in fields:
        raise LabelError("has no contexts", "The answer is judged against them.", 'add "contexts": ["passage", ...]')
    return labelled


def _own(fields: Mapping[str, Any]) -> Labelled:
    if unknown := sorted(set(fields) - set(_FIELDS)):
        near = get_close_matches(unknown[0], _FIELDS, 1)
        fix = f"did you mean {near[0]!r}?" if near else f"the fields are {', '.join(_FIELDS)}"
        raise LabelError(f"field {unknown[0]!r} is unknown", "It would be ignored.", fix)
    return Labelled(
        label_id=_text(fields, "id", needed=True),
        metric=_text(fields, "metric") or DEFAULT_METRIC,
        ratings=_ratings(fields.get("label"), fields.get("scale", [0, 1])),
        question=_text(fields, "question"),
        passages=_passages(fields.get("contexts", [])),
        answer=_text(fields, "answer"),
        group=_text(fields, "group"),
    )


def _mtrag(fields: Mapping[str, Any]) -> Labelled:
    kind, label_id = _text(fields, "kind", needed=True), _text(fields, "_id", needed=True)
    human, auto = fields["human"], fields.get("auto", {})
    if not isinstance(human, dict) or kind not in human:
        raise LabelError(f"human has no ratings of {kind!r}", "", f'add "human": {{"{kind}": [4, 3, 4]}}')
    given = auto if isinstance(auto, dict) else {}
    rivals = {name: float(given[key]) for key, name in _RIVALS.items() if _is_number(given.get(key))}
    return Labelled(
        label_id=label_id,
        metric=kind,
        ratings=_ratings(human[kind], [1, 4]),
        question=_text(fields, "question"),
        passages=_passages(fields.get("contexts")),
        answer=_text(fields, "answer"),
        group=label_id.partition("|")[0],
        rivals=rivals,
    )


def _wice(fields: Mapping[str, Any]) -> Labelled:
    word = fields.get("label")
    if not isinstance(word, str) or word not in _WORDS:
        raise LabelError(f"label is {word!r}", "", f"write one of {', '.join(_WORDS)}")
    passage = "\n\n".join(_passages(fields.get("contexts")))
    return Labelled(
        label_id=_text(fields, "_id", needed=True),
        metric="citation_support_precision",
        ratings=(_WORDS[word],),
        passages=(passage,) if passage else (),
        answer=_text(fields, "claim", needed=True),
    )


def _text(fields: Mapping[str, Any], name: str, needed: bool = False) -> str:
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise LabelError(f"{name} is {_shortly(value)}", "", f"write {name} as a text")
    if needed and not value.strip():
        raise LabelError(f"has no {name}", "", f'add "{name}"')
    return value


def _ratings(label: Any, scale: Any) -> tuple[float, ...]:
    ends = isinstance(scale, list) and len(scale) == 2 and all(map(_is_number, scale))
    if not (ends and scale[0] < scale[1] and _is_number(scale[1] - scale[0])):
        raise LabelError(f"scale is {_shortly(scale)}", "", "write [worst, best], such as [1, 4]")
    values = label if isinstance(label, list) else [label]
    if not values or not all(map(_is_number, values)):
        why = "A line without a number would drop out silently."
        raise LabelError(f"label is {_shortly(label)}", why, "write a number, or one number per rater in a list")
    low, high = scale
    if outside := [value for value in values if not low <= value <= high]:
        raise LabelError(
            f"label {_shortly(outside[0])} lies outside of {low:g} to {high:g}", "", 'say which scale it is: "scale": [1, 4]'
        )
    return tuple((value - low) / (high - low) for value in values)


def _passages(contexts: Any) -> tuple[str, ...]:
    """Texts, or objects with a text."""
    if not isinstance(contexts, list):
        raise LabelError(f"contexts is {_shortly(contexts)}", "", "write a list of passages")
    given = [item.get("text") if isinstance(item, dict) else item for item in contexts]
    texts = [text for text in given if isinstance(text, str)]
    if len(texts) < len(given):
        raise LabelError("contexts holds what is no text", "", "write each passage as a text")
    return tuple(text for text in texts if text.strip())


def _repeated(rows: Sequence[Row]) -> list[Problem]:
    named = sorted((str(row.fields.get("id", row.fields.get("_id", ""))), place) for place, row in enumerate(rows))
    problems = []
    for name, items in groupby(named, key=lambda item: item[0]):
        first, *others = [rows[place].where for _, place in items]
        problems += [
            Problem("J002", where, f"id {name!r} stands in {first} already", "One answer would count twice", "keep one")
            for where in others
            if name
        ]
    return problems


def _mixed(found: Mapping[str, Labelled]) -> list[Problem]:
    """The first line of every metric but the commonest, or of two as common the one that stands first."""
    lines: dict[str, list[str]] = {}
    for where, item in found.items():
        lines.setdefault(item.metric, []).append(where)
    common = max(lines, key=lambda name: len(lines[name]), default="")
    return [
        Problem(
            "J003",
            places[0],
            f"judges {metric!r}, where {len(lines[common])} of {len(found)} lines judge {common!r}",
            "One record measures one metric.",
            f"did you mean {common!r}?" if get_close_matches(metric, [common]) else "make one file of each",
        )
        for metric, places in lines.items()
        if metric != common
    ]


def _is_number(value: Any) -> bool:
    """Whether it is a number that a finite float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def _shortly(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
