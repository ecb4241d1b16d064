"""Two runs side by side in words, Markdown, HTML and on the terminal."""

import json
from dataclasses import replace
from typing import Any

import pytest

from harness.comparison.compare import compare
from harness.comparison.result import RunComparison
from harness.comparison.sides import BASELINE, RUN, Side
from harness.reporting.comparison import UNKNOWN, View, metrics_of, p_words, view
from harness.reporting.comparison_facts import settings
from harness.reporting.comparison_html import comparison_page
from harness.reporting.comparison_json import as_json
from harness.reporting.comparison_markdown import comparison_markdown
from harness.reporting.comparison_terminal import comparison_table
from harness.reporting.terminal import plain_text
from harness.types import Answer, Query, Question, Trace
from tests.builders import chunk, trace
from tests.reporting.records import HOSTILE, asked, attributions, record
from tests.reporting.test_html import Reader

BEFORE = {
    "recall_at_5": {"q1": 1, "q2": 1},
    "context/recall_at_5": {"q1": 1, "q2": 1},
    "over_refusal_rate": {"q1": 0, "q2": 0},
    "false_answer_rate": {"q3": 0, "q4": 0},
    "tenant_leaks": {"q1": 0, "q2": 0},
    "token_f1": {"q1": 1, "q2": 1},
}
AFTER = {
    **BEFORE,
    "recall_at_5": {"q1": 1, "q2": 0},
    "context/recall_at_5": {"q1": 1, "q2": 0},
    "over_refusal_rate": {"q1": 0, "q2": 1},
    "false_answer_rate": {"q3": 1, "q4": 0},
}
FIRST, SECOND, THIRD = chunk("a.md", 0, 10, "0123456789"), chunk("b.md", 0, 5), chunk("c.md", 0, 7)


def run(scores: Any, **fields: Any) -> Any:
    """A run with these scores and a mean of each."""
    means = {name: sum(row.values()) / len(row) for name, row in scores.items()}
    return record({**means, "refusal_f1": 0.5}, scores, splits=dict.fromkeys(("q1", "q2", "q3", "q4"), "test"), **fields)


def traced(*traces: Trace) -> dict[str, Trace]:
    return {item.question_id: item for item in traces}


def compared(a: Side | None = None, b: Side | None = None) -> RunComparison:
    """A with the reranker, B without: q2 is lost and refused, q3 is answered falsely."""
    cited = Answer(f"It is 8443 [{FIRST.chunk_id}].", (FIRST.chunk_id,))
    refused = Answer("I cannot find this.", refused=True)
    before = traced(trace("q2", FIRST, SECOND, answer=cited), trace("q3", SECOND, answer=refused))
    after = traced(trace("q2", THIRD, SECOND, answer=refused), trace("q3", SECOND, answer=Answer(HOSTILE)))
    config = {"reranker": {"_target_": "harness.reranking.lexical.Lexical", "api_key": "sk-CANARY-123456"}, "gate": {"alpha": 1}}
    a = a or Side("first", RUN, run(BEFORE, config=config), before)
    b = b or Side("second", RUN, run(AFTER, config={**config, "reranker": None}, run_id="run-b"), after)
    deciding, further = metrics_of(a.record, b.record)
    return compare(a, b, deciding, "all", further)


@pytest.fixture(scope="module")
def questions() -> dict[str, Question]:
    return {item.question_id: item for item in asked()}


@pytest.fixture(scope="module")
def shown(questions: dict[str, Question]) -> View:
    return view(compared(), questions)


def bare(scores: Any, kind: str = BASELINE, **fields: Any) -> Side:
    """A side without traces."""
    return Side("bare", kind, run(scores, **fields))


def test_the_metrics_that_decide_are_few_and_the_others_stand_apart() -> None:
    deciding, further = metrics_of(run(BEFORE), run(AFTER))
    assert [item.metric for item in deciding] == ["recall_at_5", "false_answer_rate", "over_refusal_rate", "tenant_leaks"]
    assert [item.metric for item in further] == ["token_f1"]


def test_a_metric_that_only_one_run_has_is_kept() -> None:
    deciding, _ = metrics_of(run({"recall_at_5": {"q1": 1}}), run({"faithfulness": {"q1": 1}}))
    assert [item.metric for item in deciding] == ["recall_at_5", "faithfulness"]


def test_every_line_has_its_numbers(shown: View) -> None:
    line = shown.lines[0]
    assert (line.title, line.a, line.b, line.n, line.tally) == ("Recall@5 ↑", "1.000", "0.500", "2", "+0 −1 =1")
    assert line.difference == "-0.500 (-1.000 to +1.000)"
    assert (line.p, line.verdict) == ("1.000", "")


