"""Support by an entailment model that lies in a folder of yours: ONNX and tokenizer.json, on this machine.

No licensed model of this kind can be shipped, so none is. Whatever gives logits for (premise, hypothesis) will do; whether
it is good enough is measured by `harness calibrate judge`.

A premise is a few sentences of one passage: entailment models are trained on short premises and find more in them (Laban
et al. 2022, SummaC, arXiv 2111.09525). The best premise counts, so a claim that needs two passages together is missed.
"""

import os
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, StageError
from harness.jsonl import parse_json
from harness.local_models import INSTALL, Session, _checksum, session
from harness.text import sentences
from harness.types import Support

VARIABLE = "HARNESS_NLI_DIR"
"""Names the folder where the config does not."""
MODEL, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
"""Files of the folder; config.json is read for the labels only."""
FROM_CONFIG = -1
"""Which logit is entailment is read from config.json."""
_LOADING = Lock()


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class NLI:
    """P(entailment) of the best premise, by softmax over the model's labels."""

    path: str = ""
    """Folder with model.onnx and tokenizer.json; empty takes the environment variable HARNESS_NLI_DIR."""
    entailment: Annotated[int, Field(ge=FROM_CONFIG)] = FROM_CONFIG
    """Place of entailment among the model's logits; -1 reads `id2label` of config.json."""
    sentences: Annotated[int, Field(ge=1)] = 5
    """Sentences of a premise; neighbouring premises share half of them."""
    max_pieces: Annotated[int, Field(ge=8)] = 512
    """Word pieces that the model takes. A longer premise is halved between sentences; a longer sentence is an error."""
    minimum: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Probability from which a claim is supported."""

    @property
    def identity(self) -> str:
        """Name, SHA-256 of model and tokenizer, which logit, premises and threshold."""
        rule = f"entailment={self._place} sentences={self.sentences} max_pieces={self.max_pieces} minimum={self.minimum:g}"
        return f"nli v1 {_checksum(self._folder / MODEL)[:32]}{_checksum(self._folder / TOKENIZER)[:32]} {rule}"

    def check(self) -> None:
        """That the model can be asked.

        Raises:
            ConfigError: when the folder, a file or the place of entailment is missing.
        """
        for name in (MODEL, TOKENIZER):
            if not (self._folder / name).is_file():
                raise ConfigError(
                    f"the folder {str(self._folder)!r} has no {name}: an entailment model needs {MODEL} and {TOKENIZER}"
                )
        self._place  # noqa: B018

    def support(self, claims: Sequence[str], passages: Sequence[str]) -> Sequence[Support]:
        """One verdict per claim.

        Raises:
            StageError: for a sentence that does not fit the model beside the claim.
            ConfigError: when the model is missing or gives other logits than were told.
        """
        model, place = _model(self._folder), self._place
        premises = [tuple(group) for passage in passages for group in groups(sentences(passage), self.sentences)]
        return [self._verdict(model, place, claim, premises) for claim in claims]

    def _verdict(self, model: "Entailment", place: int, claim: str, premises: Sequence[tuple[str, ...]]) -> Support:
        fitting = [text for premise in premises for text in self._fitting(model, claim, premise)]
        found = [(model.probability(text, claim, place), text) for text in dict.fromkeys(fitting)]
        best, text = max(found, default=(0.0, ""))
        return Support(best, best >= self.minimum, f"entailed with {best:.2f} by {text[:80]!r}" if text else "no passage to read")

    def _fitting(self, model: "Entailment", claim: str, premise: tuple[str, ...]) -> list[str]:
        """The premise, halved between sentences until the model takes it."""
        text = " ".join(premise)
        needed = model.pieces(text, claim)
        if needed <= self.max_pieces:
            return [text]
        if len(premise) == 1:
            raise StageError(
                f"a sentence and the claim have {needed} word pieces, the entailment model takes {self.max_pieces}: {text[:80]!r}. "
                "Nothing is cut: choose another chunker or judge"
            )
        middle = len(premise) // 2
        return [*self._fitting(model, claim, premise[:middle]), *self._fitting(model, claim, premise[middle:])]

    @cached_property
    def _folder(self) -> Path:
        named = self.path or os.environ.get(VARIABLE, "")
        if not named:
            raise ConfigError(
                f"no entailment model is named: give judge.support.path or {VARIABLE}, a folder with {MODEL} and {TOKENIZER}. None is shipped"
            )
        return Path(named).expanduser().absolute()

    @cached_property
    def _place(self) -> int:
        return self.entailment if self.entailment != FROM_CONFIG else labelled_place(self._folder / CONFIG)


def groups(told: Sequence[str], size: int) -> list[Sequence[str]]:
    """Overlapping groups of at most `size` that together hold all sentences in order; neighbours share half."""
    step = max(1, size - size // 2)
    starts = range(0, max(1, len(told) - size + step), step)
    return [told[start : start + size] for start in starts if told]


def labelled_place(config: Path) -> int:
    """Place of the label `entailment` in a config.json.

    Raises:
        ConfigError: when the file does not say.
    """
    try:
        labels = parse_json(config.read_bytes())["id2label"]
        places = [int(place) for place, name in labels.items() if str(name).lower() == "entailment"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        places = []
    if len(places) != 1:
        raise ConfigError(f"{str(config)!r} names no label 'entailment' in id2label: say which logit it is by `entailment`")
    return places[0]


class Entailment:
    """A loaded model: one pair a call, so that a score does not depend on its neighbours."""

    def __init__(self, folder: Path) -> None:
        self._session: Session = session(folder / MODEL)
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer = _tokenizer(folder / TOKENIZER)

    def pieces(self, premise: str, claim: str) -> int:
        """Word pieces of a pair, special ones included."""
        return len(self._tokenizer.encode(premise, claim).ids)

    def probability(self, premise: str, claim: str, place: int) -> float:
        """Softmax of the logits at a place."""
        pair = self._tokenizer.encode(premise, claim)
        values = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
        given = {name: np.array([row], dtype=np.int64) for name, row in values.items() if name in self._inputs}
        logits = np.asarray(self._session.run(None, given)[0], dtype=float)
        if logits.ndim != 2 or logits.shape[0] != 1 or place >= logits.shape[1]:
            raise ConfigError(f"the entailment model gives logits of the shape {logits.shape}; (1, more than {place}) is needed")
        weights = np.exp(logits[0] - logits[0].max())
        return float(weights[place] / weights.sum())


def _model(folder: Path) -> Entailment:
    with _LOADING:
        return _loaded(folder, _checksum(folder / MODEL))


@lru_cache(maxsize=2)
def _loaded(folder: Path, _mark: str) -> Entailment:
    return Entailment(folder)


def _tokenizer(path: Path) -> Any:
    """Without truncation and padding."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ConfigError(f"an entailment model needs the package 'tokenizers': {INSTALL}") from error
    found = Tokenizer.from_str(path.read_text("utf-8"))
    found.no_truncation()
    found.no_padding()
    return found
