"""The report as a page that can be opened without fear."""

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from harness.attribution.stations import Attribution, GroupLoss, Station
from harness.reporting.analysis import Analysis
from harness.reporting.html import bar, run_report
from harness.reporting.markdown import run_report as markdown_report
from harness.reporting.names import GATE_NUMBERS, P_VALUE
from harness.reporting.pages import share
from harness.reporting.tables import Row
from harness.types import Aggregate, Answer, Outcome, Query, Question, Ranking, RunRecord, Trace, Usage
from tests.builders import chunk, question, trace
from tests.reporting.records import analysis, answered, asked, baseline, full_run, full_traces, full_verdicts, record, verdict

VOID = {"meta", "br", "line", "rect"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that every tag is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data.split()


@pytest.fixture(scope="module")
def page() -> str:
    """The page of a run in which much went wrong."""
    return run_report(full_run(), baseline({"recall_at_5": 0.8}), full_verdicts(), asked(), full_traces(), analysis())


def test_the_page_is_well_formed_and_loads_nothing(page: str) -> None:
    reader = Reader(page)
    assert reader.open == []
    assert not {"script", "img", "iframe", "link", "object", "a"} & set(reader.tags)
    assert not [name for name, _ in reader.attributes if name.startswith("on") or name in ("src", "href")]


def test_the_policy_forbids_everything_but_its_own_style(page: str) -> None:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert f'<meta http-equiv="Content-Security-Policy" content="{policy}">' in page
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_a_hostile_answer_is_text(page: str) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt; | @everyone ![x](http://evil/p.png) red" in page
    assert "\x1b" not in page


@pytest.mark.parametrize(
    "words",
    [
        "✗ regressed: 1 of 1 rule",
        "hybrid on smoke v3",
        "Recall@5 ↑ 0.500 0.400–0.600 4 0.800 -0.300 -0.500 to -0.100 ✗ regressed",
        "Recall@5 ↑ 1.000 0.500 0.500",
        "can be answered 1 1 over-refused",
        "must be refused 1 falsely answered 0",
        "q2 Which port does the gateway use?",
        "1 of 2 questions cited; 1 cut by reranker. Of 1 answers that cite all of the evidence, 1 hold an accepted answer.",
        "ranked within the passages shown 1 1 cut by reranker",
        "cut by reranker: 1 question q2 Which port does the gateway use? evidence cut by reranker refused, though it can be answered",
        "Would help fused rank 4, reranked rank 7: depth.shown=7 or reranker=none keeps it at rank 4",
        "Evidence What happened bm25 dense fused reranked context a.md 0–10 The gateway listens on port 8443.",
        "cut by reranker 3 not in 50 4 7 –",
        f"1 passage shown a.md {chunk().chunk_id} evidence",
        "Risk and coverage. If only the questions with the highest signals are answered",
        "0.9–1.0 3 0.950 0.333",
        "generator failed: TimeoutError: no reply in 60 s",
        "generate 1.5 s 1.5 s",
        "retrievers.bm25.k1 1.2",
        "changed: q2",
    ],
)
def test_the_page_says_what_the_report_says(page: str, words: str) -> None:
    assert words in " ".join(Reader(page).text)


@pytest.mark.parametrize("field", ["text", "question_id", "reference", "reason"])
def test_no_field_of_a_question_becomes_markup(field: str) -> None:
    attack = '"><svg onload=alert(1)>'
    hostile = question(**{"question_id": "q1", "answerable": field != "reason", field: attack})  # type: ignore[arg-type]
    key = hostile.question_id
    scores = {"bm25/recall_at_5": {key: 0.0}, "context/recall_at_5": {key: 0.0}}
    traces = answered(full_traces()[0].answer)  # type: ignore[arg-type]
    found = run_report(record(scores=scores), None, (), [hostile], traces)
    assert "<svg onload" not in found


def test_no_field_of_the_run_becomes_markup_or_leaves_an_attribute() -> None:
    attack = "\"' onmouseover=alert(1) <b>"
    hostile = record({attack: 0.5}, experiment=attack, golden_set=attack, overrides=(attack,), statistics={attack: 1.0})
    found = run_report(hostile, None, [verdict(attack, reason=attack, slice=attack, flipped=(attack,))], (), ())
    assert "<b>" not in found
    assert not [name for name, _ in Reader(found).attributes if name.startswith("on")]


def hostile_analysis(attack: str) -> tuple[RunRecord, Question, Trace, Analysis]:
    """A question whose evidence, passage, kind and slice are all written by an attacker."""
    asked_of = question("q1", evidence=[[(attack, 0, 9)]], kind=attack, answers=(attack,))
    seen = trace("q1", chunk(attack, 0, 9, attack, section_path=(attack,)), answer=Answer("Nine."))
    group = GroupLoss(0, Station.SHOWN_BUT_UNUSED, {attack: 1}, 50, attack, attack)
    found = Analysis({"q1": Attribution("q1", Station.SHOWN_BUT_UNUSED, (group,), attack)})
    labels = {f"q{place}": (f"tag:{attack}",) if place else () for place in range(8)}
    run = record({"recall_at_5": 1.0}, {"recall_at_5": dict.fromkeys(labels, 1.0)}, labels=labels)
    return run, asked_of, seen, found


@pytest.mark.parametrize("write", [run_report, markdown_report])
def test_nothing_of_the_analysis_becomes_markup(write: Callable[..., str]) -> None:
    run, asked_of, seen, found = hostile_analysis("x</td><img src=http://evil.example onerror=alert(1)>|`")
    text = write(run, None, (), [asked_of], [seen], found)
    assert text.count("img src") >= 5
    assert "<img" not in text


def test_a_group_of_many_questions_is_cut_and_says_so() -> None:
    many = [question(f"q{place:03}", evidence=[[("a.md", 0, 9)]]) for place in range(120)]
    found = {item.question_id: Attribution(item.question_id, Station.BELOW_DEPTH, remedy="depth.candidates=63") for item in many}
    page = run_report(record(), None, (), many, (), Analysis(found))
    assert page.count("<article>") == 100
    assert "20 more in attribution.json" in page


def test_both_reports_say_how_intervals_and_p_are_to_be_read(page: str) -> None:
    told = markdown_report(full_run(), None, full_verdicts(), asked(), full_traces())
    assert f'<th class="num">{P_VALUE}</th>' in page and GATE_NUMBERS in page
    assert f"| {P_VALUE} |" in told and GATE_NUMBERS in told


def test_the_page_tells_what_language_models_cost() -> None:
    paid = answered(Answer("Nine.", usage=Usage(1200, 80, 2, 0.25)), Answer("Ten."))
    run = record(config={"generator": {"model": "m", "api_base": "http://<b>", "_target_": "mine.Remote"}})
    text = " ".join(Reader(run_report(run, None, (), asked()[:2], paid)).text)
    assert "Latency and cost" in text
    assert "Language models Calls Input tokens Output tokens US dollars generate 2 1,200 80 at least 0.2500" in text
    assert "per question 1.0 600.0 40.0 at least 0.1250 No price known for m." in text


STEPS = {
    "Searched for": "“Which door?”, by bm25 alone, with the made-up passage “The gateway uses 8443.” (rewrite: spelled out)",
    "Left out": "hyde: R007 the model refused",
    "Order mended": "2 places in the model's order were wrong, repeated or missing",
    "Verification": "took out the citation ffff, which names no passage shown",
    "Refused because": "verification: nothing was left",
}


def stepped(attack: str = "") -> Trace:
    """q2, reworded, routed, half left out, mended and refused."""
    made_up = f"The gateway uses 8443.{attack}"
    query = Query(
        f"Which door?{attack}", made_up, retrievers=frozenset({f"bm25{attack}"}), notes=(f"rewrite: spelled out{attack}",)
    )
    refused = Answer(
        "No.", refused=True, refusal_reason=f"verification: nothing was left{attack}", actions=(f"stripped ffff{attack}",)
    )
    queries = (query, Query("x", fallback=f"hyde: R007 the model refused{attack}"))
    return Trace("q2", queries, reranked=Ranking(faults=2), answer=refused)


@pytest.mark.parametrize("label", STEPS)
def test_both_reports_say_what_the_steps_did_to_a_question_that_went_wrong(label: str) -> None:
    told = " ".join(Reader(run_report(record(), None, (), asked(), [stepped()])).text)
    assert f"{label} {STEPS[label]}" in told
    assert f"  - {label}: {STEPS[label]}" in markdown_report(record(), None, (), asked(), [stepped()])


def test_a_question_that_no_step_touched_has_no_word_on_steps(page: str) -> None:
    told = f"{page} {markdown_report(full_run(), None, (), asked(), full_traces(), analysis())}"
    assert [label for label in STEPS if label in told] == []


@pytest.mark.parametrize("write", [run_report, markdown_report])
def test_nothing_that_a_step_wrote_becomes_markup(write: Callable[..., str]) -> None:
    found = write(record(), None, (), asked(), [stepped('"><svg onload=alert(1)>![x](http://evil)')])
    assert "Which door?" in found
    assert "<svg onload" not in found
    assert write is run_report or "![x]" not in found


def test_the_page_tells_which_settings_and_gate_rules_changed() -> None:
    before = baseline({}, config={"fuser": {"k": 60}, "gate": {"alpha": 0.01}})
    now = record(config={"fuser": {"k": "<b>"}, "gate": {"alpha": 0.2}})
    text = " ".join(Reader(run_report(now, before, (), (), ())).text)
    assert "settings differ from the accepted ones: fuser.k 60 -> <b>" in text
    assert "gate rules differ from those it was accepted under: gate.alpha 0.01 -> 0.2" in text


def test_a_run_without_answers_or_gate_has_a_page() -> None:
    text = " ".join(Reader(run_report(record(), None, (), asked()[:1], ())).text)
    assert "not gated: nothing was compared" in text
    assert "Refusals" not in text
    assert "Gates" not in text


def test_no_secret_is_written() -> None:
    assert "CANARY" not in run_report(record(overrides=("generator.api_key=sk-CANARY-123456",)), None, (), (), ())


def test_the_bar_lies_on_the_metrics_own_scale() -> None:
    row = Row("recall_at_5", Aggregate("recall_at_5", 0.5, 4, 0.25, 0.75), Aggregate("recall_at_5", 0.8, 4))
    assert bar(row) == {"value": 50.0, "low": 25.0, "high": 75.0, "accepted": 80.0}


def test_a_count_beyond_one_widens_its_scale() -> None:
    assert bar(Row("invented_citations", Aggregate("invented_citations", 2.0, 4, 0.0, 4.0))) == {
        "value": 50.0,
        "low": 0.0,
        "high": 100.0,
    }


def test_without_a_value_there_is_no_bar() -> None:
    assert bar(Row("recall_at_5", Aggregate("recall_at_5", None, 0))) is None


@pytest.mark.parametrize(("text", "width"), [("0.750", 75.0), ("", 0.0), ("–", 0.0), ("1.200", 100.0), ("-0.1", 0.0)])
def test_a_cell_is_filled_by_its_number(text: str, width: float) -> None:
    assert share(text) == width


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_its_sign_and_colour(outcome: Outcome) -> None:
    found = run_report(record(), None, [verdict(outcome=outcome)], (), ())
    assert f'class="badge {outcome.value}"' in found
    assert f".{outcome.value}" in found
