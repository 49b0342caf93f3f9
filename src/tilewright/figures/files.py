"""Writing files that a user names: never over other ones unasked."""

from __future__ import annotations

from pathlib import Path

from tilewright.errors import UsageError


def write(path: str | Path, text: str, *, force: bool = False) -> Path:
    """Writes a text file and gives its path back; over a file with another content only with `force`.

    Raises:
        UsageError: such a file is there, or the file cannot be written.
    """
    target = Path(path)
    try:
        if target.is_file() and target.read_bytes() == text.encode():
            return target
        with target.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{str(path)!r} is there already; choose another name, or force it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot write {str(path)!r}: {reason}") from None
    return target
