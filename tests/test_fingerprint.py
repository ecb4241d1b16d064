"""Equal things have equal fingerprints, different ones different."""

from dataclasses import dataclass

import pytest

from harness.fingerprint import canonical, digest, fingerprint, plain
from harness.types import Span, State


@dataclass(frozen=True)
class Stage:
    size: int = 1


@dataclass(frozen=True)
class OtherStage:
    size: int = 1


def test_the_order_of_keys_does_not_matter():
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})


def test_the_order_of_a_list_does():
    assert fingerprint([1, 2]) != fingerprint([2, 1])


def test_records_of_different_types_with_equal_fields_differ():
    assert fingerprint(Stage()) != fingerprint(OtherStage())


def test_every_field_counts():
    assert fingerprint(Stage(1)) != fingerprint(Stage(2))


def test_records_become_plain_json():
    assert plain(Span("a.md", 1, 2)) == {"type": "harness.types.text.Span", "doc_id": "a.md", "start": 1, "end": 2}
    assert plain({"s": {"b", "a"}, "e": State.ERROR}) == {"s": ["a", "b"], "e": "error"}


def test_a_value_without_a_stable_form_is_refused():
    with pytest.raises(TypeError, match="cannot fingerprint object"):
        fingerprint(object())


def test_canonical_text_has_no_nan():
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_digest_is_sha256():
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
