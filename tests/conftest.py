"""Fixtures that several folders of tests use."""

from collections.abc import Iterator

import pytest

from tests.fake_openai import FakeOpenAI


@pytest.fixture
def fake_openai() -> Iterator[FakeOpenAI]:
    """A loopback server with OpenAI's chat completions; script it per model."""
    with FakeOpenAI() as server:
        yield server
