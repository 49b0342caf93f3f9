"""What has been compiled, kept on disk: in a folder of the user's own, under the digest of all that it comes from.

A file is a digest of its name and content, and the content: text, or the bytes of a binary. Nothing is unpickled.
Files are put in place whole, so that processes need no lock: of two that make the same thing, either's is as good.
What is not whole, lies under another's name, or is nothing that its reader can use is made again.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

ENVIRONMENT = "TILEWRIGHT_CACHE"  # the folder; "off" for none
FLYDSL_FOLDER, FLYDSL_SWITCH = "FLYDSL_RUNTIME_CACHE_DIR", "FLYDSL_RUNTIME_ENABLE_CACHE"
MOST_FILES, MOST_BYTES = 512, 1 << 28
DIGEST = 32  # bytes before a file's content
_PART = "part-"  # of files that are being written
_OURS = re.compile(rf"[0-9a-f]{{64}}|{_PART}.*")
Used = TypeVar("Used")
_OFF: ContextVar[bool] = ContextVar("tilewright_uncached", default=False)


def kept(parts: Sequence[str], make: Callable[[], bytes]) -> bytes:
    """What `make` gives, or gave for the same parts at another time.

    A folder or file that is not this user's alone, or a file that is not whole, is not read.
    """
    known = found(parts)
    if known is None:
        known = make()
        keep(parts, known)
    return known


def kept_as(parts: Sequence[str], make: Callable[[], bytes], use: Callable[[bytes], Used]) -> Used:
    """What `use` makes of what `make` gives, or gave at another time; of what it cannot use, `make` gives it anew.

    >>> with uncached():
    ...     kept_as(("a",), lambda: b"text", bytes.decode)
    'text'
    """
    known = found(parts)
    if known is not None:
        with suppress(OSError, ValueError):
            return use(known)
    made = make()
    keep(parts, made)
    return use(made)


def found(parts: Sequence[str]) -> bytes | None:
    """What is kept for these parts; None where nothing is."""
    path = _path(parts)
    return None if path is None else _read(path)


def keep(parts: Sequence[str], content: bytes) -> None:
    """Keeps the content for these parts, where it can be kept."""
    path = _path(parts)
    if path is not None and len(content) < MOST_BYTES:
        _write(path, content)


@contextmanager
def uncached() -> Iterator[None]:
    """Within it nothing on disk is read or written."""
    token = _OFF.set(True)
    try:
        yield
    finally:
        _OFF.reset(token)


def _path(parts: Sequence[str]) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    whole = sha256()
    for part in parts:
        told = part.encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(told) + told)
    return folder / whole.hexdigest()


def cache_folder() -> Path | None:
    """The folder, which this user alone can write; None where there is none, or it is not wanted."""
    base = None if _OFF.get() else _named()
    if base is None:
        return None
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        return base if _own(base.lstat(), stat.S_ISDIR) else None
    except (OSError, ValueError):  # one that cannot be written, or be a name
        return None


def _named() -> Path | None:
    """The folder that the environment names, by our variable or by FlyDSL's, else the usual one."""
    named, theirs = os.environ.get(ENVIRONMENT, ""), os.environ.get(FLYDSL_FOLDER, "")
    if named:
        return None if named == "off" else Path(named)
    if os.environ.get(FLYDSL_SWITCH, "1").lower() in ("0", "false", "no", "off"):
        return None
    if theirs:
        return Path(theirs) / "tilewright"
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tilewright"
    except RuntimeError:  # no home
        return None


def contents(folder: Path) -> tuple[int, int]:
    """How many files are kept there, and their bytes."""
    sizes = [status.st_size for _, status in _files(folder)]
    return len(sizes), sum(sizes)


def _files(folder: Path) -> list[tuple[str, os.stat_result]]:
    """What this module has written there, that used last at the end."""
    found_there = []
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):  # another process has just removed it
            if _OURS.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                found_there.append((entry.path, entry.stat(follow_symlinks=False)))
    return sorted(found_there, key=lambda one: one[1].st_mtime)


def _own(status: os.stat_result, kind: Callable[[int], bool]) -> bool:
    mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return kind(status.st_mode) and mine and not status.st_mode & 0o022


def _read(path: Path) -> bytes | None:
    try:
        status = path.lstat()
        if not _own(status, stat.S_ISREG) or status.st_size > MOST_BYTES + DIGEST:
            return None
        content = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    digest, told = content[:DIGEST], content[DIGEST:]
    return told if _digest(path, told) == digest else None


def _digest(path: Path, content: bytes) -> bytes:
    return sha256(path.name.encode() + content).digest()


def _write(path: Path, content: bytes) -> None:
    """Writes a file of its own and puts it in place at once, so that nobody reads a part; a full disk is no error."""
    with suppress(OSError):
        with NamedTemporaryFile(dir=path.parent, prefix=_PART, delete=False) as file:
            file.write(_digest(path, content) + content)
        os.replace(file.name, path)
        _forget(path.parent)


def _forget(folder: Path) -> None:
    """Removes what has not been used for longest, where there is too much."""
    files = _files(folder)
    count, total = len(files), sum(status.st_size for _, status in files)
    for name, status in files:
        if count <= MOST_FILES and total <= MOST_BYTES:
            return
        with suppress(FileNotFoundError):
            os.unlink(name)
        count, total = count - 1, total - status.st_size
