import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from harness.embedding.tfidf_svd import FittedTfidfSvd, TfidfSvd
from harness.errors import StageError
from harness.retrieval.dense import Dense
from harness.text import words
from harness.types import Query
from tests.builders import chunk
from tests.contracts.embedder import TEXTS, EmbedderContract

ROOT = Path(__file__).parent.parent.parent
PASSAGES = [
    "The pump moves water to the tank.",
    "A pump and a valve move water.",
    "The valve opens at four bar.",
    "Refunds are paid within fourteen days.",
    "The refund is paid to your card.",
    "A return needs the receipt for the refund.",
]


class TestTfidfSvd(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> FittedTfidfSvd:
        return TfidfSvd().fit(TEXTS)


def cosines(fitted: FittedTfidfSvd, first: str, *others: str) -> list[float]:
    found: list[float] = (fitted.embed(others) @ fitted.embed([first])[0]).tolist()
    return found


def test_without_learning_it_embeds_nothing_and_says_what_to_do() -> None:
    for embed in (TfidfSvd().embed, TfidfSvd().embed_queries):
        with pytest.raises(StageError, match=r"must learn from the passages of an index before it embeds \(1 texts were given\)"):
            embed(["pump"])


def test_the_space_is_that_of_scikit_learn() -> None:
    tfidf = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True)
    reduced = TruncatedSVD(3, n_iter=20, random_state=1).fit_transform(tfidf.fit_transform(PASSAGES))
    expected = reduced / np.linalg.norm(reduced, axis=1, keepdims=True)
    found = TfidfSvd(dimension=4).fit(PASSAGES).embed(PASSAGES)
    assert found @ found.T == pytest.approx(expected @ expected.T, abs=1e-5)


def test_with_all_dimensions_cosines_are_those_of_tfidf() -> None:
    tfidf = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True).fit_transform(PASSAGES)
    found = TfidfSvd().fit(PASSAGES).embed(PASSAGES)
    assert found @ found.T == pytest.approx((tfidf @ tfidf.T).toarray(), abs=1e-6)


def test_words_that_occur_in_like_passages_come_together() -> None:
    """`tank` and `bar` share no passage, but the component of the pump and valve; the other one is that of the refund."""
    fitted = TfidfSvd(dimension=3).fit(["tank pump", "pump valve", "valve bar", "refund card", "card receipt"])
    assert cosines(fitted, "tank", "bar", "receipt") == pytest.approx([1.0, 0.0], abs=1e-6)


def test_the_vectors_are_no_longer_than_the_passages_span_and_the_identity_says_so() -> None:
    fitted = TfidfSvd(dimension=256).fit([*PASSAGES, PASSAGES[0]])
    assert fitted.embed(PASSAGES).shape == (6, 7)
    assert "at most 256 dimensions" in fitted.identity
    assert "7 dimensions, 28 words" in fitted.identity


@pytest.mark.parametrize("passages", [["pump"], ["pump", "pump"], ["pump valve"], ["k"], ["pump", "?!"]])
def test_the_smallest_corpora_still_have_a_space(passages: list[str]) -> None:
    fitted = TfidfSvd(dimension=2).fit(passages)
    assert fitted.embed(["pump k"]) @ fitted.embed_queries([passages[0]])[0] == pytest.approx([1.0])


@pytest.mark.parametrize("passages", [[], ["?!", "..."]])
def test_passages_without_a_word_are_an_error(passages: list[str]) -> None:
    with pytest.raises(StageError, match=f"none of {len(passages)} passages holds a word"):
        TfidfSvd().fit(passages)


@pytest.mark.parametrize("query", ["zebra xylophone", "?!", "東京"])
def test_a_query_of_unknown_words_finds_nothing_not_even_passages_of_unknown_words(query: str) -> None:
    fitted = TfidfSvd().fit(PASSAGES)
    chunks = [chunk(f"{place}.md", text=text) for place, text in enumerate([*PASSAGES, "zebra xylophone", "?!"])]
    assert Dense().index(chunks, fitted).search([Query(query)], 20)[0].hits == ()
    assert len(Dense().index(chunks, fitted).search([Query(f"pump {query}")], 20)[0].hits) > 0


