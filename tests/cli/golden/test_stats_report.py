"""How `harness golden stats` looks."""

from dataclasses import replace

import pytest

from harness.cli.golden.difficulty import Difficulty
from harness.cli.golden.stats_report import Shown, report, warnings
from harness.golden.overlap import Overlap
from harness.golden.summary import Count, EvidenceFacts, Groups, Leaks, Reach, Summary
from harness.golden.unreachable import Cut
from harness.reporting.terminal import plain_text
from harness.types import Span

SUMMARY = Summary(
    name="demo",
    version=3,
    documents=12,
    questions=Count(1_230, 400, 830),
    kinds={"factoid": Count(1_000, 400, 600), "table": Count(3, 0, 3), "unanswerable": Count(227, 0, 227)},
    answerable=Count(1_003, 400, 603),
    unanswerable=Count(227, 0, 227),
    reasons={"future": Count(30, 0, 30), "unsafe": Count(197, 0, 197)},
    languages={"de": 4, "en": 1_226},
    groups={"all": Groups(40, "aq210", 90, 31.25)},
    evidence=EvidenceFacts(1_100, 1_200, 90, 0, 7, Reach(4, 61.5, 1_480), Reach(1, 14.0, 300)),
    overlap=Overlap(1_003, 0.5, ("q7",)),
    overlap_by_kind={"factoid": Overlap(1_000, 0.5, ("q7",)), "table": Overlap(3, 0.25, ())},
    near_copies=(("q1", "q2"),),
    leaks=Leaks((("q1", "q2"),), ("aq210",), (Span("a.md", 3, 9),)),
    unasked=tuple(f"d{number}.md" for number in range(12)),
)
TEXTS = {"q1": "How long does it last?", "q2": "How long does\x1b[31m IT last?"}
SOLVED = tuple(f"q{number}" for number in range(10, 990))
DIFFICULTY = Difficulty(
    n=1_003,
    solved={"bm25_only": SOLVED, "dense_only": (*SOLVED[:900], "t1")},
    failed=(),
    kinds={**{f"q{number}": "factoid" for number in range(1_000)}, "t1": "table", "t2": "table", "t3": "table"},
    chunker="markdown",
    cut=Cut(1_100, ("q3 evidence[0]",), ("q4 evidence[1]",)),
    differences={},
)
SHOWN = Shown(
    alpha=0.01,
    power=0.8,
    recall_at_5={"all": 0.0212, "test": None},
    refusal_rate={"all": 0.11, "test": None},
    refusal_rate_from=0.9,
    if_all_right={
        "answerable": {"all": 0.997, "test": 0.995},
        "unanswerable": {"all": 0.987, "test": 0.987},
        "future": {"all": 0.905, "test": 0.0},
        "unsafe": {"all": 0.985, "test": 0.985},
    },
)

