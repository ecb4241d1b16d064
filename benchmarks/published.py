"""`python -m benchmarks.published`: fills the tables of benchmarks/README.md from the records beside it; no figure is typed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.reporting.markdown import table
from harness.reporting.readme import render_tables

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
RECORDS = FOLDER / "records"


def rendered() -> str:
    """The README with its tables as the records have them."""
    names = ("speed", "gate_study", "scale")
    speed, gate, scale = (json.loads((RECORDS / f"{name}.json").read_text("utf-8")) for name in names)
    tables = {
        "speed": _speed(speed),
        "gate": _gate(gate),
        "many-gates": _many(gate),
        "scale-steps": _steps(scale),
        "scale-whole": _whole(scale),
        "scale-model": _model(scale),
    }
    return render_tables(README.read_text("utf-8"), tables)


def _speed(record: Mapping[str, Any]) -> str:
    rows = [
        (
            row["case"],
            row["rival"],
            f"{row['times']:.2f}",
            "" if row["bar"] is None else f"{row['bar']:g}",
            _held(row),
            row["size"],
        )
        for row in record["rows"]
    ]
    return _table(("Case", "Rival", "Times as fast", "Bar", "", "Size"), rows)


def _held(row: Mapping[str, Any]) -> str:
    if row["bar"] is None:
        return ""
    return "reached" if row["times"] >= row["bar"] else "missed"


def _gate(record: Mapping[str, Any]) -> str:
    rates = ("red", "naive", "non_inferiority", "caught", "inconclusive", "passed", "unpaired")
    rows = [(f"{row['scores']}, {row['rerun']}", *(_share(row[name]) for name in rates)) for row in record["one_rule"]]
    drop = f"drop of {record['drop']:g}"
    heads = ("unchanged: red", "naive rule", "non-inferiority", f"{drop}: red", "inconclusive", "pass", "unpaired test")
    return _table(("Scores, rerun", *heads), rows)


def _many(record: Mapping[str, Any]) -> str:
    rows = [(name, _share(record["24_rules"][key])) for name, key in (("this gate (Holm)", "red"), ("naive rules", "naive"))]
    return _table(("24 rules, unchanged pipeline", "any red"), rows)


_STEPS = (
    ("Mark duplicates", ("mark duplicates",), "", ""),
    ("Cut into chunks", ("chunk documents",), "RecursiveCharacterTextSplitter of langchain, same tokens", "chunk"),
    ("Learn and embed (TF-IDF-SVD)", ("learn the embedder", "embed chunks"), "scikit-learn pipeline by hand", "embed"),
    ("Index BM25", ("index BM25",), "rank_bm25, same tokens", "bm25"),
)


def _steps(record: Mapping[str, Any]) -> str:
    ours, theirs = record["index"]["seconds"], record["rivals"]["seconds"]
    rows = []
    for name, steps, rival, key in _STEPS:
        spent = sum(ours[step] for step in steps)
        times = f"{theirs[key] / spent:.2f}" if key else ""
        rows.append((name, f"{spent:.1f}", f"{spent / sum(ours.values()):.0%}", rival, times))
    return table(("Step", "CPU seconds", "Share", "Rival", "Times as fast"), rows, left=1)


def _whole(record: Mapping[str, Any]) -> str:
    index = record["index"]
    taken, limit = (index[name] / 2**30 for name in ("peak_bytes", "limit_bytes"))
    corpus = f"{index['documents']:,} documents, {index['characters'] / 1e6:.0f} million characters"
    rows = [
        ("Chunks", f"{index['chunks']:,}", "", ""),
        ("Chunks a CPU second", f"{index['chunks'] / sum(index['seconds'].values()):,.0f}", "", ""),
        ("Peak memory, GiB", f"{taken:.2f}", f"{limit:g}", "reached" if taken < limit else "missed"),
    ]
    return _table((corpus, "Measured", "Bar", ""), rows)


def _model(record: Mapping[str, Any]) -> str:
    rates = record["model"]["rates"]
    rows = [(name, f"{rate:.1f}", f"{rate / rates['1 thread']:.2f}") for name, rate in rates.items()]
    return _table((f"bge_small, {record['model']['passages']:,} passages", "Passages a second", "Times one thread"), rows)


def _share(rate: Mapping[str, Any]) -> str:
    return f"{rate['share']:.1%} ({rate['low']:.1%}–{rate['high']:.1%}) of {rate['n']}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return table(head, rows, left=2 if head[0] == "Case" else 1)


if __name__ == "__main__":
    README.write_text(rendered(), "utf-8")