@pytest.mark.parametrize(("metric", "word"), [("recall_at_5", "worse"), ("over_refusal_rate", "better")])
def test_a_sure_difference_is_called_by_what_it_means(metric: str, word: str) -> None:
    ones, zeros = ({metric: {f"q{place}": value for place in range(9)}} for value in (1, 0))
    assert view(compared(bare(ones), bare(zeros)), {}).lines[0].verdict == word


def test_settings_that_differ_are_told_without_secrets_and_without_the_gate(shown: View) -> None:
    assert shown.settings == (("reranker", "Lexical", "none"),)
    assert settings(run({}, config={}), run({})) == []


def test_a_config_that_is_not_known_is_said_to_be_so() -> None:
    notes = view(compared(bare(BEFORE, config={}), bare(AFTER)), {}).notes
    assert "The config of A is not known: it was accepted before configs were kept." in notes


def test_the_notes_say_what_was_compared_and_what_was_left_out(shown: View) -> None:
    assert shown.notes == (
        "4 questions compared, paired by id; p is two-sided, Holm over 3 metrics.",
        "0 in both: Tenant leaks.",
        "Numbers of a whole set cannot be paired and are left out: Refusal F1.",
    )
    assert shown.tally == "0 questions better, 2 worse, 2 unchanged"


def test_a_side_without_traces_says_so() -> None:
    one, both = view(compared(bare(BEFORE)), {}), view(compared(bare(BEFORE), bare(AFTER, "MLflow run")), {})
    assert "A (accepted baseline) keeps no traces: passages and answers cannot be shown." in one.notes
    assert "A (accepted baseline) and B (MLflow run) keep no traces: passages and answers cannot be shown." in both.notes
    assert one.cases[0].shown is not None
    assert (one.cases[0].shown.a, both.cases[0].shown) == (None, None)


def test_a_changed_question_has_its_text_its_values_and_its_station(shown: View) -> None:
    case = shown.cases[0]
    assert (case.question_id, case.text, case.expected) == ("q2", "Which port does the gateway use?", "8443")
    assert (case.direction, case.where) == ("worse", "recall in reranked 1.000 → 0.000")
    assert case.headline == "Recall@5 ↑ 1.000 → 0.000"


def test_attributions_name_the_station_better_than_recalls() -> None:
    lost = attributions()
    a = Side("a", RUN, run(BEFORE), attributions={**lost, "q2": lost["q1"]})
    case = view(compared(a, Side("b", RUN, run(AFTER), attributions=lost)), {}).cases[0]
    assert case.where == "answered → cut by reranker"


@pytest.mark.parametrize(
    ("metric", "where"), [("mrr_at_10", "recall alike, another order"), ("truthfulness", "recall alike, another answer")]
)
def test_a_change_that_no_recall_explains(metric: str, where: str) -> None:
    sides = [bare({"recall_at_5": {"q1": 1}, metric: {"q1": value}}) for value in (0, 1)]
    assert view(compared(*sides), {}).cases[0].where == where


def test_a_question_whose_text_is_not_known_is_shown_by_its_id() -> None:
    case = view(compared(), {}).cases[0]
    assert (case.question_id, case.text, case.expected) == ("q2", UNKNOWN, "")


def test_passages_stand_side_by_side_with_evidence_and_citations(shown: View) -> None:
    sides = shown.cases[0].shown
    assert sides is not None
    assert sides.a is not None
    assert sides.b is not None
    assert [(item.rank, item.evidence, item.cited, item.other) for item in sides.a.passages] == [
        (1, True, True, 0),
        (2, False, False, 2),
    ]
    assert [(item.chunk_id, item.other) for item in sides.b.passages] == [(THIRD.chunk_id, 0), (SECOND.chunk_id, 2)]
    assert (sides.a.refused, sides.b.refused) == (False, True)
    assert sides.tally == "1 passage in both, 1 only in A, 1 only in B"


def test_flipped_refusals_are_four_lists(shown: View) -> None:
    assert [(group.heading, group.verdict, group.questions) for group in shown.refusals] == [
        ("answered by A, refused by B; can be answered", "B is wrong", (("q2", "Which port does the gateway use?"),)),
        ("answered by A, refused by B; must be refused", "", ()),
        ("refused by A, answered by B; can be answered", "", ()),
        ("refused by A, answered by B; must be refused", "B is wrong", (("q3", "Who won the 2031 cup?"),)),
    ]


