"""Composing: what exists composes, what does not is named, the user's own files come first."""

import shutil
from pathlib import Path

import pytest

from harness.build.compose import compose
from harness.build.overrides import parse
from harness.build.sources import experiments, first_comment, groups
from harness.errors import ConfigError

ROOT = Path(__file__).parent.parent.parent


def composed(*words):
    return compose(parse(list(words))[0])


def fault(*words) -> str:
    with pytest.raises(ConfigError) as caught:
        composed(*words)
    return str(caught.value)


def test_the_default_config_is_the_smoke_set_under_the_whole_pipeline():
    config = composed()
    assert config["golden_set"] == "smoke"
    assert config["chunker"]["size"] == 512
    assert config["fuser"]["k"] == 60
    assert config["depth"] == {"candidates": 50, "reranked": 20, "shown": 5, "channels": {}}


def test_an_experiment_changes_only_what_it_names():
    config = composed("+experiment=naive")
    assert config["chunker"]["_target_"] == "harness.chunking.fixed.Fixed"
    assert list(config["retrievers"]) == ["dense"]
    assert config["generator"] == composed()["generator"]


def test_a_word_on_the_command_line_wins_over_the_experiment():
    assert composed("+experiment=naive", "chunker.size=400")["chunker"]["size"] == 400


def test_an_unquoted_off_in_an_experiment_is_the_option_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "mine.yaml").write_text("defaults:\n  - override /hyde: on\n")
    monkeypatch.chdir(tmp_path)
    assert composed("+experiment=mine")["hyde"]["_target_"] == "harness.querying.declarative.DeclarativeHyde"


def test_a_users_own_option_and_experiment_stand_beside_the_shipped_ones(tmp_path, monkeypatch):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "tiny.yaml").write_text("_target_: harness.chunking.recursive.Recursive\nsize: 64\n")
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "mine.yaml").write_text("defaults:\n  - override /chunker: tiny\n")
    monkeypatch.chdir(tmp_path)
    assert composed("+experiment=mine")["chunker"]["size"] == 64
    assert composed("+experiment=naive")["chunker"]["size"] == 1000


def test_a_users_file_of_the_same_name_comes_first(tmp_path, monkeypatch):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "recursive.yaml").write_text("_target_: harness.chunking.recursive.Recursive\nsize: 77\n")
    monkeypatch.chdir(tmp_path)
    assert composed()["chunker"]["size"] == 77


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("+experiment=hybrid_rernk", "did you mean 'hybrid_rerank'?"),
        ("experiment=hybrid", "write +experiment=hybrid"),
        ("+experimnt=hybrid_rerank", "write +experiment=hybrid_rerank"),
        ("chunker=recursve", "did you mean 'recursive'?"),
        ("chunkr=recursive", "did you mean 'chunker'?"),
        ("fuser.kk=3", "did you mean 'fuser.k'?"),
        ("+fusr.k=3", "did you mean 'fuser.k'?"),
        ("golden_sett=smoke", "did you mean 'golden_set'?"),
        ("hydra.run.dir=/tmp/x", "no setting is called 'hydra.run.dir'"),
        ("+experiment=[naive]", "no experiment is called"),
        ("+experiment={a:1}", "no experiment is called"),
        ("reranker=null", "reranker has no option None"),
        ("reranker=[a]", "reranker has no option"),
        ("golden_set=${oc.env:HOME}", "would be written to disk"),
    ],
)
def test_a_name_that_does_not_exist_is_told_with_the_nearest(word, says):
    assert says in fault(word)


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (["chunker=router", "chunker.markdown=table"], "write chunker@chunker.markdown=table"),
        (["chunker=semantic", "chunker.embedder=hashing"], "write embedder@chunker.embedder=hashing"),
        (["hyde=llm", "hyde.llm=gpt-5"], "set its fields: hyde.llm.FIELD=VALUE"),
    ],
)
def test_an_option_given_to_a_stage_inside_another_is_told_how_it_is_chosen(words, fix):
    with pytest.raises(ConfigError) as caught:
        compose(parse(words)[0])
    assert [(problem.code, problem.fix) for problem in caught.value.problems] == [("F004", fix)]


def test_all_unknown_names_are_told_at_once():
    text = fault("chunker=recursve", "fuser.kk=3", "+experimnt=x")
    assert text.count("error[") == 3


def test_an_experiment_that_is_no_yaml_is_named(tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "bad.yaml").write_text("defaults: [unclosed\n")
    monkeypatch.chdir(tmp_path)
    assert "bad.yaml" in fault("+experiment=bad")


