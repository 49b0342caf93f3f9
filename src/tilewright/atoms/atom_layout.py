"""The atom layout of a tiled MMA: which threads the atom at (m, n, k) has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, UsageError
from tilewright.layout.algebra.tiler import Tiler, layout_or_shape
from tilewright.layout.layout import Layout
from tilewright.layout.operations import append, tiled_product

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Ints


def as_atom_layout(value: Tiler | Ints) -> Layout[int]:
    """A layout over M, N and K; missing modes are 1:0, and None is one atom.

    Raises:
        UsageError: a value that is no layout or shape, or one of more modes.
        LayoutError: a layout that is known at run time only.

    >>> print(as_atom_layout((2, 4)), as_atom_layout(None))
    (2,4,1):(1,2,0) (1,1,1):(0,0,0)
    """
    if value is None:
        return Layout((1, 1, 1), (0, 0, 0))
    layout = layout_or_shape(value)
    if layout.rank > 3:
        raise UsageError(f"an atom layout has the modes M, N and K, not {layout.rank}: {layout}")
    if not layout.is_static:
        raise LayoutError(f"an atom layout is static, got {layout}")
    flat = layout if isinstance(layout.shape, tuple) else Layout((layout.shape,), (layout.stride,))
    padded: Layout[int] = append(flat, Layout(1, 0), 3)
    return padded


def check_own_threads(thr_layout: Layout[int], atom_layout: Layout[int]) -> None:
    """Every atom has threads of its own, and copies of them all fill the threads of the hardware without a rest.

    So a thread's number tells its place: from the smallest stride on, each is a multiple of what lies below it.

    Raises:
        LayoutError: atoms share threads, or lie so that a thread's number does not tell its atom.

    >>> check_own_threads(Layout(32), Layout((2, 2, 1), (2, 1, 0)))
    >>> check_own_threads(Layout(32), Layout((2, 2, 1), (1, 1, 0)))
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: atom layout (2,2,1):(1,1,0) of 32 threads an atom: in the threads \
(32,2,2,1):(1,32,32,0) the stride of the mode 2:32 is no positive multiple of 64, the reach of those below it; atoms \
have threads of their own, so the atom layout is one-to-one up to extents of 1, without uneven gaps
    """
    what = f"atom layout {atom_layout} of {thr_layout.size} threads an atom"
    try:
        threads = tiled_product(thr_layout, atom_layout)
    except LayoutError as refusal:
        raise LayoutError(f"{what} places no atoms: {refusal}") from refusal
    reach = 1
    for stride, extent in sorted((d, s) for s, d in threads.flat if s > 1):
        if stride < 1 or stride % reach:
            raise LayoutError(
                f"{what}: in the threads {threads} the stride of the mode {extent}:{stride} is no positive multiple of"
                f" {reach}, the reach of those below it; atoms have threads of their own, so the atom layout is"
                " one-to-one up to extents of 1, without uneven gaps"
            )
        reach = stride * extent