def test_a_known_word_outside_the_learned_space_counts_as_unknown() -> None:
    """Nine passages of the pump and one of the harp: one component holds the pump alone."""
    fitted = TfidfSvd(dimension=2).fit(["pump"] * 9 + ["harp"])
    assert fitted.embed(["harp"]).tolist() == [[0.0, -1.0]]
    assert fitted.embed_queries(["harp", "pump"]).tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_it_learns_from_evenly_spaced_passages_only() -> None:
    fitted = TfidfSvd(sample=3).fit(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
    assert fitted.known == ("alpha", "epsilon", "gamma")


def test_it_knows_the_most_frequent_words_up_to_the_limit() -> None:
    assert TfidfSvd(max_features=2).fit(["pump valve", "pump valve", "pump hose"]).known == ("pump", "valve")


def test_identities_differ_by_parameter_and_by_what_was_learned() -> None:
    recipes = [TfidfSvd(), TfidfSvd(dimension=100), TfidfSvd(max_features=100), TfidfSvd(sample=100)]
    identities = [recipe.identity for recipe in recipes] + [recipe.fit(PASSAGES).identity for recipe in recipes]
    assert len({*identities, TfidfSvd().fit(PASSAGES[1:]).identity}) == 9
    assert TfidfSvd().fit(PASSAGES).identity == TfidfSvd().fit(list(PASSAGES)).identity


def test_what_was_learned_can_be_kept_and_taken_back() -> None:
    fitted = TfidfSvd().fit([*PASSAGES, "東京の天気 naïve"])
    restored = TfidfSvd().restore(fitted.learned)
    assert restored.identity == fitted.identity
    assert restored.learned == fitted.learned
    assert restored.embed_queries(["pump 東 zebra"]).tobytes() == fitted.embed_queries(["pump 東 zebra"]).tobytes()


def test_what_another_recipe_learned_is_refused() -> None:
    kept = TfidfSvd(dimension=100).fit(PASSAGES).learned
    with pytest.raises(
        StageError, match=r"is that of 'tfidf-svd, at most 100 .*, not of 'tfidf-svd, at most 256 .*build the index anew"
    ):
        TfidfSvd().restore(kept)


def npy(array: np.ndarray) -> bytes:
    from io import BytesIO

    kept = BytesIO()
    np.save(kept, array)
    return kept.getvalue()


@pytest.mark.parametrize("raw", [b"", b"PK", b"pickle?", npy(np.zeros(3))], ids=["empty", "cut", "text", "array"])
def test_bytes_that_are_no_learning_are_refused(raw: bytes) -> None:
    with pytest.raises(StageError, match="cannot be read"):
        TfidfSvd().restore(raw)


def test_no_damage_to_what_was_learned_goes_unseen() -> None:
    fitted = TfidfSvd().fit(PASSAGES)
    for place in range(0, len(fitted.learned), 7):
        damaged = bytearray(fitted.learned)
        damaged[place] ^= 0x55
        try:
            assert TfidfSvd().restore(bytes(damaged)).identity == fitted.identity
        except StageError:
            continue


def test_parts_that_do_not_fit_together_are_refused() -> None:
    fitted = TfidfSvd().fit(PASSAGES)
    odd = FittedTfidfSvd(fitted.recipe, fitted.known[1:], fitted.idf, fitted.components)
    with pytest.raises(StageError, match="do not fit together"):
        TfidfSvd().restore(odd.learned)


SCRIPT = """
from benchmarks.material import texts
from harness.embedding.tfidf_svd import TfidfSvd
passages = texts(400, 60)
fitted = TfidfSvd(dimension=64).fit(passages)
print(fitted.identity, fitted.embed(passages)[::50].tobytes().hex())
"""


def test_the_number_of_threads_changes_no_bit() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(printed) == 1
    assert "64 dimensions" in printed.pop()


@pytest.mark.parametrize("field", ["dimension", "max_features", "sample"])
@pytest.mark.parametrize("value", [0, -5, "many"])
def test_a_bad_number_is_an_error_that_names_the_field(field: str, value: object) -> None:
    with pytest.raises(ValidationError, match=field):
        TfidfSvd(**{field: value})  # type: ignore[arg-type]