def answering() -> View:
    """A refused q1, q2 and q3 and answered q4 wrongly; B answers q1 rightly, q2 wrongly, q3 without a score, and refuses q4."""
    refused = {"q1": 1, "q2": 1, "q3": 1, "q4": 0}
    a = bare({"over_refusal_rate": refused, "truthfulness": {"q1": 0, "q2": 0, "q4": -1}})
    answered = {name: 1 - value for name, value in refused.items()}
    b = bare({"over_refusal_rate": answered, "truthfulness": {"q1": 1, "q2": -1, "q4": 0}}, run_id="run-b")
    return view(compared(a, b), {})


def test_an_answer_is_called_right_wrong_or_unknown_by_its_own_scores() -> None:
    found = answering()
    assert [(group.verdict, [name for name, _ in group.questions]) for group in found.refusals if group.questions] == [
        ("B is wrong, A answered wrongly", ["q4"]),
        ("B answered wrongly", ["q2"]),
        ("B is right", ["q1"]),
        ("unknown whether B is right", ["q3"]),
    ]
    text, page = plain_text(comparison_table(found), 200), comparison_page(found)
    for line in ("(B answered wrongly): 1: q2", "(B is right): 1: q1", "(unknown whether B is right): 1: q3"):
        assert f"refused by A, answered by B; can be answered {line}" in text
    assert '<span class="bad">B answered wrongly:</span>' in page
    assert '<span class="quiet">unknown whether B is right:</span>' in page


def test_mixed_questions_are_counted_apart() -> None:
    assert answering().tally == "2 questions better, 0 worse, 2 mixed, 0 unchanged"


def test_two_runs_of_one_experiment_are_named_by_their_ids(shown: View) -> None:
    assert shown.name == "20261130-101500-hybrid-a1b2c3 → run-b"
    assert view(compared(bare(BEFORE), bare(AFTER, experiment="naive")), {}).name == "hybrid → naive"
    assert "<h1>20261130-101500-hybrid-a1b2c3 → run-b <small>" in comparison_page(shown)


def test_a_run_compared_with_itself_gets_a_remark(shown: View) -> None:
    remark = "A and B are one run (run-b), compared with itself."
    assert remark in view(compared(shown.found.b, shown.found.b), {}).notes
    assert not [note for note in shown.notes if "one run" in note]


def test_the_heading_of_the_further_metrics_says_how_their_p_is_adjusted(shown: View) -> None:
    assert "## Further metrics, p adjusted by Benjamini-Hochberg\n" in comparison_markdown(shown)
    assert "1 further metric, p adjusted by Benjamini-Hochberg</summary>" in comparison_page(shown)


@pytest.mark.parametrize(("value", "text"), [(None, ""), (0.0002, "< 0.001"), (0.04, "0.040")])
def test_a_small_p_is_not_written_as_zero(value: float | None, text: str) -> None:
    assert p_words(value) == text


MARKDOWN = """\
## Settings that differ

| Setting | A | B |
| --- | --- | --- |
| `reranker` | `Lexical` | `none` |

## Metrics

| Metric | A | B | B − A (95 % interval) | p | n | better, worse, equal |  |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| Recall@5 ↑ | 1.000 | 0.500 | -0.500 (-1.000 to +1.000) | 1.000 | 2 | +0 −1 =1 |  |
| False answer rate ↓ | 0.000 | 0.500 | +0.500 (-1.000 to +1.000) | 1.000 | 2 | +0 −1 =1 |  |
| Over-refusal rate ↓ | 0.000 | 0.500 | +0.500 (-1.000 to +1.000) | 1.000 | 2 | +0 −1 =1 |  |
"""


def test_the_comparison_in_markdown(shown: View) -> None:
    text = comparison_markdown(shown)
    assert MARKDOWN in text
    assert "- answered by A, refused by B; can be answered (B is wrong): 1: `q2`\n" in text
    assert "- answered by A, refused by B; must be refused: 0\n" in text
    assert "- `q2` Which port does the gateway use?\n  - Expected: 8443\n  - Changed: Recall@5 ↑ 1.000 → 0.000;" in text
    assert "  - Shown by A: 1 a.md (evidence, cited, only here); 2 b.md\n" in text


def test_the_page_is_well_formed_and_loads_nothing(shown: View) -> None:
    reader = Reader(comparison_page(shown))
    assert reader.open == []
    assert not {"script", "img", "iframe", "link", "object", "a"} & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name in ("src", "href")]
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in reader.attributes


