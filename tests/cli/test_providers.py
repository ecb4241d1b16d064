"""Language models through the command line: a real loopback server in place of a provider, and no key left behind."""

import json
import re
import socket

import pytest

from tests.fake_openai import embedded, failing, ok, reranked

KEY = "sk-CANARY-0123456789abcdef"


def settings(slot: str, server) -> list[str]:
    """The overrides that point a slot at the fake server."""
    values = {"model": "openai/judge", "api_base": server.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    return [f"{slot}={'ragas' if slot == 'judge' else 'llm'}", *(f"{slot}.llm.{name}={value}" for name, value in values.items())]


@pytest.fixture(autouse=True)
def _key(monkeypatch, tmp_path):
    monkeypatch.setenv("CANARY_KEY", KEY)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def cite_first(request):
    """An answer that cites the first passage it was shown."""
    prompt = json.dumps(request["messages"][-1]).partition("<context>")[2]
    return ok(f"It is so [{re.search(r'[0-9a-f]{12}', prompt).group()}].")


def results(project):
    (path,) = (project / "reports" / "runs").glob("*/results.json")
    return json.loads(path.read_text())["metrics"]


def test_a_model_answers_with_citations_and_its_key_is_nowhere(project, harness, fake_openai):
    fake_openai.script("judge", cite_first)
    words = [
        "run",
        "+experiment=light",
        "gate=none",
        "tracking=mlflow",
        "answerability.minimum=0",
        *settings("generator", fake_openai),
    ]
    code, text = harness(*words)
    assert code == 0, text
    assert set(fake_openai.authorizations) == {f"Bearer {KEY}"}
    assert results(project)["citation_validity"]["value"] == 1.0
    kept = [path for path in project.rglob("*") if path.is_file()]
    assert len(kept) > 20
    assert KEY not in text
    assert [path for path in kept if KEY.encode() in path.read_bytes()] == []


def everywhere(server):
    """A run whose embedder, reranker and generator are all behind the same key."""
    values = {"api_base": server.url, "api_key_env": "CANARY_KEY", "attempts": 1}
    words = ["embedder=openai", "embedder.model=openai/e", "embedder.dimension=8", "reranker=cohere", "reranker.model=cohere/r"]
    words += [f"{slot}.{name}={value}" for slot in ("embedder", "reranker") for name, value in values.items()]
    words += settings("generator", server)
    return ["run", "+experiment=light", "gate=none", "tracking=mlflow", "answerability.minimum=0", *words]


@pytest.mark.parametrize(
    "broken", [None, "e", "r", "judge"], ids=["all answer", "embedder refuses", "reranker refuses", "chat refuses"]
)
def test_the_key_of_every_kind_of_client_is_nowhere_though_a_provider_echoes_it(project, harness, fake_openai, caplog, broken):
    for name, reply in {"e": embedded(8), "r": reranked(), "judge": cite_first}.items():
        fake_openai.script(name, failing(401, f"Incorrect API key provided: {KEY}") if name == broken else reply)
    code, text = harness(*everywhere(fake_openai))
    assert (code == 0) == (broken is None), text
    assert set(fake_openai.authorizations) == {f"Bearer {KEY}"}
    assert KEY not in text + caplog.text
    kept = [path for path in project.rglob("*") if path.is_file()]
    assert [path for path in kept if KEY.encode() in path.read_bytes()] == []


def test_a_second_run_asks_the_provider_nothing(project, harness, fake_openai):
    fake_openai.script("judge", cite_first)
    words = ["run", "+experiment=light", "gate=none", *settings("generator", fake_openai)]
    harness(*words)
    asked = fake_openai.count("judge")
    harness(*words)
    assert asked > 0
    assert fake_openai.count("judge") == asked


def test_a_citation_of_what_was_not_shown_is_counted_although_it_is_stripped(project, harness, fake_openai):
    fake_openai.script("judge", ok("It is so [deadbeef0000]."))
    code, text = harness("run", "+experiment=light", "answerability.minimum=0", *settings("generator", fake_openai))
    assert code in (1, 4)
    assert results(project)["invented_citations"]["value"] > 0
    assert "Invented citations" in text


def test_a_provider_that_fails_makes_failed_questions_and_no_scores(project, harness, fake_openai):
    fake_openai.script("judge", failing(500))
    code, text = harness("run", "+experiment=light", "answerability.minimum=0", *settings("generator", fake_openai))
    assert code == 4
    assert "27 questions failed" in text
    assert results(project)["recall_at_5"] == pytest.approx(
        {"value": None, "n": 0, "low": None, "high": None, "not_applicable": 0, "skipped": 0, "errors": 27}
    )


def test_a_model_writes_the_passage_that_dense_retrieval_searches_with(project, harness, fake_openai):
    fake_openai.script("judge", ok("The cells last 18 months."))
    words = ["run", "+experiment=light", "gate=none", "generator=none", "judge=none", *settings("hyde", fake_openai)]
    code, text = harness(*words)
    assert code == 0, text
    assert fake_openai.count("judge") == 27


def test_ragas_judges_faithfulness_through_our_own_client(project, harness, fake_openai):
    def both(request):
        split = "verdict" not in json.dumps(request["response_format"])
        verdict = {"statement": "one", "reason": "r", "verdict": 1}
        return ok(json.dumps({"statements": ["one"] if split else [verdict]}))

    fake_openai.script("judge", both)
    words = ["run", "+experiment=light", "gate=none", *settings("judge", fake_openai), "judge.metrics=[faithfulness]"]
    code, text = harness(*words)
    assert code == 0, text
    assert results(project)["faithfulness"]["value"] == 1.0
    assert "Faithfulness (ragas)" in text


def test_the_main_job_speaks_to_nobody(project, harness, monkeypatch):
    asked = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *rest, **more: asked.append(host) or [])
    connect = socket.socket.connect
    monkeypatch.setattr(socket.socket, "connect", lambda self, place: asked.append(place) or connect(self, place))
    code, _ = harness("run", "+experiment=light", "gate=none", "tracking=mlflow")
    assert code == 0
    assert asked == []


def test_without_a_gate_too_a_run_whose_questions_failed_is_invalid(project, harness, fake_openai):
    fake_openai.script("judge", failing(500))
    words = ["answerability.minimum=0", "gate=none", *settings("generator", fake_openai)]
    assert harness("run", "+experiment=light", *words)[0] == 4
