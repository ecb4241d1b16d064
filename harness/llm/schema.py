"""JSON schemas in the form that providers' strict mode takes."""

from collections.abc import Mapping
from typing import Any


def strict(schema: Any) -> Any:
    """The schema with every object closed, all of its properties required and no defaults, as strict mode demands."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {key: strict(value) for key, value in schema.items() if key != "default" or not _is_schema(schema)}
    properties = closed.get("properties")
    if closed.get("type") == "object" and isinstance(properties, Mapping):
        closed |= {"additionalProperties": False, "required": list(properties)}
    return closed


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """OpenAI's `response_format` for a schema; its name is the schema's title."""
    title = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in str(schema.get("title", "reply")))
    return {"type": "json_schema", "json_schema": {"name": title[:64] or "reply", "schema": strict(schema), "strict": True}}


def _is_schema(mapping: Mapping[str, Any]) -> bool:
    return any(key in mapping for key in ("type", "anyOf", "$ref", "enum", "const", "allOf"))