def test_the_page_shows_both_columns_of_a_changed_question(shown: View) -> None:
    page = comparison_page(shown)
    assert page.count('<div class="side">') == 4
    assert "only in A" in page
    assert '<span class="mark">evidence</span> <span class="mark">cited</span>' in page
    assert '<span class="tag">refused</span> I cannot find this.' in page


def test_a_page_without_changes_says_so() -> None:
    same = compared(bare({"recall_at_5": {"q1": 1}}), bare({"recall_at_5": {"q1": 1}}))
    assert '<p class="note">None.</p>' in comparison_page(view(same, {}))


def test_hostile_text_stays_text_everywhere(shown: View) -> None:
    page, text = comparison_page(shown), comparison_markdown(shown)
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>" not in text
    assert "\x1b" not in page + text


TABLE = """\
 Metric                   A      B                      B − A      p  n     + − =
 ───────────────────────────────────────────────────────────────────────────────────
 Recall@5 ↑           1.000  0.500  -0.500 (-1.000 to +1.000)  1.000  2  +0 −1 =1
 False answer rate ↓  0.000  0.500  +0.500 (-1.000 to +1.000)  1.000  2  +0 −1 =1
 Over-refusal rate ↓  0.000  0.500  +0.500 (-1.000 to +1.000)  1.000  2  +0 −1 =1
"""


def test_the_comparison_on_the_terminal(shown: View) -> None:
    text = plain_text(comparison_table(shown))
    assert text.startswith("A  first (run)\nB  second (run)\n   reranker Lexical → none\n")
    assert TABLE in text
    assert "0 questions better, 2 worse, 2 unchanged." in text
    assert "q2 Which port does the gateway use?" in text
    assert "refused by A, answered by B; must be refused (B is wrong): 1: q3" in text


@pytest.mark.parametrize(("width", "part"), [(85, "(-1.000 to +1.000)"), (70, "+0 −1 =1"), (55, "-0.500")])
def test_a_narrow_terminal_loses_columns_and_cuts_no_number(shown: View, width: int, part: str) -> None:
    (line,) = [line for line in plain_text(comparison_table(shown), width).splitlines() if line.startswith(" Recall@5 ↑ ")]
    assert part in line
    assert "…" not in line


def test_what_cannot_be_compared_stands_below_the_table() -> None:
    sides = [
        bare({"recall_at_5": {"q1": 1}, "faithfulness": {"q1": 1}}, fingerprints={"judge": judge})
        for judge in ("nli v1", "llm v2")
    ]
    text = plain_text(comparison_table(view(compared(*sides), {})))
    assert "Faithfulness ↑: the judges differ (nli v1 and llm v2)" in text
    assert "the judges differ (nli v1 and llm v2)" in comparison_page(view(compared(*sides), {}))


def test_the_json_holds_everything(shown: View) -> None:
    got = json.loads(json.dumps(as_json(shown)))
    assert [row["metric"] for row in got["metrics"]] == ["recall_at_5", "false_answer_rate", "over_refusal_rate", "tenant_leaks"]
    assert got["metrics"][0]["difference"] == -0.5
    assert got["changed"][0]["question_id"] == "q2"
    assert got["changed"][0]["sides"]["a"]["passages"][0]["evidence"] is True
    assert got["a"]["traces"] is True
    assert "CANARY" not in json.dumps(got)


def test_both_sides_say_what_was_searched_for_and_what_was_done_to_the_answer(questions: dict[str, Question]) -> None:
    one, other = compared().a, compared().b
    queries = (Query("Which <b>door</b>?", notes=("rewrite: shorter",)),)
    a = replace(one, traces={**(one.traces or {}), "q2": replace((one.traces or {})["q2"], queries=queries)})
    mended = Answer("It is 8443.", actions=("stripped ffff",))
    b = replace(other, traces={**(other.traces or {}), "q2": replace((other.traces or {})["q2"], answer=mended)})
    found = view(compared(a, b), questions)
    written, page = comparison_markdown(found), comparison_page(found)
    assert "  - Steps of A: Searched for: “Which &lt;b&gt;door&lt;/b&gt;?” (rewrite: shorter)\n" in written
    assert "  - Steps of B: Verification: took out the citation ffff, which names no passage shown\n" in written
    told = " ".join(Reader(page).text)
    assert "Searched for “Which <b>door</b>?” (rewrite: shorter)" in told
    assert "Verification took out the citation ffff, which names no passage shown" in told
    assert "<b>" not in page


def test_a_side_whose_steps_did_nothing_says_nothing_of_them(shown: View) -> None:
    assert "Steps of" not in comparison_markdown(shown)
    assert "Searched for" not in comparison_page(shown)
