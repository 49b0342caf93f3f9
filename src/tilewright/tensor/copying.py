"""`copy`: what one tensor holds to the same coordinates of another, and the width of vector that may move it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from tilewright.atoms.catalog import copy_atom as known_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.dtypes import Boolean
from tilewright.errors import LayoutError, UsageError, counted, shown
from tilewright.layout.compare import compatible
from tilewright.layout.inttuple import modes, product, to_text
from tilewright.layout.operations import max_common_vector
from tilewright.tensor.tensor import Tensor
from tilewright.tensor.together import require_whole_calls

if TYPE_CHECKING:
    from tilewright.tensor.memory import Elements

WIDEST = 128  # bits that one instruction of a thread moves


@dataclass(frozen=True)
class Copied:
    """What a copy moved: so many elements, without those that `pred` left, `vector` at a time, of so many bits each."""

    elements: int
    vector: int
    bits: int

    @property
    def vectors(self) -> int:
        """How many vectors that are."""
        return -(-self.elements // self.vector)

    def __str__(self) -> str:
        width = f"{counted(self.vector, 'element')} ({self.vector * self.bits} bits)"
        return f"{counted(self.elements, 'element')} in {counted(self.vectors, 'vector')} of {width}"


@overload
def copy(src: Tensor, dst: Tensor, /, *, pred: Tensor | None = None) -> Copied: ...
@overload
def copy(copy_atom: CopyAtom | TiledCopy | str, src: Tensor, dst: Tensor, *, pred: Tensor | None = None) -> Copied: ...
def copy(
    copy_atom: CopyAtom | TiledCopy | Tensor | str,
    src: Tensor,
    dst: Tensor | None = None,
    *,
    pred: Tensor | None = None,
) -> Copied:
    """dst[c] becomes what src[c] was, for every coordinate c; all are read before any is written.

    By itself it says the vector: the widest power of two, of at most `max_common_vector` elements and 128 bits, in
    which the elements lie one after the other in both, everywhere, from multiples of the vector on, and `pred` is one
    value for all. Places count from the start of each array's memory, which is taken to be aligned.

    By an atom, or a tiled copy, it is what `fx.copy` does in a kernel: a thread's part goes to a thread's part call by
    call, each moving the values of an atom, which mode 0 holds. Of an atom whose threads work together, such as
    ldmatrix, no thread's part can be moved alone; a tiled copy of it moves whole tiles. Ragged ones are rounded up, as
    a kernel's partitions are, so `pred` has to leave out the calls that reach beyond; and as all threads of a call
    make it or none (a kernel whose threads part there stops), `pred` is one value for all elements of each.

    Args:
        pred: truth values: where one is false nothing is copied. One for each call, one for each part behind mode 0,
            or one for all; without an atom every element is a call. `predicate` makes them.

    Raises:
        UsageError: no tensors, of two element types, memory that is only read, or a part of what threads do together.
        LayoutError: shapes whose coordinates are not each other's; two elements of dst in one place; mode 0 without
            the values of a call; another number of truth values; a call of several threads that reaches beyond a
            ragged tile, or of which some elements are left out.

    >>> import numpy
    >>> from tilewright.layout.layout import Layout
    >>> src = Tensor(numpy.arange(128, dtype="float32"), Layout((8, 16), (16, 1)))
    >>> dst = Tensor(numpy.zeros(160, "float32"), Layout((8, 16), (20, 1)))
    >>> print(copy(src, dst), dst[7, 15])
    128 elements in 32 vectors of 4 elements (128 bits) 127.0
    """
    if isinstance(copy_atom, Tensor) or dst is None:
        one, other = _checked(copy_atom, src if dst is None else dst)
        _require_compatible(one, other)
        active = _active(pred, other, 1)
        return _moved(one, other, active, common_vector(one, other, active))
    atom = _atom(copy_atom)
    one, other = _checked(src, dst)
    if atom.threads == 1:
        if one.size != other.size:
            raise LayoutError(f"copy: {one!r} has {one.size} elements, {other!r} has {other.size}")
        values = _values(atom, one)
        for side in (one, other):
            require_calls(side, values, atom.name)
        return _moved(one, other, _active(pred, other, values), values)
    _require_compatible(one, other)
    active = _active(pred, other, 1)
    require_whole_calls(*_tiles(copy_atom, one), active)
    return _moved(one, other, active, _values(atom, one))


def copy_atom_call(
    copy_atom: CopyAtom | TiledCopy | str, src: Tensor, dst: Tensor, *, pred: Tensor | None = None
) -> Copied:
    """One call of `copy` by an atom of one thread: both tensors hold just the values that it moves.

    Raises:
        UsageError: no copy atom, or no tensors.
        LayoutError: a tensor whose size is not the atom's number of values, or what `copy` refuses.

    >>> import numpy
    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> src, dst = Tensor(numpy.arange(4.0)), Tensor(numpy.zeros(4))
    >>> print(copy_atom_call(universal_copy(256), src, dst), dst.load())
    4 elements in 1 vector of 4 elements (256 bits) [0. 1. 2. 3.]
    """
    atom = _atom(copy_atom)
    one, other = _checked(src, dst)
    wanted = _values(atom, one)
    for side in (one, other):
        if side.size != wanted:
            raise LayoutError(f"a call of {atom.name} moves {counted(wanted, 'element')}, and {side!r} has {side.size}")
    return copy(copy_atom, one, other, pred=pred)


def _atom(value: object) -> CopyAtom:
    if isinstance(value, TiledCopy):
        return value.atom
    if isinstance(value, CopyAtom | str):
        return known_atom(value, "copy takes")
    raise UsageError(f"copy takes a copy atom or a tiled copy, and tensors, got {shown(value)}; tw.make_copy_atom")


def _checked(src: object, dst: object) -> tuple[Tensor, Tensor]:
    if not isinstance(src, Tensor) or not isinstance(dst, Tensor):
        wrong = dst if isinstance(src, Tensor) else src
        raise UsageError(f"copy moves a tensor to a tensor, got {shown(wrong)}; write tw.Tensor(array, layout)")
    if src.dtype != dst.dtype:
        raise UsageError(f"copy moves elements as they are: {src.dtype} is not {dst.dtype}; convert them with .astype")
    return src, dst


def _require_compatible(src: Tensor, dst: Tensor) -> None:
    if not compatible(src.shape, dst.shape) and not compatible(dst.shape, src.shape):
        raise LayoutError(
            f"copy: the shapes {to_text(src.shape)} and {to_text(dst.shape)} have not the same coordinates"
        )


def _values(atom: CopyAtom, tensor: Tensor) -> int:
    """The elements of a tensor that a thread moves by one call."""
    values, rest = divmod(atom.bits_per_thread, tensor.dtype.bits)
    if rest or not values:
        raise LayoutError(f"{atom.name} moves {atom.bits_per_thread} bits, no whole {tensor.dtype}")
    return values


def require_calls(tensor: Tensor, values: int, name: str) -> None:
    """Does mode 0, or its first mode, hold the values of a call?

    Raises:
        LayoutError: it does not, and the tensor is more than one call.
    """
    first = modes(tensor.shape)[0] if modes(tensor.shape) else 1
    inner = first[0] if isinstance(first, tuple) and first else first
    if values not in (tensor.size, product(first), product(inner)):
        raise LayoutError(
            f"a call of {name} moves {counted(values, 'element')}, and mode 0 of {tensor!r} holds {product(first)}; "
            f"tw.logical_divide(t, tw.Layout({values})) has mode 0 hold those of one call"
        )


def _tiles(tiled: CopyAtom | TiledCopy | str, tensor: Tensor) -> tuple[TiledCopy, tuple[int, ...]]:
    """A tiled copy, and the extents of a tensor that has as many as its tile: of a thread's part nobody knows more."""
    shape = tuple(product(mode) for mode in modes(tensor.shape))
    if not isinstance(tiled, TiledCopy) or len(shape) != len(tiled.tile_shape):
        tile = f" of {to_text(tiled.tile_shape)}" if isinstance(tiled, TiledCopy) else ""
        raise UsageError(
            f"{_atom(tiled).threads} threads move together by {_atom(tiled).name}: one's part tells not what it gets; "
            f"give copy a tiled copy and whole tiles{tile}, got {tensor!r}"
        )
    return tiled, shape


