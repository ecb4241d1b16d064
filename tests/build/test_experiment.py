"""Building: every option builds, every wrong value is an error that names its field."""

import re
import sys

import pytest
import yaml

from harness.build.compose import compose
from harness.build.experiment import STAGES, build, build_pipeline, gate_of
from harness.build.overrides import parse
from harness.build.sources import experiments
from harness.cache import CachedEmbedder, CachedReranker
from harness.errors import ConfigError
from harness.resources import shipped_root
from harness.store import Store
from tests.every_option import CODES, OPTIONS, lacking, settled, text_of, variables
from tests.judging.tiny_nli import write_nli

DEFAULTS = {
    slot: option
    for item in yaml.safe_load((shipped_root() / "conf" / "config.yaml").read_text("utf-8"))["defaults"]
    if isinstance(item, dict)
    for slot, option in item.items()
}
"""The options that run when nothing else is said."""
LEFT_OUT = {"harness.generation.verification.Verification": {"support", "skip_planted"}}
"""Fields of a stage inside, and those that count only beside it: an option without that stage does not list them."""


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    monkeypatch.setenv("HARNESS_NLI_DIR", str(write_nli(tmp_path / "nli")))
    return Store(tmp_path / "s.sqlite")


def built(store, *words):
    return build(parse(list(words))[0], store)


def words_of(group, option):
    """One option chosen, and of each other slot the default one where the two go together."""
    row = settled({group: option}, DEFAULTS)
    return [f"{slot}={name}" for slot, name in row.items() if slot == group or name != DEFAULTS[slot]]


def composed(group, option):
    return compose(parse(words_of(group, option))[0])


def fault(store, *words) -> str:
    with pytest.raises(ConfigError) as caught:
        built(store, *words)
    return str(caught.value)


@pytest.mark.parametrize("name", sorted(experiments()))
def test_every_experiment_builds(store, name):
    """Of one that asks a model which is not here, what was recorded can be replayed."""
    assert build(parse([f"+experiment={name}"])[0], store, replay=True).name == name


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_builds_into_its_stage(store, group, option, monkeypatch):
    """With keys in the environment; no model is loaded. What is not installed is told, and what was recorded of it can be replayed."""
    config = composed(group, option)
    for name in variables(config):
        monkeypatch.setenv(name, "not-a-key")
    absent = lacking(config)
    if absent:
        assert re.search("F010.*pip install", fault(store, *words_of(group, option)))
    made = build(parse(words_of(group, option))[0], store, replay=absent)
    found = made.pipeline if group in STAGES or group == "retrievers" else made
    assert made.config == config
    assert group == "store" or bool(getattr(found, group)) is bool(config[group])


@pytest.mark.parametrize(("group", "option"), [item for item in OPTIONS if re.search("_env: +[A-Z]", text_of(*item))])
def test_an_option_without_its_key_is_refused_before_anything_is_asked(store, group, option, monkeypatch):
    names = variables(composed(group, option))
    for name in names:
        monkeypatch.delenv(name, raising=False)
    text = fault(store, *words_of(group, option))
    assert "F010" in text
    assert all(name in text for name in names)


@pytest.mark.parametrize("pair", sorted(map(sorted, CODES)), ids=str)
def test_options_that_do_not_go_together_are_refused_by_name(store, pair):
    """Whatever stands in the other slots goes with both, or is what runs when nothing else is said."""
    row = {**settled(dict(pair[:1]), DEFAULTS), **settled(dict(pair[1:]), DEFAULTS), **dict(pair)}
    overrides = parse([f"{slot}={option}" for slot, option in row.items()])[0]
    absent = lacking(compose(overrides))
    with pytest.raises(ConfigError) as caught:
        build(overrides, store, replay=not absent)
    codes = {problem.code for problem in caught.value.problems}
    assert codes == {CODES[frozenset(map(tuple, pair))]} or (absent and "F010" in codes)


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_an_option_lists_every_field_of_its_stage(group, option):
    node = composed(group, option)[group]
    for part in node.values() if group == "retrievers" else [node]:
        if part:
            module, _, name = part["_target_"].rpartition(".")
            kind = getattr(__import__(module, fromlist=[name]), name)
            listed = set(part) - {"_target_"}
            assert listed <= set(kind.__dataclass_fields__)
            assert set(kind.__dataclass_fields__) - listed <= LEFT_OUT.get(part["_target_"], set())