FULL = """\
demo v3: 1,230 questions, 12 documents

Questions by kind

                                                   BM25  dense
 Kind                     n  tune  test  Overlap   only   only   both  neither
 ─────────────────────────────────────────────────────────────────────────────
 factoid              1,000   400   600    0.500     80      0    900       20
 table                    3     –     3    0.250      0      1      0        2
 unanswerable           227     –   227

 all                  1,230   400   830    0.500     80      1    900       22
 share of answerable                              0.080  0.001  0.897    0.022

Overlap: median share of a question's content words that stand in its evidence.
Last columns, who solves it: all evidence within the first 5 passages
(complete@5).

Answers and refusals

                                                on
                   n  tune  test    Shows     test
 ─────────────────────────────────────────────────
 answerable    1,003   400   603  ≥ 0.997  ≥ 0.995
 unanswerable    227     –   227  ≥ 0.987  ≥ 0.987
   future         30     –    30  ≥ 0.905
   unsafe        197     –   197  ≥ 0.985  ≥ 0.985

Shows: the rate that is certain (95 %) when all are right.

Contents
Groups, all     40, worth 31.2 of equal size; the largest, aq210, has 90
                questions
Evidence        1,100 pieces in 1,200 places; 90 questions need several, none of
                them several documents; 7 places made of a whole document
Its length      4 to 1,480 characters, median 61.5; 1 to 300 tokens, median 14
Overlap         median 0.500; 1 of 1,003 (0.001) share no word
Languages       de 4, en 1,226
Near-copies     1 lot: q1 = q2. First: 'How long does it last?', 'How long does
                IT last?'
Tune and test   share 1 group (aq210); 1 lot of near-copies (q1 = q2); 1 quote
                (a.md 3-9)
Never asked of  12 of 12 documents: d0.md, d1.md, d2.md, d3.md, d4.md, d5.md,
                d6.md, d7.md, d8.md, d9.md and 2 more

Difficulty
bm25_only         solves 0.977 (980 of 1,003 answerable questions)
dense_only        solves 0.898 (901 of 1,003 answerable questions)
Neither solves    22: q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q990, q991, q992,
                  q993, q994, q995, q996, q997, q998, q999, t2, t3
Chunker markdown  1 of 1,100 pieces need more than one chunk: q3 evidence[0]; 1
                  cannot be retrieved at all

Smallest effect that runs on this set can show
Recall@5, a drop of                  unknown on test (603 questions); 0.021 on
                                     all (1,003 questions)
Right refusals, a fall from 0.90 by  cannot be seen on test (227 questions);
                                     0.110 on all (227 questions)
80 % power, one-sided at alpha 0.01 of the default gate. Refusals: for unpaired
runs, which is the most that the gate, which pairs questions, needs. Recall
varies as between BM25 and dense, clustered by group.

! bm25_only solves 0.977 of the answerable questions (more than 0.95): the set
measures nothing
! chunker markdown loses 1 piece of evidence, which no retriever can find: q4
evidence[1]
! tune and test share 1 group: aq210
! tune and test share 1 lot of near-copies
! tune and test share 1 quote: what is tuned has seen what test asks for
! python -m harness golden split demo divides so that nothing leaks
"""


def test_the_whole_report_of_a_faulty_set() -> None:
    assert plain_text(report(SUMMARY, DIFFICULTY, SHOWN, TEXTS), 80).strip() == FULL.strip()


def test_a_quick_report_tells_what_it_left_out() -> None:
    text = plain_text(report(SUMMARY, None, replace(SHOWN, recall_at_5={}), TEXTS), 120)
    assert "How many BM25 and dense retrieval solve is told without --quick" in text
    for absent in ("neither", "Difficulty", "Recall@5", "BM25 and dense, clustered"):
        assert absent not in text


@pytest.mark.parametrize("width", [80, 120, 200])
def test_every_number_of_a_table_is_shown_whole_at_any_usual_width(width: int) -> None:
    text = plain_text(report(SUMMARY, DIFFICULTY, SHOWN, TEXTS), width)
    for number in ("1,230", "1,003", "≥ 0.997", "0.897"):
        assert number in text


SOUND = replace(
    SUMMARY,
    leaks=Leaks((), (), ()),
    kinds={"factoid": Count(10, 4, 6)},
    reasons={},
    near_copies=(),
    unasked=(),
    languages={},
    evidence=replace(SUMMARY.evidence, whole=0),
)
EASY = replace(DIFFICULTY, solved={"bm25_only": SOLVED[:900], "dense_only": SOLVED[:900]}, cut=Cut(9, (), ()))


def test_a_sound_set_is_told_without_warnings() -> None:
    assert list(warnings(SOUND, EASY)) == []
    text = " ".join(plain_text(report(SOUND, EASY, SHOWN, TEXTS), 120).split())
    for part in (
        "Near-copies none",
        "Tune and test share no group, no near-copy and no quote",
        "Never asked of no document is left out",
        "none made of a whole document",
        "0 of 9 pieces need more than one chunk; all of it can be retrieved",
    ):
        assert part in text
    assert "Languages" not in text
    assert "!" not in text


