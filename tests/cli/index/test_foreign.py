"""An index from elsewhere: what it says of itself decides where nothing is sent."""

import json
import re
import socket
import threading
from pathlib import Path

import pytest

from harness.cli.index.settings import asks_a_model
from harness.fingerprint import fingerprint

SECRET = "sk-none-of-your-business"
LLM = {"_target_": "harness.llm.litellm_client.LiteLLM", "model": "openai/x", "api_key_env": "MY_SECRET", "attempts": 1}


@pytest.fixture
def listener(monkeypatch):
    """A host that must not be contacted: its address, and what it was sent."""
    monkeypatch.setenv("MY_SECRET", SECRET)
    heard = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.settimeout(5)
                    heard.append(connection.recv(65536))
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1", heard
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def forge(project, **changes):
    """Changes what an index says of itself, signed as its own."""
    path = project / "index" / "manifest.json"
    record = json.loads(path.read_text())
    for name, change in changes.items():
        record[name] = {**record[name], **change} if isinstance(change, dict) else change
    signed = {key: value for key, value in record.items() if key not in ("digest", "format")}
    path.write_text(json.dumps({**record, "digest": fingerprint(signed)}))


def flat(text):
    return " ".join(text.replace("│", " ").split())


def hyde(host):
    return ["embedder=hashing", "hyde=llm", f"hyde.llm.api_base={host}", "hyde.llm.api_key_env=MY_SECRET", "hyde.llm.attempts=1"]


def questions(host):
    words = ["llm.model=openai/x", f"llm.api_base={host}", "llm.api_key_env=MY_SECRET", "llm.attempts=1"]
    return ["doc2query=llm", *(f"doc2query.{word}" for word in words)]


def slot(name, host):
    """Of a slot, a stage that sends text to the host."""
    llm = {**LLM, "api_base": host}
    stages = {
        "doc2query": {"_target_": "harness.doc2query.llm.LLMQuestions", "most": 6, "max_tokens": 512},
        "chunker": {"_target_": "harness.chunking.propositions.LLMPropositions"},
    }
    return {name: {**stages[name], "llm": llm}}


