"""Every option of every slot answers questions end to end, and shows in the trace that it did its work.

One option at a time stands on a light base. Local models, embedded stores and PostgreSQL run for real; providers and Pinecone are
loopback servers. The corpus is that of smoke with a withdrawn document and an abbreviation. The proofs are looked up by slot:
an option that no proof names is asked and checked like its neighbours.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from harness.build.compose import compose
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.cli import job
from harness.cli.main import main
from harness.golden.golden_set import GoldenSet, load
from harness.llm.llama import PACKAGE
from harness.local_models import QWEN_CODER
from harness.resources import shipped_root
from harness.store import Store
from harness.types import Document, Question, State
from tests.cli.project import write_project
from tests.every_option import OPTIONS, joined, nodes, settled, text_of, variables
from tests.every_provider import LOCAL, Providers
from tests.fake_openai import FakeOpenAI
from tests.fake_pinecone import KEY, FakePinecone
from tests.judging.tiny_nli import write_nli
from tests.option_proofs import BESIDE, COPY, GONE, KNOBS, LIGHT, ON_A_RUN, PROOFS, READ, SHORT, Found, leaks
from tests.postgres import postgres


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    found = load(shipped_root() / "golden_sets" / "smoke")
    by_id = {item.doc_id: item for item in found.documents}
    more = (
        replace(by_id["manuals/sm50.md"], doc_id=COPY),
        replace(by_id["policies/warranty-returns.md"], doc_id=GONE, deleted_at="2025-01-01"),
        Document(SHORT, "The mean time between failures (MTBF) of the gateway is 9 years.", mime_type="text/markdown"),
    )
    return replace(found, documents=(*found.documents, *more))


@pytest.fixture(scope="module")
def questions(golden: GoldenSet) -> dict[str, Question]:
    """One of a tenant, the others of nobody: a lookup, a second turn, two parts at once, and one without an answer."""
    by_id = {item.question_id: item for item in golden.questions}
    return {
        "tenant": by_id["sm-017"],
        "lookup": by_id["sm-009"],
        "turn": by_id["sm-014"],
        "parts": Question("parts", "What does code E-71 mean and what is the MTBF of the gateway?"),
        "nowhere": Question("nowhere", "Who founded the opera house of Vienna?"),
    }


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("every_option") / "stages.sqlite")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_NLI_DIR", str(write_nli(tmp_path_factory.mktemp("nli"))))
        yield patch


@pytest.fixture(scope="module")
def database() -> Iterator[Callable[[], str]]:
    """Starts PostgreSQL when an option first needs it."""
    running: list[Any] = []

    @cache
    def dsn() -> str:
        running.append(postgres())
        return str(running[0].__enter__())

    yield dsn
    for server in running:
        server.__exit__(None, None, None)


@pytest.fixture(scope="module")
def run(
    golden: GoldenSet,
    questions: dict[str, Question],
    stages: Store,
    environment: pytest.MonkeyPatch,
    database: Callable[[], str],
) -> Iterator[Callable[..., Found]]:
    """Indexes the corpus and answers the questions with some options in place of the light ones; once for each choice.

    Where a model reads each chunk, the corpus is a part of it.
    """
    with FakeOpenAI() as server, FakePinecone() as pinecone:

        @cache
        def answered(*choices: str) -> Found:
            chosen, settings = (
                dict(word.split("=", 1) for word in choices if ("." in word) is dotted) for dotted in (False, True)
            )
            row = settled(chosen, LIGHT)
            words = [f"{key}={value}" for key, value in {**row, **settings}.items()] if settings else []
            overrides = parse(words)[0]
            config = {**compose(overrides), **({} if settings else joined(row))}
            config["depth"] = {**config["depth"], "reranked": int(settings.get("depth.reranked", READ))}
            for name in variables(config):
                environment.setenv(name, KEY if "PINECONE" in name else database() if "POSTGRES" in name else "sk-of-nobody")
            pointed = Providers(server).pointed(config)
            for node in nodes(pointed):
                if str(node.get("_target_")).endswith(".Pinecone"):
                    node["host"] = pinecone.url  # type: ignore[index]
            experiment = build(overrides, stages, fixed=pointed)
            told = any("api_base" in node for slot in ("chunker", "doc2query") for node in nodes(config[slot]))
            documents = [item for item in golden.documents if item.doc_id != COPY or "duplicates" in chosen]
            documents = [item for item in documents if item.doc_id.startswith(("reference/", "contracts/")) or not told]
            system = experiment.pipeline.index(documents, golden.as_of)
            before = len(server.requests)
            traces = {name: system.answer(asked) for name, asked in questions.items()}
            return Found(experiment, system, traces, [json.dumps(item, ensure_ascii=False) for item in server.requests[before:]])

        yield answered


ANSWERING = [(slot, option) for slot, option in OPTIONS if slot not in ON_A_RUN]
ELSEWHERE = {
    ("embedder", "sentence_transformers"): "needs a model of the user's own; tests/embedding runs one where the extra is",
    ("judge", "ragas"): "tests/judging, and through the command line tests/cli/test_providers.py",
    ("tracking", "mlflow"): "tests/tracking, and through the command line tests/cli/test_compare.py",
}


def marked(slot: str, option: str) -> Any:
    """An option that loads a local model carries the mark."""
    marks = [pytest.mark.models] if re.search("(?i)bge|cross_?encoder", text_of(slot, option)) else []
    return pytest.param(slot, option, marks=marks)


@pytest.mark.parametrize(("slot", "option"), [marked(*item) for item in ANSWERING if item not in ELSEWHERE])
def test_an_option_does_its_work_and_shows_nobody_what_they_may_not_see(
    slot: str, option: str, run: Callable[..., Found], golden: GoldenSet, questions: dict[str, Question]
) -> None:
    found = run(f"{slot}={option}", *BESIDE.get(slot, ()))
    assert leaks(found, golden, questions) == []
    assert all(ranking.hits for trace in found.traces.values() for ranking in (trace.fused, trace.reranked, trace.context))
    PROOFS[slot](option, found, run())


def test_every_slot_has_a_proof() -> None:
    assert {slot for slot, _ in OPTIONS} == {*PROOFS, *ON_A_RUN}
    assert set(ELSEWHERE) <= set(OPTIONS)


@pytest.mark.parametrize("words", KNOBS, ids=" ".join)
def test_a_setting_shows_in_the_traces(
    words: tuple[str, ...], run: Callable[..., Found], golden: GoldenSet, questions: dict[str, Question]
) -> None:
    found = run(*words)
    assert leaks(found, golden, questions) == []
    assert KNOBS[words](found, run())


def test_what_must_not_be_seen_is_there_to_be_found(
    run: Callable[..., Found], golden: GoldenSet, questions: dict[str, Question]
) -> None:
    """Asked by the tenant who may, the contract is shown, and counted as a leak for anybody else."""
    asked = Question("mine", "With what notice may either party end the contract?", persona="bluepeak")
    trace = run().system.answer(asked)
    assert "contracts/bluepeak.md" in {hit.chunk.span.doc_id for hit in trace.context.hits}
    as_if = replace(run(), traces={"tenant": trace})
    assert "tenant at context: contracts/bluepeak.md" in leaks(as_if, golden, questions)
    assert leaks(as_if, golden, {"tenant": asked}) == []


@pytest.mark.parametrize(("slot", "option"), [item for item in OPTIONS if item[0] in ON_A_RUN and item not in ELSEWHERE])
def test_an_option_of_a_whole_run_does_its_work(
    slot: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write_project(tmp_path))
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))
    job._load.cache_clear()
    code = main(["run", "+experiment=light", *(f"{name}={option if name == slot else 'none'}" for name in ON_A_RUN)])
    (folder,) = tmp_path.glob("reports/runs/*/")
    rules = (compose(parse([f"gate={option}"])[0])["gate"] or {"rules": []})["rules"] if slot == "gate" else []
    assert code == (4 if rules else 0), capsys.readouterr()
    verdicts = json.loads((folder / "gate.json").read_text("utf-8"))
    assert [row["metric"] for row in verdicts] == [rule["metric"] for rule in rules]
    assert not (tmp_path / "mlflow.db").exists()


INSTALLED = all(find_spec(name) for name in (PACKAGE, *QWEN_CODER.packages))
OF_THIS_MACHINE = [(slot, option) for slot, option in ANSWERING if LOCAL in text_of(slot, option)]
SHORT_PROMPTS = ("depth.shown=1", "depth.reranked=2", "context.max_tokens=200")


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason='the extra is not installed: pip install ".[local-llm]"')
@pytest.mark.parametrize(("slot", "option"), OF_THIS_MACHINE)
def test_an_option_that_asks_the_local_language_model_gets_an_answer_from_it(
    slot: str, option: str, stages: Store, golden: GoldenSet, questions: dict[str, Question]
) -> None:
    row = settled({slot: option}, LIGHT)
    made = build(parse([*(f"{key}={value}" for key, value in row.items()), *SHORT_PROMPTS])[0], stages)
    documents = [item for item in golden.documents if item.doc_id == "reference/error-codes.md"]
    trace = made.pipeline.index(documents, golden.as_of).answer(questions["turn"])
    assert made.tally.misses["complete"] > 0 or made.judge is not None
    if made.judge is not None:
        assert [score.state for score in made.judge.judge(questions["turn"], trace)] == [State.SCORED]
    assert trace.answer and trace.context.hits
