"""Where in the source an op comes from."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, LocationAttr, NameLoc, UnitAttr
from xdsl.ir import Attribute, Operation

_STANDS = UnitAttr()


def standing(said: LocationAttr, line: FileLineColLoc) -> LocationAttr:
    """The location of an op whose text says one that names no line: it prints as that, and its line is known."""
    return FusedLoc(ArrayAttr[Attribute]((said, line)), _STANDS)


def written(location: Attribute) -> Attribute:
    """What a text says of a location, `loc(unknown)` where it said that."""
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


def place(op: Operation) -> str:
    """The last line of a message about an op: `  at file:line:column`; empty for an op without a source."""
    at = source(op.location)
    return f"  at {at.filename.data}:{at.line.data}:{at.column.data}" if at else ""
