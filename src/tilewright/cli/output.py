"""Where a command's words go: its answer to standard output, whole and at the end, its complaints to standard error.

The exit status is that of the answer, whoever reads it: a reader such as `head` that closes the pipe changes nothing.
Output that cannot be written, because the disk is full or the stream was closed from the start, is bad input.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def deliver(text: str) -> str | None:
    """Writes to standard output, and says why it could not.

    Characters that its encoding does not have are written as escapes.
    """
    if sys.stdout is None:
        return "standard output is closed" if text else None
    try:
        _write(sys.stdout, text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        return f"cannot write to standard output: {error.strerror}"
    return None


def complain(text: str) -> None:
    """Writes a line to standard error, if anything can be written there."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            _write(sys.stderr, f"{text}\n")
            sys.stderr.flush()


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _discard(stream: TextIO) -> None:
    # What is still in the stream's buffer goes nowhere, or Python would try again, and complain, when it ends.
    with contextlib.suppress(OSError, ValueError):
        empty = os.open(os.devnull, os.O_WRONLY)
        os.dup2(empty, stream.fileno())
        os.close(empty)