@pytest.mark.parametrize(
    ("word", "where", "says"),
    [
        ("fuser.k=sixty", "fuser.k", "valid integer"),
        ("fuser.k=0", "fuser.k", "greater than or equal to 1"),
        ("chunker.overlap=0.9", "chunker.overlap", "less than or equal to 0.5"),
        ("+reranker.topk=5", "reranker.topk", "no such setting"),
        ("retrievers.bm25.tokenizer=klingon", "retrievers.bm25.tokenizer", "stemmed"),
        ("depth.shown=30", "depth", "shown=30 <= reranked=20"),
        ("workers=0", "workers", "greater than or equal to 1"),
        ("split=training", "split", "'all', 'tune' or 'test'"),
        ("ks=[0]", "ks", "greater than or equal to 1"),
        ("hyde=llm", "hyde.llm.colour", "no such setting"),
        ("answerability.minimum=high", "answerability.minimum", "valid number"),
        ("gate.alpha=nan", "gate.alpha", "less than"),
        ("ks=[20000]", "ks", "less than or equal to 10000"),
        ("ks=[100]", "ks=[100]", "no k is within depth.reranked=20"),
        ("workers=true", "workers", "valid integer"),
        ("runs_dir=", "runs_dir", "at least 1 character"),
    ],
)
def test_a_wrong_value_names_its_field(store, word, where, says):
    words = [word, "+hyde.llm.colour=red"] if word == "hyde=llm" else [word]
    text = fault(store, *words)
    assert where in text
    assert says in text


def test_wrong_values_of_several_slots_are_told_at_once(store):
    assert fault(store, "fuser.k=sixty", "chunker.size=0", "workers=0").count("error[") == 3


def test_an_unknown_name_does_not_hide_a_wrong_value(store):
    text = fault(store, "chunker.sise=3", "fuser.k=sixty", "reranker=lexicl")
    assert text.count("error[") == 3
    assert "did you mean 'chunker.size'?" in text
    assert "fuser.k" in text


def test_a_threshold_on_rank_scores_is_refused_by_name(store):
    text = fault(store, "reranker=none")
    assert "F007" in text
    assert "answerability=never" in text


def test_a_retrieval_only_run_has_nothing_to_refuse(store):
    experiment = built(store, "reranker=none", "generator=none", "judge=none", "tracking=none", "gate=none")
    assert (experiment.pipeline.generator, experiment.judge, experiment.tracking, experiment.gate) == (None, None, None, None)


def test_a_slot_that_is_needed_cannot_be_empty(store, tmp_path, monkeypatch):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "hollow.yaml").write_text("{}\n")
    monkeypatch.chdir(tmp_path)
    assert "cannot do without" in fault(store, "chunker=hollow")


@pytest.mark.parametrize("target", ["builtins.open", "joblib.load", "os.system", "harness.cli.ui.command", "harnessx.chunking.A"])
def test_a_config_cannot_name_code_outside_the_stage_families(store, tmp_path, monkeypatch, target):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "evil.yaml").write_text(f"_target_: {target}\nfile: x\n")
    monkeypatch.chdir(tmp_path)
    assert f"{target!r} is not allowed" in fault(store, "chunker=evil")


@pytest.mark.parametrize(
    "target",
    [
        "harness.embedding.bge.np.load",
        "harness.embedding.bge.Path",
        "harness.tracking.schema.os.makedirs",
        "harness.tracking.schema.ensure",
        "harness.chunking.recursive.Sequence",
        "harness.chunking.nowhere.Chunker",
        "harness.chunking",
    ],
)
def test_what_a_stage_module_imports_or_helps_itself_with_is_no_stage(store, tmp_path, monkeypatch, target):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "evil.yaml").write_text(f"_target_: {target}\nfile: x\n")
    monkeypatch.chdir(tmp_path)
    assert "F005" in fault(store, "chunker=evil")


