"""What a reader of an option's file is told: what it is for in its first line, a comment on every setting, one form of install hint."""

import re
import tomllib
from pathlib import Path

import pytest

from harness.resources import shipped_root

CONF = shipped_root() / "conf"
FOLDERS = ("hyde", "rewrite", "route", "history", "subqueries", "reranker", "generator", "embedder")
FILES = sorted(path.relative_to(CONF).as_posix() for folder in FOLDERS for path in (CONF / folder).glob("*.yaml"))
SETTING = re.compile(r"\s*(?!_target_|llm:|defaults:)[a-z_0-9]+:")


def lines(name: str) -> list[str]:
    return (CONF / name).read_text("utf-8").splitlines()


def test_there_are_files_in_every_folder() -> None:
    assert {name.partition("/")[0] for name in FILES} == set(FOLDERS)


@pytest.mark.parametrize("name", FILES)
def test_the_first_line_says_what_it_is_and_when_to_use_it(name: str) -> None:
    assert re.fullmatch(r"# (?=.{30,150}$)\S[^:]{10,}: \S.{10,}\.", lines(name)[0])


@pytest.mark.parametrize("name", FILES)
def test_every_setting_has_a_comment_of_a_few_words(name: str) -> None:
    settings = [line for line in lines(name) if SETTING.match(line)]
    assert [line for line in settings if not re.search(r" # \S+(?: \S+){1,20}$", line)] == []


@pytest.mark.parametrize("name", FILES)
def test_an_install_hint_names_an_extra_that_exists(name: str) -> None:
    text = "\n".join(lines(name))
    hints = re.findall(r'pip install "rag-harness\[([\w-]+)\]"', text)
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    assert text.count("pip install") == text.count("Needs:") == len(hints)
    assert set(hints) <= set(project["project"]["optional-dependencies"])


@pytest.mark.parametrize("name", [name for name in FILES if "_target_: harness.llm.llama" in "\n".join(lines(name))])
def test_every_option_with_the_model_of_this_machine_says_what_to_install(name: str) -> None:
    assert 'Needs: pip install "rag-harness[local-llm]"' in "\n".join(lines(name)[:2])
