"""Writing files that a user names: never over another one unasked."""

from __future__ import annotations

from pathlib import Path

from tilewright.errors import UsageError


def write(path: str | Path, text: str, *, force: bool = False) -> Path:
    """Writes a text file and gives its path back; over another file only with `force`.

    Raises:
        UsageError: the file is there already, or cannot be written.
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
