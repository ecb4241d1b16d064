"""The question as it stands."""

from harness.querying.plain import Plain
from harness.types import Query
from tests.builders import question


def test_the_question_is_the_only_query() -> None:
    assert Plain().transform(question(text="How far?")) == [Query("How far?")]
