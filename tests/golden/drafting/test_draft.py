"""Drafts as lines of the review file, on the shipped corpora too."""

import json
from collections import Counter
from pathlib import Path

import pytest

from harness.golden.drafting.candidates import draft_fields
from harness.golden.drafting.draft import by_rules, drafts
from harness.golden.drafting.material import Material
from harness.golden.drafting.target import read_target
from harness.golden.questions import read_question
from harness.golden.writing import question_line
from harness.jsonl import Row
from harness.resources import shipped_root

SETS = [
    path.name
    for path in (shipped_root() / "golden_sets").iterdir()
    if (path / "corpus").is_dir() and path.name in ("fernhill", "smoke")
]


@pytest.mark.parametrize("name", sorted(SETS))
def test_every_candidate_of_a_shipped_corpus_is_a_sound_question_whose_evidence_its_asker_sees(name: str) -> None:
    target = read_target(shipped_root() / "golden_sets" / name, Path("none"))
    material = Material(tuple(target.documents.values()), target.as_of)
    found = by_rules(material)
    lines = [draft_fields(item, target.documents, ()) for item in found]
    assert len(found) > 100
    for fields in lines:
        assert fields is not None
        row = Row("drafts.jsonl:1", json.loads(question_line(fields)))
        question, problems = read_question(row, target.documents, target.as_of)
        assert not problems
        assert question is not None
        assert question.text.endswith("?")


def test_drafts_of_the_shipped_set_are_new_and_mixed_and_none_is_made_of_an_outdated_document() -> None:
    target = read_target(shipped_root() / "golden_sets" / "fernhill", Path("none"))
    material = Material(tuple(target.documents.values()), target.as_of)
    candidates = by_rules(material)
    made = drafts(candidates, material, target.earlier, 40)
    cited = {place["doc"] for draft in made for group in draft.get("evidence", []) for place in group}
    assert len({draft["id"] for draft in made}) == 40
    assert "firmware/gw12-fw-3-1.md" not in cited
    assert not {row["question"] for row in target.questions} & {draft["question"] for draft in made}
    assert Counter(draft["kind"] == "unanswerable" for draft in made) == {False: 30, True: 10}
    again = drafts(candidates, material, [*target.earlier, *made], 40)
    assert not {draft["question"] for draft in again} & {draft["question"] for draft in made}
