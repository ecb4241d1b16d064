"""What of a model is let through is told from its files; the library itself is tested where its extra is installed."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from harness.embedding.sentence_transformers import INSTALL, SentenceTransformers, check_files
from harness.errors import ConfigError, StageError
from tests.contracts.embedder import EmbedderContract

INSTALLED = find_spec("sentence_transformers") is not None
needs_it = pytest.mark.skipif(not INSTALLED, reason=f"sentence-transformers is not installed: {INSTALL}")
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "pump", "weighs", "kg", "refunds", "are", "paid", "within", "days"]


def saved(folder: Path, *modules: tuple[str, str], files: tuple[str, ...] = ("model.safetensors",)) -> Path:
    """The files of a saved model that a check looks at."""
    listed = [{"idx": place, "path": path, "type": kind} for place, (path, kind) in enumerate(modules)]
    (folder / "modules.json").write_text(json.dumps(listed))
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"weights")
    return folder


TRANSFORMER = ("", "sentence_transformers.models.Transformer")
DENSE = ("2_Dense", "sentence_transformers.models.Dense")


def test_a_model_of_the_librarys_parts_with_safetensors_is_let_through(tmp_path: Path) -> None:
    check_files(saved(tmp_path, TRANSFORMER, ("1_Pooling", "sentence_transformers.models.Pooling")))


def test_pickled_weights_beside_safetensors_are_not_read_and_do_no_harm(tmp_path: Path) -> None:
    check_files(saved(tmp_path, TRANSFORMER, files=("model.safetensors", "pytorch_model.bin")))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "weights.pt", "model.pkl"])
def test_pickled_weights_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"are not safetensors .*save the model anew as safetensors"):
        check_files(saved(tmp_path, TRANSFORMER, files=(name,)))


def test_pickled_weights_of_a_later_part_are_refused_too(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"2_Dense' are not safetensors \(\.bin\)"):
        check_files(saved(tmp_path, TRANSFORMER, DENSE, files=("model.safetensors", "2_Dense/pytorch_model.bin")))


@pytest.mark.parametrize(
    "kind", ["custom_st.Transformer", "os.system", "sentence_transformers.models.Router", "sentence_transformers_evil.Pooling"]
)
def test_a_model_that_brings_code_of_its_own_is_refused(tmp_path: Path, kind: str) -> None:
    """Before version 6 the library ran such code of a local folder with trust_remote_code=False too."""
    with pytest.raises(ConfigError, match=f"has a part '{kind}', which is not run here"):
        check_files(saved(tmp_path, TRANSFORMER, ("", kind)))


@pytest.mark.parametrize("text", [None, "{", '{"a": 1}', "[1]"])
def test_a_folder_that_holds_no_saved_model_is_named(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "modules.json").write_text(text)
    with pytest.raises(ConfigError, match=r"modules.json.*A model saved by sentence-transformers is needed"):
        check_files(tmp_path)


@pytest.mark.skipif(INSTALLED, reason="sentence-transformers is installed")
def test_without_the_extra_the_line_that_installs_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r'not installed: pip install "rag-harness\[sentence-transformers\]"'):
        SentenceTransformers(model=str(tmp_path), dimension=32).check()


@pytest.mark.parametrize(("settings", "named"), [({"model": ""}, "model"), ({"dimension": 0}, "dimension"), ({"cut": 1}, "cut")])
def test_a_wrong_setting_is_named(settings: dict[str, object], named: str) -> None:
    with pytest.raises(ValidationError, match=named):
        SentenceTransformers(**{"model": "m", "dimension": 32, **settings})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A transformer of one layer with random weights, saved by the library."""
    import torch
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text(
        "\n".join([*WORDS, *(f"##{chr(letter)}" for letter in range(97, 123)), *map(chr, range(97, 123))])
    )
    torch.manual_seed(1)
    config = BertConfig(vocab_size=80, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    BertModel(config).save_pretrained(folder / "bert")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    parts = [models.Transformer(str(folder / "bert")), models.Pooling(32)]
    SentenceTransformer(modules=parts, device="cpu").save(str(folder / "saved"))
    return str(folder / "saved")


@needs_it
@pytest.mark.filterwarnings("ignore")
class TestSentenceTransformers(EmbedderContract):
    @pytest.fixture
    def embedder(self, tiny: str) -> SentenceTransformers:
        return SentenceTransformers(model=tiny, dimension=32)

    def test_prefixes_stand_before_queries_and_passages(self, tiny: str) -> None:
        plain = SentenceTransformers(model=tiny, dimension=32)
        prefixed = SentenceTransformers(model=tiny, dimension=32, query_prefix="the ", passage_prefix="kg ")
        assert np.array_equal(prefixed.embed_queries(["pump"]), plain.embed(["the pump"]))
        assert np.array_equal(prefixed.embed(["pump"]), plain.embed(["kg pump"]))
        assert prefixed.identity != plain.identity

    def test_other_weights_are_another_identity(self, tiny: str, tmp_path: Path) -> None:
        import shutil

        other = Path(shutil.copytree(tiny, tmp_path / Path(tiny).name))
        same = SentenceTransformers(model=str(other), dimension=32).identity
        assert same == SentenceTransformers(model=tiny, dimension=32).identity
        (other / "model.safetensors").write_bytes(b"others")
        assert SentenceTransformers(model=str(other), dimension=32).identity != same

    def test_another_dimension_than_the_one_set_is_an_error(self, tiny: str) -> None:
        with pytest.raises(StageError, match="gave vectors of 32 dimensions; dimension=64 is set"):
            SentenceTransformers(model=tiny, dimension=64).embed(["pump"])

    def test_a_name_that_is_not_on_this_machine_is_an_error_and_nothing_is_fetched(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        with pytest.raises(ConfigError, match="no folder and not in the Hugging Face cache"):
            SentenceTransformers(model="nobody/no-such-model", dimension=64).check()
