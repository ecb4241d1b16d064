"""Stages inside stages are found, whatever their depth."""

from dataclasses import dataclass

from harness.nesting import kinds_of, parts_of


@dataclass(frozen=True)
class Leaf:
    size: int = 1


@dataclass(frozen=True)
class Branch:
    left: Leaf = Leaf()
    name: str = "x"
    right: "Branch | None" = None


def test_the_parts_of_a_stage_are_the_stages_in_its_fields() -> None:
    stage = Branch(right=Branch())
    assert parts_of(stage) == {"left": Leaf(), "right": Branch()}
    assert parts_of(Leaf()) == {}


def test_a_class_or_a_text_is_no_stage() -> None:
    assert parts_of(Branch) == {}
    assert parts_of("leaf") == {}


def test_every_kind_inside_is_named_outermost_first() -> None:
    assert kinds_of(Branch(right=Branch())) == [Branch, Leaf, Branch, Leaf]
