"""A real, tiny entailment model: an ONNX graph that adds up one row of three logits per word, and its word tokenizer.

Logits stand in the order contradiction, entailment, neutral. Every word counts 0 but those of `ROWS`.
"""

import json
from pathlib import Path

import numpy as np

ROWS = {
    "rain": (0.0, 2.0, 0.0),
    "sun": (2.0, 0.0, 0.0),
    "fog": (0.0, 0.0, 2.0),
    "range": (0.0, 2.0, 0.0),
    "bananas": (4.0, 0.0, 0.0),
}
"""Words and what they add to the three logits."""
SPECIAL = ("[UNK]", "[CLS]", "[SEP]")


def write_nli(folder: Path, labels: tuple[str, ...] = ("contradiction", "entailment", "neutral")) -> Path:
    """Writes model.onnx, tokenizer.json and config.json."""
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = {word: place for place, word in enumerate((*SPECIAL, *ROWS))}
    (folder / "model.onnx").write_bytes(_graph(vocabulary))
    (folder / "tokenizer.json").write_text(_tokenizer(vocabulary))
    (folder / "config.json").write_text(json.dumps({"id2label": {str(place): name for place, name in enumerate(labels)}}))
    return folder


def _graph(vocabulary: dict[str, int]) -> bytes:
    from onnx import TensorProto, helper, numpy_helper

    table = np.array([ROWS.get(word, (0.0, 0.0, 0.0)) for word in vocabulary], dtype=np.float32)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axis"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, None])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 3])],
        [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    written: bytes = model.SerializeToString()
    return written


def _tokenizer(vocabulary: dict[str, int]) -> str:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    built = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    built.normalizer, built.pre_tokenizer = Lowercase(), Whitespace()
    marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    built.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks)
    text: str = built.to_str()
    return text
