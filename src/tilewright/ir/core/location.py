"""Where in the source an op comes from."""

from __future__ import annotations

from collections.abc import Iterator
from linecache import checkcache, getline, getlines
from pathlib import Path

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    DictionaryAttr,
    FileLineColLoc,
    FusedLoc,
    LocationAttr,
    NameLoc,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation

from tilewright.errors import caret

SOURCES = (".py", ".mlir")
MOST_BYTES = 1 << 24
_STANDS = UnitAttr()
_VIEW = "tile.view"


def standing(said: LocationAttr, line: FileLineColLoc) -> LocationAttr:
    """The location of an op that stands at a line of a text which says one itself: it prints as that."""
    return FusedLoc(ArrayAttr[Attribute]((said, line)), _STANDS)


def through(location: LocationAttr, view: Attribute) -> LocationAttr:
    """The location of an op that accesses flat memory for one that named an element of a view of this type."""
    return FusedLoc(ArrayAttr[Attribute]((location,)), DictionaryAttr({_VIEW: view}))


def view_of(location: Attribute) -> Attribute | None:
    """The type of the view through which the source accesses memory, where a lowering has said it.

    >>> from xdsl.dialects.builtin import UnknownLoc, i32
    >>> view_of(through(UnknownLoc(), i32)) == i32, view_of(UnknownLoc())
    (True, None)
    """
    if isinstance(location, FusedLoc) and isinstance(location.metadata, DictionaryAttr):
        return location.metadata.data.get(_VIEW)
    return None


def _own(location: Attribute) -> Attribute:
    """The location without the view."""
    return location if view_of(location) is None else _parts(location)[0]


def written(location: Attribute) -> Attribute:
    """What a text says of a location, `loc(unknown)` where it said that."""
    location = _own(location)
    if isinstance(location, FusedLoc) and location.metadata == _STANDS:
        return _parts(location)[0]
    return location


def source(location: Attribute) -> FileLineColLoc | None:
    """The first line of a file that a location names: of a call what is called, of several the first.

    >>> from xdsl.dialects.builtin import IntAttr, NoneAttr, StringAttr
    >>> line = FileLineColLoc(StringAttr("k.py"), IntAttr(7), IntAttr(9))
    >>> source(FusedLoc((NameLoc(StringAttr("x"), NoneAttr()), NameLoc(StringAttr("y"), line)), NoneAttr())) == line
    True
    """
    if isinstance(location, FileLineColLoc):
        return location
    return next((found for part in _parts(location) if (found := source(part)) is not None), None)


def _parts(location: Attribute) -> tuple[Attribute, ...]:
    match location:
        case NameLoc():
            return (location.location,)
        case CallSiteLoc():
            return (location.callee, location.caller)
        case FusedLoc(locations=ArrayAttr() as several):
            return tuple(several)
    return ()


def dumped(location: Attribute) -> FileLineColLoc | None:
    """Where the op stands in the dump that it was read from, where its source is another."""
    location = _own(location)
    if not isinstance(location, FusedLoc) or location.metadata != _STANDS:
        return None
    said, line = _parts(location)
    assert isinstance(line, FileLineColLoc), "a text has lines"
    return line if source(said) is not None else None


def place(op: Operation) -> str:
    """The last line of a message about an op: `  at file:line:column`; empty for an op without a source.

    Further ones say from where it was called, `  called at file:line:column`, the innermost call first, and where in a
    dump it was read, of an op whose source that names: `  read from file:line:column`.
    """
    at, read = source(op.location), dumped(op.location)
    lines = [f"  at {_named(at)}"] if at else []
    lines += [f"  called at {_named(call)}" for call in _calls(op.location)]
    return "\n".join([*lines, *([f"  read from {_named(read)}"] if read else [])])


def _calls(location: Attribute) -> Iterator[FileLineColLoc]:
    """The places of the calls that led to a location, from the inside out."""
    location = written(location)
    while isinstance(location, CallSiteLoc):
        location = location.caller
        if (found := source(location)) is not None:
            yield found


def shown(op: Operation) -> str:
    """The same, and the source's line with a caret under its column; empty where that line cannot be read."""
    at = source(op.location)
    text = text_of(at.filename.data, at.line.data) if at else ""
    if at is None or not text:
        return ""
    first, *others = place(op).split("\n")
    return "\n".join([first, caret(text, max(0, at.column.data - 1)), *others])


def dump_line(op: Operation) -> int:
    """The line of the op in the dump that it was read from; 0 where that is its source, or there is none."""
    read = dumped(op.location)
    return read.line.data if read else 0


def text_of(file: str, line: int) -> str:
    """A line of a source file, as tracebacks show it; empty where there is none, or the file is no source."""
    return getline(file, line).rstrip() if _readable(file) else ""


def source_text(file: str) -> str:
    """All of it, likewise."""
    return "".join(getlines(file)) if _readable(file) else ""


def _readable(file: str) -> bool:
    path = Path(file)
    try:
        here = path.suffix in SOURCES and path.is_file() and path.stat().st_size <= MOST_BYTES
    except (OSError, ValueError):
        return False
    if here:
        checkcache(file)
    return here or file.startswith("<")  # of a notebook, or a doctest


def _named(at: FileLineColLoc) -> str:
    return f"{at.filename.data}:{at.line.data}:{at.column.data}"
