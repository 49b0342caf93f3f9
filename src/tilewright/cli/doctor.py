"""`tilewright doctor`: what of all that the package can use is there."""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import metadata

from tilewright import __version__
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import TilewrightError, UsageError

NEEDED = ("python", "numpy", "ml_dtypes", "xdsl")


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser("doctor", help=words, description=f"{words}.")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the findings; status 1 when something is missing that the package needs."""
    found = {name: _found(check) for name, check in CHECKS.items()}
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        print("\n".join(f"{name:10} {what or f'not found: {WITHOUT[name]}'}" for name, what in found.items()))
    return int(any(found[name] is None for name in NEEDED))


def _found(check: Callable[[], str]) -> str | None:
    try:
        return check()
    except (metadata.PackageNotFoundError, ImportError, OSError, TilewrightError):
        return None


def _python() -> str:
    return f"{platform.python_version()}, {platform.machine()}, {sys.executable}"


def _gxx() -> str:
    path = shutil.which("g++") or "g++"
    told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    return told.stdout.partition("\n")[0] or path


def _nvrtc() -> str:
    from tilewright.targets.cuda.nvrtc import nvrtc_version

    return ".".join(map(str, nvrtc_version()))


def _gpu() -> str:
    from tilewright.targets.cuda.driver import driver

    return "compute capability {}.{}".format(*driver().capability)


def _cache() -> str:
    from tilewright.targets.cache import ENVIRONMENT, cache_folder, contents

    folder = cache_folder()
    if folder is None:
        raise UsageError("nothing is kept")
    count, size = contents(folder)
    return f"{folder}: {count} files, {size / 2**20:.1f} MiB ({ENVIRONMENT} names another folder, or off)"


def _simulator() -> str:
    """The machine of targets that name none."""
    from tilewright.arch import Target

    return f"{Target('simulator').arch.machine}; --target simulator:ARCH is another"


CHECKS: Mapping[str, Callable[[], str]] = {
    "tilewright": lambda: __version__,
    "python": _python,
    "numpy": lambda: metadata.version("numpy"),
    "ml_dtypes": lambda: metadata.version("ml_dtypes"),
    "xdsl": lambda: metadata.version("xdsl"),
    "nvrtc": _nvrtc,
    "g++": _gxx,
    "llvmlite": lambda: metadata.version("llvmlite"),
    "typst": lambda: metadata.version("typst"),
    "anywidget": lambda: metadata.version("anywidget"),
    "gpu": _gpu,
    "cache": _cache,
    "simulator": _simulator,
}
WITHOUT: Mapping[str, str] = {
    "numpy": "nothing is evaluated in bulk, kernels do not run",
    "ml_dtypes": "no bfloat16, fp8, fp6 and fp4",
    "xdsl": "no kernels",
    "nvrtc": "CUDA text is emitted, but not compiled (install tilewright[cuda])",
    "g++": "no target host but by llvmlite, and none of kernels that wait as no loops do",
    "llvmlite": "no target host where there is no C++ compiler (install tilewright[jit])",
    "typst": "no pictures as PNG and PDF (install tilewright[notebook])",
    "anywidget": "no widget in notebooks (install tilewright[notebook])",
    "gpu": "CUDA kernels are compiled, but not launched",
    "cache": "what is compiled is kept in memory alone (TILEWRIGHT_CACHE=off, or a folder that others can write)",
}
