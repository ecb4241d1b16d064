"""Schemas in the form of providers' strict mode."""

from pydantic import BaseModel

from harness.llm.schema import response_format, strict


class Item(BaseModel):
    name: str
    score: int = 1


class Items(BaseModel):
    default: str
    items: list[Item]


def test_every_object_is_closed_and_requires_all_of_its_properties() -> None:
    schema = strict(Items.model_json_schema())
    assert (schema["additionalProperties"], schema["required"]) == (False, ["default", "items"])
    inner = schema["$defs"]["Item"]
    assert (inner["additionalProperties"], inner["required"]) == (False, ["name", "score"])


def test_default_values_go_but_a_property_named_default_stays() -> None:
    schema = strict(Items.model_json_schema())
    assert "default" not in schema["$defs"]["Item"]["properties"]["score"]
    assert "default" in schema["properties"]


def test_the_given_schema_is_left_as_it_was() -> None:
    given = Items.model_json_schema()
    before = str(given)
    strict(given)
    assert str(given) == before


def test_response_format_is_named_after_the_title() -> None:
    made = response_format({"title": "My Reply!", "type": "object", "properties": {}})
    assert made["type"] == "json_schema"
    assert (made["json_schema"]["name"], made["json_schema"]["strict"]) == ("My_Reply_", True)


def test_a_schema_without_title_is_called_reply() -> None:
    assert response_format({"type": "object"})["json_schema"]["name"] == "reply"
