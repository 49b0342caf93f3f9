"""What a binary depends on beside its text: the compiler, and the instructions that this machine has."""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from pathlib import Path


def compiled_for(compiler: str) -> tuple[str, ...]:
    """What names the compiler at a path, and this machine's processor."""
    path = Path(compiler).resolve()
    status = os.stat(path)
    return str(path), str(status.st_mtime_ns), str(status.st_size), *_processor()


@lru_cache(maxsize=1)
def _processor() -> tuple[str, ...]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n")[0].split("\n")
    except OSError:
        lines = []
    told = ("model name", "flags", "Features", "CPU part")
    return platform.machine(), platform.processor(), *(line for line in lines if line.startswith(told))
