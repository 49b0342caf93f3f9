"""What has been compiled, kept on disk: in a folder of the user's own, under the digest of all that it comes from."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

ENVIRONMENT = "TILEWRIGHT_CACHE"  # the folder; "off" for none
MOST_FILES = 512
DIGEST = 32  # bytes before a file's content


def kept(parts: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
    """What `make` gives, or gave for the same parts at another time.

    A folder or file that is not this user's alone, or a file that is not whole, is not read.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    path = folder / sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
    found = _read(path)
    if found is None:
        found = make()
        _write(path, found)
    return found


def cache_folder() -> Path | None:
    """The folder, which this user alone can write; None where there is none, or it is not wanted."""
    named = os.environ.get(ENVIRONMENT, "")
    if named == "off":
        return None
    base = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tilewright"
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        return base if _own(base.lstat(), stat.S_ISDIR) else None
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        return None


def _own(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return kind(status.st_mode) and mine and not status.st_mode & 0o022


def _read(path: Path) -> bytes | None:
    try:
        if not _own(path.lstat(), stat.S_ISREG):
            return None
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    digest, found = content[:DIGEST], content[DIGEST:]
    return found if sha256(found).digest() == digest else None


def _write(path: Path, content: bytes) -> None:
    """Writes a file of its own and puts it in place at once, so that nobody reads a part; a full disk is no error."""
    with suppress(OSError):
        with NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(sha256(content).digest() + content)
        os.replace(file.name, path)
        _forget(path.parent)


def _forget(folder: Path) -> None:
    """Removes what has not been used for longest, where there is too much."""
    files = sorted((entry.stat().st_mtime, entry.path) for entry in os.scandir(folder) if entry.is_file())
    for _, name in files[: max(0, len(files) - MOST_FILES)]:
        os.unlink(name)
