"""Copies are marked, left out or named; what others may see, or what says something else, never is a copy."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from harness.corpus import duplicates
from harness.corpus.duplicates import Duplicates, copies, jaccard, shingles
from harness.types import Document
from tests.builders import document

WORDS = [f"word{number}" for number in range(100)]
TEXT = " ".join(WORDS)
"""100 words: 96 shingles of five."""


def changed(*places: int) -> str:
    """The text with other words at these places."""
    return " ".join(f"other{place}" if place in places else word for place, word in enumerate(WORDS))


def ids(found: object) -> list[str]:
    return [item.doc_id for item in found]  # type: ignore[attr-defined]


A, B, C = document("a", TEXT), document("b", TEXT), document("c", "Something else altogether, said once.")


@pytest.mark.parametrize(
    ("policy", "searched", "copy_of", "named"),
    [
        ("keep", ["c", "b", "a"], ["", "a", ""], [(), (), ()]),
        ("drop", ["c", "a"], ["", ""], [(), ()]),
        ("link", ["c", "a"], ["", ""], [(), ("b",)]),
    ],
)
def test_a_copy_is_kept_dropped_or_named_with_the_first_by_name(
    policy: str, searched: list[str], copy_of: list[str], named: list[tuple[str, ...]]
) -> None:
    found = Duplicates(policy, 1).apply([C, B, A])  # type: ignore[arg-type]
    assert ids(found) == searched
    assert [item.copy_of for item in found] == copy_of
    assert [item.copies for item in found] == named


@pytest.mark.parametrize(
    "fields",
    [
        {"tenant": "acme"},
        {"acl": ("ann",)},
        {"valid_from": "2026-01-01"},
        {"valid_to": "2026-01-01"},
        {"deleted_at": "2026-01-01"},
        {"version": "2"},
        {"series": "prices"},
    ],
    ids=lambda fields: next(iter(fields)),
)
@pytest.mark.parametrize("threshold", [1, 0.5])
def test_what_others_may_see_or_on_other_days_is_no_copy(fields: dict[str, object], threshold: float) -> None:
    assert copies([A, document("b", TEXT, **fields)], threshold) == {}


def test_two_documents_of_one_series_are_versions_and_no_copies() -> None:
    assert copies([document("a", TEXT, series="prices"), document("b", TEXT, series="prices")], 1) == {}


def test_the_order_of_an_access_list_does_not_matter() -> None:
    assert copies([document("a", TEXT, acl=("x", "y")), document("b", TEXT, acl=("y", "x"))], 1) == {"b": "a"}


@pytest.mark.parametrize(
    ("places", "similarity"),
    [((), 1.0), ((0,), 95 / 97), ((50,), 91 / 101), ((50, 52), 89 / 103), ((20, 50), 86 / 106), ((99,), 95 / 97)],
)
def test_similarity_is_the_share_of_common_runs_of_five_words(places: tuple[int, ...], similarity: float) -> None:
    assert jaccard(shingles(TEXT), shingles(changed(*places))) == pytest.approx(similarity)


@pytest.mark.parametrize(("threshold", "found"), [(1, {}), (0.91, {}), (0.9, {"b": "a"}), (0.5, {"b": "a"})])
def test_one_word_in_the_middle_of_a_hundred_is_a_copy_from_its_similarity_down(threshold: float, found: dict[str, str]) -> None:
    assert copies([A, document("b", changed(50))], threshold) == found  # 91 / 101 = 0.901


def test_a_chain_of_small_steps_joins_no_unlike_documents() -> None:
    chain = [document("a", TEXT), document("b", changed(20)), document("c", changed(20, 50))]  # a-b .90, b-c .90, a-c .81
    assert copies(chain, 0.9) == {"b": "a"}
    assert copies(chain, 0.8) == {"b": "a", "c": "a"}


def test_copies_of_a_near_copy_name_the_document_that_is_searched() -> None:
    twice = [document("a", TEXT), document("b", changed(50)), document("c", changed(50))]
    assert copies(twice, 0.9) == {"b": "a", "c": "a"}


def test_the_order_of_the_documents_decides_nothing() -> None:
    known = [document(f"d{place}", changed(*range(10, 10 + 2 * place, 2))) for place in range(8)]
    shuffled = random.Random(3).sample(known, len(known))
    assert copies(known, 0.8) == copies(shuffled, 0.8) == copies(list(reversed(known)), 0.8)


@pytest.mark.parametrize("text", ["---", "***", "…"])
def test_texts_without_a_word_are_copies_only_when_they_are_equal(text: str) -> None:
    assert copies([document("a", "-"), document("b", text)], 0.1) == {}
    assert copies([document("a", text), document("b", text)], 0.1) == {"b": "a"}


@pytest.mark.parametrize("one", ["Reset it.", "重置网关需要十秒钟。", "أعد ضبط البوابة"])
def test_a_text_shorter_than_a_shingle_in_any_script_has_near_copies(one: str) -> None:
    assert copies([document("a", one), document("b", f"  {one}\n")], 0.9) == {"b": "a"}


def test_nothing_and_one_document_have_no_copies() -> None:
    assert Duplicates().apply([]) == []
    assert copies([A], 0.5) == {}


def test_pairs_right_at_the_threshold_are_found_as_by_comparing_all() -> None:
    random_words = random.Random(5)
    known: list[Document] = []
    for number in range(60):
        own = random_words.choices(WORDS, k=80)
        known.append(document(f"a{number:02}", " ".join(own)))
        own[40] = "other"
        known.append(document(f"b{number:02}", " ".join(own)))
    pairs = [(known[place], known[place + 1]) for place in range(0, len(known), 2)]
    alike = {two.doc_id: one.doc_id for one, two in pairs if jaccard(shingles(one.text), shingles(two.text)) >= 0.87}
    assert len(alike) >= 50
    assert copies(known, 0.87) == alike


def _brute_force(known: list[Document], threshold: float) -> dict[str, str]:
    """Every document against all before it that are no copies, by sets of runs of five words."""
    runs = {
        item.doc_id: {tuple(item.text.split()[at : at + 5]) for at in range(max(1, len(item.text.split()) - 4))} for item in known
    }
    kept, found = list[str](), dict[str, str]()
    for item in sorted(known, key=lambda item: item.doc_id):
        own = runs[item.doc_id]
        like = (name for name in kept if len(own & runs[name]) / len(own | runs[name]) >= threshold)
        if name := next(like, ""):
            found[item.doc_id] = name
        else:
            kept.append(item.doc_id)
    return found


_TEXTS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=12).map(" ".join), max_size=12, unique=True)


@settings(max_examples=200, deadline=None)
@given(_TEXTS, st.sampled_from([0.1, 0.3, 0.5, 0.75, 0.9, 0.99]))
def test_a_small_corpus_has_the_copies_that_comparing_all_finds(texts: list[str], threshold: float) -> None:
    known = [document(f"d{number:02}", text) for number, text in enumerate(texts)]
    assert copies(known, threshold) == _brute_force(known, threshold)


def _of_one_template(number: int) -> list[Document]:
    """Documents that share 80 of their 96 words: each pair a little under 0.7 alike."""
    chance = random.Random(2)
    return [document(f"t{place:04}", " ".join(WORDS[:80] + chance.choices(WORDS, k=16))) for place in range(number)]


def test_a_document_is_held_against_fifty_others_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counter[bytes]()

    def noted(one: Any, other: Any) -> float:
        counted[one.tobytes()] += 1
        return jaccard(one, other)

    monkeypatch.setattr(duplicates, "jaccard", noted)
    assert copies(_of_one_template(300), 0.75) == {}
    assert len(counted) == 299
    assert max(counted.values()) == duplicates.COMPARED


def test_a_copy_is_found_among_many_that_are_almost_as_like() -> None:
    known = _of_one_template(400)
    again = [document(f"z{place:04}", f"{known[place].text} more") for place in range(0, 400, 10)]
    assert copies([*known, *again], 0.75) == {item.doc_id: f"t{item.doc_id[1:]}" for item in again}


def test_signatures_find_what_comparing_all_finds_in_a_larger_corpus() -> None:
    chance = random.Random(4)
    known: list[Document] = []
    for number in range(150):
        own = chance.choices(WORDS, k=60)
        known.append(document(f"a{number:03}", " ".join(own)))
        own[chance.randrange(60)] = "other"
        known.append(document(f"b{number:03}", " ".join(own)))
    found = copies(known, 0.8)
    assert len(found) > 100
    assert found == _brute_force(known, 0.8)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"policy": "merge"}, "policy"),
        ({"threshold": 0}, "threshold"),
        ({"threshold": 1.1}, "threshold"),
        ({"treshold": 1}, "tres"),
    ],
)
def test_a_wrong_setting_is_named(fields: dict[str, object], wrong: str) -> None:
    with pytest.raises(ValidationError, match=wrong):
        Duplicates(**fields)  # type: ignore[arg-type]
