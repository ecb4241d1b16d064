"""Reports in Markdown, as they stand in a pull request."""

from harness.reporting.leaderboard import leaderboard
from harness.reporting.markdown import leaderboard_markdown, run_report, step_summary, table
from tests.reporting.records import asked, baseline, full_run, full_traces, full_verdicts, record, verdict

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

## After every station

| Metric | bm25 | dense | reranked |
| --- | ---: | ---: | ---: |
| Recall@5 ↑ | 1.000 | 0.500 | 0.500 |

## Refusals

| Question | Answered | Refused |
| --- | ---: | ---: |
| can be answered | 1 | 1 (over-refusals) |
| must be refused | 1 (false answers) | 0 |

## Gates

| Rule | Verdict | Reason | Expected | Actual | Difference | p | Detectable | n |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| Recall@5 on test | **✗ regressed** | mean drop 0.300 | 0.800 | 0.500 | -0.300 (-0.500 to -0.100) | 0.004 | 0.070 | 3 |
| Faithfulness | **∅ missing** (advisory) | not measured | – | – | – | – | – | 0 |

Questions whose score changed:

- Recall@5 on test: `q2`

## Questions that went wrong

3 questions. Evidence lost: 1 at reranked.

| Id | Question | Expected | What happened | Answer |
| --- | --- | --- | --- | --- |
| `q2` | Which port does the gateway use? | 8443 | refused, though it can be answered; evidence lost at reranked | I cannot find this in the knowledge base. |
| `q3` | Who won the 2031 cup? | a refusal (future) | answered, though it cannot be | &lt;script&gt;alert(1)&lt;/script&gt; \| @&#8203;everyone \!\[x\](http:/&#8203;/evil/p.png) red |
| `q4` | What does Bluepeak pay? | a refusal (wrong_tenant) | generator failed: TimeoutError: no reply in 60 s |  |

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

STEP = """### ✗ regressed: 1 of 1 rule

hybrid on smoke v3, run `20261130-101500-hybrid-a1b2c3`

| Metric | Value | 95 % interval | n | Accepted | Difference | Verdict |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
| Recall@5 ↑ | 0.500 | 0.400–0.600 | 4 | 0.800 | -0.300 (-0.500 to -0.100) | **✗ regressed** |
"""

BOARD = """|  | Variant | Recall@5 ↑ | 95 % interval | n | MRR@10 ↑ | per question |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| ★ | hybrid | 0.750 | 0.650–0.850 | 4 | 0.600 | 20 ms |
"""


def test_the_run_report() -> None:
    report = run_report(full_run(), baseline({"recall_at_5": 0.8}), full_verdicts(), asked(), full_traces())
    assert report == REPORT


def test_the_step_summary_starts_with_verdict_and_headline() -> None:
    rules = full_verdicts()[:1]
    found = step_summary(record({"recall_at_5": 0.5}), baseline({"recall_at_5": 0.8}), rules)
    assert found.startswith(STEP)
    assert found.count("<details>") == found.count("</details>") == 1


def test_report_and_step_summary_tell_a_pull_request_that_changes_its_rules() -> None:
    before = baseline({}, config={"fuser": {"k": 60}, "gate": {"alpha": 0.01}})
    now = record(config={"fuser": {"k": 30}, "gate": {"alpha": 0.2}})
    for text in (step_summary(now, before, ()), run_report(now, before, (), (), ())):
        assert "settings differ from the accepted ones: fuser.k 60 -&gt; 30\n" in text
        assert "gate rules differ from those it was accepted under: gate.alpha 0.01 -&gt; 0.2\n" in text
    assert "differ from" not in step_summary(record(), baseline({}), ())


def test_six_changed_settings_are_not_cut_in_the_report() -> None:
    keys = [f"a_setting_with_a_rather_long_name_{place}" for place in range(8)]
    before, now = baseline({}, config=dict.fromkeys(keys, "x" * 50)), record(config=dict.fromkeys(keys, "y" * 50))
    for text in (step_summary(now, before, ()), run_report(now, before, (), (), ())):
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
