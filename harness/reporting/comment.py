"""The comment on a pull request: verdict, numbers, what could not be decided, which questions changed.

Everything in it that came from a model, a document or a branch is shown as text: no link, image, mention or command.
"""

from collections.abc import Mapping, Sequence

from harness.attribution.stations import Attribution
from harness.gates.baseline import Baseline
from harness.reporting.configs import changed_settings
from harness.reporting.escape import code, markdown
from harness.reporting.markdown import table, told_lines
from harness.reporting.names import arrow, change, count, number, rule_title, verdict_words, word
from harness.reporting.questions import Case, cases
from harness.reporting.steps import remarks, told
from harness.types import Outcome, Question, RunRecord, Trace, Verdict

_MOST_FLIPPED = 10
_MOST_LINES = 120
_LONGEST = 400
_STEP = 160
_MOST_CHARACTERS = 60_000
_END = "</details>"
_UNDECIDED = (Outcome.INCONCLUSIVE, Outcome.MISSING, Outcome.INVALID, Outcome.NOT_COMPARABLE)


def comment(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    notices: Sequence[str],
    questions: Sequence[Question],
    traces: Sequence[Trace],
    attributions: Mapping[str, Attribution] | None = None,
) -> str:
    """The comment in Markdown, cut below the 65,536 characters that GitHub takes.

    Args:
        record: the run.
        accepted: what it was held against, if anything.
        verdicts: what the gate found.
        notices: what the branch changed of the baseline, the rules or the golden set.
        questions: the golden questions that were asked.
        traces: what the system did with them.
        attributions: the station at which each question's evidence was lost, by question_id.
    """
    sections = (
        f"### {verdict_words(verdicts)}",
        _subject(record, accepted),
        _listed("Changed by this branch", notices),
        _numbers(verdicts),
        _reasons("Regressed", [item for item in verdicts if item.outcome is Outcome.REGRESSED]),
        _reasons("Not decided", [item for item in verdicts if item.outcome in _UNDECIDED]),
        _listed("Left out or mended", remarks(traces)),
        _flips(record, accepted, verdicts, questions, traces, cases(record, questions, traces, attributions)),
        _listed("Settings", changed_settings(record, accepted).splitlines()),
        "The full report is `report.html` (and `report.md`) in the run's folder, which the job keeps as its artifact.",
    )
    return _fitting("\n\n".join(section for section in sections if section) + "\n")


def _fitting(text: str) -> str:
    """The text, cut at a line end with a remark when it is too long; what is open there is closed."""
    if len(text) <= _MOST_CHARACTERS:
        return text
    head = text[:_MOST_CHARACTERS].rpartition("\n")[0].rstrip()
    still_open = head.count("<details>") - head.count(_END)
    remark = f"Cut here: the whole comment has {len(text):,} characters. `report.html` in the run's folder has all of it."
    return "\n\n".join([head, *[_END] * still_open, remark]) + "\n"


def _subject(record: RunRecord, accepted: Baseline | None) -> str:
    subject = (
        f"{markdown(record.experiment)} on {markdown(record.golden_set)} v{record.golden_version}, run {code(record.run_id)}"
    )
    return f"{subject}, held against {code(accepted.run_id)}" if accepted else f"{subject}, held against no accepted baseline"


def _numbers(verdicts: Sequence[Verdict]) -> str:
    """One row per rule."""
    if not verdicts:
        return ""
    head = ("Metric", "Baseline", "Now", "Difference (95 % interval)", "n", "Verdict")
    return table(head, map(_row, verdicts), last_left=True)


def _row(item: Verdict) -> tuple[str, ...]:
    title = f"{markdown(rule_title(item))} {arrow(item.metric)}"
    difference = change(item.difference, item.low, item.high)
    return title, number(item.expected), number(item.actual), difference, str(item.n), _outcome(item)


def _outcome(item: Verdict) -> str:
    words = word(item.outcome)
    strong = words if item.outcome in (Outcome.PASS, Outcome.INCONCLUSIVE) else f"**{words}**"
    return f"{strong} (advisory)" if item.advisory else strong


def _reasons(heading: str, verdicts: Sequence[Verdict]) -> str:
    """One line per reason, naming every rule it holds for: what is wrong, or what the comparison could have seen."""
    rules: dict[str, list[str]] = {}
    for item in verdicts:
        rules.setdefault(item.reason, []).append(markdown(rule_title(item)))
    lines = [f"- {', '.join(names)}: {markdown(reason, _LONGEST)}" for reason, names in rules.items()]
    return "\n".join([f"**{heading}**", "", *lines]) if lines else ""


def _listed(heading: str, texts: Sequence[str]) -> str:
    return "\n".join([f"**{heading}**", "", *(f"- {markdown(text, _LONGEST * 2)}" for text in texts)]) if texts else ""


def _flips(
    record: RunRecord,
    accepted: Baseline | None,
    verdicts: Sequence[Verdict],
    questions: Sequence[Question],
    traces: Sequence[Trace],
    failed: Sequence[Case],
) -> str:
    """Under each rule the questions whose score changed, the worst first."""
    texts = {question.question_id: question.text for question in questions}
    faults = {case.question.question_id: "; ".join(case.faults) for case in failed}
    steps = {trace.question_id: told_lines(told(trace, texts.get(trace.question_id, "")), _STEP) for trace in traces}
    parts, left = [], _MOST_LINES
    for item in verdicts:
        shown = item.flipped[: min(_MOST_FLIPPED, left)]
        left -= len(shown)
        if item.flipped:
            before = accepted.scores.get(item.metric, {}) if accepted else {}
            lines = [
                "\n".join([_flip(name, _step(name, item.metric, before, record), texts, faults), *_indented(steps.get(name, ()))])
                for name in shown
            ]
            more = len(item.flipped) - len(shown)
            parts.append(_block(item, lines, more))
    return "\n\n".join(parts)


def _block(item: Verdict, lines: Sequence[str], more: int) -> str:
    head = f"<details><summary>{markdown(rule_title(item))}: {count(len(item.flipped), 'changed question')}</summary>"
    rest = [f"- {more:,} more in the report"] if more else []
    return "\n".join([head, "", *lines, *rest, "", _END])


def _step(name: str, metric: str, before: Mapping[str, float | None], record: RunRecord) -> str:
    now = next((item.value for item in record.scores if item.metric == metric and item.question_id == name), None)
    return f"{number(before.get(name))} → {number(now)}"


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  - {line}" for line in lines]


def _flip(name: str, step: str, texts: Mapping[str, str], faults: Mapping[str, str]) -> str:
    fault = f" ({markdown(faults[name], 120)})" if name in faults else ""
    return f"- {code(name)} {step} {markdown(texts.get(name, ''), 100)}{fault}"
