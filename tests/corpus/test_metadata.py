"""What files say of themselves."""

from datetime import date
from typing import Any

import pytest

from harness.corpus.metadata import describe, is_date, read_mapping, said
from harness.fingerprint import fingerprint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# only a comment", {}),
        ("a: 1", {"a": 1}),
        ("a: {b: [c, d]}", {"a": {"b": ["c", "d"]}}),
        ("a: 2025-01-01", {"a": date(2025, 1, 1)}),
        ("a: 2025-02-30", {"a": "2025-02-30"}),
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


@pytest.mark.parametrize("name", ["valid_from", "valid_to", "updated_at", "deleted_at"])
def test_a_date_is_written_in_one_way(name: str) -> None:
    assert describe({name: date(2025, 3, 1)}, "a.md") == ({name: "2025-03-01", "acl": (), "metadata": {}}, [])
    _, (problem,) = describe({name: "1 March"}, "a.md")
    assert (problem.code, problem.where) == ("C009", f"a.md {name}")


@pytest.mark.parametrize(("value", "series"), [("price-list", "price-list"), (2025, "2025")])
def test_documents_of_a_series_say_so(value: Any, series: str) -> None:
    assert describe({"series": value}, "a.md")[0]["series"] == series


def test_a_series_is_one_name() -> None:
    _, (problem,) = describe({"series": ["a", "b"]}, "a.md")
    assert (problem.code, problem.where) == ("C009", "a.md series")


@pytest.mark.parametrize(
    ("author", "changed", "fields"),
    [
        (" Ann\n Bee ", "2025-03-01T10:00:00+01:00", {"author": "Ann Bee", "updated_at": "2025-03-01"}),
        ("", "", {}),
        ("\x00\ud800", "2025-02-30", {}),
        ("Ann", "01.03.2025", {"author": "Ann"}),
    ],
)
def test_what_programs_write_is_taken_as_far_as_it_is_usable(author: str, changed: str, fields: dict[str, str]) -> None:
    assert said(author, changed) == fields


@pytest.mark.parametrize(
    "name", ["Tenant", "tennant", "TENANT", "valid-from", "validfrom", "valid_form", "deleted", "ACL", "serie"]
)
def test_a_slip_in_the_name_of_a_field_that_keeps_a_document_from_somebody_is_told(name: str) -> None:
    _, problems = describe({name: "acme"}, "a.md")
    assert [(problem.code, problem.where) for problem in problems] == [("C009", f"a.md {name}")]


@pytest.mark.parametrize(
    "name", ["product", "valid", "serial", "owner", "status", "language", "section", "date", "serial_number"]
)
def test_other_fields_are_nobodys_slip(name: str) -> None:
    assert describe({name: "x"}, "a.md")[1] == []


def test_a_date_that_is_none_is_named_with_its_field() -> None:
    _, problems = describe(read_mapping("valid_from: 2024-13-45"), "a.md")
    assert [(problem.where, problem.what) for problem in problems] == [("a.md valid_from", "'2024-13-45' is not a date.")]


@pytest.mark.parametrize(("acl", "told"), [(["boss"], True), (["acme", "boss"], False), ([], False)])
def test_a_document_that_nobody_could_see_is_told(acl: list[str], told: bool) -> None:
    _, problems = describe({"tenant": "acme", "acl": acl}, "a.md")
    assert ["nobody could see" in problem.what for problem in problems] == [True] * told
