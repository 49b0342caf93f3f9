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

SHAPE = re.compile(r"-O\w|-fPIC")  # what headers that are ready have to share with the program


def ready(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags, and those by which g++ takes the headers as they were made ready; another compiler reads them anew."""
    return (*flags, *_made(*filter(SHAPE.fullmatch, flags)))


@cache
def _folder() -> TemporaryDirectory[str]:
    """Goes with the process."""
    return TemporaryDirectory(prefix="tilewright-headers-")


@cache
def _made(*shape: str) -> tuple[str, ...]:
    compiler = found_compiler("g++")
    if compiler is None:
        return ()
    file = Path(_folder().name) / f"standard{''.join(shape)}.h"
    names = re.findall(r"^#include <.*>$", headers("") + runner(), re.MULTILINE)
    file.write_text("\n".join(dict.fromkeys(names)), encoding="utf-8")
    command = [compiler, *FLAGS, *shape, "-x", "c++-header", str(file), "-o", f"{file}.gch"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return ("-include", str(file))
