"""The JSON schema that editors use beside the strict reader."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness import golden
from harness.errors import GoldenSetError
from harness.golden.card import FORMAT, SHAPE
from harness.golden.golden_set import load
from harness.golden.schema import KINDS, REFUSAL_REASONS, SHAPES, SPLITS
from harness.golden.writing import SCHEMAS
from tests.golden.folders import FILTER, refusal, row, write
from tests.golden.public import ROOT

SCHEMA: dict[str, Any] = json.loads((Path(golden.__file__).parent / "question.schema.json").read_text())


def test_it_knows_the_fields_of_the_reader_and_no_others() -> None:
    assert sorted(SCHEMA["properties"]) == sorted(name.removesuffix("?") for name in SHAPES)
    assert SCHEMA["required"] == [name for name in SHAPES if not name.endswith("?")]
    assert SCHEMA["additionalProperties"] is False


@pytest.mark.parametrize(("field", "words"), [("kind", KINDS), ("split", SPLITS), ("refusal_reason", REFUSAL_REASONS)])
def test_it_knows_the_words_of_the_reader(field: str, words: tuple[str, ...]) -> None:
    assert tuple(SCHEMA["properties"][field]["enum"]) == words


@pytest.mark.parametrize("path", sorted((ROOT / "golden_sets").glob("*/questions.jsonl")), ids=lambda path: path.parent.name)
def test_the_shipped_questions_use_only_its_fields(path: Path) -> None:
    used = {name for line in path.read_text(encoding="utf-8").splitlines() for name in json.loads(line)}
    assert used <= set(SCHEMA["properties"])


@pytest.mark.parametrize(
    ("question", "valid"),
    [
        (row(), True),
        (refusal(), True),
        (row(persona="north", as_of="2025-01-01", tags=["t"], history=[{"role": "user", "content": "Hi"}]), True),
        (row(evidence=None), False),
        (row(evidence=[]), False),
        (row(evidense=[]), False),
        (row(kind="unanswerable"), False),
        (row(refusal_reason="future"), False),
        (row(id="../x"), False),
        (row(as_of="soon"), False),
        (refusal(refusal_reason=None), False),
        (refusal(evidence=[[FILTER]]), False),
    ],
)
def test_it_agrees_with_the_reader(tmp_path: Path, question: dict[str, Any], valid: bool) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(question) is valid
    if valid:
        assert load(write(tmp_path, [question])).questions
    else:
        with pytest.raises(GoldenSetError):
            load(write(tmp_path, [question]))


CARD_SCHEMA: dict[str, Any] = json.loads((Path(golden.__file__).parent / "card.schema.json").read_text())


def test_the_cards_schema_knows_the_fields_of_the_reader_and_no_others() -> None:
    assert sorted(CARD_SCHEMA["properties"]) == sorted(name.removesuffix("?") for name in SHAPE)
    assert CARD_SCHEMA["required"] == [name for name in SHAPE if not name.endswith("?")]
    assert CARD_SCHEMA["properties"]["format"]["maximum"] == FORMAT


@pytest.mark.parametrize("folder", sorted(path.parent for path in (ROOT / "golden_sets").glob("*/questions.jsonl")), ids=str)
def test_the_shipped_sets_carry_the_schemas_and_keep_to_them(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for name, copy in SCHEMAS.items():
        assert (folder / copy).read_bytes() == (Path(golden.__file__).parent / name).read_bytes()
    card = (folder / "golden_set.yaml").read_text(encoding="utf-8")
    assert card.startswith("# yaml-language-server: $schema=card.schema.json\n")
    jsonschema.Draft202012Validator(CARD_SCHEMA).validate(yaml.safe_load(card))
    questions = jsonschema.Draft202012Validator(SCHEMA)
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        questions.validate(json.loads(line))
