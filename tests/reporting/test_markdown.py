"""Reports in Markdown, as they stand in a pull request."""

from harness.attribution.stations import Attribution, Station
from harness.reporting.analysis import Analysis
from harness.reporting.leaderboard import leaderboard
from harness.reporting.markdown import leaderboard_markdown, run_report, table
from tests.builders import question
from tests.reporting.records import analysis, asked, baseline, full_run, full_traces, full_verdicts, record, verdict

REPORT = r"""# hybrid on smoke v3

**✗ regressed: 1 of 1 rule**

- Experiment: hybrid
- Golden set: smoke v3, 4 questions
- Golden digest: 9f3a9f3a9f3a
- Config: c0ffeec0ffee
- Code revision: abc123def456
- Corpus: chunks 12, documents 3
- Run: 20261130-101500-hybrid-a1b2c3
- Accepted baseline: 20261130-101500-hybrid-a1b2c3, same config and inputs
- Overrides: `fuser.k=60`

## Results

| Metric | Value | 95 % interval | n | Accepted | Difference | Verdict |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| Recall@5 ↑ | 0.500 | 0.400–0.600 | 4 | 0.800 | -0.300 (-0.500 to -0.100) | **✗ regressed** |
| Over-refusal rate ↓ | 0.500 | 0.400–0.600 | 4 |  |  |  |
| Faithfulness ↑ | – |  | 0 |  |  | **∅ missing** (advisory) |

Differences are paired: on test questions scored in both runs.

## Gates

| Rule | Verdict | Reason | Expected | Actual | Difference | p (Holm, one-sided) | Detectable | n |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| Recall@5 on test | **✗ regressed** | mean drop 0.300 | 0.800 | 0.500 | -0.300 (-0.500 to -0.100) | 0.004 | 0.070 | 3 |
| Faithfulness | **∅ missing** (advisory) | not measured | – | – | – | – | – | 0 |

Intervals of differences are two-sided 95 % and of one rule alone; p is one-sided and adjusted over the rules; the bound in the reason is one-sided.

Questions whose score changed:

- Recall@5 on test: `q2`

## Where evidence was lost

| Questions | Left | Lost |
| --- | ---: | --- |
| answerable, with evidence | 2 |  |
| evidence in the corpus | 2 |  |
| visible to the asker | 2 |  |
| whole in a chunk, or put together again by the context | 2 |  |
| among the candidates of the retrievers | 2 |  |
| among the fused hits that the reranker reads | 2 |  |
| ranked within the passages shown | 1 | 1 cut by reranker |
| in the context | 1 |  |
| answered | 1 |  |
| stated or cited | 1 |  |
| cited | 1 |  |

Of 1 answers that cite all of the evidence, 1 hold an accepted answer.

## After every station

| Metric | bm25 | dense | reranked |
| --- | ---: | ---: | ---: |
| Recall@5 ↑ | 1.000 | 0.500 | 0.500 |

## Refusals

| Question | Answered | Refused |
| --- | ---: | ---: |
| can be answered | 1 | 1 (over-refusals) |
| must be refused | 1 (false answers) | 0 |

## What the answerability signal is worth

**Risk and coverage.** If only the questions with the highest signals are answered: the share of them whose evidence was not in the context. Area under the curve 0.444 over 3 questions; less is better.

| Answered | Risk | Threshold |
| --- | ---: | ---: |
| 33% | 0.000 | 0.9 |
| 100% | 0.667 | 0.2 |

**Reliability.** The share of questions whose evidence was in the context, by confidence. Expected calibration error 0.617; less is better.

| Confidence | n | Mean | Answerable |
| --- | ---: | ---: | ---: |
| 0.9–1.0 | 3 | 0.950 | 0.333 |

## Questions that went wrong

3 questions.

### error: 1 question

- `q4` What does Bluepeak pay?
  - What happened: generator failed: TimeoutError: no reply in 60 s
  - Expected: a refusal (wrong_tenant)

### cut by reranker: 1 question

- `q2` Which port does the gateway use?
  - What happened: evidence cut by reranker; refused, though it can be answered
  - Expected: 8443
  - evidence\[0\] cut by reranker, a.md 0–10 “The gateway listens on port 8443.”: bm25 3, dense not in 50, fused 4, reranked 7, context –
  - Would have helped: fused rank 4, reranked rank 7: depth.shown=7 or reranker=none keeps it at rank 4
  - Shown: 1 a.md (evidence)
  - Answer: I cannot find this in the knowledge base.

### answered although unanswerable: 1 question

- `q3` Who won the 2031 cup?
  - What happened: answered, though it cannot be
  - Expected: a refusal (future)
  - Would have helped: answerability.minimum above 0.935 refuses
  - Shown: 1 a.md
  - Answer: &lt;script&gt;alert(1)&lt;/script&gt; \| @&#8203;everyone \!\[x\](http:/&#8203;/evil/p.png) red

## Latency

| Stage | p50 | p95 |
| --- | ---: | ---: |
| retrieve_bm25 | 20 ms | 20 ms |
| generate | 1.5 s | 1.5 s |

## Configuration

<details><summary>12 settings</summary>

| Setting | Value |
| --- | --- |
| `chunker` | `Recursive` |
| `chunker.size` | `512` |
| `chunker.overlap` | `64` |
| `retrievers.bm25` | `BM25` |
| `retrievers.bm25.k1` | `1.2` |
| `retrievers.dense.prefetch` | `true` |
| `fuser` | `RRF` |
| `fuser.k` | `60` |
| `reranker` | `none` |
| `generator.model` | `local` |
| `generator.api_key_env` | `OPENAI_API_KEY` |
| `generator.max_tokens` | `256` |

</details>
"""

