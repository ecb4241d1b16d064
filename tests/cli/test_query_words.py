"""The words of a query through the command line: glossary, rewording, hypothetical passages, routing."""

import json

import pytest

from tests.cli import project as small
from tests.fake_openai import failing, ok

RUN = ("run", "+experiment=light", "gate=none", "judge=none")
GLOSSARY = "# Words\n\n- RTC: real time clock, which keeps the date.\n"
CLOCK = "# Clock\n\nThe real time clock is set over the air every night.\n"


def traces(project):
    (path,) = project.glob("reports/runs/*/traces.jsonl")
    return [json.loads(line.partition(" ")[2]) for line in path.read_text().splitlines()]


def model(slot, server):
    return [
        f"{slot}=llm",
        f"{slot}.llm.model=openai/m",
        f"{slot}.llm.api_base={server.url}",
        f"{slot}.llm.attempts=1",
        f"{slot}.llm.api_key_env=MY_SECRET",
    ]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("MY_SECRET", "sk-of-nobody")


@pytest.fixture
def abbreviated(project, monkeypatch):
    """A question in an abbreviation that only the glossary explains."""
    monkeypatch.setitem(small.DOCUMENTS, "words.md", GLOSSARY)
    monkeypatch.setitem(small.DOCUMENTS, "clock.md", CLOCK)
    row = {"id": "c1", "question": "When is the RTC set?", "kind": "factoid", "answerable": True, "split": "test", "group": "c1"}
    evidence = [[{"doc": "clock.md", "quote": "set over the air every night"}]]
    small.write_golden_set(
        project / "golden_sets" / "tiny", [*small.questions(), {**row, "evidence": evidence, "answers": ["every night"]}]
    )
    return project


def test_an_abbreviation_is_spelled_out_and_the_trace_says_from_where(abbreviated, harness):
    code, text = harness(*RUN, "rewrite=glossary")
    assert code == 0, text
    queries = {row["question_id"]: row["queries"][0] for row in traces(abbreviated)}
    assert queries["c1"]["text"] == "When is the RTC (real time clock) set?"
    assert queries["c1"]["notes"] == ["glossary: RTC = real time clock, from words.md"]
    assert queries["q0"] == {**queries["q0"], "text": "How long do the cells of the soil probe last?", "notes": []}


def test_an_index_on_disk_is_a_glossary_too(abbreviated, harness):
    corpus = str(abbreviated / "golden_sets" / "tiny" / "corpus")
    assert harness("index", "sync", corpus, "+experiment=light", "--today", "2026-03-01")[0] == 0
    code, text = harness(*RUN, "rewrite=glossary", "index=index")
    assert code == 0, text
    assert "When is the RTC (real time clock) set?" in [row["queries"][0]["text"] for row in traces(abbreviated)]


def test_a_question_reworded_by_a_model_is_searched_in_its_words(project, harness, fake_openai):
    fake_openai.script("m", ok("How far does the gateway reach?"))
    code, text = harness(*RUN, *model("rewrite", fake_openai))
    assert code == 0, text
    assert {row["queries"][0]["text"] for row in traces(project)} == {"How far does the gateway reach?"}
    (page,) = project.glob("reports/runs/*/report.md")
    assert "Searched for: “How far does the gateway reach?” (rewrite: " in page.read_text()
    assert "| rewrite | 27 | 270 | 135 | unknown |" in page.read_text()
    assert "No price known for openai/m." in page.read_text()


@pytest.mark.parametrize("slot", ["rewrite", "hyde"])
def test_a_model_that_fails_fails_the_question(project, harness, fake_openai, slot):
    fake_openai.script("m", failing(500))
    code, text = harness(*RUN, *model(slot, fake_openai))
    assert code == 4
    assert "27 questions failed" in text
    assert "Query steps left out" not in text
    assert "Next    mend what failed and run the same command again" in text


@pytest.mark.parametrize("slot", ["rewrite", "hyde"])
def test_a_step_that_was_left_out_is_in_every_trace_and_in_the_summary(project, harness, fake_openai, slot):
    fake_openai.script("m", failing(500))
    code, text = harness(*RUN, *model(slot, fake_openai), f"{slot}.on_failure=skip")
    assert code == 0, text
    assert all(row["queries"][0]["fallback"].startswith(f"{slot}: ") for row in traces(project))
    assert "Query steps left out ↓" in text
    assert f"{slot} failed for 27 of 27 questions and was left out; first: R00" in text
    (page,) = project.glob("reports/runs/*/report.md")
    assert f"- Remark: {slot} failed for 27 of 27 questions and was left out; first: R00" in page.read_text()
    (results,) = project.glob("reports/runs/*/results.json")
    assert json.loads(results.read_text())["metrics"]["query_fallbacks"]["value"] == 1.0


def test_an_identifier_goes_to_the_word_index_and_summaries_need_a_chunker_that_makes_them(project, harness):
    code, text = harness(*RUN, "route=rules", "route.summaries=true")
    assert code == 2
    assert "chunker=two_tier" in text
    code, text = harness(*RUN, "route=rules", "route.summaries=true", "chunker=two_tier", "chunker.sentences=1")
    assert code == 0, text
    assert all(row["queries"][0]["notes"] == ["route: a lookup, without summaries"] for row in traces(project))


def test_a_route_to_a_retriever_that_is_not_there_is_told_at_once(project, harness):
    code, text = harness(*RUN, "route=rules", "retrievers=dense")
    assert code == 2
    assert "only retriever is dense" in text


def test_a_file_of_synonyms_that_is_not_there_is_told_at_once(project, harness):
    code, text = harness(*RUN, "rewrite=glossary", "rewrite.file=mine.yaml")
    assert code == 2
    assert "rewrite.file" in text and "'mine.yaml' cannot be read" in text
    assert "Traceback" not in text
