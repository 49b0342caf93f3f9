"""The picture of an access: which thread reads or writes which element of the tile, by which instruction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.analysis.model.access import Access
from tilewright.errors import UsageError, shown
from tilewright.figures import thread_value
from tilewright.figures.figure import Figure


def picture(
    access: object, *, tile: Sequence[int] | None = None, color: str = "thread", title: str | None = None
) -> Figure:
    """The tile of an `Access`: every element shows the thread and the value that access it.

    Args:
        access: an `Access` with a thread-value layout.
        tile: (rows, columns) of the tile; without it its elements are drawn as one line, wrapped.
        color: `thread` or `value`.
        title: instead of the access and its layout.

    Raises:
        UsageError: no access, one through a descriptor, an element outside of the tile, more than 65536 elements.

    >>> from tilewright.layout.layout import Layout
    >>> print(picture(Access(Layout((8, 8), (1, 8)), instruction="ldmatrix.x1"), tile=(8, 8)).scene.title)
    ldmatrix.x1: (8,8):(1,8)
    """
    if not isinstance(access, Access):
        raise UsageError(f"cannot draw {shown(access)} of type {type(access).__name__} as an access")
    if access.thread_value is None:
        what = f"{access} reaches a tile through a descriptor, which no thread has a part of"
        raise UsageError(f"{what}: draw the tile, draw(tile, kind='banks', access=..)")
    scene = thread_value.picture(access.thread_value, tile=tile, color=color).scene
    named = title or f"{access}: {access.thread_value}"
    return Figure(replace(scene, title=named, notes=(*scene.notes, _how(access), *access.notes)))


def _how(access: Access) -> str:
    by = "" if access.instruction == "auto" else f" by {access.instruction}"
    width = f", {access.vector_bits} bits of a thread at a time" if access.vector_bits else ""
    return f"a {access.kind}{by}{width}"
