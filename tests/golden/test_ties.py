"""What ties questions together: near-copies, groups and shared evidence."""

import random
from itertools import combinations

import pytest

from harness.golden.ties import Ties, group_of, ties
from harness.types import Document, Question, Span
from tests.builders import document, question

PROSE = "# AQ\n\nThe filter lasts 6 months. Never wash it.\n\nThe probe lasts 9 months.\n"
TABLE = "Before.\n\n| Part | Price |\n|:---|---:|\n| filter | 5 |\n| probe | 9 |\n\nAfter it.\n"
CSV = "part,price\nfilter,5\nprobe,9\n"
DOCUMENTS = (
    document("aq.md", PROSE),
    document("t.md", TABLE),
    document("t.csv", CSV, mime_type="text/csv"),
    document("t.tsv", CSV.replace(",", "\t"), mime_type="text/tab-separated-values"),
)
TEXTS = {item.doc_id: item.text for item in DOCUMENTS}


def quoting(name: str, doc_id: str, *quotes: str, split: str = "test", group: str = "") -> Question:
    """A question of its own words whose evidence are the quotes."""
    starts = [(TEXTS[doc_id].index(quote), quote) for quote in quotes]
    evidence = [[(doc_id, start, start + len(quote))] for start, quote in starts]
    return question(name, f"{name} asks {name}?", evidence, split=split, group=group)


def shared(*questions: Question, documents: tuple[Document, ...] = DOCUMENTS) -> dict[str, list[str]]:
    """The text of each shared stretch and the ids of the questions that quote it."""
    found = ties(questions, documents).evidence
    return {TEXTS[span.doc_id][span.start : span.end]: [item.question_id for item in lot] for span, lot in found.items()}


LASTS = "The filter lasts 6 months."


class TestEvidence:
    @pytest.mark.parametrize(
        ("other", "stretch"),
        [
            (LASTS, LASTS),
            ("filter lasts", LASTS),
            ("6 months. Never wash it.", f"{LASTS} Never wash it."),
            (f"{LASTS} Never", f"{LASTS} Never"),
            ("Never wash it.", None),
            (" Never wash it.", None),
            ("# AQ", None),
            ("The probe lasts 9 months.", None),
        ],
    )
    def test_quotes_that_overlap_are_shared_and_others_are_not(self, other: str, stretch: str | None) -> None:
        found = shared(quoting("a", "aq.md", LASTS), quoting("b", "aq.md", other))
        assert found == ({stretch: ["a", "b"]} if stretch else {})

    def test_quotes_that_overlap_one_after_the_other_are_one_stretch(self) -> None:
        quotes = ("The filter lasts", "lasts 6 months. Never", "Never wash it.")
        found = shared(*(quoting(name, "aq.md", quote) for name, quote in zip("abc", quotes, strict=True)))
        assert found == {f"{LASTS} Never wash it.": ["a", "b", "c"]}

    def test_quotes_that_touch_share_nothing(self) -> None:
        assert shared(quoting("a", "aq.md", "The fil"), quoting("b", "aq.md", "ter lasts")) == {}

    def test_one_question_that_quotes_a_text_twice_shares_it_with_nobody(self) -> None:
        assert shared(quoting("a", "aq.md", LASTS, "filter lasts"), quoting("b", "aq.md", "Never wash it.")) == {}

    def test_any_piece_and_any_alternative_counts(self) -> None:
        probe = PROSE.index("The probe")
        both = question("a", "One?", [[("aq.md", 6, 32)], [("t.csv", 11, 19), ("aq.md", probe, probe + 25)]])
        assert list(shared(both, quoting("b", "aq.md", "probe lasts 9"))) == ["The probe lasts 9 months."]

    def test_a_whole_document_ties_nothing(self) -> None:
        all_of_it = question("a", "One?", [[("aq.md", 0, len(PROSE.rstrip()))]])
        again = question("b", "Two?", [[("aq.md", 0, len(PROSE.rstrip()))]])
        assert shared(all_of_it, again, quoting("c", "aq.md", LASTS)) == {}

    def test_the_same_place_of_two_documents_is_not_shared(self) -> None:
        one, other = question("a", "One?", [[("aq.md", 6, 32)]]), question("b", "Two?", [[("t.md", 6, 32)]])
        assert shared(one, other) == {}

    def test_a_document_that_is_not_known_ties_nothing(self) -> None:
        assert shared(question("a", "One?", [[("gone.md", 0, 9)]]), question("b", "Two?", [[("gone.md", 0, 9)]])) == {}

    def test_the_quotes_that_overlap_are_those_that_a_look_at_all_pairs_finds(self) -> None:
        draw = random.Random(2)
        text = document("a.md", "x" * 2_000)
        places = [(start, start + draw.randint(1, 12)) for start in (draw.randrange(1_980) for _ in range(150))]
        asked = [question(f"q{number}", f"n{number}", [[("a.md", *place)]]) for number, place in enumerate(places)]
        lots = [{item.question_id for item in lot} for lot in ties(asked, [text]).evidence.values()]
        for (one, first), (other, second) in combinations(enumerate(places), 2):
            overlap = first[0] < second[1] and second[0] < first[1]
            assert not overlap or any({f"q{one}", f"q{other}"} <= lot for lot in lots)
        assert sum(map(len, lots)) == len({name for lot in lots for name in lot}) > 50


