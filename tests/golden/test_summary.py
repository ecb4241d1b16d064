"""A golden set in numbers, counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

from harness.golden.golden_set import GoldenSet, load
from harness.golden.summary import Count, EvidenceFacts, Groups, Leaks, Reach, shown_if_all_right, smallest_fall, summarise
from harness.golden.unreachable import Cut, cut
from harness.types import Span
from tests.builders import chunk
from tests.golden.folders import FILTER, refusal, row, write

PROBE = {"doc": "aq.md", "quote": "The probe lasts 9 months."}
NORTH = {"doc": "north.md", "quote": "North pays 5 euros."}


@pytest.fixture
def golden(tmp_path: Path) -> GoldenSet:
    """Five questions: one in tune, two to be refused, one over two documents."""
    rows = [
        row(id="a", question="How long does the filter last?", group="g", tags=["lang:de", "hard"]),
        row(id="b", question="How long does the probe last?", group="g", evidence=[[PROBE]], kind="table", split="tune"),
        row(
            id="c",
            question="What does North pay, and how long?",
            group="h",
            kind="multi_hop",
            evidence=[[FILTER, PROBE], [NORTH]],
            persona="north",
            as_of="2025-05-01",
        ),
        refusal(id="d", question="What will it cost in 2030?", group="h", tags=["language=en-GB"]),
        refusal(id="e", question="Who sings?", refusal_reason="out_of_corpus", group="i"),
    ]
    return load(write(tmp_path / "set", rows))


def test_questions_are_counted_by_kind_reason_and_split(golden: GoldenSet) -> None:
    found = summarise(golden)
    assert (found.name, found.version, found.documents, found.questions) == ("set", 1, 2, Count(5, 1, 4))
    assert found.kinds == {
        "factoid": Count(1, 0, 1),
        "multi_hop": Count(1, 0, 1),
        "table": Count(1, 1, 0),
        "unanswerable": Count(2, 0, 2),
    }
    assert (found.answerable, found.unanswerable) == (Count(3, 1, 2), Count(2, 0, 2))
    assert found.reasons == {"future": Count(1, 0, 1), "out_of_corpus": Count(1, 0, 1)}


def test_groups_are_worth_fewer_clusters_than_there_are_when_sizes_differ(golden: GoldenSet) -> None:
    groups = summarise(golden).groups
    assert groups["all"] == Groups(3, "g", 2, pytest.approx(25 / 9))
    assert groups["tune"] == Groups(1, "g", 1, 1.0)
    assert groups["test"] == Groups(3, "h", 2, pytest.approx(16 / 6))


def test_evidence_is_measured_in_characters_and_tokens(golden: GoldenSet) -> None:
    assert summarise(golden).evidence == EvidenceFacts(
        pieces=4, places=5, several=1, documents=1, whole=1, characters=Reach(19, 25.0, 26), tokens=Reach(5, 6.0, 6)
    )


def test_evidence_that_names_a_whole_document_is_counted(tmp_path: Path) -> None:
    golden = load(write(tmp_path / "set", [row(evidence=[[{"doc": "aq.md"}, FILTER]])]))
    assert summarise(golden).evidence.whole == 1


def test_two_pieces_that_one_document_can_give_need_no_second_one(tmp_path: Path) -> None:
    other = {"doc": "north.md", "quote": "5 euros"}
    rows = [row(evidence=[[FILTER, other], [PROBE]], persona="north", as_of="2025-05-01")]
    facts = summarise(load(write(tmp_path / "set", rows))).evidence
    assert (facts.several, facts.documents) == (1, 0)


def test_a_set_of_refusals_has_no_evidence(tmp_path: Path) -> None:
    found = summarise(load(write(tmp_path / "set", [refusal()])))
    assert (found.evidence.characters, found.overlap.n, found.unasked) == (None, 0, ("aq.md", "north.md"))


def test_languages_come_from_tags_or_else_from_the_card(golden: GoldenSet, tmp_path: Path) -> None:
    assert summarise(golden).languages == {"de": 1, "en-GB": 1}
    assert summarise(load(write(tmp_path / "plain", card={"languages": ["fr", "de"]}))).languages == {"de": 0, "fr": 0}


def test_overlap_is_told_for_all_and_by_kind(golden: GoldenSet) -> None:
    found = summarise(golden)
    assert found.overlap.n == 3
    assert found.overlap_by_kind["factoid"].median == pytest.approx(2 / 3)
    assert "unanswerable" not in found.overlap_by_kind


@pytest.mark.parametrize(
    ("tags", "languages"),
    [
        (["de"], {"de": 1}),
        (["hard", "zh", "list"], {"zh": 1}),
        (["de", "lang:de"], {"de": 1}),
        (["de", "zh"], {"de": 1, "zh": 1}),
        (["en"], {"de": 0, "zh": 0}),
        (["lang:en"], {"en": 1}),
        (["DE"], {"de": 0, "zh": 0}),
    ],
)
def test_a_tag_that_is_a_language_of_the_card_counts_as_one(tmp_path: Path, tags: list[str], languages: dict[str, int]) -> None:
    golden = load(write(tmp_path / "set", [row(tags=tags)], {"languages": ["de", "zh"]}))
    assert summarise(golden).languages == languages


@pytest.mark.parametrize(
    ("fields", "unasked"),
    [
        ({}, ("north.md",)),
        ({"group": "north.md"}, ()),
        ({"forbid": [{"doc": "north.md"}]}, ()),
    ],
)
def test_a_document_is_asked_about_as_evidence_as_forbidden_or_as_a_group(
    tmp_path: Path, fields: dict[str, object], unasked: tuple[str, ...]
) -> None:
    assert summarise(load(write(tmp_path / "set", [row(**fields)]))).unasked == unasked


def test_near_copies_are_named(tmp_path: Path) -> None:
    rows = [row(id="a", split="tune"), row(id="b"), row(id="c", question="Another thing?"), row(id="d")]
    found = summarise(load(write(tmp_path / "set", rows)))
    assert found.near_copies == found.leaks.copies == (("a", "b", "d"),)


def test_near_copies_are_looked_for_on_the_day_of_the_card(tmp_path: Path) -> None:
    rows = [row(id="a", group="g"), row(id="b", group="h", as_of="2026-01-01")]
    assert summarise(load(write(tmp_path / "same", rows, {"as_of": "2026-01-01"}))).near_copies == (("a", "b"),)
    assert summarise(load(write(tmp_path / "other", rows, {"as_of": "2026-01-02"}))).near_copies == ()


def test_what_leaks_is_named_by_group_and_place(tmp_path: Path) -> None:
    rows = [
        row(id="a", question="How long does it last?", group="g", split="tune"),
        row(id="b", question="May I wash it?", group="g", evidence=[[PROBE]]),
        row(id="c", question="What to replace when?", group="h", evidence=[[{"doc": "aq.md", "quote": "filter lasts"}]]),
    ]
    leaks = summarise(load(write(tmp_path / "set", rows))).leaks
    assert leaks == Leaks((), ("g",), (Span("aq.md", 6, 32),))
    assert not leaks.tight
    assert summarise(load(write(tmp_path / "one", rows[1:]))).leaks.tight


@pytest.mark.parametrize(
    ("chunks", "split", "unreachable"),
    [
        ([(0, 40), (40, 90)], (), ()),
        ([(0, 20), (20, 90)], ("q1 evidence[0]",), ()),
        ([(0, 20), (8, 90)], (), ()),
        ([(0, 20), (10, 90)], ("q1 evidence[0]",), ()),
        ([(0, 8), (30, 90)], (), ("q1 evidence[0]",)),
        ([(0, 31), (31, 90)], (), ()),
    ],
)
def test_a_quote_is_whole_split_or_out_of_reach_of_a_chunker(
    tmp_path: Path, chunks: list[tuple[int, int]], split: tuple[str, ...], unreachable: tuple[str, ...]
) -> None:
    golden = load(write(tmp_path / "set"))
    assert cut(golden, [chunk("aq.md", *span) for span in chunks]) == Cut(1, split, unreachable)


def test_an_alternative_in_one_chunk_makes_up_for_a_split_one(tmp_path: Path) -> None:
    golden = load(write(tmp_path / "set", [row(evidence=[[FILTER, PROBE]])]))
    assert cut(golden, [chunk("aq.md", 0, 20), chunk("aq.md", 20, 90)]).split == ()


@pytest.mark.parametrize("n", [1, 6, 12, 29, 30, 51, 500])
def test_the_rate_that_n_of_n_show_is_the_exact_lower_bound(n: int) -> None:
    oracle = binomtest(n, n, alternative="greater").proportion_ci(0.95, "exact").low
    assert shown_if_all_right(n) == pytest.approx(oracle)


def test_thirty_of_thirty_show_905() -> None:
    assert round(shown_if_all_right(30), 3) == 0.905
    assert round(shown_if_all_right(6), 2) == 0.61
    assert shown_if_all_right(0) == 0.0


@pytest.mark.parametrize(("n", "rate", "alpha"), [(155, 0.5, 0.05), (80, 0.9, 0.01), (400, 0.9, 0.05)])
def test_a_test_of_two_proportions_sees_the_smallest_fall_four_times_in_five(n: int, rate: float, alpha: float) -> None:
    fall = smallest_fall(n, rate, alpha)
    assert fall is not None
    right = np.arange(n + 1)
    before, after = right[:, None] / n, right[None] / n
    pooled = (before + after) / 2
    spread = np.sqrt(np.maximum(2 * pooled * (1 - pooled) / n, 1e-12))
    seen = (before - after) / spread > norm.ppf(1 - alpha)
    chances = np.outer(binom.pmf(right, n, rate), binom.pmf(right, n, rate - fall))
    assert chances[seen].sum() == pytest.approx(0.8, abs=0.03)


def test_more_questions_show_smaller_falls_and_too_few_show_none() -> None:
    falls = [smallest_fall(n, 0.9, 0.01) for n in (5_000, 500, 50)]
    assert falls == sorted(fall for fall in falls if fall is not None)
    assert smallest_fall(2, 0.9, 0.01) is None
    assert smallest_fall(0, 0.9, 0.01) is None
