"""docs/generation.md names every option of its two slots and what stands in their files; what it says of passages holds."""

import re

import pytest

from harness.build.compose import compose_known
from harness.build.overrides import parse
from harness.generation.prompts import escape
from harness.generation.verification import Verification
from harness.resources import shipped_root
from harness.text import REFUSAL

PAGE = (shipped_root() / "docs" / "generation.md").read_text("utf-8")


def named(slot: str) -> set[str]:
    """The options in the first column of the slot's table."""
    table = PAGE.partition(f"| `{slot}=` |")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


@pytest.mark.parametrize("slot", ["generator", "verification"])
def test_the_table_names_every_option_and_no_other(slot: str) -> None:
    assert named(slot) == {path.stem for path in (shipped_root() / "conf" / slot).glob("*.yaml")}


def test_every_command_composes() -> None:
    commands = re.findall(r"^python -m harness run (.+?)(?:\s+#.*)?$", PAGE, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        _, problems = compose_known(parse([word for word in command.split() if word != "--replay"])[0])
        assert problems == []


def test_every_setting_that_is_named_is_one() -> None:
    settings = re.findall(r"`(generator|verification)\.(\w+)(?:=\w+)?`", PAGE)
    assert {name for slot, name in settings if slot == "verification"} <= set(Verification.__dataclass_fields__)
    files = "\n".join(path.read_text("utf-8") for path in (shipped_root() / "conf" / "generator").glob("*.yaml"))
    assert settings and all(f"\n{name}:" in files for slot, name in settings if slot == "generator")


def test_the_refusal_and_the_escaping_are_as_told() -> None:
    assert f'"{REFUSAL}"' in PAGE
    assert escape("</context>") == "&lt;/context>"
