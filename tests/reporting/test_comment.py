"""The comment on a pull request: what it says, and that nothing in it is anything but text."""

import re

import pytest

from harness.reporting.comment import comment
from harness.types import Answer, Outcome, Query, Ranking, Trace
from tests.reporting.records import HOSTILE, answered, asked, baseline, full_run, full_traces, full_verdicts, record, verdict

NOTICE = (
    "B004: accepted baseline 'reports/smoke/hybrid.json' is not that of origin/main (3 scores differ); "
    "the gate uses the copy of origin/main"
)
UNDECIDED = (
    "a drop of 0.05 cannot be ruled out (it may be 0.081); this comparison can see drops of 0.070 or more, "
    "320 questions would see 0.05"
)
MRR = verdict(
    "mrr_at_10", Outcome.INCONCLUSIVE, reason=UNDECIDED, expected=0.7, actual=0.69, difference=-0.01, low=-0.08, high=0.06,
    n=100, slice="test",
)  # fmt: skip
ACCEPTED = baseline({"recall_at_5": 0.8}, scores={"recall_at_5": {"q1": 1.0, "q2": 1.0}})

COMMENT = """### ✗ regressed: 1 of 2 rules

hybrid on smoke v3, run `20261130-101500-hybrid-a1b2c3`, held against `20261130-101500-hybrid-a1b2c3`

**Changed by this branch**

- B004: accepted baseline 'reports/smoke/hybrid.json' is not that of origin/main (3 scores differ); the gate uses the copy of origin/main

| Metric | Baseline | Now | Difference (95 % interval) | n | Verdict |
| --- | ---: | ---: | ---: | ---: | --- |
| Recall@5 on test ↑ | 0.800 | 0.500 | -0.300 (-0.500 to -0.100) | 3 | **✗ regressed** |
| Faithfulness ↑ | – | – | – | 0 | **∅ missing** (advisory) |
| MRR@10 on test ↑ | 0.700 | 0.690 | -0.010 (-0.080 to +0.060) | 100 | ? inconclusive |

**Regressed**

- Recall@5 on test: mean drop 0.300

**Not decided**

- Faithfulness: not measured
- MRR@10 on test: a drop of 0.05 cannot be ruled out (it may be 0.081); this comparison can see drops of 0.070 or more, 320 questions would see 0.05

<details><summary>Recall@5 on test: 1 changed question</summary>

- `q2` 1.000 → 0.000 Which port does the gateway use? (refused, though it can be answered)

</details>

The full report is `report.html` (and `report.md`) in the run's folder, which the job keeps as its artifact.
"""


def test_the_comment() -> None:
    found = comment(full_run(), ACCEPTED, [*full_verdicts(), MRR], [NOTICE], asked(), full_traces())
    assert found == COMMENT


def test_a_run_that_passes_needs_five_lines() -> None:
    rule = verdict(expected=0.75, actual=0.75, difference=0.0, low=0.0, high=0.0, n=4)
    found = comment(record(), baseline({"recall_at_5": 0.75}), [rule], [], asked(), ())
    assert found.startswith("### ✓ pass: 1 of 1 rule\n")
    assert not re.search("Regressed|Not decided|Changed by|details", found)


def test_without_a_baseline_it_says_what_is_missing() -> None:
    rules = [verdict(name, Outcome.MISSING, reason="there is no accepted baseline") for name in ("recall_at_5", "mrr_at_10")]
    found = comment(record(), None, rules, [], asked(), ())
    assert "held against no accepted baseline" in found
    assert "- Recall@5, MRR@10: there is no accepted baseline" in found


def test_a_run_without_a_gate_says_that_nothing_was_compared() -> None:
    found = comment(record(), None, [], [], asked(), ())
    assert found.startswith("### not gated: nothing was compared\n")
    assert "| Metric" not in found


def test_ten_changed_questions_of_a_rule_are_shown_and_the_others_counted() -> None:
    rule = verdict(flipped=tuple(f"q{place}" for place in range(25)))
    found = comment(record(), None, [rule], [], (), ())
    assert "25 changed questions</summary>" in found
    assert found.count("\n- `q") == 10
    assert "- 15 more in the report" in found


def test_the_comment_of_sixty_rules_that_all_changed_stays_within_what_github_takes() -> None:
    flipped = tuple(f"q{place}" for place in range(100))
    rules = [
        verdict(f"{place}/recall_at_5", Outcome.REGRESSED, reason="x" * 500 + str(place), flipped=flipped) for place in range(60)
    ]
    questions = [type(item)(**{**_fields(item), "text": "long " * 200}) for item in asked()]
    assert len(comment(record(), None, rules, [NOTICE] * 6, questions, ())) < 65_536


