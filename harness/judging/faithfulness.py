"""Faithfulness (Es et al. 2023, arXiv 2309.15217): how much of what the answer claims the passages shown support."""

from statistics import fmean

from harness.judging.reading import Finding, Reading, faults, told


def faithfulness(reading: Reading) -> Finding:
    """The expected share of supported claims: the mean probability of support over the claims.

    A judge that only says yes or no gives 0 or 1, and this is supported claims / claims.
    """
    if reading.unanswered:
        return Finding(None, reading.unanswered)
    claims = reading.claims()
    if not claims:
        return Finding(None, "the answer states no claim")
    verdicts = reading.verdicts(claims, reading.passages)
    supported = sum(verdict.supported for verdict in verdicts)
    value = fmean(verdict.probability for verdict in verdicts)
    return Finding(
        value, told(f"{supported} of {len(claims)} claims supported, mean support {value:.2f}", faults(claims, verdicts))
    )
