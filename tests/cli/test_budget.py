"""The budget of a command against a server that counts: never exceeded, and what it leaves out is an error, never a score."""

import json
import re

import pytest

from tests.fake_openai import busy, embedded, failing, garbage, ok, reranked


def cite_first(request):
    """An answer that cites the first passage it was shown."""
    prompt = json.dumps(request["messages"][-1]).partition("<context>")[2]
    return ok(f"It is so [{re.search(r'[0-9a-f]{12}', prompt).group()}].", delay=0.005, tokens=(120, 12))


def model(slot, server, name="m", option="llm", **more):
    values = {"model": f"openai/{name}", "api_base": server.url, "api_key_env": "CANARY_KEY", "attempts": 1, **more}
    return [f"{slot}={option}", *(f"{slot}.llm.{key}={value}" for key, value in values.items())]


@pytest.fixture
def words(fake_openai, monkeypatch):
    """A run whose generator asks the server once for each of 27 questions, on eight threads."""
    monkeypatch.setenv("CANARY_KEY", "sk-CANARY-0123456789abcdef")
    fake_openai.script("m", cite_first)
    return ["run", "+experiment=light", "gate=none", "answerability.minimum=0", "workers=8", *model("generator", fake_openai)]


def priced(words):
    """The same run with a model that the price table lists."""
    return [word.replace("=openai/m", "=openai/gpt-4o-mini") for word in words]


def results(project):
    path = sorted((project / "reports" / "runs").glob("*/results.json"), key=lambda path: path.stat().st_mtime_ns)[-1]
    return json.loads(path.read_text())


def scored(project):
    path = sorted((project / "reports" / "runs").glob("*/scores.jsonl"), key=lambda path: path.stat().st_mtime_ns)[-1]
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [(row["question_id"], name, value) for row in rows for name, value in row["scores"].items()]


def is_error(value):
    """Whether a score is an error: a state and its reason in place of a number."""
    return isinstance(value, list) and value[0] == "error"


def test_calls_stop_at_the_budget_and_a_question_without_an_answer_has_no_score_at_all(project, harness, words, fake_openai):
    code, text = harness(*words, "budget.calls=10")
    assert (code, fake_openai.count("m")) == (4, 10)
    assert "10 calls sent, 0 answered from the cache" in text and "17 requests were not sent for the budget" in text
    failures = results(project)["failures"]
    assert len(failures) == 17 and all("R004" in failure["error"] for failure in failures)
    failed = {failure["question_id"] for failure in failures}
    assert all(is_error(value) == (question in failed) for question, _, value in scored(project))


def test_a_higher_budget_answers_only_the_rest(project, harness, words, fake_openai):
    harness(*words, "budget.calls=10")
    code, text = harness(*words, "budget.calls=20")
    assert code == 0, text
    assert fake_openai.count("m") == 27
    assert results(project)["failures"] == []
    assert "17 calls sent, 10 answered from the cache" in text


def test_tokens_stay_within_the_budget_as_the_server_counts_them(project, harness, words, fake_openai):
    code, _ = harness(*words, "budget.tokens=4000", "generator.max_tokens=64")
    assert code == 4
    assert 0 < fake_openai.tokens <= 4_000
    assert len(results(project)["failures"]) == 27 - fake_openai.count("m") > 0


def test_money_stays_within_the_budget(project, harness, words, fake_openai):
    fake_openai.script("gpt-4o-mini", cite_first)
    price = (120 * 0.15 + 12 * 0.60) / 1e6
    code, text = harness(*priced(words), "budget.cost=0.0007", "generator.max_tokens=64")
    assert code == 4, text
    assert 0 < fake_openai.count("gpt-4o-mini") * price <= 0.0007


def test_a_model_without_a_price_is_refused_by_name_under_a_budget_of_money(project, harness, words, fake_openai):
    code, text = harness(*words, "budget.cost=5")
    flat = " ".join(text.replace("│", " ").split())
    assert code == 2
    assert "F012" in flat and "generator.llm" in flat and "model 'openai/m' has no price" in flat
    assert fake_openai.requests == []


@pytest.mark.parametrize("name", ["gpt-9-unknown", "gpt-5-mini-typo"])
def test_a_mistyped_model_of_a_known_family_does_not_pass_for_one_that_costs_nothing(project, harness, words, fake_openai, name):
    words = [f"generator.llm.model={name}" if word.startswith("generator.llm.model=") else word for word in words]
    code, text = harness(*words, "budget.cost=1")
    assert code == 2 and "F012" in text and fake_openai.requests == []


def test_a_sweep_has_one_budget_for_all_its_variants(project, harness, words, fake_openai):
    code, text = harness("run", "-m", *words[1:], "depth.shown=1,2", "budget.calls=30")
    assert code == 4, text
    assert fake_openai.count("m") == 30


