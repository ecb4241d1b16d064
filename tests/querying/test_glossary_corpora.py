"""What the glossary learns of whole corpora: real documentation and fernhill, against entries read by hand."""

import json
from collections.abc import Iterator
from functools import cache

import pytest

from harness.golden.golden_set import load
from harness.querying.glossary import Glossary, LearnedGlossary
from harness.querying.glossary_definitions import definitions
from harness.resources import shipped_root
from harness.types import Document, Query
from tests.builders import question
from tests.golden.public import public

READ_BY_HAND = {
    ("AP", "average precision"),
    ("BM25+AX", "BM25 with axiomatic semantic term matching"),
    ("BM25+RM3", "BM25 with RM3"),
    ("MitM", "man-in-the-middle"),
    ("NSERC", "Natural Sciences and Engineering Research Council"),
    ("RQ", "Redis Queue"),
    ("RRF", "Reciprocal Rank Fusion"),
}
"""All that 137 pages of documentation of hydra, requests and anserini define, and nothing else."""

FERNHILL = {"reference/abbreviations.md": 87, "reference/glossary.md": 31}
"""Definitions by document."""
EXPLAINED_ONLY = {"reference/abbreviations.md": ["dBi", "LB and RB"], "reference/glossary.md": []}
"""Lines whose meaning is a sentence, or that explain two at once."""


@cache
def real_docs() -> tuple[Document, ...]:
    rows = map(json.loads, (public("real_docs") / "corpus.jsonl").read_text("utf-8").splitlines())
    return tuple(Document(row["_id"], row["text"], title=row.get("title", "")) for row in rows)


def squad() -> Iterator[str]:
    for line in (public("squad2_halfdev") / "queries.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)["text"]


@cache
def learned() -> LearnedGlossary:
    return Glossary().learn(real_docs(), ())


def asked(text: str) -> str:
    (query,) = learned().transform(question(text=text), [Query(text)])
    return query.text


@pytest.mark.public_data
def test_of_real_documentation_only_what_it_defines_is_learned() -> None:
    assert {pair for document in real_docs() for pair in definitions(document)} == READ_BY_HAND


@pytest.mark.public_data
def test_no_question_about_other_things_is_changed_by_the_glossary_of_real_documentation() -> None:
    questions = list(squad())
    assert len(questions) > 3_000
    assert [text for text in questions if asked(text) != text] == []


@pytest.mark.public_data
@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("What is the name of the config file?", "What is the name of the config file?"),
        ("How do I set the job title and id?", "How do I set the job title and id?"),
        ("How is RRF computed?", "How is RRF (Reciprocal Rank Fusion) computed?"),
        ("What is reciprocal rank fusion?", "What is reciprocal rank fusion (RRF)?"),
    ],
)
def test_questions_about_real_documentation_get_what_it_defines_and_no_settings_of_its_examples(text: str, expanded: str) -> None:
    assert asked(text) == expanded


def fernhill() -> dict[str, list[tuple[str, str]]]:
    """Definitions by document, of those that hold any."""
    found = {item.doc_id: list(definitions(item)) for item in load(shipped_root() / "golden_sets" / "fernhill").documents}
    return {doc_id: pairs for doc_id, pairs in found.items() if pairs}


def test_of_fernhill_the_two_lists_of_abbreviations_are_learned_and_nothing_else() -> None:
    assert {doc_id: len(pairs) for doc_id, pairs in fernhill().items()} == FERNHILL


def test_every_line_of_fernhills_lists_is_learned_whose_meaning_is_short_enough() -> None:
    documents = {item.doc_id: item.text for item in load(shipped_root() / "golden_sets" / "fernhill").documents}
    for doc_id, pairs in fernhill().items():
        listed = [line[2:].partition(": ")[0] for line in documents[doc_id].split("\n") if line.startswith("- ")]
        assert [term for term in listed if term not in dict(pairs)] == EXPLAINED_ONLY[doc_id]


def test_meanings_of_fernhill_are_what_the_lists_say() -> None:
    found = dict(pair for pairs in fernhill().values() for pair in pairs)
    wanted = {
        "MTBF": "mean time between failures",
        "IK": "impact rating of a housing",
        "PoE": "power over Ethernet",
        "SDE": "standard deviation of the echo",
    }
    assert wanted.items() <= found.items()
