"""`harness ui` starts MLflow's server on loopback and nowhere else."""

import os
import sys

import pytest


class Replaced(Exception):  # noqa: N818
    """This process has become another one."""


@pytest.fixture
def started(monkeypatch, harness):
    """Runs `ui` with some words; gives the program and the arguments it is replaced by."""

    def execv(program, words):
        raise Replaced(program, words)

    def start(*words):
        with pytest.raises(Replaced) as stop:
            harness("ui", *words)
        return stop.value.args

    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setenv("MLFLOW_SERVER_ENABLE_JOB_EXECUTION", "true")
    return start


def option(words, name):
    return words[words.index(name) + 1]


def test_it_is_mlflows_ui_in_the_same_python(started):
    program, words = started()
    assert program == sys.executable
    assert words[:4] == [sys.executable, "-m", "mlflow", "ui"]


@pytest.mark.parametrize("words", [(), ("--port", "5050"), ("--uri", "sqlite:///elsewhere.db")])
def test_whatever_is_asked_it_listens_on_loopback_only(started, words):
    _, arguments = started(*words)
    assert option(arguments, "--host") == "127.0.0.1"
    assert arguments.count("--host") == 1


def test_it_shows_the_store_of_the_current_folder_on_port_5000(started):
    _, words = started()
    assert option(words, "--backend-store-uri") == "sqlite:///mlflow.db"
    assert option(words, "--port") == "5000"


def test_store_and_port_can_be_chosen(started):
    _, words = started("--uri", "sqlite:///other.db", "--port", "5050")
    assert option(words, "--backend-store-uri") == "sqlite:///other.db"
    assert option(words, "--port") == "5050"


def test_the_job_runner_is_off(started):
    started()
    assert os.environ["MLFLOW_SERVER_ENABLE_JOB_EXECUTION"] == "false"


def test_it_says_where_the_pages_are_before_it_is_gone(started, capsys):
    started("--port", "5050")
    assert "http://127.0.0.1:5050" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["http", "5000.5", ""])
def test_a_port_that_is_no_number_is_a_usage_error(started, harness, port):
    with pytest.raises(SystemExit) as stop:
        harness("ui", "--port", port)
    assert stop.value.code == 2
