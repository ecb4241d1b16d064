"""`python -m benchmarks.refusal [RUN]`: what tells answerable questions from others; writes docs/refusal.md.

With RUN, a run folder of fernhill, everything is measured and the record written first; without, the page is filled from the record.
The public sets are looked for in HARNESS_PUBLIC_DATA. A fixed sample of each is asked, its groups in two halves: the classifier is
trained on one and claimed on the other. Pairs that were scored before come from the cache.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from harness.answerability.signals import SIGNALS
from harness.build.experiment import build_pipeline
from harness.build.overrides import parse
from harness.cli.calibrate.choosing import applied, decisions, trained
from harness.cli.calibrate.examples import Examples, examples, read_run
from harness.cli.calibrate.refusal import calibration
from harness.reporting.markdown import table
from harness.reporting.names import number, signed, title
from harness.reporting.readme import render_tables
from harness.resources import cache_dir
from harness.statistics.separation import difference, separation
from harness.store import Store, write_atomic, write_json
from harness.types import Chunk, Document, Question, Span, Trace

RECORD = Path(__file__).parent / "records" / "refusal.json"
PAGE = Path(__file__).parents[1] / "docs" / "refusal.md"
SETS = ("squad2_halfdev", "clapnq_dev")
SAMPLE = 360
"""Questions of a set that are asked: those whose ids have the lowest SHA-256."""
METHODS = ("threshold", "margin", "classifier")
PIPELINE = ("retrievers=hybrid", "answerability=never", "generator=none", "depth.candidates=20", "depth.reranked=5")
"""Overrides of the pipeline that asks the public sets; each passage of a set is one chunk."""
Row = Mapping[str, Any]


def asked(folder: Path, size: int) -> tuple[list[Document], list[Question]]:
    """The passages of a public set and the sample of its questions; a group is an article."""
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    documents = [Document(row["_id"], row["text"], title=row["title"]) for row in rows]
    read = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    questions = [Question(row["_id"], row["text"], answerable=row["answerable"], group=_article(row["metadata"])) for row in read]
    return documents, sorted(questions, key=lambda item: _mark(item.question_id))[:size]


def _article(metadata: Row) -> str:
    return str(metadata.get("article") or metadata["written_for_doc"].partition("_")[0])


def _mark(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def halves(questions: Sequence[Question]) -> set[str]:
    """The groups of the first half: every second one in the order of their SHA-256."""
    return set(sorted({item.group for item in questions}, key=_mark)[::2])


def traces(documents: Sequence[Document], questions: Sequence[Question], words: Iterable[str]) -> list[Trace]:
    """What the stations of a pipeline find for the questions."""
    pipeline, _ = build_pipeline(parse([*words])[0], Store(cache_dir() / "stages.sqlite"), ("embedder", "reranker"))
    chunks = [Chunk(Span(item.doc_id, 0, len(item.text)), item.text, title=item.title) for item in documents]
    system = pipeline.over(documents, chunks)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(system.answer, questions))


def measured(name: str, questions: Sequence[Question], found: Sequence[Trace]) -> dict[str, Any]:
    """AUROCs on the second half: every signal, and classifiers trained on the first half with and without the reranker's scores."""
    first, pairs = halves(questions), list(zip(questions, found, strict=True))
    train, test = (examples([pair for pair in pairs if (pair[0].group in first) is inside]) for inside in (True, False))
    plain = test.values["bm25_top"]
    scores = dict(test.values)
    unranked = replace(
        train, values={key: column for key, column in train.values.items() if "reranked" not in SIGNALS[key].needs}
    )
    scores |= {"classifier": _confidence(train, test), "classifier without reranked scores": _confidence(unranked, test)}
    return {
        "set": name,
        "train": _sizes(train),
        "test": _sizes(test),
        "groups": [len(first), len({item.group for item in questions} - first)],
        "rows": [
            {
                "name": signal,
                "auroc": _rounded(asdict(separation(test.answerable, column, test.groups))),
                "to_bm25_top": _rounded(asdict(difference(test.answerable, column, plain, test.groups))),
            }
            for signal, column in scores.items()
        ],
    }


