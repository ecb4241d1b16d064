"""Fails a block that looks up a name or connects anywhere but on this machine."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def offline() -> Iterator[list[str]]:
    """Refuses what Python's sockets are asked for; gives what was asked for."""
    asked: list[str] = []

    def refuse(*words: Any, **_: Any) -> Any:
        asked.append(repr(words))
        raise OSError(f"the network was asked for {words}")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "create_connection"):
            patch.setattr(socket, name, refuse)
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket.socket, "connect_ex", refuse)
        yield asked
