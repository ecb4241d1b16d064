"""Evidence in the sound files of a corpus that has faults, so that one broken file does not hide what else is wrong."""

from collections.abc import Mapping, Sequence

from harness.corpus.formats import ROWS
from harness.errors import Problem
from harness.golden.questions import read_question
from harness.jsonl import Row
from harness.text import normalise
from harness.types import Document


def evidence_of_sound(
    rows: Sequence[Row], documents: Mapping[str, Document], wrong: Sequence[Problem], as_of: str
) -> list[Problem]:
    """What is wrong with evidence, as far as it does not lie in a faulty file.

    What a faulty file of JSON lines holds is not known, so no document is called unknown beside one.
    """
    found = []
    for row in rows:
        for problem in read_question(row, documents, as_of)[1]:
            name = _named(row, problem) if problem.code == "G013" else None
            if name is None or not any(_of(item, name) or f"{ROWS}:" in item.where for item in wrong):
                found.append(problem)
    return found


def _of(problem: Problem, name: str) -> bool:
    """Whether a problem tells of a file; ids that collide are told of together."""
    collides = problem.code == "C005" and repr(name) in problem.what
    return collides or problem.where == name or problem.where.startswith((f"{name} ", f"{name}:"))


def _named(row: Row, problem: Problem) -> str | None:
    """The document that a place of evidence names."""
    field = problem.where.partition(" ")[2].removesuffix(".doc")
    for outer, group in enumerate(row.fields.get("evidence", ())):
        for inner, place in enumerate(group):
            if field == f"evidence[{outer}][{inner}]":
                return normalise(place["doc"])
    for inner, place in enumerate(row.fields.get("forbid", ())):
        if field == f"forbid[{inner}]":
            return normalise(place["doc"])
    return None
