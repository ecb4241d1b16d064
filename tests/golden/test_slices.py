"""A question's slices are named by what it is, so that a gate or a table can speak of them."""

from harness.golden.slices import labels
from harness.types import Question


def test_a_question_belongs_to_slices_of_kind_answerability_tenant_and_tag() -> None:
    question = Question("q", "How much?", kind="table", persona="acme", tags=("near-identical",))
    assert labels(question, ["en"]) == ("answerable:yes", "kind:table", "language:en", "tag:near-identical", "tenant:acme")


def test_a_refusal_belongs_to_the_slice_of_its_reason() -> None:
    question = Question("q", "When?", kind="unanswerable", answerable=False, reason="future")
    assert labels(question, []) == ("answerable:no", "kind:unanswerable", "reason:future")


def test_in_a_set_of_several_languages_a_tag_names_the_language_and_is_no_other_slice() -> None:
    question = Question("q", "Wie lange?", tags=("de", "umlaut"))
    assert labels(question, ["de", "fr"]) == ("answerable:yes", "kind:factoid", "language:de", "tag:umlaut")


def test_without_a_tag_the_language_of_a_question_in_a_set_of_several_is_not_guessed() -> None:
    assert not any(name.startswith("language:") for name in labels(Question("q", "How long?"), ["de", "fr"]))
