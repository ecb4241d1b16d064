"""`judge=local_llm` through the command line: told what to install, or judged on this machine and replayed on another."""

import json
import shutil
from importlib.util import find_spec

import pytest

from harness.llm import llama
from harness.local_models import QWEN_CODER
from tests.cli.project import questions, write_golden_set

INSTALLED = all(find_spec(name) for name in (llama.PACKAGE, *QWEN_CODER.packages))


def test_without_the_extra_the_run_stops_and_says_what_to_install(project, harness, monkeypatch):
    monkeypatch.setattr(llama, "find_spec", lambda _name: None)
    code, text = harness("run", "+experiment=light", "judge=local_llm")
    flat = " ".join(text.replace("│", " ").split())
    assert code == 2
    assert "F010" in flat and "judge.support.llm" in flat and 'pip install ".[local-llm]"' in flat


def faithfulness(project):
    path = sorted((project / "reports" / "runs").glob("*/results.json"))[-1]
    return json.loads(path.read_text())["metrics"]["faithfulness"]


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason='the extra is not installed: pip install ".[local-llm]"')
def test_it_judges_on_this_machine_and_is_replayed_on_one_without_it(project, harness, monkeypatch):
    write_golden_set(project / "golden_sets" / "tiny", questions()[:2])
    assert harness("models")[0] == 0
    words = ["+experiment=light", "gate=none", "judge=local_llm", "judge.support.llm.context=1024"]
    code, text = harness("run", *words)
    assert code == 0, text
    judged = faithfulness(project)
    assert judged["n"] == 2
    assert harness("accept")[0] == 0
    shutil.rmtree(project / "cache")
    llama._engine.cache_clear()
    monkeypatch.setattr(llama, "find_spec", lambda _name: None)
    code, text = harness("run", "--replay", *words)
    assert code == 0, text
    assert faithfulness(project) == judged