def test_an_experiment_that_overrides_an_unknown_option_is_refused(tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "bad.yaml").write_text("defaults:\n  - override /chunker: nope\n")
    monkeypatch.chdir(tmp_path)
    assert "chunker/nope" in fault("+experiment=bad")


def test_nothing_is_written_where_the_command_was_started(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    composed("+experiment=naive")
    assert list(tmp_path.iterdir()) == []


def test_every_shipped_option_and_experiment_says_what_it_is_for():
    assert {"naive", "bm25_only", "dense_only", "hybrid", "hybrid_rerank", "hybrid_rerank_hyde"} <= set(experiments())
    assert all(first_comment(path) for path in experiments().values())
    assert {"chunker", "embedder", "retrievers", "fuser", "reranker", "hyde", "generator", "gate"} <= set(groups())


def test_a_broken_experiment_does_not_stop_another_one(tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "bad.yaml").write_bytes(b"# caf\xe9\ndefaults: [")
    monkeypatch.chdir(tmp_path)
    assert composed("+experiment=naive")["chunker"]["size"] == 1000
    assert first_comment(tmp_path / "experiments" / "bad.yaml").startswith("caf")


@pytest.mark.parametrize("content", ["defaults: 5\n", "defaults: [5]\n", "_target_: [\n"])
def test_a_broken_config_file_of_the_users_own_is_told(tmp_path, monkeypatch, content):
    place = tmp_path / "conf" / ("chunker/recursive.yaml" if "_target_" in content else "config.yaml")
    place.parent.mkdir(parents=True)
    place.write_text(content)
    monkeypatch.chdir(tmp_path)
    assert "error[F001]" in fault()


@pytest.mark.parametrize("name", ["with space", "a,b", "[x]", "x=y", "it's"])
def test_the_shipped_files_are_found_wherever_they_lie(tmp_path, monkeypatch, name):
    shipped = tmp_path / name
    for folder in ("conf", "experiments"):
        shutil.copytree(ROOT / folder, shipped / folder)
    monkeypatch.setattr("harness.resources.shipped_root", lambda: shipped)
    (tmp_path / "mine" / "conf").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "mine")
    assert composed("+experiment=naive")["chunker"]["size"] == 1000


def test_a_secret_on_the_command_line_is_not_repeated():
    assert "sk-CANARY" not in fault("generatr.llm.api_key=sk-CANARY123456789")


@pytest.mark.parametrize(
    ("words", "place", "value"),
    [
        (["fuser=weighted", "fuser.weights.bm25=2"], ("fuser", "weights"), {"bm25": 2}),
        (["fuser=weighted", "+fuser.weights.bm25=2"], ("fuser", "weights"), {"bm25": 2}),
        (["fuser=weighted", "++fuser.weights.bm25=2", "fuser.weights.dense=3"], ("fuser", "weights"), {"bm25": 2, "dense": 3}),
        (["fuser=weighted", "fuser.weights={bm25: 2}"], ("fuser", "weights"), {"bm25": 2}),
        (["depth.channels.bm25=100"], ("depth", "channels"), {"bm25": 100}),
        (["+depth.channels.bm25=100"], ("depth", "channels"), {"bm25": 100}),
        (["fuser=weighted", "fuser.weights={bm25: 2}", "fuser.weights.dense=1"], ("fuser", "weights"), {"bm25": 2, "dense": 1}),
    ],
)
def test_an_entry_of_a_free_mapping_is_taken_with_and_without_a_plus(words, place, value):
    slot, name = place
    assert composed(*words)[slot][name] == value


@pytest.mark.parametrize(
    ("word", "fix"),
    [
        ("fuser.weights.bm25=2", "choose fuser=weighted, which has it"),
        ("fuser.normalise=z", "choose fuser=weighted, which has it"),
        ("hyde.on_failure=skip", "choose hyde=llm or hyde=local_llm, which have it"),
        ("hyde.llm.model=openai/m", "choose hyde=llm, which has it"),
        ("store.nprobe=3", "choose store=faiss_ivf, which has it"),
    ],
)
def test_a_setting_of_another_option_names_the_options_that_have_it(word, fix):
    with pytest.raises(ConfigError) as caught:
        composed(word)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fix) == ("F002", fix)


def test_a_setting_that_no_option_has_is_answered_with_the_nearest():
    assert "did you mean 'fuser.k'?" in fault("fuser.kk=3")
    assert "_target_" not in fault("hyde.on_failre=skip")