def test_a_stage_of_another_family_is_refused(store, tmp_path, monkeypatch):
    (tmp_path / "conf" / "reranker").mkdir(parents=True)
    (tmp_path / "conf" / "reranker" / "odd.yaml").write_text("_target_: harness.chunking.fixed.Fixed\n")
    monkeypatch.chdir(tmp_path)
    assert "is no reranker" in fault(store, "reranker=odd")


def test_a_key_in_place_of_its_variables_name_is_refused_and_not_repeated(store):
    text = fault(store, "generator=llm", "generator.llm.api_key_env=sk-CANARY123456789")
    assert "generator.llm.api_key_env" in text
    assert "sk-CANARY" not in text


def test_a_password_in_the_tracking_uri_is_refused_and_not_repeated(store):
    text = fault(store, "tracking.uri='postgresql://me:CANARY@127.0.0.1/x'")
    assert "MLFLOW_TRACKING_PASSWORD" in text
    assert "CANARY" not in text


@pytest.mark.parametrize("key", ["_args_", "_partial_", "_convert_", "_recursive_"])
def test_hydras_side_doors_are_shut(store, tmp_path, monkeypatch, key):
    (tmp_path / "conf" / "fuser").mkdir(parents=True)
    (tmp_path / "conf" / "fuser" / "odd.yaml").write_text(f"_target_: harness.fusion.ReciprocalRankFusion\n{key}: [1]\n")
    monkeypatch.chdir(tmp_path)
    assert f"fuser.{key}" in fault(store, "fuser=odd")


def test_a_package_that_the_user_named_is_allowed(store, tmp_path, monkeypatch):
    (tmp_path / "myfuser.py").write_text("class First:\n    def fuse(self, rankings):\n        return rankings[0]\n")
    (tmp_path / "conf" / "fuser").mkdir(parents=True)
    (tmp_path / "conf" / "fuser" / "own.yaml").write_text("_target_: myfuser.First\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert "is not allowed" in fault(store, "fuser=own")
    monkeypatch.setenv("HARNESS_PLUGINS", "myfuser")
    assert type(built(store, "fuser=own").pipeline.fuser).__name__ == "First"


def test_an_unknown_top_level_key_of_a_file_is_refused(store, tmp_path, monkeypatch):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "odd.yaml").write_text("chunkers: {size: 3}\n")
    monkeypatch.chdir(tmp_path)
    assert "did you mean 'chunker'?" in fault(store, "+experiment=odd")


def test_where_results_go_does_not_change_what_they_are(store):
    base = built(store).fingerprint
    assert built(store, "runs_dir=/tmp/x", "workers=1", "tracking=none", "gate=none").fingerprint == base
    assert built(store, "fuser.k=61").fingerprint != base


def test_a_model_whose_key_is_not_set_is_told_before_anything_is_asked(store, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    text = fault(store, "generator=llm", "judge=ragas")
    assert "generator.llm" in text
    assert "judge.llm" in text
    assert "OPENAI_API_KEY" in text


def test_what_is_fixed_for_one_experiment_leaves_the_next_as_it_was(store):
    before = dict(built(store, "fuser.k=41").config)
    fixed = {"embedder": {"_target_": "harness.embedding.hashing.Hashing"}, "generator": None}
    build(parse(["fuser.k=41"])[0], store, fixed=fixed)
    assert built(store, "fuser.k=41").config == before


@pytest.mark.parametrize(("replayable", "advised"), [(True, True), (False, False)])
def test_recorded_completions_are_advised_only_where_the_command_can_replay_them(store, monkeypatch, replayable, advised):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ConfigError) as caught:
        build(parse(["doc2query=llm"])[0], store, replayable=replayable)
    assert [("--replay" in problem.fix) for problem in caught.value.problems] == [advised]


