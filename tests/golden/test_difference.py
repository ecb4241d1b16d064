"""What changed between two versions of a golden set."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.golden.difference import Change, Difference, DocumentChange, Move, compare, read_version
from harness.golden.writing import renew_card
from tests.golden.folders import CORPUS, FILTER, row, write

PROBE = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
NEVER = {"doc": "aq.md", "quote": "Never wash it.", "start": 33}
OLD = [row(id="a"), row(id="b", question="Which probe?", evidence=[[FILTER, PROBE]]), row(id="c", evidence=[[NEVER]])]


def changed(folder: Path, rows: list[dict[str, Any]], **documents: str | None) -> Difference:
    """From OLD to these rows; a document of None is deleted, others are written (`aq` is aq.md)."""
    old, new = write(folder / "old", OLD), write(folder / "new", rows)
    for name, text in documents.items():
        path = new / "corpus" / f"{name}.md"
        path.unlink() if text is None else path.write_text(text)
    return compare(read_version(old), read_version(new))


def test_equal_versions_differ_in_nothing(tmp_path: Path) -> None:
    found = changed(tmp_path, OLD)
    assert found == Difference((), (), (), {}, {}, (), (), {}, {}, (), False)


def test_questions_are_added_removed_and_retired(tmp_path: Path) -> None:
    found = changed(tmp_path, [row(id="a", retired=True), OLD[2], row(id="z"), row(id="d")])
    assert (found.added, found.removed, found.retired, found.edited) == (("z", "d"), ("b",), ("a",), {})
    assert found.contents_changed


def test_a_question_taken_back_into_use_is_an_edit(tmp_path: Path) -> None:
    old, new = (
        write(tmp_path / "old", [row(id="a", retired=True), row(id="b")]),
        write(tmp_path / "new", [row(id="a"), row(id="b")]),
    )
    assert compare(read_version(old), read_version(new)).edited == {"a": (Change("retired", True, None),)}


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ({"question": "How long then?"}, (Change("question", "How long?", "How long then?"),)),
        ({"split": "tune", "tags": ["x"]}, (Change("split", "test", "tune"), Change("tags", None, ["x"]))),
        ({"split": None, "tags": []}, ()),
        ({"evidence": [[PROBE]]}, (Change("evidence[0][0].quote", FILTER["quote"], PROBE["quote"]),)),
        ({"evidence": [[FILTER, PROBE]]}, (Change("evidence[0][1]", None, PROBE["quote"]),)),
        ({"evidence": [[{"doc": "aq.md"}]]}, (Change("evidence[0][0].quote", FILTER["quote"], "aq.md"),)),
        ({"forbid": [{"doc": "north.md"}]}, (Change("forbid[0]", None, "north.md"),)),
    ],
)
def test_an_edited_question_says_which_fields_were_what(
    tmp_path: Path, fields: dict[str, Any], changes: tuple[Change, ...]
) -> None:
    found = changed(tmp_path, [row(id="a", **fields), *OLD[1:]])
    assert found.edited == ({"a": changes} if changes else {})
    assert found.moved == {}


def test_a_quote_that_stands_elsewhere_because_its_document_changed_has_moved(tmp_path: Path) -> None:
    found = changed(tmp_path, [OLD[0], OLD[1]], aq="Before.\n\n" + CORPUS["aq.md"])
    assert found.edited == {}
    assert found.moved == {
        "a": (Move("evidence[0][0]", "aq.md 6", "aq.md 15"),),
        "b": (Move("evidence[0][0]", "aq.md 6", "aq.md 15"), Move("evidence[0][1]", "aq.md 49", "aq.md 58")),
    }


def test_a_quote_whose_document_has_another_name_now_has_moved(tmp_path: Path) -> None:
    rows = [row(id="a", evidence=[[{**FILTER, "doc": "aq2.md"}]])]
    found = changed(tmp_path, rows, aq=None, aq2=CORPUS["aq.md"])
    assert (found.edited, found.moved) == ({}, {"a": (Move("evidence[0][0]", "aq.md", "aq2.md"),)})
    assert (found.documents_renamed, found.documents_added, found.documents_removed) == ({"aq.md": "aq2.md"}, (), ())


def test_the_same_quote_of_another_document_is_an_edit_while_the_first_is_there(tmp_path: Path) -> None:
    found = changed(tmp_path, [row(id="a", evidence=[[{**FILTER, "doc": "copy.md"}]]), *OLD[1:]], copy=CORPUS["aq.md"])
    assert found.edited == {"a": (Change("evidence[0][0].doc", "aq.md", "copy.md"),)}


def test_another_occurrence_in_an_unchanged_document_is_an_edit(tmp_path: Path) -> None:
    found = changed(tmp_path, [*OLD[:2], row(id="c", evidence=[[{**NEVER, "start": 75}]])])
    assert found.edited == {"c": (Change("evidence[0][0].start", 33, 75),)}


def test_a_hint_that_leads_to_the_same_place_is_no_change(tmp_path: Path) -> None:
    place = {"doc": "aq.md", "quote": "Never wash it.", "prefix": "6 months."}
    found = changed(tmp_path, [*OLD[:2], row(id="c", evidence=[[place]])])
    assert (found.edited, found.moved) == ({}, {})


def test_documents_are_added_removed_and_edited_in_text_or_in_what_they_say_of_themselves(tmp_path: Path) -> None:
    north = CORPUS["north.md"].replace("2026-01-01", "2027-01-01")
    found = changed(tmp_path, OLD, aq=CORPUS["aq.md"].replace("9 months", "19 months"), north=north, extra="New text.\n")
    assert (found.documents_added, found.documents_removed) == (("extra.md",), ())
    assert found.documents_edited == {
        "aq.md": DocumentChange(1, pytest.approx(1 - 1 / (2 * len(CORPUS["aq.md"]) + 1)), ()),
        "north.md": DocumentChange(0, 1.0, ("valid_to",)),
    }


@pytest.mark.parametrize(
    ("gone", "come", "renamed"),
    [
        (["a"], ["b"], {"a.md": "b.md"}),
        (["a", "b"], ["c"], {}),
        (["a"], ["b", "c"], {}),
        (["a", "b"], ["c", "d"], {}),
    ],
)
def test_documents_are_called_renamed_only_where_it_is_clear_which_became_which(
    tmp_path: Path, gone: list[str], come: list[str], renamed: dict[str, str]
) -> None:
    old, new = write(tmp_path / "old", OLD), write(tmp_path / "new", OLD)
    for folder, names in ((old, gone), (new, come)):
        for name in names:
            (folder / "corpus" / f"{name}.md").write_text("The same words.\n")
    found = compare(read_version(old), read_version(new))
    assert found.documents_renamed == renamed
    assert found.documents_removed == (() if renamed else tuple(f"{name}.md" for name in gone))
    assert found.documents_added == (() if renamed else tuple(f"{name}.md" for name in come))


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([[FILTER], [PROBE]], [[PROBE]], (Change("evidence[0][0]", FILTER["quote"], None),)),
        ([[PROBE]], [[FILTER], [PROBE]], (Change("evidence[0][0]", None, FILTER["quote"]),)),
        ([[FILTER, PROBE]], [[PROBE, FILTER]], ()),
        ([[FILTER], [PROBE]], [[PROBE], [FILTER]], ()),
        ([[FILTER], [PROBE]], [[FILTER, PROBE]],
         (Change("evidence[0][1]", None, PROBE["quote"]), Change("evidence[1][0]", PROBE["quote"], None))),
        ([[FILTER, PROBE]], [[PROBE, NEVER]], (Change("evidence[0][1].quote", FILTER["quote"], NEVER["quote"]),)),
    ],
)  # fmt: skip
def test_of_a_list_of_evidence_only_what_it_says_now_and_did_not_say_is_an_edit(
    tmp_path: Path, before: Any, after: Any, changes: tuple[Change, ...]
) -> None:
    old, new = write(tmp_path / "old", [row(evidence=before)]), write(tmp_path / "new", [row(evidence=after)])
    found = compare(read_version(old), read_version(new))
    assert found.edited == ({"q1": changes} if changes else {})
    assert found.moved == {}


def test_reordered_evidence_of_an_edited_document_has_moved_and_nothing_more(tmp_path: Path) -> None:
    found = changed(
        tmp_path, [OLD[0], row(id="b", question="Which probe?", evidence=[[PROBE, FILTER]])], aq=f"On.\n\n{CORPUS['aq.md']}"
    )
    assert found.edited == {}
    assert set(found.moved["b"]) == {
        Move("evidence[0][1]", "aq.md 6", "aq.md 11"),
        Move("evidence[0][0]", "aq.md 49", "aq.md 54"),
    }


def test_a_card_that_changes_scores_is_a_change_of_contents(tmp_path: Path) -> None:
    old = write(tmp_path / "old" / "set", card={"as_of": "2025-01-01"})
    new = write(tmp_path / "new" / "set", card={"as_of": "2025-02-01", "defaults": {"coverage": 1.0}, "purpose": "other"})
    found = compare(read_version(old), read_version(new))
    assert found.card == (Change("as_of", "2025-01-01", "2025-02-01"), Change("coverage", 0.9, 1.0))
    assert found.contents_changed


def test_a_version_without_faults_says_so_and_has_the_digests_of_its_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", OLD)
    version = read_version(folder)
    assert (version.faults, version.name, version.card.version) == ((), "set", 1)
    (folder / "questions.jsonl").write_text(json.dumps(row(id="other")) + "\n")
    renew_card(folder)
    assert read_version(folder).card.version == 2
    assert read_version(folder).digests["questions_sha256"] != version.digests["questions_sha256"]


def test_versions_that_do_not_load_are_compared_as_written_with_their_faults(tmp_path: Path) -> None:
    old = write(tmp_path / "old", OLD)
    data = b'{"id": "a", "question": "Edited", "kind": 5}\nno json\n{"question": "without an id"}\n{"id": "a", "question": "again"}\n'
    new = read_version(write(tmp_path / "new", data))
    assert {"G002", "G005", "G006"} <= {fault.code for fault in new.faults}
    found = compare(read_version(old), new)
    assert found.removed == ("b", "c")
    assert Change("question", "How long?", "Edited") in found.edited["a"]
    assert Change("kind", "factoid", 5) in found.edited["a"]


def test_a_corpus_that_does_not_load_leaves_documents_uncompared(tmp_path: Path) -> None:
    found = changed(tmp_path, [row(id="a", evidence=[[{**FILTER, "prefix": "AQ"}]]), *OLD[1:]], aq="")
    assert (found.documents_added, found.documents_removed, found.documents_edited) == ((), (), {})
    assert found.moved == {"a": (Move("evidence[0][0]", "aq.md", "aq.md"),)}
    assert found.contents_changed


def test_evidence_of_a_wrong_shape_is_compared_as_it_is(tmp_path: Path) -> None:
    found = changed(tmp_path, [row(id="a", evidence="words"), row(id="b", evidence=[[{"doc": 3, "quote": ["x"]}]]), OLD[2]])
    assert Change("evidence", FILTER["quote"], "words") in found.edited["a"]
    assert Change("evidence[0][0].quote", FILTER["quote"], ["x"]) in found.edited["b"]
