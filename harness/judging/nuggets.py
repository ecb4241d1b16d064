"""Answer correctness by nuggets (Pradeep et al. 2024, AutoNuggetizer, arXiv 2411.09607): which facts does the answer state?"""

from collections.abc import Sequence
from statistics import fmean

from harness.judging.reading import Finding, Reading, told
from harness.types import Nugget


def answer_correctness_strict_vital(reading: Reading) -> Finding:
    """Vital nuggets that the answer states in full / vital nuggets."""
    return _correctness(reading, _vital(reading), strict=True)


def answer_correctness_vital(reading: Reading) -> Finding:
    """Vital nuggets that the answer states, .5 for a part / vital nuggets."""
    return _correctness(reading, _vital(reading), strict=False)


def answer_correctness_all(reading: Reading) -> Finding:
    """Nuggets that the answer states, .5 for a part / nuggets, vital or not."""
    return _correctness(reading, reading.question.nuggets, strict=False)


def _vital(reading: Reading) -> tuple[Nugget, ...]:
    return tuple(nugget for nugget in reading.question.nuggets if nugget.vital)


def _correctness(reading: Reading, nuggets: Sequence[Nugget], strict: bool) -> Finding:
    if reason := _not_applicable(reading, nuggets):
        return Finding(None, reason)
    if reading.unanswered:
        return Finding(0.0, f"refused although the question can be answered: none of {len(nuggets)} nuggets is stated")
    texts = [nugget.text for nugget in nuggets]
    known = _degrees(reading)
    degrees = [known[text] for text in texts]
    counted = [float(degree == 1) if strict else degree for degree in degrees]
    rows = zip(texts, degrees, strict=True)
    left = [f"{'partly stated' if degree else 'not stated'}: {text!r}" for text, degree in rows if degree < 1]
    return Finding(fmean(counted), told(f"{degrees.count(1.0)} of {len(texts)} nuggets stated in full", left))


def _degrees(reading: Reading) -> dict[str, float]:
    """How far the answer states each nugget of the question, in one request whatever the metric."""
    every = [nugget.text for nugget in reading.question.nuggets]
    verdicts = reading.verdicts(every, [reading.bare_answer])
    return {text: reading.degree(verdict) for text, verdict in zip(every, verdicts, strict=True)}


def _not_applicable(reading: Reading, nuggets: Sequence[Nugget]) -> str:
    if reading.answer is None:
        return reading.unanswered
    if not reading.question.answerable:
        return "unanswerable: there is nothing to state"
    if not reading.question.nuggets:
        return "the question has no nuggets"
    return "" if nuggets else "the question has no vital nuggets"
