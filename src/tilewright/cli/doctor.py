"""`tilewright doctor`: what of all that the package can use is there."""

from __future__ import annotations

import argparse
import ctypes
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

from tilewright import __version__

NEEDED = ("python", "numpy", "ml_dtypes", "xdsl")


def add_parser(subparsers: Any) -> None:
    """Adds the subcommand."""
    words = "say what was found: Python, libraries, compilers, GPU"
    parser = subparsers.add_parser("doctor", help=words, description=f"{words}.")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the findings; status 1 when something is missing that the package needs."""
    found = {name: check() for name, check in CHECKS.items()}
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        print("\n".join(f"{name:10} {what or f'not found: {WITHOUT[name]}'}" for name, what in found.items()))
    return int(any(found[name] is None for name in NEEDED))


def _distribution(name: str) -> Callable[[], str | None]:
    def version() -> str | None:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return None

    return version


def _python() -> str:
    return f"{platform.python_version()}, {platform.machine()}, {sys.executable}"


def _gxx() -> str | None:
    path = shutil.which("g++")
    if path is None:
        return None
    told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    return told.stdout.partition("\n")[0] or path


def _gpu() -> str | None:
    # The driver alone tells: libraries on top of it raise in different ways where there is none.
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    count = ctypes.c_int()
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
        return None
    name = ctypes.create_string_buffer(96)
    cuda.cuDeviceGetName(name, 96, 0)
    return f"{count.value} x {name.value.decode()}"


CHECKS: Mapping[str, Callable[[], str | None]] = {
    "tilewright": lambda: __version__,
    "python": _python,
    "numpy": _distribution("numpy"),
    "ml_dtypes": _distribution("ml_dtypes"),
    "xdsl": _distribution("xdsl"),
    "nvrtc": _distribution("nvidia-cuda-nvrtc"),
    "g++": _gxx,
    "gpu": _gpu,
}
WITHOUT: Mapping[str, str] = {
    "numpy": "nothing is evaluated in bulk, kernels do not run",
    "ml_dtypes": "no bfloat16, fp8, fp6 and fp4",
    "xdsl": "no kernels",
    "nvrtc": "CUDA text is emitted, but not compiled (install tilewright[cuda])",
    "g++": "no target host",
    "gpu": "CUDA kernels are compiled, but not launched",
}
