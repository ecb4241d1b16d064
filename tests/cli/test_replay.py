"""A run whose language model is answered for by recordings: no key, no server, the same results."""

import json
import re
import shutil

import pytest

from tests.fake_openai import ok

KEY = "sk-CANARY-0123456789abcdef"


def cite_first(request):
    """An answer that cites the first passage it was shown, and differs from question to question."""
    prompt = request["messages"][-1]["content"]
    return ok(f"It is so, {len(prompt)} times [{re.search(r'[0-9a-f]{12}', prompt.partition('<context>')[2]).group()}].")


@pytest.fixture
def words(project, fake_openai, monkeypatch):
    """The command line of a run with a model on the fake server."""
    monkeypatch.setenv("CANARY_KEY", KEY)
    fake_openai.script("m", cite_first)
    values = {"model": "openai/m", "api_base": fake_openai.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    model = [f"generator.llm.{name}={value}" for name, value in values.items()]
    return ["run", "+experiment=light", "gate=none", "answerability.minimum=0", "generator=llm", *model]


@pytest.fixture
def recorded(project, harness, words, fake_openai, monkeypatch):
    """The run accepted; then another machine: no cache, no key, and a provider that must not be asked."""
    assert harness(*words)[0] == 0
    assert harness("accept")[0] == 0
    shutil.rmtree(project / "cache")
    monkeypatch.delenv("CANARY_KEY")
    fake_openai.requests.clear()
    return project / "reports" / "tiny" / "light.completions.jsonl"


def results(project):
    return [json.loads(path.read_text()) for path in sorted((project / "reports" / "runs").glob("*/results.json"))]


def test_a_replayed_run_has_the_same_results_without_key_or_request(recorded, project, harness, words, fake_openai):
    code, text = harness("run", "--replay", *words[1:])
    assert code == 0, text
    assert fake_openai.requests == []
    first, second = results(project)
    assert first == second
    assert first["metrics"]["citation_validity"]["n"] > 0


def test_a_machine_with_a_cold_cache_asks_the_model_nothing_either(recorded, harness, words, fake_openai, monkeypatch):
    monkeypatch.setenv("CANARY_KEY", KEY)
    assert harness(*words)[0] == 0
    assert fake_openai.requests == []


def test_what_was_not_recorded_fails_the_questions_loudly(recorded, project, harness, words, fake_openai):
    words.remove("gate=none")
    code, text = harness("run", "--replay", *words[1:], "depth.shown=2")
    assert code == 4
    assert "not recorded" in " ".join(text.split())
    assert fake_openai.requests == []
    assert len(results(project)[-1]["failures"]) > 20


def test_an_edited_line_is_told_and_its_question_fails(recorded, project, harness, words):
    words.remove("gate=none")
    lines = recorded.read_text().splitlines()
    recorded.write_text("\n".join([lines[0].replace("It is so", "It is not so"), *lines[1:], ""]))
    code, text = harness("run", "--replay", *words[1:])
    assert code == 4
    assert "warning: 1 damaged lines of" in " ".join(text.split())
    assert len(results(project)[-1]["failures"]) == 1


def test_without_a_key_replay_is_offered(recorded, harness, words):
    code, text = harness(*words)
    flat = " ".join(text.replace("│", " ").split())
    assert code == 2
    assert "F010" in flat
    assert "--replay" in flat


@pytest.mark.parametrize("how", [(), ("-m",)], ids=["one run", "a sweep"])
def test_without_a_file_of_recordings_nothing_is_asked_and_the_file_is_named(recorded, project, harness, words, how):
    recorded.unlink()
    code, text = harness("run", *how, "--replay", *words[1:])
    assert code == 2
    assert "F011" in text and "reports/tiny/light.completions.jsonl" in "".join(text.replace("│", "").split())
    assert len(results(project)) == 1


def test_a_judges_language_model_needs_recordings_too_and_a_run_without_one_does_not(project, harness):
    code, text = harness("run", "--replay", "+experiment=light", "gate=none", "judge=llm")
    assert (code, "F011" in text) == (2, True)
    assert harness("run", "--replay", "+experiment=light", "gate=none", "judge=lexical")[0] == 0


def test_a_sweep_is_replayed_from_the_recordings_of_its_experiment(recorded, harness, words, fake_openai):
    code, text = harness("run", "-m", "--replay", *words[1:], "workers=1,2")
    assert code == 0, text
    assert fake_openai.requests == []


def test_accepting_again_gives_the_same_bytes(recorded, harness, words):
    before = recorded.read_bytes()
    harness("run", "--replay", *words[1:])
    assert harness("accept")[0] == 0
    assert recorded.read_bytes() == before
    assert before.count(b"\n") == 27


def test_the_recordings_hold_no_key(recorded):
    assert KEY.encode() not in recorded.read_bytes()


def test_accepting_a_run_without_a_language_model_takes_the_recordings_away(recorded, harness):
    harness("run", "+experiment=light", "gate=none")
    assert harness("accept")[0] == 0
    assert not recorded.exists()


def test_a_replayed_run_takes_nothing_from_what_this_machine_kept(project, harness, words, recorded, monkeypatch, fake_openai):
    monkeypatch.setenv("CANARY_KEY", KEY)
    shown = [*words, "depth.shown=2"]
    assert harness(*shown)[0] == 0
    fake_openai.requests.clear()
    shown.remove("gate=none")
    code, text = harness("run", "--replay", *shown[1:])
    assert code == 4, text
    assert "not recorded" in " ".join(text.split())
    assert fake_openai.requests == []


def test_a_run_with_damaged_completions_is_not_accepted_and_nothing_is_written(recorded, project, harness, words):
    harness("run", "--replay", *words[1:])
    kept = sorted((project / "reports" / "runs").glob("*/completions.jsonl"))[-1]
    kept.write_bytes(kept.read_bytes().replace(b"It is so", b"It is not so", 1))
    before = {path.name: path.read_bytes() for path in recorded.parent.iterdir()}
    code, text = harness("accept")
    assert code == 4, text
    assert "1 of the completions" in " ".join(text.split()) and "run it again" in " ".join(text.split())
    assert {path.name: path.read_bytes() for path in recorded.parent.iterdir()} == before


@pytest.mark.parametrize("broken", ["[" * 100_000, '{"key": NaN}', "1" * 5_000, "[1]"])
def test_a_broken_run_folder_does_not_stop_another_run(recorded, project, harness, words, broken):
    folder = project / "reports" / "runs" / "29990101-000000-light-broken"
    folder.mkdir()
    (folder / "run.json").write_text(broken)
    code, text = harness("run", "--replay", *words[1:])
    assert code == 0, text