BOARD = """|  | Variant | Recall@5 ↑ | 95 % interval | n | MRR@10 ↑ | per question |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ★ | hybrid | 0.750 | 0.650–0.850 | 4 | 0.600 | 20 ms |
"""


def test_the_run_report() -> None:
    report = run_report(full_run(), baseline({"recall_at_5": 0.8}), full_verdicts(), asked(), full_traces(), analysis())
    assert report == REPORT


def test_a_report_tells_a_pull_request_that_changes_its_rules() -> None:
    before = baseline({}, config={"fuser": {"k": 60}, "gate": {"alpha": 0.01}})
    now = record(config={"fuser": {"k": 30}, "gate": {"alpha": 0.2}})
    text = run_report(now, before, (), (), ())
    assert "settings differ from the accepted ones: fuser.k 60 -&gt; 30\n" in text
    assert "gate rules differ from those it was accepted under: gate.alpha 0.01 -&gt; 0.2\n" in text
    assert "differ from" not in run_report(record(), baseline({}), (), (), ())


def test_six_changed_settings_are_not_cut_in_the_report() -> None:
    keys = [f"a_setting_with_a_rather_long_name_{place}" for place in range(8)]
    before, now = baseline({}, config=dict.fromkeys(keys, "x" * 50)), record(config=dict.fromkeys(keys, "y" * 50))
    text = run_report(now, before, (), (), ())
    assert f"{keys[5]} {'x' * 50} -&gt; {'y' * 50} and 2 more\n" in text


def test_the_leaderboard() -> None:
    run = record({"recall_at_5": 0.75, "mrr_at_10": 0.6})
    assert leaderboard_markdown(leaderboard([run], seconds={run.run_id: 0.02})) == BOARD.rstrip()


def test_a_run_without_answers_gate_or_faults_has_only_what_it_knows() -> None:
    report = run_report(record(config={}, overrides=()), None, (), asked()[:1], ())
    assert [line for line in report.splitlines() if line.startswith("#")] == [
        "# hybrid on smoke v3",
        "## Results",
        "## Questions that went wrong",
    ]
    assert "**not gated: nothing was compared**" in report


def test_each_station_lists_ten_questions_and_says_how_many_more_there_are() -> None:
    many = [question(f"q{place:03}", evidence=[[("a.md", 0, 9)]]) for place in range(12)]
    stations = [Station.BELOW_DEPTH] * 11 + [Station.CUT_BY_CONTEXT]
    found = {item.question_id: Attribution(item.question_id, station) for item, station in zip(many, stations, strict=True)}
    report = run_report(record(), None, (), many, (), Analysis(found))
    assert "### below depth: 11 questions" in report
    assert "- 1 more in attribution.json and traces.jsonl" in report
    assert [line for line in report.splitlines() if line.startswith("- `q01")] == ["- `q011` What?"]


def test_slices_tell_how_many_were_scored_where_that_is_not_the_whole_slice() -> None:
    labels = {f"q{place}": ("kind:table",) if place < 6 else () for place in range(8)}
    run = record({"recall_at_5": 1.0}, {"recall_at_5": dict.fromkeys(list(labels)[1:], 1.0)}, labels=labels)
    assert "| kind:table | 6 | 1.000 (n 5) |" in run_report(run, None, (), (), ())


def test_numbers_are_set_right_and_text_left() -> None:
    assert table(("a", "b"), [("x", "1")]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_long_lists_of_changed_questions_are_cut() -> None:
    rule = verdict(flipped=tuple(f"q{place}" for place in range(25)))
    assert "`q19` and 5 more" in run_report(record(), None, [rule], (), ())


def test_hostile_names_cannot_leave_their_cell() -> None:
    hostile = record(experiment="x | y <img src=http://evil> @team\n# heading")
    report = run_report(hostile, None, [verdict(reason="a | b\n\n# c <b>")], (), ())
    assert "<img" not in report
    assert "@team" not in report
    assert not any(line.startswith(("# heading", "# c")) for line in report.splitlines())


def test_no_secret_is_written() -> None:
    report = run_report(record(overrides=("generator.api_key=sk-CANARY-123456",)), None, (), (), ())
    assert "CANARY" not in report