@pytest.mark.parametrize(
    ("summary", "warning"),
    [
        (replace(SOUND, questions=Count(10, 0, 10)), "no question is for tuning: whatever is chosen is chosen on test"),
        (replace(SOUND, questions=Count(10, 10, 0)), "no question is for testing: a gate has nothing to read"),
        (
            replace(SOUND, kinds={"table": Count(3, 3, 0)}, reasons={"unsafe": Count(2, 2, 0)}),
            "all questions of table, unsafe are in tune: a gate reads test and cannot see them get worse",
        ),
    ],
)
def test_what_keeps_a_set_from_measuring_is_warned_of(summary: Summary, warning: str) -> None:
    assert list(warnings(summary, EASY)) == [warning]


@pytest.mark.parametrize(
    ("leaks", "warning"),
    [
        (Leaks((), ("g", "h"), ()), "tune and test share 2 groups: g, h"),
        (Leaks((("a", "b"),), (), ()), "tune and test share 1 lot of near-copies"),
        (
            Leaks((), (), (Span("a.md", 3, 9), Span("a.md", 12, 19))),
            "tune and test share 2 quotes: what is tuned has seen what test asks for",
        ),
    ],
)
def test_what_leaks_is_warned_of_with_what_mends_it(leaks: Leaks, warning: str) -> None:
    found = list(warnings(replace(SOUND, leaks=leaks), EASY))
    assert found == [warning, "python -m harness golden split demo divides so that nothing leaks"]


def test_of_a_large_lot_of_near_copies_three_are_named() -> None:
    found = replace(SOUND, near_copies=(tuple(f"q{number}" for number in range(1, 6_000)), ("a", "b")))
    text = plain_text(report(found, EASY, SHOWN, {**TEXTS, "a": "", "b": ""}), 120)
    assert "2 lots: q1 = q2 = q3 = ..., a = b. First: 'How long does it last?'" in text


@pytest.mark.parametrize(("solved", "warned"), [(95, False), (96, True)])
def test_a_variant_that_solves_more_than_95_of_a_hundred_is_warned_of(solved: int, warned: bool) -> None:
    names = tuple(f"q{number}" for number in range(100))
    found = replace(EASY, n=100, solved={"bm25_only": names[:solved], "dense_only": ()}, kinds=dict.fromkeys(names, "factoid"))
    assert found.too_easy == (("bm25_only",) if warned else ())
    assert any("measures nothing" in line for line in warnings(SOUND, found)) is warned


def test_every_question_is_solved_by_one_the_other_both_or_neither() -> None:
    found = replace(
        DIFFICULTY, n=4, kinds=dict.fromkeys("abcd", "table"), solved={"bm25_only": ("a", "c"), "dense_only": ("b", "c")}
    )
    assert found.parts == {"bm25_only": ("a",), "dense_only": ("b",), "both": ("c",), "neither": ("d",)}


def test_failed_questions_are_told() -> None:
    text = plain_text(report(SOUND, replace(EASY, failed=("q5", "q6")), SHOWN, TEXTS), 120)
    assert "2 questions, counted as not solved: q5, q6" in text


def test_no_evidence_at_all_is_told() -> None:
    empty = replace(SOUND, evidence=EvidenceFacts(0, 0, 0, 0, 0, None, None), overlap=Overlap(0, None, ()), overlap_by_kind={})
    text = plain_text(report(empty, None, SHOWN, TEXTS), 120)
    assert "no question has evidence" in text
    assert "Its length" not in text


def test_words_of_short_evidence_say_little() -> None:
    short = replace(SOUND, evidence=replace(SOUND.evidence, tokens=Reach(1, 3.0, 9)))
    assert "Evidence is short, so this says little" in plain_text(report(short, None, SHOWN, TEXTS), 120)
