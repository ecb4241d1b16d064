"""`harness ui`: MLflow's own pages, on loopback, without its job runner."""

import argparse
import os
import sys
from socket import socket

from harness.cli.console import note
from harness.errors import ConfigError


def command(arguments: argparse.Namespace) -> int:
    """Replaces this process by the MLflow server; Ctrl-C ends it."""
    if not 0 < arguments.port < 65536:
        raise ConfigError(f"--port {arguments.port} is no port; give one from 1 to 65535")
    with socket() as probe:
        if probe.connect_ex(("127.0.0.1", arguments.port)) == 0:
            raise ConfigError(f"port {arguments.port} is taken on 127.0.0.1; give another with --port")
    os.environ["MLFLOW_SERVER_ENABLE_JOB_EXECUTION"] = "false"
    note(f"MLflow on http://127.0.0.1:{arguments.port} (Ctrl-C ends it)")
    words = ["--backend-store-uri", arguments.uri, "--host", "127.0.0.1", "--port", str(arguments.port), "--workers", "1"]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "mlflow", "ui", *words])  # noqa: S606