def _moved(src: Tensor, dst: Tensor, active: Elements | None, vector: int) -> Copied:
    """The active elements of both, one after the other by their flat coordinates."""
    dst.store(src.load(), active)
    return Copied(src.size if active is None else int(active.sum()), vector, src.dtype.bits)


def _active(pred: Tensor | None, tensor: Tensor, values: int) -> Elements | None:
    """Which elements are copied, of calls of so many; None for all."""
    if pred is None:
        return None
    if not isinstance(pred, Tensor) or pred.dtype != Boolean:
        raise UsageError(f"pred is a tensor of truth values, got {shown(pred)}; tw.predicate(tile, extent) makes one")
    calls, rest = tensor.size // values, product(modes(tensor.shape)[1:])
    if pred.size not in (1, calls, rest):
        raise LayoutError(f"copy makes {calls} calls, for which {counted(pred.size, 'truth value')} do not tell")
    return pred.load().repeat(tensor.size // pred.size)


def common_vector(src: Tensor, dst: Tensor, active: Elements | None) -> int:
    """The elements of the widest vector that moves one tensor to the other, each vector whole or not at all."""
    most = min(max_common_vector(src.layout, dst.layout), WIDEST // src.dtype.bits)
    widths = (1 << k for k in reversed(range(max(1, most).bit_length())))
    order = dst.places().argsort()
    sides = [tensor.places()[order] for tensor in (src, dst)]
    kept = None if active is None else active[order]
    return next(n for n in widths if all(_in_runs(side, n) for side in sides) and _is_whole(kept, n))


def _is_whole(active: Elements | None, n: int) -> bool:
    """Are of every n all active, or none?"""
    return active is None or bool((active.reshape(-1, n) == active[::n, None]).all())


def _in_runs(places: Elements, n: int) -> bool:
    """Do the places, n at a time, lie one after the other, from a multiple of n on?"""
    if places.size % n:
        return False
    runs = places.reshape(-1, n)
    return bool((runs[:, 0] % n == 0).all() and (runs[:, 1:] == runs[:, :-1] + 1).all())