def test_a_budget_for_each_variant_is_refused(project, harness, words, fake_openai):
    code, text = harness("run", "-m", *words[1:], "budget.calls=30,40")
    assert (code, fake_openai.requests) == (2, [])
    assert "The budget is that of the whole sweep" in " ".join(text.split())


def test_generator_and_judge_share_the_budget(project, harness, words, fake_openai):
    fake_openai.script("j", ok(json.dumps({"claims": ["one"]})))
    judge = [f"judge.splitter.llm.{key}={value}" for key, value in {"model": "openai/j", "api_base": fake_openai.url}.items()]
    judge += ["judge=llm", "judge.splitter.llm.api_key_env=CANARY_KEY", "judge.metrics=[faithfulness]"]
    code, text = harness(*words, *judge, "budget.calls=30")
    assert code == 4, text
    assert (fake_openai.count("m"), fake_openai.count("j")) == (27, 3)
    judged = [value for _, name, value in scored(project) if name == "faithfulness"]
    assert len(judged) == 27 and sum(map(is_error, judged)) >= 24


@pytest.mark.parametrize(("reply", "code"), [(busy(), "R005"), (garbage(), "R006"), (failing(401), "R007")])
def test_a_model_that_does_not_answer_makes_errors_and_never_more_requests_than_attempts(
    project, harness, words, fake_openai, reply, code
):
    fake_openai.script("m", reply)
    words[words.index("generator.llm.attempts=1")] = "generator.llm.attempts=2"
    status, _ = harness(*words, "generator.llm.deadline=30")
    failures = results(project)["failures"]
    assert (status, len(failures)) == (4, 27)
    assert all(code in failure["error"] for failure in failures)
    assert fake_openai.count("m") == 27 * (1 if code == "R007" else 2)
    assert all(is_error(value) for _, _, value in scored(project))


def test_no_more_calls_are_under_way_than_the_server_is_to_bear(project, harness, words, fake_openai):
    assert harness(*words, "generator.llm.concurrency=2")[0] == 0
    assert (fake_openai.count("m"), fake_openai.busiest) == (27, 2)


@pytest.mark.parametrize("limit", ["budget.calls=-1", "+budget.money=3"])
def test_a_wrong_budget_is_told_before_anything_is_sent(project, harness, words, fake_openai, limit):
    code, text = harness(*words, limit)
    assert (code, fake_openai.requests) == (2, [])
    assert limit.strip("+").partition("=")[0] in text


def test_the_bytes_of_results_and_scores_do_not_depend_on_the_budget_or_the_cache(project, harness, words):
    written = []
    for limit in ("budget.calls=0", "budget.calls=100"):
        assert harness(*words, limit)[0] == 0
        runs = sorted((project / "reports" / "runs").glob("*/results.json"), key=lambda path: path.stat().st_mtime_ns)
        written.append([(runs[-1].parent / name).read_bytes() for name in ("results.json", "scores.jsonl")])
    assert written[0] == written[1]


def usages(project):
    paths = sorted((project / "reports" / "runs").glob("*/traces.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    rows = (json.loads(line.partition(" ")[2]) for line in paths[-1].read_text().splitlines())
    return {row["question_id"]: (row["usage"], row["answer"]["usage"]) for row in rows}


def test_an_answer_costs_the_same_in_the_first_run_a_repeated_one_and_a_replayed_one(project, harness, words, fake_openai):
    fake_openai.script("gpt-4o-mini", cite_first)
    words, found = priced(words), []
    for how in ([], [], ["--replay"]):
        assert harness("run", *how, *words[1:])[0] == 0
        found.append(usages(project))
        assert harness("accept")[0] == 0
    assert found[0] == found[1] == found[2]
    taken = found[0]["q0"][0]["generate"]
    assert taken == {"input_tokens": 120, "output_tokens": 12, "calls": 1, "cost": pytest.approx(2.52e-05)}
    assert fake_openai.count("gpt-4o-mini") == 27


def test_embeddings_and_reranking_count_against_the_same_budget(project, harness, fake_openai, monkeypatch):
    monkeypatch.setenv("CANARY_KEY", "sk-CANARY-0123456789abcdef")
    fake_openai.script("e", embedded(8))
    fake_openai.script("r", reranked())
    values = {"api_base": fake_openai.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    words = ["embedder=openai", "embedder.model=openai/e", "embedder.dimension=8", "embedder.shorten=false"]
    words += ["reranker=cohere", "reranker.model=cohere/r", "generator=none", "judge=none", "gate=none"]
    words += [f"{slot}.{name}={value}" for slot in ("embedder", "reranker") for name, value in values.items()]
    code, text = harness("run", "+experiment=light", *words, "budget.calls=20")
    assert code == 4, text
    assert fake_openai.count("e") > 0 and fake_openai.count("r") > 0
    assert len(fake_openai.requests) == 20
