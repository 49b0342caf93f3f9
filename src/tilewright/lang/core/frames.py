"""Where in the user's source something is being traced: the frames outside this package, from the inside out."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType, TracebackType

from xdsl.dialects.builtin import UNKNOWN_LOC, CallSiteLoc, FileLineColLoc, IntAttr, LocationAttr, StringAttr

from tilewright.errors import SourceLocation

PACKAGE = str(Path(__file__).parents[2]) + "/"
MOST_FRAMES = 32
Place = tuple[str, int, int]


@lru_cache(4096)
def _positions(code: CodeType) -> tuple[tuple[int | None, int | None, int | None, int | None], ...]:
    return tuple(code.co_positions())


def place_in(code: CodeType, instruction: int, line: int) -> Place:
    """File, line and column (from 0) of an instruction."""
    positions = _positions(code)
    at = instruction // 2
    first, _, column, _ = positions[at] if 0 <= at < len(positions) else (line, None, 0, None)
    return code.co_filename, first or line, _characters(code.co_filename, first or line, column or 0)


@lru_cache(4096)
def _characters(file: str, line: int, column: int) -> int:
    """Python counts columns in bytes."""
    return len(linecache.getline(file, line).encode()[:column].decode(errors="ignore"))


OTHERS = frozenset({"numpy", "torch", "ml_dtypes", "xdsl", "pytest", "_pytest", *sys.stdlib_module_names})
"""Packages whose functions run as they are."""


def is_ours(file: str) -> bool:
    """Is it a file of this package, of Python itself, or what Python's dataclasses write?"""
    return file.startswith((PACKAGE, "<frozen ", "<string>"))


def user_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of users' functions that are being traced, from the inside out.

    Those behind the first one of them end where this package began to trace.
    """
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    count = 0
    while frame is not None and count < MOST_FRAMES:
        if not is_ours(frame.f_code.co_filename):
            yield frame
            count += 1
        elif frame.f_code.co_name == BEGIN:
            return
        frame = frame.f_back


BEGIN = "traced_from_here"
"""The name of the functions of this package that call the function that is traced."""


def location(frame: FrameType | None = None) -> LocationAttr:
    """The place that is being traced, and from where its helpers are called, as MLIR has it."""
    places = (place_in(x.f_code, x.f_lasti, x.f_lineno) for x in user_frames(frame or sys._getframe(1)))
    return _location(tuple(places))


@lru_cache(4096)
def _location(places: tuple[Place, ...]) -> LocationAttr:
    if not places:
        return UNKNOWN_LOC
    (file, line, column), *outer = places
    found: LocationAttr = FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column + 1))
    return CallSiteLoc(found, _location(tuple(outer))) if outer else found


def source_location(place: Place) -> SourceLocation:
    """The place with its line."""
    file, line, column = place
    return SourceLocation(file, line, column, linecache.getline(file, line).rstrip("\n"))


def here(frame: FrameType | None = None) -> SourceLocation | None:
    """The innermost user's place that is being traced."""
    found = next(user_frames(frame or sys._getframe(1)), None)
    return None if found is None else source_location(place_in(found.f_code, found.f_lasti, found.f_lineno))


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def of_traceback(trace: TracebackType | None) -> list[tuple[Place, str]]:
    """The users' places that an error came through, from the inside out, each with its function's name."""
    found: list[tuple[Place, str]] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_ours(code.co_filename) and code.co_name == BEGIN:
            found.clear()
        elif not is_ours(code.co_filename) and _package(trace.tb_frame) not in OTHERS:
            found.append((place_in(code, trace.tb_lasti, trace.tb_lineno), code.co_name))
        trace = trace.tb_next
    return found[::-1]
