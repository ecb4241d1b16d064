"""`harness models`: verifies the packaged models and prepares what needs preparing."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from harness.cli.console import out
from harness.local_models import MODELS, QWEN_CODER, float_model, joined, locate


def command(_arguments: argparse.Namespace) -> int:
    """Prints one line per model: name, revision, file in use. The language model is one of them where its extra is installed."""
    for name in sorted(MODELS):
        files = locate(name)
        _row(name, files.revision, float_model(files) if name == "ms_marco_minilm" else files.model)
    if find_spec(QWEN_CODER.packages[0]):
        _row("qwen_coder", QWEN_CODER.sha256, joined(QWEN_CODER))
    return 0


def _row(name: str, revision: str, path: Path) -> None:
    out().print(f"{name:18} {revision[:16]}  {path}", soft_wrap=True, markup=False)
