"""What every fuser must do. Subclass it and give the fixture `fuser`."""

from harness.protocols import Fuser
from harness.types import Ranking
from tests.builders import chunk, ranking


def named(*rankings: Ranking) -> dict[str, Ranking]:
    """Rankings by a name each."""
    return {f"channel {place}": item for place, item in enumerate(rankings)}


A, B, C, D = (chunk(f"{name}.md") for name in "abcd")


class FuserContract:
    def test_nothing_fused_is_nothing(self, fuser: Fuser) -> None:
        assert fuser.fuse(named()) == Ranking()
        assert fuser.fuse(named(Ranking(), Ranking())) == Ranking()

    def test_it_keeps_every_chunk_once(self, fuser: Fuser) -> None:
        fused = fuser.fuse(named(ranking(A, B, C), ranking(C, D)))
        assert sorted(hit.chunk.span.doc_id for hit in fused.hits) == ["a.md", "b.md", "c.md", "d.md"]

    def test_a_single_ranking_keeps_its_order(self, fuser: Fuser) -> None:
        assert [hit.chunk for hit in fuser.fuse(named(ranking(C, A, B))).hits] == [C, A, B]

    def test_an_empty_ranking_changes_nothing(self, fuser: Fuser) -> None:
        assert fuser.fuse(named(ranking(A, B), Ranking())) == fuser.fuse(named(ranking(A, B)))

    def test_what_both_rank_first_comes_first(self, fuser: Fuser) -> None:
        assert fuser.fuse(named(ranking(B, A, C), ranking(B, C, A))).hits[0].chunk == B

    def test_the_order_of_the_rankings_does_not_matter(self, fuser: Fuser) -> None:
        rankings = named(ranking(A, B, C, D), ranking(D, C, A), ranking(B, D))
        assert fuser.fuse(rankings) == fuser.fuse(dict(reversed(rankings.items())))

    def test_two_equal_rankings_keep_their_order(self, fuser: Fuser) -> None:
        assert [hit.chunk for hit in fuser.fuse(named(ranking(C, A, B), ranking(C, A, B))).hits] == [C, A, B]
