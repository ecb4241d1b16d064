"""Variables of the environment by which litellm would send a model's requests to another server than the provider's own."""

import os
import re

_SENDS = re.compile(r"(?P<who>[A-Z0-9_]+)_(API_BASE|BASE_URL|ENDPOINT)")
_ALSO = {
    "bedrock": ("AWS_BEDROCK",),
    "huggingface": ("HF",),
    "meta_llama": ("LLAMA",),
    "text-completion-codestral": ("CODESTRAL",),
    "text-completion-openai": ("OPENAI",),
    "volcengine": ("ARK",),
}
"""What the variables of a provider start with, where it is not the provider's name."""
_URLS = {"watsonx": ("WATSONX_URL", "WX_URL", "WML_URL", "WATSONX_IAM_URL"), "gigachat": ("GIGACHAT_AUTH_URL",)}
"""Variables of other names."""
_EVERY = "USE_LITELLM_PROXY"
"""Sends every model to a proxy."""


def redirecting(model: str) -> str:
    """The first variable that is set and would redirect the model; empty where there is none.

    A variable counts whose name starts as the provider's does: one too many is refused rather than one too few.
    """
    found = sorted(name for name, value in os.environ.items() if value.strip())
    candidates = [name for name in found if _SENDS.fullmatch(name) or name in sum(_URLS.values(), ()) or name == _EVERY]
    if not candidates:
        return ""
    provider = model.partition("/")[0] if "/" in model else _listed(model)
    return next((name for name in candidates if _redirects(name, provider)), "")


def _redirects(name: str, provider: str) -> bool:
    if name == _EVERY or name in _URLS.get(provider, ()):
        return True
    sends = _SENDS.fullmatch(name)
    who = sends["who"] if sends else ""
    own, its = _letters(who), _letters(provider)
    return bool(own) and (own.startswith(its) or its.startswith(own) or who.startswith(_ALSO.get(provider, ("-",))))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _listed(model: str) -> str:
    """The provider of a model that is named without one."""
    from harness.llm.prices import litellm

    package = litellm()
    try:
        return str(package.get_llm_provider(model)[1])
    except package.exceptions.BadRequestError:
        return model
