"""Wrong input ends in one clear block and exit 2, quickly, with nothing run and nothing lost."""

import json
import subprocess
import sys

import pytest

from harness.cli.main import main
from tests.cli.project import questions, write_golden_set


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["+experiment=lihgt"], "did you mean 'light'?"),
        (["+experimnt=light"], "did you mean 'experiment'?"),
        (["+experiment=light", "reranker=lexicl"], "did you mean 'lexical'?"),
        (["+experiment=light", "chunker.sise=3"], "did you mean 'chunker.size'?"),
        (["+experiment=light", "fuser.k=sixty"], "fuser.k"),
        (["+experiment=light", "golden_set=tinny"], "tiny"),
        (["+experiment=light", "split=tune"], "An empty set would pass every gate"),
        (["light"], "+experiment=light"),
    ],
)
def test_a_mistake_is_one_block_and_exit_2(project, harness, words, says):
    code, text = harness("run", *words)
    assert code == 2
    assert says in text.replace("\n", " ")
    assert "Traceback" not in text
    assert not (project / "reports").exists()


@pytest.mark.parametrize("tokenizer", ["./nope.json", "openai/nope"])
def test_a_tokenizer_that_cannot_count_is_one_block_before_any_question(project, harness, tokenizer):
    code, text = harness("run", "+experiment=light", f"context.tokenizer={tokenizer}")
    assert (code, text.count("F010")) == (2, 1)
    assert not (project / "reports").exists()


def test_the_faults_of_a_stage_and_of_the_model_inside_it_are_told_together(project, harness):
    code, text = harness("run", "+experiment=light", "hyde=llm", "hyde.on_failure=skp", "hyde.llm.attempts=0")
    assert code == 2
    assert "hyde.on_failure" in text and "hyde.llm.attempts" in text


def test_a_weight_of_a_retriever_is_set_by_its_name(project, harness):
    code, text = harness("run", "+experiment=light", "gate=none", "fuser=weighted", "fuser.weights.bm25=2")
    assert code == 0, text


def test_a_golden_file_with_five_faults_reports_all_five_with_their_lines(project, harness):
    rows = questions()
    rows[0]["question"] = " "
    rows[1]["evidence"] = [[{"doc": "batery.md", "quote": "two AA cells"}]]
    rows[2]["evidence"] = [[{"doc": "range.md", "quote": "up to 500 metres away"}]]
    rows[3]["id"] = rows[4]["id"]
    rows[5]["colour"] = "red"
    write_golden_set(project / "golden_sets" / "broken", rows)
    code, text = harness("run", "+experiment=light", "golden_set=broken")
    flat = text.replace("\n", " ")
    assert code == 2
    for line in (1, 2, 3, 5, 6):
        assert f"questions.jsonl:{line}" in flat, flat
    assert "battery.md" in flat


def test_an_edit_without_a_new_version_is_refused(project, harness):
    path = project / "golden_sets" / "tiny" / "questions.jsonl"
    path.write_text(path.read_text().replace("soil", "soil ", 1))
    code, text = harness("run", "+experiment=light")
    assert code == 2
    assert "version" in text


def test_a_damaged_baseline_is_refused_by_name(project, harness):
    harness("run", "+experiment=light")
    harness("accept")
    path = project / "reports" / "tiny" / "light.json"
    content = json.loads(path.read_text())
    content["experiment"] = "other"
    path.write_text(json.dumps(content))
    code, text = harness("run", "+experiment=light")
    assert code == 2
    assert "light.json" in text


def test_a_run_that_does_not_exist_is_named(project, harness):
    code, text = harness("gate", "nothing-here")
    assert code == 2
    assert "nothing-here" in text


def test_no_finished_run_is_told(project, harness):
    (project / "reports" / "runs").mkdir(parents=True)
    code, text = harness("gate")
    assert code == 4
    assert "no finished run" in text


@pytest.mark.parametrize("command", ["gate", "report", "accept"])
def test_a_folder_of_runs_that_is_not_there_is_a_usage_error(project, harness, command):
    code, text = harness(command, "--runs-dir", "elsewhere")
    assert code == 2
    assert "there is no folder" in text and "elsewhere" in text


@pytest.mark.parametrize(("words", "hint"), [(["--repeats", "3"], "repeats=VALUE"), (["--runs-dir=x"], "runs_dir=x")])
def test_a_setting_written_as_an_option_is_told_how_to_write_it(project, harness, capsys, words, hint):
    with pytest.raises(SystemExit) as caught:
        harness("run", *words)
    assert caught.value.code == 2
    assert f"settings are words without dashes: {hint}" in capsys.readouterr().err


def test_debug_shows_the_traceback(project, harness):
    from harness.errors import ConfigError

    with pytest.raises(ConfigError):
        harness("run", "--debug", "+experiment=nope")


def test_help_of_every_command_imports_nothing_heavy():
    code = """
import sys
from harness.cli.main import main
for words in ([], ["run"], ["gate"], ["accept"], ["report"], ["models"], ["ui"]):
    try:
        main([*words, "--help"])
    except SystemExit as stop:
        assert stop.code == 0, words
heavy = {"mlflow", "ragas", "litellm", "faiss", "onnxruntime", "datasets", "hydra", "numpy", "sklearn"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "hybrid_rerank" in done.stdout
    assert "retrievers" in done.stdout


def test_a_file_whose_name_begins_with_a_dash_is_told_how_it_is_written(project, monkeypatch, capsys):
    (project / "-rf.md").write_text("# Care\n")
    monkeypatch.setattr("sys.argv", ["harness", "chunk", "-rf.md"])
    with pytest.raises(SystemExit) as stop:
        main(["chunk", "-rf.md"])
    assert stop.value.code == 2
    assert "'-rf.md' begins with a dash: write `-- -rf.md`" in capsys.readouterr().err
