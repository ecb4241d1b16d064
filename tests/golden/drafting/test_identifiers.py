"""Questions about identifiers."""

from harness.golden.drafting.identifiers import identifiers
from tests.golden.drafting.documents import asked, document, quotes

CODE = document(
    "client.py",
    'LIMIT_S = 20\nNAMES = ("a",)\n\n\nclass Refused(Exception):\n    """The key is wrong."""\n',
)


def test_a_part_that_sentences_name_alike_is_asked_for_with_each_of_them_as_evidence() -> None:
    one = document("a.md", "Renew the cap seal (FH-5331-B) now.\n")
    other = document("b.md", "Order a new cap seal FH-5331-B. The code E-58 is shown.\n")
    found = asked(identifiers, one, other)["What kind of part is FH-5331-B?"]
    assert found.answers == ("cap seal",)
    assert quotes(found, one, other) == [["Renew the cap seal (FH-5331-B) now.", "Order a new cap seal FH-5331-B."]]


def test_a_part_that_has_two_names_is_not_asked_for() -> None:
    docs = [document("a.md", "Renew the cap seal (FH-5331-B).\n"), document("b.md", "Use the rubber ring (FH-5331-B).\n")]
    assert asked(identifiers, *docs) == {}


def test_an_abbreviation_is_asked_for_up_to_its_first_stop() -> None:
    doc = document("g.md", "- TTL: time to live; a queued command is dropped.\n- Note: no abbreviation.\n")
    found = asked(identifiers, doc)
    assert {question: item.answers for question, item in found.items()} == {"What does TTL stand for?": ("time to live",)}


def test_constants_and_exceptions_of_code_are_asked_for_with_their_lines() -> None:
    found = asked(identifiers, CODE)
    assert {question: item.answers for question, item in found.items()} == {
        "What is the value of LIMIT_S?": ("20",),
        "What does the exception Refused mean?": ("The key is wrong.",),
    }
    assert quotes(found["What is the value of LIMIT_S?"], CODE) == [["LIMIT_S = 20"]]
    assert {candidate.kind for candidate in found.values()} == {"code"}


def test_a_constant_of_two_files_is_asked_for_with_the_name_of_its_file() -> None:
    found = asked(identifiers, document("sdk/a.py", "SIZE = 1\n"), document("sdk/b.py", "SIZE = 2\n"))
    assert set(found) == {"What is the value of SIZE in a.py?", "What is the value of SIZE in b.py?"}