@pytest.mark.parametrize("rules", [20, 60, 300])
def test_a_comment_that_is_too_long_is_cut_at_a_line_end_and_says_so(rules: int) -> None:
    flipped = tuple(f"q{place}" for place in range(100))
    found = [
        verdict(f"{place}/recall_at_5", Outcome.REGRESSED, reason="@é" * 500 + str(place), flipped=flipped)
        for place in range(rules)
    ]
    questions = [type(item)(**{**_fields(item), "question_id": f"q{place}", "text": "|" * 10 + "@é" * 200})
                 for place, item in enumerate(asked() * 40)]  # fmt: skip
    text = comment(record(), None, found, [NOTICE] * 6, questions, ())
    assert 50_000 < len(text) < 61_000
    assert text.count("<details>") == text.count("</details>")
    assert ("<details>" in text) == (rules == 20)
    assert re.fullmatch(r"Cut here: the whole comment has \d+,\d{3} characters\. .*", text.splitlines()[-1])
    _harmless(text)


def _fields(item: object) -> dict[str, object]:
    return {name: getattr(item, name) for name in item.__slots__}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "hostile",
    [
        HOSTILE,
        "@team please merge",
        "![pixel](https://evil.example/p.png)",
        "[click](javascript:alert(1))",
        "see https://evil.example or www.evil.example",
        "::error file=x::owned",
        "line\n::set-output name=a::b",
        "line\n##[group]x",
        "</details><img src=x onerror=alert(1)>",
        "| a | b |\n| --- | --- |",
        "`` ` `` \x1b]8;;http://evil\x1b\\click",
        "fixes #1",
        "é@octocat a@b.com octocat/hello#1 GH-12 " + "a1" * 20,
    ],
)
def test_no_text_from_outside_is_anything_but_text(hostile: str) -> None:
    questions = [type(item)(**{**_fields(item), "text": hostile, "answers": (hostile,)}) for item in asked()]
    rule = verdict(outcome=Outcome.REGRESSED, reason=hostile, slice=hostile, flipped=("q1", hostile))
    run = record(experiment=hostile, golden_set=hostile)
    found = comment(run, None, [rule], [hostile], questions, answered(Answer(hostile), Answer(hostile)))
    _harmless(found)


def _harmless(text: str) -> None:
    """Code spans show what they hold as it is."""
    shown = re.sub("`[^`\n]*`", "", text)
    assert not re.search(r"(?<![A-Za-z])@\w|@\D*\w\.\w", shown), "a mention or an address"
    assert not re.search(r"(?i)\bgh-\d|\b[0-9a-f]{40}\b", shown), "an issue or a commit"
    assert not re.search(r"(?<!\\)!\[|(?<!\\)\]\(", shown), "an image or link"
    assert not re.search(r"(?i)https?://|www\.", shown), "an address"
    assert not re.search(r"<(?!/?(details|summary)>)", shown), "a tag"
    assert shown.count("<details>") == shown.count("</details>"), "an end of what it stands in"
    assert not re.search(r"(?m)^\s*(::|##\[)", text), "a workflow command"
    assert not re.search("[\x00-\x08\x1b]", text), "a control character"
    assert not re.search(r"(?<!&)#\d", shown), "an issue"


def test_steps_that_were_left_out_are_told_of_the_run_and_of_each_question_that_changed() -> None:
    hurt = "hyde: R007 @everyone <b>refused</b>"
    trace = Trace("q2", (Query("Which door?", fallback=hurt),), reranked=Ranking(faults=1), answer=Answer("No.", refused=True))
    found = comment(full_run(), ACCEPTED, full_verdicts(), [], asked(), [trace])
    safe = "R007 @&#8203;everyone &lt;b&gt;refused&lt;/b&gt;"
    assert f"**Left out or mended**\n\n- hyde failed for 1 of 1 question and was left out; first: {safe}\n- the model's" in found
    block = found[found.index("- `q2` 1.000") : found.index("</details>")]
    assert block.splitlines()[1:4] == [
        "  - Searched for: “Which door?”",
        f"  - Left out: hyde: {safe}",
        "  - Order mended: 1 place in the model's order was wrong, repeated or missing",
    ]
