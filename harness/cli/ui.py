"""`harness ui`: MLflow's own pages, on loopback, without its job runner."""

import argparse
import os
import sys

from harness.cli.console import note


def command(arguments: argparse.Namespace) -> int:
    """Replaces this process by the MLflow server; Ctrl-C ends it."""
    os.environ["MLFLOW_SERVER_ENABLE_JOB_EXECUTION"] = "false"
    note(f"MLflow on http://127.0.0.1:{arguments.port} (Ctrl-C ends it)")
    words = ["--backend-store-uri", arguments.uri, "--host", "127.0.0.1", "--port", str(arguments.port), "--workers", "1"]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "mlflow", "ui", *words])  # noqa: S606
