"""Writing files that a user names: never over other ones unasked."""

from __future__ import annotations

from pathlib import Path

from tilewright.errors import UsageError


def write(path: str | Path, text: str, *, force: bool = False) -> Path:
    """Writes a text file and gives its path back; over another file only with `force`.

    Raises:
        UsageError: a file is there already, or it cannot be written.
    """
    target = Path(path)
    try:
        with target.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{str(path)!r} is there already; choose another name, or force it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot write {str(path)!r}: {reason}") from None
    return target


def holds(path: str | Path, text: str) -> bool:
    """Is the text what the file holds already?"""
    target = Path(path)
    return target.is_file() and target.read_bytes() == text.encode()
