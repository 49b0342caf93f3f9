"""The real dialect, where it is installed: in this Python, or in the one that FLYDSL_PYTHON names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def flydsl_python() -> str:
    """A Python that has `flydsl`; empty where there is none."""
    return os.environ.get("FLYDSL_PYTHON", sys.executable if find_spec("flydsl") else "")


def answers(texts: list[str]) -> list[dict[str, str]]:
    """What FlyDSL says of MLIR texts, see `flydsl_reader`."""
    command = [flydsl_python(), str(Path(__file__).with_name("flydsl_reader.py"))]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, timeout=600, check=True)
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found
