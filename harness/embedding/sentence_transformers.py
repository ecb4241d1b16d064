"""Any model of the sentence-transformers library on this machine: a folder, or a name whose files are already here."""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.embedding.checks import unit_vectors
from harness.errors import ConfigError, StageError
from harness.fingerprint import digest, fingerprint
from harness.protocols import Vectors

INSTALL = 'pip install "rag-harness[sentence-transformers]"'
_UNSAFE = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_PARTS = ("Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "WeightedLayerPooling", "StaticEmbedding")
"""Kinds of module that are run: none reads code or further modules."""
_LOADING = Lock()


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class SentenceTransformers:
    """A model with safetensors weights on the CPU; one text a call, so that a vector never depends on its neighbours.

    Nothing is downloaded and no code of the model's is run. A text longer than the model reads is cut at its end.
    """

    model: Annotated[str, Field(min_length=1)]
    """A folder, or a name on the Hugging Face hub whose files lie in its cache on this machine."""
    dimension: Annotated[int, Field(ge=1, le=65_536, strict=True)]
    """Length of the vectors; another is an error."""
    query_prefix: str = ""
    """Put before a query, as the model was trained: `query: `."""
    passage_prefix: str = ""
    """Put before a passage: `passage: `."""

    @cached_property
    def identity(self) -> str:
        """Content of the model's files, versions of what runs them, dimension and prefixes.

        Raises:
            ConfigError: as `check`.
        """
        self.check()
        engines = " ".join(f"{name} {version(name)}" for name in ("sentence-transformers", "transformers", "torch"))
        return (
            f"{Path(self.model).name} {self._revision}, {engines}, {self.dimension} dimensions, unit length, "
            f"prefixes {self.query_prefix!r} {self.passage_prefix!r}"
        )

    def check(self) -> None:
        """Looks for the library and the model; loads neither.

        Raises:
            ConfigError: when the extra is not installed, the model is not on this machine, its weights are not safetensors, or it brings
                code of its own.
        """
        if find_spec("sentence_transformers") is None:
            raise ConfigError(f"sentence-transformers is not installed: {INSTALL}")
        check_files(self._folder)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, float32[n, dimension].

        Raises:
            StageError: for a blank text, which it names, or vectors of another length.
            ConfigError: as `check`.
        """
        return self._vectors(texts, self.passage_prefix)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of queries, float32[n, dimension]; raises what `embed` raises."""
        return self._vectors(texts, self.query_prefix)

    def _vectors(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        unit_vectors(np.ones((len(texts), 1)), texts, self.identity)
        given = [prefix + text for text in texts]
        rows = np.asarray(self._loaded.encode(given, prompt="", batch_size=1, show_progress_bar=False), dtype=np.float32)
        if rows.shape != (len(texts), self.dimension):
            raise StageError(f"{self.model!r} gave vectors of {rows.shape[-1]} dimensions; dimension={self.dimension} is set")
        return unit_vectors(rows, texts, self.identity)

    @cached_property
    def _loaded(self) -> Any:
        self.check()
        with _LOADING:
            from sentence_transformers import SentenceTransformer

            import_module("transformers.utils.logging").disable_progress_bar()
            return SentenceTransformer(
                str(self._folder),
                device="cpu",
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"use_safetensors": True},
            )

    @cached_property
    def _folder(self) -> Path:
        if Path(self.model).is_dir():
            return Path(self.model)
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

        try:
            return Path(snapshot_download(self.model, local_files_only=True))
        except (HFValidationError, LocalEntryNotFoundError) as error:
            raise ConfigError(
                f"the model {self.model!r} is no folder and not in the Hugging Face cache of this machine; give a folder, or "
                f"fetch it once with `hf download {self.model}`"
            ) from error

    @cached_property
    def _revision(self) -> str:
        files = sorted(path for path in self._folder.rglob("*") if path.suffix in (".safetensors", ".json", ".txt", ".model"))
        return fingerprint([(path.relative_to(self._folder).as_posix(), digest(path.read_bytes())) for path in files])[:16]


def check_files(folder: Path) -> None:
    """Holds a saved model to parts of the library with safetensors weights.

    Raises:
        ConfigError: when it is none, its weights are not safetensors, or it brings code of its own.
    """
    for module in _modules(folder):
        _check_module(folder, module)


def _modules(folder: Path) -> list[dict[str, Any]]:
    """The parts of a model in the order in which they run."""
    path = folder / "modules.json"
    try:
        listed = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{str(path)!r} cannot be read: {error}. A model saved by sentence-transformers is needed") from error
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise ConfigError(f"{str(path)!r} holds no list of modules. A model saved by sentence-transformers is needed")
    return listed


def _check_module(folder: Path, module: dict[str, Any]) -> None:
    """Before version 6 the library runs a local folder's own classes whatever `trust_remote_code` says: none is let through."""
    kind, place = str(module.get("type")), folder / str(module.get("path", ""))
    if not kind.startswith("sentence_transformers.") or kind.rpartition(".")[2] not in _PARTS:
        raise ConfigError(
            f"the model in {str(folder)!r} has a part {kind!r}, which is not run here; its parts may be {', '.join(_PARTS)} of "
            "sentence-transformers"
        )
    kinds = {path.suffix for path in place.iterdir()} if place.is_dir() else set()
    unsafe = sorted(kinds & set(_UNSAFE))
    if unsafe and ".safetensors" not in kinds:
        raise ConfigError(
            f"the weights in {str(place)!r} are not safetensors ({unsafe[0]}), which could run code when they are read; save the model "
            "anew as safetensors"
        )
