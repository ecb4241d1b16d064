"""What a URL of a config may be: bare, readable, and with a key only where nobody reads along."""

import pytest

from harness.errors import ConfigError
from harness.llm.urls import bare_url, loopback


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org",
        "https://api.example.org:8443/v1/",
        "http://localhost:11434",
        "http://127.0.0.1:8000/v1",
        "http://[::1]:8000",
        "http://10.0.0.5:8000/v1",
        "HTTPS://API.example.org",
    ],
)
def test_a_bare_url_is_taken_as_it_is(url: str) -> None:
    assert bare_url(url, "api_base") == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "api.example.org/v1",
        "//api.example.org",
        "ftp://api.example.org",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://:8000",
        "http://h:abc",
        "http://h:0",
        "http://h:70000",
        "http://[::1",
        "http://sk-secret@h/v1",
        "http://u:sk-secret@h/v1",
        "//u:sk-secret@h/v1",
        "u:sk-secret@h/v1",
        "http://@h/v1",
        "http://h/v1?key=sk-secret",
        "http://h/v1?",
        "http://h/v1#key=sk-secret",
        "http://h/v1#",
        "http://h\\@sk-secret/v1",
        "http://h /v1",
        " http://h/v1",
        "http://h/v1\n",
        "http://h\t/v1",
        "http://h\x00/v1",
        "http://\u200bh/v1",
        "http://\uff48/v1",
    ],
)
def test_every_other_text_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="api_base must be a bare http:// or https:// URL") as caught:
        bare_url(url, "api_base")
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["https://h/v1", "http://localhost/v1", "http://127.0.0.9:80", "http://[::1]/v1"])
def test_a_key_goes_over_https_or_stays_on_this_machine(url: str) -> None:
    assert bare_url(url, "api_base", with_key=True) == url


@pytest.mark.parametrize(
    "url", ["http://h/v1", "http://10.0.0.5", "http://localhost.example.org", "http://127.0.0.1.nip.io", "HTTP://h"]
)
def test_a_key_is_not_sent_over_http_to_another_machine(url: str) -> None:
    assert bare_url(url, "uri") == url
    with pytest.raises(ConfigError, match="uri: a key would be sent over http"):
        bare_url(url, "uri", with_key=True)


@pytest.mark.parametrize(
    ("host", "here"), [("localhost", True), ("127.3.2.1", True), ("::1", True), ("0.0.0.0", False), ("h", False)]
)
def test_which_hosts_are_this_machine(host: str, here: bool) -> None:
    assert loopback(host) is here
