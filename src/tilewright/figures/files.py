"""Writing files that a user names: never over other ones unasked."""

from __future__ import annotations

import os
from pathlib import Path

from tilewright.errors import UsageError


def refuse_existing(path: str | Path, *, force: bool = False) -> None:
    """What `write` would refuse for a file that is there already, before there is anything to write.

    Raises:
        UsageError: a file is there already, and `force` is not given.
    """
    if not force and os.path.lexists(path):
        raise UsageError(f"{str(path)!r:.300} is there already; choose another name, or force it")


def write(path: str | Path, content: str | bytes, *, force: bool = False) -> Path:
    """Writes a file and gives its path back; over another file only with `force`. Text is written as UTF-8.

    Raises:
        UsageError: a file is there already, or it cannot be written.
    """
    target = Path(path)
    try:
        if isinstance(content, bytes):
            with target.open("wb" if force else "xb") as file:
                file.write(content)
        else:
            with target.open("w" if force else "x", encoding="utf-8") as stream:
                stream.write(content)
    except FileExistsError:
        raise UsageError(f"{str(path)!r:.300} is there already; choose another name, or force it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot write {str(path)!r:.300}: {reason}") from None
    return target


def holds(path: str | Path, text: str) -> bool:
    """Is the text what the file holds already?"""
    target = Path(path)
    return target.is_file() and target.read_bytes() == text.encode()
