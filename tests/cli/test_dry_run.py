"""`--dry-run`: what a run would ask of models, and nothing is sent."""

import pytest

from tests.cli.project import questions, write_golden_set
from tests.cli.test_budget import model
from tests.fake_openai import ok


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("CANARY_KEY", "sk-CANARY-0123456789abcdef")


def dry(harness, *words):
    code, text = harness("run", "--dry-run", "+experiment=light", *words)
    assert code == 0, text
    return text


def rows(text):
    """The cells of each row of the table by its stage."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.startswith("  ")}


def test_nothing_is_sent_and_no_run_is_written(project, harness, fake_openai):
    dry(harness, *model("doc2query", fake_openai), *model("judge.splitter", fake_openai)[1:], "judge=llm")
    assert fake_openai.requests == []
    assert not (project / "reports").exists()


def test_a_stage_that_works_on_the_corpus_is_asked_once_a_chunk(project, harness, fake_openai):
    text = dry(harness, *model("doc2query", fake_openai))
    assert rows(text)["doc2query"][0] == "5"
    assert rows(text)["doc2query"][-1] == "openai/m"


def test_a_judge_is_asked_for_each_question_and_repeat(project, harness, fake_openai):
    words = ["judge=llm", *model("judge.splitter", fake_openai)[1:], "judge.metrics=[faithfulness]"]
    assert rows(dry(harness, *words))["judge"][0] == str(27 * 2)
    assert rows(dry(harness, *words, "repeats=3"))["judge"][0] == str(27 * 2 * 3)


def test_an_unknown_price_is_never_shown_as_nothing(project, harness, fake_openai):
    text = dry(harness, *model("doc2query", fake_openai))
    assert rows(text)["doc2query"][3] == "unknown"
    assert "without the unknown price of openai/m" in text


def test_the_cost_is_that_of_the_bundled_price_table(project, harness, fake_openai):
    calls, read, written, cost, _ = rows(dry(harness, *model("doc2query", fake_openai, "gpt-4o-mini")))["doc2query"]
    tokens = int(read.replace(",", "")), int(written.replace(",", ""))
    assert (calls, tokens[1]) == ("5", 5 * 512)
    assert float(cost) == pytest.approx((tokens[0] * 0.15 + tokens[1] * 0.60) / 1e6, abs=5e-5)


def test_a_budget_that_is_too_small_is_named_and_one_that_holds_too(project, harness, fake_openai):
    words = model("doc2query", fake_openai)
    assert "Does not fit budget.calls=4" in dry(harness, *words, "budget.calls=4")
    assert "Fits the budget: budget.calls=5" in dry(harness, *words, "budget.calls=5")
    assert "No budget is set." in dry(harness, *words)


def test_a_sweep_is_held_against_its_budget_as_a_whole(project, harness, fake_openai):
    words = ["-m", *model("doc2query", fake_openai), "depth.shown=1,2", "budget.calls=9"]
    text = dry(harness, *words)
    assert "light depth.shown=1" in text and "together at most 10 calls" in text and "Does not fit budget.calls=9" in text


def test_a_stage_that_does_not_say_how_often_it_asks_is_unknown_and_so_is_the_fit(project, harness, fake_openai):
    words = ["chunker=proposition_llm", *model("chunker", fake_openai)[1:], "budget.calls=1000"]
    text = dry(harness, *words)
    assert rows(text)["chunker"][:4] == ["unknown"] * 4
    assert "calls of chunker, whose number is unknown" in text and "May not fit the budget" in text


def test_a_run_without_a_model_asks_nobody(project, harness):
    text = dry(harness)
    assert "asks no model" in text and "Nothing is sent." in text


def test_a_missing_key_is_a_note_under_the_table_for_nothing_is_sent(project, harness, fake_openai, monkeypatch):
    monkeypatch.delenv("CANARY_KEY")
    text = dry(harness, *model("doc2query", fake_openai))
    assert rows(text)["doc2query"][0] == "5"
    assert text.rindex("note: doc2query.llm: environment variable 'CANARY_KEY' is unset") > text.index("together at most 5 calls")
    assert "export CANARY_KEY=..." in text


def test_drafts_that_a_verification_asks_for_again_are_a_row_of_their_own(project, harness, fake_openai):
    words = [*model("generator", fake_openai), "verification=regenerate", "verification.attempts=5"]
    text = dry(harness, *words, "budget.calls=161")
    assert (rows(text)["generator"][0], rows(text)["regenerate"][0]) == ("27", str(27 * 5))
    assert "together at most 162 calls" in text and "Does not fit budget.calls=161" in text
    assert "Fits the budget: budget.calls=162" in dry(harness, *words, "budget.calls=162")


def test_the_ceiling_of_drafts_is_what_a_model_that_never_obeys_is_asked(project, harness, fake_openai):
    fake_openai.script("m", ok("It is so [0123456789ab]."))
    words = [*model("generator", fake_openai), "verification=regenerate", "verification.attempts=2", "answerability.minimum=0"]
    assert "together at most 81 calls" in dry(harness, *words)
    assert harness("run", "+experiment=light", "gate=none", *words)[0] == 0
    assert fake_openai.count("m") == 81


@pytest.mark.parametrize("verification", ["strip", "none", "refuse"])
def test_no_other_verification_asks_again(project, harness, fake_openai, verification):
    assert "regenerate" not in rows(dry(harness, *model("generator", fake_openai), f"verification={verification}"))


def test_what_at_most_leaves_out_is_said(project, harness, fake_openai):
    text = dry(harness, *model("generator", fake_openai))
    assert "Not counted: requests tried again after an error, and those that ask for a reply once more" in text


def test_only_questions_with_a_history_are_counted_for_the_step_that_reads_it(project, harness, fake_openai):
    asked = questions()
    asked[0]["history"] = [{"role": "user", "content": "The soil probe."}, {"role": "assistant", "content": "Yes?"}]
    write_golden_set(project / "golden_sets" / "tiny", asked)
    text = dry(harness, *model("history", fake_openai), "repeats=3")
    assert rows(text)["history"][0] == "3"


@pytest.mark.parametrize(("subqueries", "queries"), [("none", 1), ("rules", 5), ("llm", 5), ("multi_query", 4)])
def test_a_passage_is_written_for_each_query_of_a_question(project, harness, fake_openai, monkeypatch, subqueries, queries):
    """4 parts beside the whole question, or 3 wordings beside its own."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    text = dry(harness, *model("hyde", fake_openai), f"subqueries={subqueries}")
    assert rows(text)["hyde"][0] == str(27 * queries)


