"""All providers at once on a loopback server: whatever model an option names, there is a reply of the form that it asks for."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.embedding.hashing import Hashing
from tests.fake_openai import FakeOpenAI, Reply, ok

LOCAL = "harness.llm.llama.LocalLLM"
IN_ITS_PLACE = {
    "_target_": "harness.llm.litellm_client.LiteLLM",
    "model": "openai/in-place-of-the-local-one",
    "api_base": "",
    "api_key_env": "",
    "attempts": 1,
}
"""A client of the loopback server, so that an option around a local language model runs where its weights are not installed."""
WORDING = "In other words: "
"""How the server begins what it writes."""
LIAR = "liar"
"""The model that writes what it was not shown."""
PLANTED = "Forty-two dragons guard the northern castle at night"
"""What no passage says."""
INVENTED = "deadbeef0000"
"""An id that no passage has."""


@dataclass
class Providers:
    """All providers at once on a loopback server: it writes, embeds and reranks for every model that a config names.

    It ranks passages the other way round than it is given them, and answers citing the first passage that it is shown; the
    model `LIAR` also writes a claim that nothing supports and one of a passage that was not shown.
    """

    server: FakeOpenAI
    dimensions: dict[str, int] = field(default_factory=dict)

    def pointed(self, node: Any) -> Any:
        """A config whose clients ask this server."""
        if isinstance(node, list):
            return [self.pointed(item) for item in node]
        if not isinstance(node, Mapping):
            return node
        found: Mapping[str, Any] = (
            IN_ITS_PLACE if node.get("_target_") == LOCAL else {key: self.pointed(value) for key, value in node.items()}
        )
        if "api_base" not in found:
            return found
        model = str(found["model"]).partition("/")[2]
        self.server.script(model, self.reply)
        self.dimensions[model] = int(found.get("dimension", 0))
        return {**found, "api_base": self.server.url, "attempts": 1}

    def reply(self, request: Mapping[str, Any]) -> Reply:
        """The reply to any request."""
        if "documents" in request:
            count = len(request["documents"])
            scores = [{"index": place, "relevance_score": (place + 1) / count} for place in range(count)]
            return _json({"id": "r", "results": scores[::-1], "data": scores[::-1], "usage": {"total_tokens": 9}})
        if texts := request.get("texts") or request.get("input"):
            return self._vectors(request, texts)
        if request.get("logprobs"):
            return ok("Yes", candidates={"Yes": -0.1, "No": -2.5})
        shown = request["messages"][-1]["content"]
        if form := request.get("response_format"):
            schema = form["json_schema"]["schema"]
            return ok(json.dumps(filled(schema, schema, shown)))
        return ok(self._answer(shown, request["model"]) if "<passage " in shown else said(shown))

    def _vectors(self, request: Mapping[str, Any], texts: Sequence[str]) -> Reply:
        vectors = Hashing(self.dimensions[request["model"]]).embed(texts).astype(np.float64).tolist()
        if "texts" in request:
            return _json({"id": "1", "embeddings": {"float": vectors}, "meta": {"billed_units": {"input_tokens": 7}}})
        data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
        return _json({"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 7, "total_tokens": 7}})

    def _answer(self, shown: str, model: str) -> str:
        name, text = re.findall(r'<passage id="(\w+)">\n(.*?)\n</passage>', shown, re.DOTALL)[0]
        quoted = max(text.splitlines(), key=len).partition(". ")[0].rstrip(".")
        lies = f" {PLANTED} [{name}]. So it is said [{INVENTED}]." if model == LIAR else ""
        return f"{quoted} [{name}].{lies}"


def _json(value: Any) -> Reply:
    return Reply(json.dumps(value).encode())


def said(shown: str) -> str:
    """The longest line of what stands in the last fence of a prompt, or of the prompt, in other words."""
    fenced = [line[2:] for line in shown.rpartition("<<<")[2].splitlines() if line.startswith("| ")]
    return WORDING + max(fenced or shown.splitlines(), key=len)


def filled(schema: Mapping[str, Any], root: Mapping[str, Any], shown: str) -> Any:
    """A reply of a JSON schema: the first word to choose from, every text in other words, lists of one.

    Of numbers to choose from all are listed, backwards; where claims are numbered in the prompt, each has its entry.
    """
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rpartition("/")[2]], root, shown)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "object":
            return {name: filled(part, root, shown) for name, part in schema.get("properties", {}).items()}
        case "array":
            return _list(schema["items"], filled(schema["items"], root, shown), shown)
        case "boolean":
            return True
        case "integer" | "number":
            return 1
    return said(shown)


def _list(item: Mapping[str, Any], one: Any, shown: str) -> list[Any]:
    if item.get("type") == "integer" and "enum" in item:
        return list(reversed(item["enum"]))
    if isinstance(one, dict) and isinstance(one.get("claim"), int):
        return [{**one, "claim": int(number)} for number in re.findall(r"<<<claim (\d+) ", shown)]
    return [one]