COMMANDS = {
    "search": ("search", "soil probe cells"),
    "sync": ("sync", "docs"),
    "sync with another word": ("sync", "docs", "embedder.dimension=512"),
    "reembed": ("reembed", "embedder.dimension=64"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_words_of_an_index_that_ask_a_host_change_nothing(built, index, project, listener, command):
    host, heard = listener
    forge(project, words=hyde(host))
    (built / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    code, text = index(*command)
    assert (code, heard) == (0, []), text


@pytest.mark.parametrize("name", ["doc2query", "chunker"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_language_model_that_only_the_index_names_is_refused_by_name(built, index, project, listener, command, name):
    host, heard = listener
    forge(project, config=slot(name, host))
    (built / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    code, text = index(*command)
    assert (code, heard) == (2, [])
    assert all(part in flat(text) for part in ("I006", name, host, "MY_SECRET", f"{name}=OPTION")), text
    assert SECRET not in text


@pytest.mark.parametrize("command", [*COMMANDS.values(), ("delete", "battery.md"), ("purge",)], ids=lambda command: command[0])
@pytest.mark.parametrize("value", ["${oc.env:MY_SECRET}", "${oc.decode:'{_target_: harness.llm.litellm_client.LiteLLM}'}"])
def test_an_index_looks_nothing_up(built, index, project, listener, command, value):
    config = {"_target_": "harness.chunking.recursive.Recursive", "size": value}
    forge(project, config={"chunker": config})
    code, text = index(*command)
    assert (code, "I006 chunker" in flat(text), SECRET in text) == (2, True, False), text


@pytest.mark.parametrize("verb", ["delete", "restore", "purge"])
@pytest.mark.parametrize("name", ["doc2query", "chunker"])
def test_commands_that_take_no_words_ask_no_model(built, index, project, listener, verb, name):
    host, heard = listener
    forge(project, config=slot(name, host))
    code, text = index(verb, *(() if verb == "purge" else ("battery.md",)))
    assert (code, heard) == (0, []), text


def test_a_run_takes_no_setting_from_the_index(golden_index, harness, project, listener):
    host, heard = listener
    forge(project, words=hyde(host), config=slot("doc2query", host))
    code, text = harness("run", "+experiment=light", "gate=none", "index=index")
    assert (code, "I006" in text, heard) == (2, True, [])
    forge(project, config={"doc2query": {}})
    assert (harness("run", "+experiment=light", "gate=none", "index=index")[0], heard) == (0, [])


@pytest.fixture
def golden_index(project, index):
    """An index of the golden corpus."""
    assert index("sync", str(project / "golden_sets" / "tiny" / "corpus"), "+experiment=light")[0] == 0


def test_the_words_to_add_are_told_and_with_them_the_model_is_asked(built, index, project, listener):
    host, heard = listener
    words = questions(host)
    forge(project, words=["embedder=hashing", *words], config=slot("doc2query", host))
    code, text = index("search", "cells")
    assert (code, heard) == (2, [])
    told = flat(text).partition("if you trust it, add ")[2].partition("; or choose")[0].split()
    assert told == words
    forge(project, config={"doc2query": {}}, words=["embedder=hashing"])
    (built / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    index("sync", "docs", *told)
    assert any(SECRET.encode() in request for request in heard)


def test_the_command_line_can_choose_another_option_instead(built, index, project, listener):
    host, heard = listener
    forge(project, config=slot("doc2query", host), words=["embedder=hashing", *questions(host)])
    code, text = index("sync", "docs", "doc2query=none")
    assert (code, heard) == (0, []), text
    assert json.loads((project / "index" / "manifest.json").read_text())["words"] == ["embedder=hashing", "doc2query=none"]
    assert index("search", "cells")[0] == 0


def test_a_model_of_the_own_conf_need_not_be_named_again(docs, index, project, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    mine = project / "conf"
    mine.mkdir()
    shipped = (Path(__file__).parents[3] / "conf" / "config.yaml").read_text()
    (mine / "config.yaml").write_text(re.sub("doc2query: none", "doc2query: llm", shipped))
    assert index("sync", "docs", "embedder=hashing", "doc2query=none")[0] == 0
    own = {"_target_": LLM["_target_"], "model": "openai/gpt-4o-mini", "api_base": "", "api_key_env": "OPENAI_API_KEY"}
    stage = slot("doc2query", "")["doc2query"]
    forge(
        project, config={"doc2query": {**stage, "llm": {**own, "timeout": 60, "attempts": 4, "deadline": 180, "concurrency": 8}}}
    )
    code, text = index("search", "soil probe cells")
    assert code == 0, text


@pytest.mark.parametrize("word", ["doc2query.most=3", "doc2query.llm.attempts=2"])
def test_a_word_inside_the_slot_does_not_let_its_model_in(built, index, project, listener, word):
    host, heard = listener
    forge(project, words=questions(host), config=slot("doc2query", host))
    code, text = index("sync", "docs", word)
    assert (code, "I006" in text, heard) == (2, True, [])


def test_words_that_compose_to_a_model_are_refused_where_the_config_hides_it(built, index, project, listener):
    host, heard = listener
    forge(project, words=["embedder=hashing", *questions(host)])
    code, text = index("sync", "docs", "doc2query.most=3")
    assert (code, "I006" in text, heard) == (2, True, [])


def test_the_words_to_add_are_quoted_for_the_shell_and_hold_no_secret(built, index, project, listener):
    host, _ = listener
    odd = "doc2query.llm.model='$(touch mine)'"
    forge(project, words=["doc2query=llm", odd, "doc2query.llm.api_key=sk-1234567890"], config=slot("doc2query", host))
    code, text = index("search", "cells")
    assert (code, "sk-1234567890" in text) == (2, False)
    assert "'doc2query.llm.model='\"'\"'$(touch mine)'\"'\"''" in flat(text)


@pytest.mark.parametrize(
    ("config", "asks"),
    [
        ({}, False),
        ({"_target_": "harness.chunking.recursive.Recursive", "size": 5}, False),
        ({"_target_": "x.Y", "llm": {"_target_": "x.Client"}}, True),
        ({"_target_": "x.Y", "llm": None}, False),
        ({"_target_": "x.Y", "model": {"_target_": "harness.llm.local.Local"}}, True),
        ({"_target_": "x.Y", "chunkers": [{"a": {"_target_": "harness.llm.local.Local"}}]}, True),
        ({"_target_": "x.Y", "client": {"api_base": "http://host"}}, True),
        ({"_target_": "x.Y", "api_key_env": "HOME"}, True),
        ({"_target_": "x.Y", "api_key_env": ""}, False),
    ],
)
def test_where_a_config_holds_a_language_model(config, asks):
    assert asks_a_model(config) is asks
