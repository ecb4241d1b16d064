"""Public sets that nobody here wrote, from the command line to the end: exact counts, then a run without a model.

All are imported whole; of each a tenth or less is asked.
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.cli import job
from harness.cli.main import main
from harness.embedding.hashing import Hashing
from harness.golden.formats import beir
from harness.golden.formats.foreign import store
from harness.golden.golden_set import GoldenSet, load
from harness.golden.writing import renew_card, write_questions
from harness.retrieval.sparse import BM25
from harness.types import Chunk, Query, Span
from tests.golden.public import public

pytestmark = pytest.mark.public_data

Command = Callable[..., tuple[int, str]]


class Counts(NamedTuple):
    """What the description of a set says."""

    documents: int
    answerable: int
    refused: dict[str, int]
    spans: int
    """Alternatives of evidence, whole documents included."""
    whole: int
    """Of them whole documents."""
    tags: dict[str, int]


SETS = {
    "clapnq_dev": Counts(597, 300, {"not_in_document": 300}, 894, 1, {"longform": 300}),
    "mtrag_un": Counts(1488, 332, {"not_in_document": 97, "underspecified": 78}, 851, 851, {"partial": 47, "underspecified": 78}),
    "scifact": Counts(5183, 188, {"not_in_document": 112}, 366, 0, {"claim": 300}),
    "squad2_halfdev": Counts(646, 2910, {"not_in_document": 3168}, 5109, 0, {}),
}
EVERY = {"clapnq_dev": 10, "mtrag_un": 10, "scifact": 10, "squad2_halfdev": 60}
"""Only every so many-th question is asked: all of them take more than a minute."""


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in an empty folder with cold caches; gives exit code and what was printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))
    job._load.cache_clear()

    def call(*words: str) -> tuple[int, str]:
        code = main(list(words))
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def imported(command: Command, name: str) -> Path:
    code, printed = command("golden", "import", "beir", str(public(name)), "--to", name)
    assert code == 0, printed
    return Path(name)


def counted(folder: Path) -> Counts:
    golden = load(folder)
    whole = {
        document.doc_id: (len(document.text) - len(document.text.lstrip()), len(document.text.rstrip()))
        for document in golden.documents
    }
    spans = [span for question in golden.questions for group in question.evidence for span in group.alternatives]
    quoted = (folder / "questions.jsonl").read_text(encoding="utf-8").count('"quote": ')
    assert all(whole[span.doc_id][0] <= span.start < span.end <= whole[span.doc_id][1] for span in spans)
    return Counts(
        documents=len(golden.documents),
        answerable=sum(question.answerable for question in golden.questions),
        refused=dict(Counter(question.reason for question in golden.questions if not question.answerable)),
        spans=len(spans),
        whole=len(spans) - quoted,
        tags=dict(Counter(tag for question in golden.questions for tag in question.tags)),
    )


def for_tuning(folder: Path, every: int) -> int:
    """Marks every so many-th question as one for tuning; tells how many these are."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    write_questions(folder, ({**row, "split": "test" if place % every else "tune"} for place, row in enumerate(rows)))
    renew_card(folder)
    return len(range(0, len(rows), every))


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_the_counts_of_its_description_and_is_asked_without_a_model_or_a_network(command: Command, name: str) -> None:
    folder = imported(command, name)
    assert counted(folder) == SETS[name]
    asked = for_tuning(folder, EVERY[name])
    code, printed = command("run", "+experiment=bm25_only", f"golden_set={folder}", "gate=none", "tracking=none", "split=tune")
    assert code == 0, printed
    assert f"bm25_only on {name} v2" in printed
    (run,) = Path("reports/runs").glob(f"*-{name}-bm25_only-*")
    assert len((run / "traces.jsonl").read_bytes().splitlines()) == asked
    recall = next(line.split()[2] for line in printed.splitlines() if line.strip().startswith("Recall@5 ↑"))
    assert float(recall) > 0.3


@pytest.fixture(scope="module")
def scifact(tmp_path_factory: pytest.TempPathFactory) -> GoldenSet:
    """SciFact with whole documents as evidence."""
    golden = store(beir.read(public("scifact"), spans=False), tmp_path_factory.mktemp("public") / "scifact")
    assert golden is not None
    return golden


def test_scifact_read_without_spans_has_its_339_judgments(scifact: GoldenSet) -> None:
    assert (len(scifact.documents), len(scifact.questions)) == (5183, 300)
    assert all(len(group.alternatives) == 1 for question in scifact.questions for group in question.evidence)
    assert sum(len(question.evidence) for question in scifact.questions) == 339


def test_stemmed_bm25_reaches_the_published_quality_on_what_was_imported(scifact: GoldenSet) -> None:
    import pytrec_eval

    chunks = [Chunk(Span(item.doc_id, 0, len(item.text)), item.text, title=item.title) for item in scifact.documents]
    queries = [Query(question.text) for question in scifact.questions]
    rankings = BM25(tokenizer="stemmed").index(chunks, Hashing()).search(queries, 100)
    names = [question.question_id for question in scifact.questions]
    run = {name: {hit.chunk.span.doc_id: hit.score for hit in found.hits} for name, found in zip(names, rankings, strict=True)}
    qrels: dict[str, Any] = {
        question.question_id: {group.alternatives[0].doc_id: 1 for group in question.evidence} for question in scifact.questions
    }
    scored = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
    ndcg = sum(score["ndcg_cut_10"] for score in scored.values()) / len(names)
    assert 0.670 <= ndcg <= 0.690
    assert ndcg == pytest.approx(0.6846, abs=5e-5)
