"""What BM25 says of an index whose scores mean little."""

import pytest
from rank_bm25 import BM25Okapi

from harness.errors import StageError
from harness.retrieval.sparse import BM25, BM25Index
from harness.retrieval.tokenizers import tokenize
from tests.retrieval.test_sparse import built, chunks_of, scores

FAULTY = ["a1 b1", "a1 b1", "a1 b1", "c1"]
"""rank_bm25 ranks the three texts that hold a1 and b1 below the one that does not."""


def notices(texts: list[str], **recipe: object) -> tuple[str, ...]:
    index = built(texts, **recipe)
    assert isinstance(index, BM25Index)
    return index.notices


@pytest.mark.parametrize("engine", ["fast", "rank_bm25"])
def test_a_negative_mean_idf_is_named_with_its_value_and_a_remedy(engine: str) -> None:
    assert list(BM25Okapi(tokenize("plain", FAULTY)).get_scores(["a1", "b1"]))[3] == 0.0
    (notice,) = notices(FAULTY, engine=engine)
    assert notice.startswith("C007: the mean idf of Okapi is -0.282 over 4 chunks, so rank_bm25 would rank chunks")
    assert "such a word counts 1e-30" in notice
    assert "variant=plus" in notice


def test_the_remedy_helps() -> None:
    assert notices(FAULTY, variant="plus") == notices(FAULTY, variant="l") == ()
    assert set(scores(built(FAULTY, variant="plus"), "a1 b1")) == {"0.md", "1.md", "2.md"}


@pytest.mark.parametrize(("count", "said"), [(1, "there is 1"), (2, "there are 2")])
@pytest.mark.parametrize("variant", ["plus", "l"])
def test_fewer_than_three_chunks_are_named(count: int, said: str, variant: str) -> None:
    (notice,) = notices(["pump red", "valve blue"][:count], variant=variant)
    assert notice == f"C007: BM25 needs 3 or more chunks to give meaningful idf, {said}; every ranking is nearly right by chance"


def test_three_chunks_without_common_words_give_no_notice() -> None:
    assert notices(["pump red", "valve blue", "hose green"]) == ()


def test_chunks_that_no_word_finds_are_named() -> None:
    (notice,) = notices(["?!", "pump red", "valve blue", "hose", "..."])
    assert (
        notice
        == "C006: tokenizer 'stemmed' gives no token for 2 of 5 chunks: '0.md', '4.md'; BM25 never finds them by their text"
    )


def test_half_of_the_chunks_without_a_word_is_a_notice_and_more_an_error() -> None:
    assert notices(["?!", "...", "pump red", "valve blue"])[0].startswith("C006: tokenizer 'stemmed' gives no token for 2 of 4")
    with pytest.raises(StageError) as caught:
        BM25().index(chunks_of(["?!", "...", "!!!", "--", "pump red", "valve blue"]), None)  # type: ignore[arg-type]
    (problem,) = caught.value.problems
    assert problem.code == "C006"
    assert problem.what == "tokenizer 'stemmed' gives no token for 4 of 6 chunks: '0.md', '1.md', '2.md', ..."
    assert "another tokenizer" in problem.fix
