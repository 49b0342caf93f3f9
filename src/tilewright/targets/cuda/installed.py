"""Where CUDA's libraries and headers lie: NVIDIA's wheels, then the toolkits of this machine."""

from __future__ import annotations

import ctypes
import os
from importlib.util import find_spec
from pathlib import Path

TOOLKIT = "/usr/local/cuda"
_NAMED_BY = ("CUDA_HOME", "CUDA_PATH")
# Wheels of CUDA 13 and later share one folder a toolkit, those of CUDA 12 have one a library.
_WHEELS = ("cu[0-9]*", "cuda_*")


def cuda_files(pattern: str) -> list[Path]:
    """Files such as `include/cuda.h` of every CUDA that is installed: those of wheels, then those of toolkits."""
    return [*wheel_files(pattern), *(path for root in _toolkits() for path in _newest_first(root, pattern))]


def wheel_files(pattern: str) -> list[Path]:
    """Files of NVIDIA's wheels, newest first."""
    spec = find_spec("nvidia")
    roots = [Path(root) for root in (spec.submodule_search_locations or ())] if spec else []
    return [path for kind in _WHEELS for root in roots for path in _newest_first(root, f"{kind}/{pattern}")]


def open_nvrtc(path: Path) -> ctypes.CDLL:
    """NVRTC's library, and before it the builtins beside it.

    NVRTC 13.0 and older look for their builtins by name alone, and find them in the folder of a wheel only if they are
    already loaded.

    Raises:
        OSError: one of them cannot be loaded.
    """
    for builtins in sorted(path.parent.glob("libnvrtc-builtins.so.*")):
        ctypes.CDLL(str(builtins))
    return ctypes.CDLL(str(path))


def _newest_first(root: Path, pattern: str) -> list[Path]:
    return sorted(root.glob(pattern), reverse=True)


def _toolkits() -> list[Path]:
    named = (os.environ.get(name) for name in _NAMED_BY)
    return list(dict.fromkeys(Path(root) for root in (*named, TOOLKIT) if root))
