"""The answerability signal of each question, and whether it should have been high."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from harness.metrics.context_refusal import context_answerable
from harness.metrics.resampling import Floats
from harness.types import Question, Trace

Pairs = list[tuple[Question, Trace]]
"""Questions with what the system did."""


def pairs_of(questions: Sequence[Question], traces: Mapping[str, Trace]) -> Pairs:
    """The questions that have a trace."""
    return [(question, traces[question.question_id]) for question in questions if question.question_id in traces]


def signals(pairs: Pairs) -> list[tuple[Question, float]]:
    """The confidence of every question whose answerability was assessed with a finite number."""
    assessed = [(question, trace.assessment.confidence) for question, trace in pairs if trace.assessment is not None]
    return [(question, value) for question, value in assessed if isfinite(value)]


@dataclass(frozen=True)
class Assessed:
    """Questions with a signal of which it is known whether their evidence was shown; highest signal first."""

    questions: tuple[Question, ...]
    """The questions; equal signals stand in the order of the set."""
    signal: Floats
    """float64[n], the confidence."""
    answerable: NDArray[np.bool_]
    """bool[n], context-answerable."""
    left_out: int
    """Questions without a finite signal, or without evidence to look for."""
    errors: int
    """Questions without a trace."""


def assessed(questions: Sequence[Question], traces: Mapping[str, Trace], tau: float) -> Assessed:
    """The signal against context-answerability, at coverage tau."""
    pairs = pairs_of(questions, traces)
    rows = [
        (question, value, context_answerable(question, traces[question.question_id], tau)) for question, value in signals(pairs)
    ]
    known = sorted([row for row in rows if row[2] is not None], key=lambda row: -row[1])
    return Assessed(
        tuple(question for question, _, _ in known),
        np.array([value for _, value, _ in known], dtype=float),
        np.array([found for _, _, found in known], dtype=bool),
        len(pairs) - len(known),
        len(questions) - len(pairs),
    )