def test_a_chunker_without_its_grammars_says_what_could_not_be_cut(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)
    text = fault(store, "chunker=code")
    assert "F010" in text and "No document of source code could be cut." in text
    assert "Nothing that it is asked" not in text and "--replay" not in text


def test_the_cells_of_a_sweep_share_their_models(store):
    made: dict[str, object] = {}
    first, second = (build(parse([word])[0], store, made) for word in ("fuser.k=1", "fuser.k=2"))
    assert first.pipeline.embedder.inner is second.pipeline.embedder.inner
    assert first.pipeline.fuser != second.pipeline.fuser


def test_expensive_stages_are_cached(store):
    pipeline = built(store).pipeline
    assert isinstance(pipeline.embedder, CachedEmbedder)
    assert isinstance(pipeline.reranker, CachedReranker)


def test_the_gate_of_a_finished_run_is_built_from_its_config(store):
    experiment = built(store)
    assert gate_of(experiment.config) == experiment.gate
    assert gate_of({"gate": {}}) is None


def test_a_gate_with_a_mistyped_key_is_refused(store):
    with pytest.raises(ConfigError, match="alfa"):
        gate_of({"gate": {"_target_": "harness.gates.gate.Gate", "rules": [{"metric": "recall_at_5"}], "alfa": 1}})


@pytest.mark.parametrize("words", [("fuser.k=sixty", "chunker.size=0"), ("chunker.sise=3",), ("embedder=bge_smal",)])
def test_a_pipeline_alone_is_held_to_the_same_rules_as_an_experiment(store, words):
    with pytest.raises(ConfigError) as caught:
        build_pipeline(parse(list(words))[0], store, ["chunker"])
    assert str(caught.value) == fault(store, *words)


def test_a_pipeline_alone_can_name_no_other_code_either(store, tmp_path, monkeypatch):
    (tmp_path / "conf" / "chunker").mkdir(parents=True)
    (tmp_path / "conf" / "chunker" / "evil.yaml").write_text("_target_: builtins.open\nfile: x\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"'builtins\.open' is not allowed"):
        build_pipeline(parse(["chunker=evil"])[0], store, ["chunker"])


def test_of_a_pipeline_alone_only_the_models_that_are_asked_must_be_there(store, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    overrides = parse(["generator=llm", "chunker.size=77"])[0]
    assert build_pipeline(overrides, store, ["chunker"])[0].chunker.size == 77
    with pytest.raises(ConfigError, match=r"(?s)F010.*generator\.llm") as caught:
        build_pipeline(overrides, store, ["chunker", "generator"])
    assert "--replay" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (
            ["answerability=never", "+answerability.minimum=0.4"],
            "choose answerability=classifier or answerability=margin or answerability=threshold",
        ),
        (["hyde=on", "+hyde.on_failure=skip"], "choose hyde=llm or hyde=local_llm, which have it"),
        (["+reranker.topk=5"], "see `python -m harness run --cfg`"),
    ],
)
def test_a_setting_that_another_option_has_says_which(store, words, fix):
    assert f"Fix: {fix}" in fault(store, *words)


def test_wrong_settings_of_a_stage_of_its_model_and_of_another_slot_are_told_at_once(store):
    text = fault(store, "hyde=llm", "hyde.on_failure=skp", "hyde.llm.attempts=0", "fuser.k=0", "store=qdrant", "store.m=1")
    assert all(name in text for name in ("hyde.on_failure", "hyde.llm.attempts", "fuser.k", "error[F001] store.m"))
    assert text.count("error[") == 4


def test_a_store_that_contradicts_itself_is_told_once_and_without_pydantics_words(store):
    text = fault(store, "store=qdrant", "store.m=8")
    assert text.count("error[") == 1 and "error[F001] store — " in text
    assert "Value error" not in text and "a group of" not in text


def test_parts_that_hold_are_made_once_for_each_slot(store):
    pipeline = built(store, "store=faiss_hnsw", "store.m=8").pipeline
    assert pipeline.retrievers["dense"].store.m == 8
