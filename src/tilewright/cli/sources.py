"""Python files that the user names: running them, and finding a kernel in them."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.errors import UsageError

if TYPE_CHECKING:
    from tilewright.runtime.compile import KernelSource


def existing(name: str) -> Path:
    """The path of a file that is there.

    Raises:
        UsageError: it is not, or can be none.
    """
    try:
        path = Path(name)
        if path.is_file():
            return path
        there = path.exists()
    except (OSError, ValueError):  # a name that is too long, or has a zero byte
        there = False
    if there:
        kind = "a directory" if path.is_dir() else "a device, a pipe or a socket"
        raise UsageError(f"{name!r:.300} is {kind}: name an ordinary file")
    raise UsageError(f"there is no file {name!r:.300}")


def run_file(name: str, run_name: str = "__main__") -> dict[str, object]:
    """Executes a Python file as `python FILE` does, and gives its names.

    Raises:
        UsageError: there is no such file, or it is not Python.
    """
    path = existing(name)
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        return runpy.run_path(str(path), run_name=run_name)
    except SyntaxError as error:
        raise UsageError(f"{error.filename or name}:{error.lineno or 1}: not Python: {error.msg}") from None
    finally:
        sys.path.pop(0)


def find_kernel(text: str) -> KernelSource:
    """The object that `FILE.py:NAME` names; executes the file, but not its `if __name__ == "__main__"` part.

    Raises:
        UsageError: the text has another form, or the file does not define the name.
    """
    name, colon, kernel = text.rpartition(":")
    if not colon or not kernel.isidentifier():
        raise UsageError(f"name a kernel as FILE.py:NAME, got {text!r}")
    found = run_file(name, run_name="__kernel__")
    if kernel not in found:
        known = ", ".join(key for key, value in found.items() if hasattr(value, "module"))
        raise UsageError(f"{name} does not define {kernel!r}; its kernels: {known or 'none'}")
    return found[kernel]  # type: ignore[return-value]  # whoever compiles it refuses what is no kernel
