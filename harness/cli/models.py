"""`harness models`: verifies the packaged models and prepares what needs preparing."""

import argparse

from harness.cli.console import out
from harness.local_models import MODELS, float_model, locate


def command(_arguments: argparse.Namespace) -> int:
    """Prints one line per model: name, revision, file in use."""
    for name in sorted(MODELS):
        files = locate(name)
        used = float_model(files) if name == "ms_marco_minilm" else files.model
        out().print(f"{name:18} {files.revision[:16]}  {used}", soft_wrap=True, markup=False)
    return 0
