"""What files say of themselves."""

from datetime import date
from typing import Any

import pytest

from harness.corpus.metadata import describe, is_date, read_mapping
from harness.fingerprint import fingerprint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# only a comment", {}),
        ("a: 1", {"a": 1}),
        ("a: {b: [c, d]}", {"a": {"b": ["c", "d"]}}),
        ("a: 2025-01-01", {"a": date(2025, 1, 1)}),
    ],
)
def test_a_mapping_is_read(text: str, value: dict[str, Any]) -> None:
    assert read_mapping(text) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a", "got list"),
        ("words", "got str"),
        ("a: [", "not valid YAML"),
        ("a: 1\n b: 2", "not valid YAML"),
        ("a: &x 1\nb: *x", "aliases"),
        ("a: " + "{b: " * 30 + "1" + "}" * 30, "nested more than 20 deep"),
        ("a: 2025-02-30", "day is out of range"),
        ("a: !!python/name:os.system", "not valid YAML"),
    ],
)
def test_anything_else_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_mapping(text)


@pytest.mark.parametrize(
    ("value", "text"), [("2.10", "2.10"), (7, "7"), (date(2025, 3, 1), "2025-03-01")]
)  # fmt: skip
def test_whole_numbers_and_dates_become_text(value: Any, text: str) -> None:
    fields, problems = describe({"version": value}, "a.md")
    assert (fields["version"], problems) == (text, [])


@pytest.mark.parametrize("value", [2.1, True, ["x"], {"a": 1}])
def test_what_yaml_may_have_bent_is_refused(value: Any) -> None:
    _, (problem,) = describe({"version": value}, "a.md")
    assert (problem.code, problem.where) == ("C009", "a.md version")


def test_a_field_without_value_is_as_if_left_out() -> None:
    assert describe({"tenant": None, "acl": None}, "a.md") == ({"acl": (), "metadata": {}}, [])


def test_other_fields_are_kept_in_a_form_that_can_be_fingerprinted() -> None:
    fields, _ = describe({"checked": date(2025, 1, 1), "sizes": [1, 2.5], 3: "x"}, "a.md")
    assert fields["metadata"] == {"checked": "2025-01-01", "sizes": [1, 2.5], "3": "x"}
    assert fingerprint(fields)


@pytest.mark.parametrize(
    ("text", "valid"),
    [("2025-03-01", True), ("2024-02-29", True), ("2025-02-29", False), ("2025-3-1", False), ("20250301", False), ("", False)],
)
def test_dates_are_iso_dates(text: str, valid: bool) -> None:
    assert is_date(text) is valid