def test_a_paid_reranker_is_asked_for_each_part_of_a_question(project, harness, monkeypatch):
    monkeypatch.setenv("COHERE_API_KEY", "sk-not-a-key")
    for subqueries, queries in (("none", 1), ("rules", 5)):
        text = dry(harness, "reranker=cohere", f"subqueries={subqueries}", "answerability.minimum=0")
        assert rows(text)["reranker"][0] == str(27 * queries)


def test_summary_questions_without_summaries_are_told_before_anything_is_asked(project, harness):
    for how in (["--dry-run"], []):
        code, text = harness("run", *how, "+experiment=light", "route=rules", "route.summaries=true")
        assert code == 2 and "F006" in text and "chunker=two_tier" in text


def test_what_changes_nothing_is_told_under_the_table_and_in_the_run_and_a_sweep_goes_on(project, harness):
    words = ["+experiment=light", "retrievers=bm25", "hyde=on", "gate=none"]
    told = "note: hyde (DeclarativeHyde) changes nothing: no retriever of this run embeds"
    assert told in dry(harness, *words[1:])
    code, text = harness("run", *words)
    assert code == 0 and text.count(told) == 1
    code, text = harness("run", "-m", *words, "depth.shown=1,2")
    assert code == 0 and text.count(told) == 2