class TestTables:
    @pytest.mark.parametrize(
        ("doc_id", "header", "rows"),
        [
            ("t.md", "| Part | Price |", ("| filter | 5 |", "| probe | 9 |")),
            ("t.md", "| Part | Price |\n|:---|---:|", ("| filter | 5 |", "| probe | 9 |")),
            ("t.md", "Part", ("| filter | 5 |", "| probe | 9 |")),
            ("t.csv", "part,price", ("filter,5", "probe,9")),
            ("t.tsv", "part\tprice", ("filter\t5", "probe\t9")),
        ],
    )
    def test_a_header_row_beside_different_rows_is_not_shared(self, doc_id: str, header: str, rows: tuple[str, str]) -> None:
        assert shared(quoting("a", doc_id, header, rows[0]), quoting("b", doc_id, header, rows[1])) == {}
        assert shared(quoting("a", doc_id, header, rows[0]), quoting("b", doc_id, header, rows[0])) == {rows[0]: ["a", "b"]}

    def test_one_quote_over_header_and_row_shares_the_row_alone(self) -> None:
        top = "| Part | Price |\n|:---|---:|\n| filter | 5 |"
        assert shared(quoting("a", "t.md", top), quoting("b", "t.md", "| Part | Price |")) == {}
        assert shared(quoting("a", "t.md", top), quoting("b", "t.md", "| filter | 5 |")) == {"| filter | 5 |": ["a", "b"]}

    def test_text_around_a_header_still_counts(self) -> None:
        around = "Before.\n\n| Part | Price |\n|:---|---:|\n| filter | 5 |"
        assert shared(quoting("a", "t.md", around), quoting("b", "t.md", "Before.")) == {"Before.": ["a", "b"]}

    @pytest.mark.parametrize(
        ("above", "below"),
        [
            ("one | two", "---"),
            ("one | two", "filter | 5"),
            ("one | two", ""),
            ("one | two", "|"),
            ("one | two", "| a-b |"),
            ("one & two", "|---|---|"),
        ],
    )
    def test_a_line_that_is_no_row_or_stands_above_no_delimiter_row_is_no_header(self, above: str, below: str) -> None:
        text = f"{above}\n{below}\nthree | four\n"
        asked = [question(name, name, [[("a.md", 0, 9)]]) for name in "ab"]
        assert list(ties(asked, [document("a.md", text)]).evidence) == [Span("a.md", 0, 9)]

    def test_the_first_line_of_prose_is_no_header(self) -> None:
        assert shared(quoting("a", "aq.md", "# AQ"), quoting("b", "aq.md", "# AQ")) == {"# AQ": ["a", "b"]}


class TestGroupsAndCopies:
    def test_questions_of_one_group_are_tied_and_those_without_stand_for_themselves(self) -> None:
        asked = [
            question(name, f"{name} {name}{name}?", group=group) for name, group in zip("abcd", ("g", "h", "g", ""), strict=True)
        ]
        assert {name: [item.question_id for item in lot] for name, lot in ties(asked, ()).groups.items()} == {"g": ["a", "c"]}
        assert [group_of(item) for item in asked] == ["g", "h", "g", "d"]

    @pytest.mark.parametrize(("as_of", "tied"), [("2026-01-01", True), ("2025-01-01", False), ("", False)])
    def test_near_copies_on_the_cards_day_are_tied_whoever_writes_it_out(self, as_of: str, tied: bool) -> None:
        asked = [question("a", "What does it cost?"), question("b", "What does it cost?", as_of="2026-01-01")]
        assert bool(ties(asked, (), as_of).copies) is tied


class TestStraddling:
    def test_only_lots_with_questions_on_both_sides_straddle(self) -> None:
        asked = [
            quoting("a", "aq.md", LASTS, split="tune", group="g"),
            quoting("b", "aq.md", LASTS, group="h"),
            quoting("c", "t.csv", "probe,9", group="g"),
            quoting("d", "t.csv", "probe,9", group="h"),
        ]
        found = ties(asked, DOCUMENTS).straddling
        assert (list(found.groups), list(found.evidence)) == (["g"], [Span("aq.md", 6, 32)])
        assert found.copies == ()

    def test_near_copies_straddle_too(self) -> None:
        asked = [question("a", "How long?", split="tune"), question("b", "how LONG"), question("c", "Who?"), question("d", "who")]
        found = ties(asked, ())
        assert [[item.question_id for item in lot] for lot in found.copies] == [["a", "b"], ["c", "d"]]
        assert [[item.question_id for item in lot] for lot in found.straddling.copies] == [["a", "b"]]

    def test_nothing_at_all_has_no_lots(self) -> None:
        assert list(Ties().lots) == list(ties([], ()).lots) == []
