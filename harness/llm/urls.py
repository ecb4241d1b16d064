"""URLs that a config names: written to disk and sent to, so they hold no secret and no key goes over an open line."""

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from harness.errors import ConfigError


def bare_url(text: str, what: str, with_key: bool = False) -> str:
    """The URL as it was given, once it is known to be one without a secret.

    Args:
        text: the URL; no message repeats it, for it may hold a secret.
        what: names the setting in messages, such as `api_base of 'openai/gpt-4o-mini'`.
        with_key: whether a key is sent there, which takes https everywhere but on this machine.

    Raises:
        ConfigError: when it is no http:// or https:// URL with a host and a readable port, or holds a user, a password, a query or
            a fragment; or when a key would be sent over http to another machine.
    """
    parts = _parts(text)
    if parts is None:
        raise ConfigError(
            f"{what} must be a bare http:// or https:// URL: a host, a port and a path at most; a user, a password, a query or a "
            "fragment would be written to disk. Name the variable of a key in api_key_env"
        )
    if with_key and parts.scheme == "http" and not loopback(parts.hostname or ""):
        raise ConfigError(f"{what}: a key would be sent over http to another machine, where it can be read; use https")
    return text


def loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _parts(text: str) -> SplitResult | None:
    """The parts of a bare URL; None for any other text."""
    if not text.isascii() or not text.isprintable() or any(mark in text for mark in " \\@?#"):
        return None
    try:
        parts = urlsplit(text)
        whole = parts.port != 0 and parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return parts if whole else None
