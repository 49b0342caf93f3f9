"""What threads move together: calls of an atom of several threads, each of which is made whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout
from tilewright.tensor.addressing import in_order

if TYPE_CHECKING:
    from tilewright.atoms.tiled_copy import TiledCopy
    from tilewright.tensor.memory import Elements


def require_whole_calls(tiled: TiledCopy, shape: tuple[int, ...], active: Elements | None) -> None:
    """Are the elements of each call active together, or none of them?

    A tensor that is no whole tiles is rounded up, as a kernel's partitions do; what lies beyond it is never active.

    Args:
        tiled: the copy.
        shape: the extents of a tensor, as many as its tile has.
        active: truth values of the tensor's elements, the first mode fastest; without them all calls are made.

    Raises:
        LayoutError: a call with active elements and others, or one beyond the tensor that nothing leaves out.

    >>> from tilewright.atoms.catalog import copy
    >>> from tilewright.atoms.tiled_copy import make_tiled_copy_tv
    >>> rows = make_tiled_copy_tv(copy("SM75_U32x4_LDSM_N").with_element(16), Layout((16, 2)), Layout((1, 8)))
    >>> require_whole_calls(rows, (32, 16), None)
    >>> require_whole_calls(rows, (20, 16), None)
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: 32 threads move together by SM75_U32x4_LDSM_N, whole tiles of (16,16): ...
    """
    import numpy

    whole = tuple(-(-n // m) * m for n, m in zip(shape, tiled.tile_shape, strict=True))
    if whole == shape and active is None:
        return
    if active is None:
        raise LayoutError(_told(tiled, f"they reach beyond {to_text(shape)}; {_ADVICE}"))
    made = numpy.zeros(whole, bool, order="F")
    made[tuple(map(slice, shape))] = active.reshape(shape, order="F")
    calls = calls_of(tiled, whole)
    answers = made.ravel(order="F")[calls]
    parted = answers.any(axis=1) & ~answers.all(axis=1)
    if parted.any():
        raise LayoutError(_told(tiled, _parted(calls[parted.argmax()], made, shape)))


def calls_of(tiled: TiledCopy, shape: tuple[int, ...]) -> Elements:
    """The elements of each call, a row a call, by their numbers in whole tiles of a shape, the first mode fastest."""
    held = in_order(tiled.tidfrg_D(Layout(shape)))
    threads, values = (int(mode.size) for mode in tiled.atom.tv_layout_dst)
    parts = held.reshape(threads, tiled.size // threads, values, _runs(tiled), -1, order="F")
    return parts.transpose(1, 3, 4, 0, 2).reshape(-1, threads * values)


def _runs(tiled: TiledCopy) -> int:
    """How many calls a thread makes in a tile."""
    return int(tiled.layout_tv[1].size) // int(tiled.atom.tv_layout_ref[1].size)


_ADVICE = "copy to and from whole tiles of memory, or leave calls out by pred"


def _parted(call: Elements, made: Elements, shape: tuple[int, ...]) -> str:
    """One call's elements of which some are active, in words."""
    import numpy

    answers = made.ravel(order="F")[call]
    yes, no = (
        tuple(map(int, numpy.unravel_index(call[at], made.shape, order="F")))
        for at in (answers.argmax(), answers.argmin())
    )
    beyond = any(at >= most for at, most in zip(no, shape, strict=True))
    left = f"{to_text(no)} lies beyond {to_text(shape)}" if beyond else f"{to_text(no)} is left out"
    return f"a call moves {to_text(yes)}, and {left}; {_ADVICE}"


def _told(tiled: TiledCopy, what: str) -> str:
    atom, tile = tiled.atom, to_text(tiled.tile_shape)
    return f"{atom.threads} threads move together by {atom.name}, whole tiles of {tile}: {what}"
