"""Conversations and questions of several parts through the command line."""

import json

import pytest

from tests.cli.project import questions, write_golden_set
from tests.cli.test_run import folders
from tests.fake_openai import failing, ok

RUN = ["run", "+experiment=light", "gate=none", "judge=none", "generator=none"]
TALK = [{"role": "user", "content": "What does the soil probe run on?"}, {"role": "assistant", "content": "On two AA cells."}]


def row(name, text, *quotes, **fields):
    evidence = [[{"doc": doc, "quote": quote}] for doc, quote in quotes]
    base = {"id": name, "question": text, "kind": "multi_hop", "answerable": True, "split": "test", "group": name}
    return {**base, "evidence": evidence, "answers": ["18 months"], **fields}


@pytest.fixture
def talking(project):
    """A turn that leans on the one before it, and a question of two parts."""
    last = row("t1", "And how long do they last?", ("battery.md", "The cells last 18 months"), kind="multi_turn", history=TALK)
    both = row(
        "p1",
        "Can I reset the gateway and store the logger?",
        ("reset.md", "Hold the button for ten seconds"),
        ("storage.md", "between 5 and 35 degrees Celsius"),
    )
    write_golden_set(project / "golden_sets" / "tiny", [*questions()[:2], last, both])
    return project


def traces(project):
    lines = (folders(project)[-1] / "traces.jsonl").read_text().splitlines()
    found = [json.loads(line.partition(" ")[2]) for line in lines]
    return {trace["question_id"]: trace for trace in found}


def model(slot, option, server):
    values = {"model": "openai/m", "api_base": server.url, "api_key_env": "MY_SECRET", "attempts": 1}
    return [f"{slot}={option}", *(f"{slot}.llm.{name}={value}" for name, value in values.items())]


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("MY_SECRET", "sk-of-nobody")


def test_rules_make_a_turn_stand_alone_and_take_a_question_apart(talking, harness):
    code, text = harness(*RUN, "history=rules", "subqueries=rules")
    assert code == 0, text
    found = traces(talking)
    assert [query["text"] for query in found["t1"]["queries"]] == ["And how long do they last? (soil probe run, two AA)"]
    assert found["t1"]["queries"][0]["notes"] == ["history: carried 'soil probe run, two AA': 'they' refers back"]
    assert [query["text"] for query in found["p1"]["queries"]] == [
        "Can I reset the gateway and store the logger?",
        "Can I reset the gateway?",
        "Can I store the logger?",
    ]
    assert found["q0"]["queries"][0]["notes"] == []


def test_two_runs_by_rules_give_the_same_bytes(talking, harness):
    harness(*RUN, "history=rules", "subqueries=rules")
    harness(*RUN, "history=rules", "subqueries=rules", "workers=1")
    first, second = (folder / "results.json" for folder in folders(talking))
    assert first.read_bytes() == second.read_bytes()


def test_a_model_is_asked_once_a_conversation_and_once_a_question(talking, harness, fake_openai):
    def reply(request):
        schema = request["response_format"]["json_schema"]["schema"]["properties"]
        return ok(
            json.dumps({"question": "How long do AA cells last?"} if "question" in schema else {"queries": ["cells", "cells"]})
        )

    fake_openai.script("m", reply)
    code, text = harness(*RUN, *model("history", "llm", fake_openai), *model("subqueries", "multi_query", fake_openai))
    assert code == 0, text
    assert fake_openai.count("m") == 1 + 4
    queries = traces(talking)["t1"]["queries"]
    assert [query["text"] for query in queries] == ["How long do AA cells last?", "cells"]
    assert queries[0]["notes"][1:] == ["subqueries: 1 from the model", "subqueries: left out 1 repeated"]


def test_a_model_that_fails_fails_the_questions(talking, harness, fake_openai):
    fake_openai.script("m", failing(500))
    code, text = harness(*RUN, *model("subqueries", "llm", fake_openai))
    assert code == 4
    assert "4 questions failed" in text


def test_a_model_that_fails_may_be_left_out_and_each_trace_says_why(talking, harness, fake_openai):
    fake_openai.script("m", failing(500))
    code, text = harness(*RUN, *model("subqueries", "llm", fake_openai), "subqueries.on_failure=skip")
    assert code == 0, text
    reasons = [query["fallback"] for trace in traces(talking).values() for query in trace["queries"]]
    assert len(reasons) == 4
    assert all(reason.startswith("subqueries: ") and "openai/m" in reason for reason in reasons)
