"""`python -m benchmarks.scale`: 100,000 passages through `Pipeline.index`, and the local model's rate.

Each part runs in a process of its own, so that its peak of memory is its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.material import documents, prose
from harness.answerability.never import NeverRefuse
from harness.build.environment import environment
from harness.chunking.recursive import Recursive
from harness.context import TopPassages
from harness.embedding.bge import BgeSmall
from harness.embedding.tfidf_svd import TfidfSvd
from harness.fusion import ReciprocalRankFusion
from harness.pipeline import Pipeline
from harness.reranking.none import NoReranker
from harness.retrieval.dense import Dense
from harness.retrieval.sparse import BM25
from harness.retrieval.tokenizers import tokenize
from harness.text import count_tokens
from harness.types import Document

PARAGRAPHS, WORDS, SIZE = 50, 100, 128
LIMIT = 4 * 2**30
"""Bytes of memory that indexing may take at most."""
ROUNDS = 4
STEPS = ("mark duplicates", "chunk documents", "learn the embedder", "index BM25", "embed chunks")
"""What `Pipeline.index` does, in its order."""
RIVALS = ("langchain-text-splitters", "rank-bm25", "scikit-learn")


def main() -> None:
    """Measures every part and prints, or writes, the record."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the record")
    parser.add_argument("--documents", type=int, default=2000, metavar="N", help=f"documents of {PARAGRAPHS} passages")
    parser.add_argument("--model-passages", type=int, default=2000, metavar="N", help="passages for the local model")
    parser.add_argument("--part", choices=list(_PARTS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(_PARTS[arguments.part](arguments)))
        return
    record: dict[str, Any] = {"environment": {**environment(), **{name: version(name) for name in RIVALS}}}
    for part in _PARTS:
        command = [sys.executable, "-m", "benchmarks.scale", "--part", part, "--documents", str(arguments.documents)]
        command += ["--model-passages", str(arguments.model_passages)]
        record[part] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        print(part, record[part], flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(record, indent=2) + "\n")


def _index(arguments: argparse.Namespace) -> dict[str, Any]:
    """CPU seconds of each step, chunks, and the peak of memory."""
    corpus, clock = documents(arguments.documents, PARAGRAPHS, WORDS), _Clock()
    before = _peak()
    indexed = _pipeline().index(corpus, progress=clock)
    clock("", 0, 0)
    return {
        "documents": len(corpus),
        "characters": sum(len(document.text) for document in corpus),
        "chunks": len(indexed.chunks),
        "seconds": clock.seconds,
        "wall_seconds": clock.wall,
        "peak_bytes": _peak(),
        "peak_bytes_before": before,
        "limit_bytes": LIMIT,
    }


class _Clock:
    """A progress callback that sums up the CPU seconds between what it is told."""

    def __init__(self) -> None:
        self._step, self._last, self._start = STEPS[0], time.process_time(), time.monotonic()
        self.seconds = dict.fromkeys(STEPS, 0.0)
        self.wall = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Counts the time since the last call for the step that was on; learning is what comes after the last chunk."""
        now = time.process_time()
        self.seconds[self._step] += now - self._last
        self._last, self.wall = now, time.monotonic() - self._start
        self._step = STEPS[2] if (what, done) == (STEPS[1], total) else what or self._step


def _pipeline() -> Pipeline:
    return Pipeline(
        Recursive(SIZE),
        TfidfSvd(),
        {"bm25": BM25(), "dense": Dense()},
        ReciprocalRankFusion(),
        NoReranker(),
        TopPassages(),
        NeverRefuse(),
    )


def _peak() -> int:
    """Bytes of memory that the process took at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _rivals(arguments: argparse.Namespace) -> dict[str, Any]:
    """CPU seconds of what people would write by hand for the same steps, over the same passages."""
    corpus = documents(arguments.documents, PARAGRAPHS, WORDS)
    passages, split = _timed(lambda: _split(corpus))
    _, embedded = _timed(lambda: _embedded(passages))
    _, ranked = _timed(lambda: _ranked(passages))
    return {"passages": len(passages), "seconds": {"chunk": split, "embed": embedded, "bm25": ranked}}


def _split(corpus: list[Document]) -> list[str]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    overlap = int(SIZE * Recursive(SIZE).overlap)
    splitter = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=overlap, length_function=count_tokens)
    return [passage for document in corpus for passage in splitter.split_text(document.text)]


def _embedded(passages: list[str]) -> object:
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    recipe = TfidfSvd()
    svd = TruncatedSVD(recipe.dimension - 1, random_state=0)
    hand = make_pipeline(TfidfVectorizer(max_features=recipe.max_features, sublinear_tf=True), svd, Normalizer())
    hand.fit(passages[:: max(1, len(passages) // recipe.sample)])
    return hand.transform(passages)


def _ranked(passages: list[str]) -> object:
    from rank_bm25 import BM25Okapi

    return BM25Okapi(tokenize("stemmed", passages))


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    made = call()
    return made, time.process_time() - start


def _model(arguments: argparse.Namespace) -> dict[str, Any]:
    """Passages a second of the local model: by one thread, two threads, two processes; medians over interleaved rounds."""
    passages = prose(arguments.model_passages, WORDS)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        contenders: dict[str, Callable[[list[str]], object]] = {
            "1 thread": _embed,
            "2 threads": BgeSmall(threads=2).embed,
            "2 processes": lambda block: list(pool.map(_embed, (block[::2], block[1::2]))),
        }
        for embed in contenders.values():
            embed(passages[:16])
        rates = _rounds(contenders, [passages[place::ROUNDS] for place in range(ROUNDS)])
    return {"passages": len(passages), "rates": {name: median(values) for name, values in rates.items()}}


def _embed(block: list[str]) -> object:
    return BgeSmall(threads=1).embed(block)


def _rounds(contenders: dict[str, Callable[[list[str]], object]], blocks: list[list[str]]) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for block in blocks:
        for name, embed in contenders.items():
            rates[name].append(_rate(embed, block))
    return rates


def _rate(embed: Callable[[list[str]], object], block: list[str]) -> float:
    start = time.monotonic()
    embed(block)
    return len(block) / (time.monotonic() - start)


_PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {"index": _index, "rivals": _rivals, "model": _model}


if __name__ == "__main__":
    main()
