"""Counting tokens as a model does, offline."""

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.errors import ConfigError
from harness.llm import prices
from harness.text import count_tokens

_CARRIED = ("claude", "deepseek")
"""Parts of the names of models, other than OpenAI's, whose tokenizers litellm carries."""
_OPENAI = ("gpt-", "chatgpt-", "o1", "o3", "o4", "text-embedding-")
"""How the names of OpenAI's models begin."""


@lru_cache(maxsize=8)
def counter(tokenizer: str = "") -> Callable[[str], int]:
    """How many tokens a text has.

    Args:
        tokenizer: empty counts words and marks (`harness.text.count_tokens`); the path of a Hugging Face `tokenizer.json`; or a
            model's name of litellm's table, counted with the tokenizer that litellm carries for it: see `counted_by`.

    Raises:
        ConfigError: when the file is none, the package that reads it is missing, or litellm does not know the model.
    """
    if not tokenizer:
        return count_tokens
    return _of_file(Path(tokenizer)) if tokenizer.endswith(".json") else _of_model(tokenizer)


def counted_by(tokenizer: str) -> str:
    """Whose tokens `counter` counts in place of the named model's own: a name, empty where they are its own.

    litellm carries the tokenizers of a few families; of all other models it counts those of OpenAI's cl100k_base.
    """
    if not tokenizer or tokenizer.endswith(".json") or any(name in tokenizer for name in _CARRIED):
        return ""
    provider, _, model = tokenizer.rpartition("/")
    return "" if provider in ("", "openai", "azure") and model.startswith(_OPENAI) else "OpenAI's cl100k_base"


def _of_file(path: Path) -> Callable[[str], int]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ConfigError(
            f'the tokenizer {str(path)!r} needs the package tokenizers: pip install "rag-harness[local]"'
        ) from error
    try:
        model: Any = Tokenizer.from_str(path.read_text("utf-8"))
    except Exception as error:
        raise ConfigError(f"the tokenizer {str(path)!r} cannot be read: {error}. Give a Hugging Face tokenizer.json") from error
    return lambda text: len(model.encode(text, add_special_tokens=False).ids)


def _of_model(name: str) -> Callable[[str], int]:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if not prices.listed(name):
        raise ConfigError(
            f"no model {name!r} is in litellm's table, so its tokens cannot be counted. Give a model that is, the path of a "
            "tokenizer.json, or nothing: words and marks are counted then"
        )
    package = prices.litellm()
    return lambda text: int(package.token_counter(model=name, text=text))
