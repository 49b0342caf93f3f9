"""Where in the source an op comes from."""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation


def place(op: Operation) -> str:
    """The last line of a message about an op: `  at file:line:column`; empty for an op without a source."""
    at = op.location
    return f"  at {at.filename.data}:{at.line.data}:{at.column.data}" if isinstance(at, FileLineColLoc) else ""