def _confidence(train: Examples, test: Examples) -> np.ndarray:
    said = decisions(applied(trained(train), test))
    if said is None:
        raise AssertionError("a classifier assesses every question")
    return said[1]


def _sizes(given: Examples) -> list[int]:
    return [int(given.answerable.sum()), int((~given.answerable).sum())]


def _rounded(item: Any) -> Any:
    if isinstance(item, dict):
        return {name: _rounded(value) for name, value in item.items()}
    if isinstance(item, list | tuple):
        return [_rounded(value) for value in item]
    return round(item, 4) if isinstance(item, float) else item


def measure(data: Path, run: Path) -> dict[str, Any]:
    """The whole record."""
    sets = []
    for name in SETS:
        documents, questions = asked(data / name, SAMPLE)
        sets.append(measured(name, questions, traces(documents, questions, PIPELINE)))
    finished = read_run(run)
    methods = {method: _rounded(asdict(calibration(finished, method, 1.0))) for method in METHODS}
    return {"pipeline": list(PIPELINE), "sample": SAMPLE, "sets": sets, "fernhill": methods}


def rendered() -> str:
    """The page as the record has it."""
    record = json.loads(RECORD.read_text("utf-8"))
    blocks = {item["set"]: _public(item) for item in record["sets"]}
    blocks |= {"signals": _known(), "fernhill": _methods(record["fernhill"]), "fernhill-signals": _fernhill(record["fernhill"])}
    return render_tables(PAGE.read_text("utf-8"), blocks)


def _known() -> str:
    return table(("Signal", "What it is"), [(f"`{name}`", item.what) for name, item in SIGNALS.items()], left=2)


def _public(item: Row) -> str:
    rows = sorted(item["rows"], key=lambda row: -row["auroc"]["value"])
    said = (
        f"Trained on {_words(item['train'])} questions of {item['groups'][0]} groups, held against {_words(item['test'])} of "
        f"{item['groups'][1]} others."
    )
    lines = [(f"`{row['name']}`", _ends(row["auroc"]), _change(row["to_bm25_top"])) for row in rows]
    return f"{said}\n\n{table(('Signal', 'AUROC (95 % interval)', 'less that of bm25_top, paired'), lines)}"


def _words(sizes: Sequence[int]) -> str:
    return f"{sizes[0]} answerable and {sizes[1]} unanswerable"


def _ends(item: Row) -> str:
    ends = "" if item["low"] is None else f" ({number(item['low'])} to {number(item['high'])})"
    return f"{number(item['value'])}{ends}"


def _change(item: Row) -> str:
    ends = "" if item["low"] is None else f" ({signed(item['low'])} to {signed(item['high'])})"
    return f"{signed(item['value'])}{ends}"


def _methods(found: Row) -> str:
    own = next(iter(found.values()))["rates"]["current"]
    titles = [title(item["metric"]) for item in own]
    rows = [("the run's own (`minimum` 0.5)", "", *map(_ends, own))]
    rows += [
        (f"`{method}`", _ends(item["confidence"]["test"]), *map(_ends, item["rates"]["chosen"])) for method, item in found.items()
    ]
    paired = [(f"`{method}`", *map(_change, item["rates"]["changes"])) for method, item in found.items()]
    first = next(iter(found.values()))
    said = f"Chosen on {_words(first['tune'])} tune questions, claimed on {_words(first['test'])} test questions."
    less = "Less the run's own, paired on the same test questions:"
    tables = table(("Rule", "AUROC of its confidence", *titles), rows), less, table(("Rule", *titles), paired)
    return "\n\n".join((said, *tables))


def _fernhill(found: Row) -> str:
    rows = [(f"`{row['name']}`", _ends(row["tune"]), _ends(row["test"])) for row in found["classifier"]["signals"]]
    return table(("Signal", "AUROC on tune", "AUROC on test"), rows)


def main() -> None:
    """Measures where a run is named, and writes the page."""
    if len(sys.argv) > 1:
        here = Path(__file__).parents[2] / "shared" / "data"
        write_json(RECORD, measure(Path(os.environ.get("HARNESS_PUBLIC_DATA", here)), Path(sys.argv[1])))
    write_atomic(PAGE, rendered())


if __name__ == "__main__":
    main()
