"""ragas samples: user_input, reference, reference_contexts, reference_context_ids, persona_name.

Reference contexts are looked up in the corpus when one is given, by their ids where these name its documents; otherwise
each context becomes a document. Retrieved contexts and responses are what some system did, no truth: they are left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.golden.formats.foreign import Foreign, Options
from harness.golden.formats.ragas_files import read_samples
from harness.golden.formats.shared import DOCUMENTS_LOST, counted, dropped_note, is_unique, lost, parted, raise_all
from harness.golden.golden_set import GoldenSet
from harness.shapes import Fault, mismatches
from harness.store import write_atomic
from harness.text import normalise
from harness.types import Document, Question

_ROLES = {"human": "user", "ai": "assistant"}
_SHAPE = {"reference?": str, "reference_contexts?": [str], "reference_context_ids?": [str], "persona_name?": str}
_HELD = ("user_input", *(name.removesuffix("?") for name in _SHAPE))
_LACKING = "samples have no reference context that is in the corpus and need"
_HOP = re.compile(r"\A<\d+-hop>\s*")
"""What ragas 0.2 and later puts before the contexts of a question that needs several: testset/synthesizers/multi_hop/base.py."""
_TURNS = [{"content": str, "type": str}]


def read(path: Path, options: Options = Options()) -> Foreign:
    """Questions of a file of samples; those without reference contexts become drafts.

    Raises:
        GoldenSetError: with every faulty line.
    """
    rows, problems, notes = read_samples(path)
    samples = [_sample_of(row.fields) for row in rows]
    problems += [fault.at(row.where) for row, sample in zip(rows, samples, strict=True) for fault in _faults(sample)]
    raise_all("file of ragas samples", path, problems)
    contexts = dict.fromkeys(text for sample in samples for text in _contexts(sample))
    names = {text: f"context-{number:04}" for number, text in enumerate(contexts, 1)}
    corpus = {document.doc_id: document for document in options.documents}
    questions, drafts = parted(_question(sample, number, names, corpus) for number, sample in enumerate(samples, 1))
    documents = [] if corpus else [{"_id": name, "text": text} for text, name in names.items()]
    lacking = counted(len(drafts), "sample has no reference context that is in the corpus and needs", _LACKING)
    notes += [f"{lacking} evidence"] if drafts else []
    notes += dropped_note(samples, _HELD)
    return Foreign(questions, documents, drafts, notes, "imported from ragas samples")


def _sample_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A sample without what is null and without the marks of hops; ids may be numbers."""
    sample = {name: value for name, value in fields.items() if value is not None}
    if isinstance(ids := sample.get("reference_context_ids"), list):
        sample["reference_context_ids"] = [str(name) if isinstance(name, int) else name for name in ids]
    if isinstance(texts := sample.get("reference_contexts"), list):
        sample["reference_contexts"] = [_HOP.sub("", text) if isinstance(text, str) else text for text in texts]
    return sample


def _faults(sample: Mapping[str, Any]) -> Iterator[Fault]:
    said = sample.get("user_input")
    shape = {**_SHAPE, "user_input": _TURNS if isinstance(said, list) else str}
    wrong = [fault for fault in mismatches(dict(sample), shape) if fault.code != "G004"]
    yield from wrong
    if not wrong and not _turns(sample):
        yield Fault("G005", "user_input", "holds nothing that a user said.", fix="give the question.")


def _contexts(sample: Mapping[str, Any]) -> dict[str, str]:
    """The reference contexts, each once, with their ids where there is one for each."""
    texts, ids = sample.get("reference_contexts", []), sample.get("reference_context_ids", [])
    named = ids if len(ids) == len(texts) else [""] * len(texts)
    return {text: name for text, name in zip(texts, named, strict=True) if text.strip()}


def _turns(sample: Mapping[str, Any]) -> list[dict[str, str]]:
    """What user and assistant said up to the last thing that the user said; calls of tools are no turns."""
    said = sample["user_input"]
    if isinstance(said, str):
        return [{"role": "user", "content": said}]
    turns = [{"role": _ROLES[turn["type"]], "content": turn["content"]} for turn in said if turn["type"] in _ROLES]
    while turns and turns[-1]["role"] != "user":
        turns.pop()
    return turns


def _question(sample: Mapping[str, Any], number: int, names: Mapping[str, str], corpus: Mapping[str, Document]) -> dict[str, Any]:
    *history, asked = _turns(sample)
    found = [list(_places(text, name, names, corpus)) for text, name in _contexts(sample).items()]
    return {
        "id": f"r-{number:04}",
        "question": asked["content"],
        "kind": "multi_turn" if history else "multi_hop" if _is_spread(found) else "factoid",
        "answerable": True,
        "evidence": found if all(found) else [],
        "reference": sample.get("reference", ""),
        "history": history,
        "persona": sample.get("persona_name", ""),
        "provenance": "imported from ragas samples",
    }


def _is_spread(groups: Sequence[Sequence[Mapping[str, Any]]]) -> bool:
    """Whether no document alone holds all the evidence."""
    return len(groups) > 1 and not set.intersection(*({place["doc"] for place in group} for group in groups))


def _places(text: str, name: str, names: Mapping[str, str], corpus: Mapping[str, Document]) -> Iterator[dict[str, Any]]:
    """The document of that id, or else all documents in which a context stands; they are alternatives."""
    if not corpus:
        yield {"doc": names[text]}
    quote = normalise(text).strip()
    named = corpus.get(normalise(name))
    for document in [named] if named is not None and quote in named.text else corpus.values():
        start = document.text.find(quote)
        if start >= 0:
            unique = is_unique(quote, document.text)
            yield {"doc": document.doc_id, "quote": quote} | ({} if unique else {"start": start})


def write(rows: Sequence[Mapping[str, Any]], golden: GoldenSet, path: Path) -> list[str]:
    """Writes one single-turn sample a question; reference contexts are the quotes of its evidence."""
    texts = {document.doc_id: document.text for document in golden.documents}
    samples = [_sample(question, texts) for question in golden.questions]
    write_atomic(path, "".join(f"{json.dumps(sample, ensure_ascii=False)}\n" for sample in samples))
    refused = sum(not question.answerable for question in golden.questions)
    notes = [DOCUMENTS_LOST, "which contexts are alternatives"]
    notes += [f"that {counted(refused, 'question has', 'questions have')} to be refused"] if refused else []
    return [*notes, *lost(rows, golden, ("question", "answerable", "evidence", "reference", "persona"))]


def _sample(question: Question, texts: Mapping[str, str]) -> dict[str, Any]:
    spans = [span for group in question.evidence for span in group.alternatives]
    return {
        "user_input": question.text,
        "reference": question.reference,
        "reference_contexts": [texts[span.doc_id][span.start : span.end] for span in spans],
        "reference_context_ids": [span.doc_id for span in spans],
        "persona_name": question.persona or None,
    }
