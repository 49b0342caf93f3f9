"""The headers of the standard library that the shim needs, made ready for g++ once in a process: it reads them in half
the time that a small kernel takes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tilewright.targets.host.compiler import FLAGS, found_compiler
from tilewright.targets.host.program import headers, runner

LEVEL = re.compile(r"-O\w")


def ready(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags, and those by which g++ takes the headers as they were made ready; another compiler reads them anew."""
    levels = [flag for flag in flags if LEVEL.fullmatch(flag)]
    return (*flags, *_made(*levels[-1:]))


@cache
def _folder() -> TemporaryDirectory[str]:
    """Goes with the process."""
    return TemporaryDirectory(prefix="tilewright-headers-")


@cache
def _made(*level: str) -> tuple[str, ...]:
    compiler = found_compiler("g++")
    if compiler is None:
        return ()
    file = Path(_folder().name) / f"standard{''.join(level)}.h"
    names = re.findall(r"^#include <.*>$", headers("") + runner(), re.MULTILINE)
    file.write_text("\n".join(dict.fromkeys(names)), encoding="utf-8")
    command = [compiler, *FLAGS, *level, "-x", "c++-header", str(file), "-o", f"{file}.gch"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return ("-include", str(file))
