"""The builders `S[shape : strides]` and `R[shape : strides]`, summed up with offsets: `S[..] + R[..] + 5 @ warpid`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis, AxisSum, AxisZero
from tilewright.layout.inttuple import MAX_LEAVES
from tilewright.tirx.frozen import Frozen
from tilewright.tirx.iters import Iter, Iters, M, Parts, Terms, add_terms, as_integer, on_named_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tilewright.layout.indexing import Index
    from tilewright.tirx.iters import Offset


class LayoutSpec(Frozen):
    """What `S[..] + R[..] + offset` stands for until `TileLayout` takes it.

    Sums collect: replicas are appended, offsets are added axis by axis, and a plain integer lies on `m`.

    Raises:
        LayoutError: a second shard; a summand that is no spec and no offset.

    >>> spec = S[8 : 4 @ Axis.laneid] + R[2:8] + R[3:16] + 1 @ Axis.laneid + 5 + 2 @ Axis.laneid
    >>> spec.parts.replica, spec.parts.offset
    ((Iter(2, 8, m), Iter(3, 16, m)), ((laneid, 3), (m, 5)))
    """

    __slots__ = ("has_shard", "parts")
    parts: Parts
    has_shard: bool

    def __init__(self, parts: Parts, has_shard: bool) -> None:
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "has_shard", has_shard)

    def __add__(self, summand: LayoutSpec | Offset) -> LayoutSpec:
        other = summand if isinstance(summand, LayoutSpec) else LayoutSpec(Parts((), (), as_offset(summand)), False)
        if self.has_shard and other.has_shard:
            raise LayoutError("a layout has one shard, got S[..] + S[..]; put all iters into one S[..]")
        mine, theirs = self.parts, other.parts
        parts = Parts(mine.shard + theirs.shard, mine.replica + theirs.replica, add_terms(mine.offset, theirs.offset))
        return LayoutSpec(parts, self.has_shard or other.has_shard)

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayoutSpec) and (self.parts, self.has_shard) == (other.parts, other.has_shard)

    def __hash__(self) -> int:
        return hash((self.parts, self.has_shard))

    def __reduce__(self) -> tuple[type[LayoutSpec], tuple[Parts, bool]]:
        return LayoutSpec, (self.parts, self.has_shard)

    def __repr__(self) -> str:
        from tilewright.tirx.text import spec_text

        return spec_text(self.parts)


class SpecBuilder(Frozen):
    """`S` or `R`: `S[shape : strides]`, or `S[shape]` with row-major strides on `m`.

    A stride is an integer (on `m`), `4 @ laneid`, `(4, "laneid")`, or an axis alone (stride 1).

    Raises:
        LayoutError: unequal numbers of extents and strides, unknown axes, extents below 1.

    >>> S[(8, 4) : (4 @ Axis.laneid, 1)], S[2, 3, 4], R[4:"laneid"]
    (S[(8, 4):(4 @ laneid, 1)], S[(2, 3, 4):(12, 4, 1)], R[4:1 @ laneid])
    """

    __slots__ = ("_letter",)
    _letter: str

    def __init__(self, letter: str) -> None:
        object.__setattr__(self, "_letter", letter)

    def __getitem__(self, key: object) -> LayoutSpec:
        iters = self._iters(key)
        return LayoutSpec(Parts(iters), True) if self._letter == "S" else LayoutSpec(Parts((), iters), False)

    def _iters(self, key: object) -> Iters:
        if not isinstance(key, slice):
            return row_major(_tuple(key))
        if key.step is not None:
            raise LayoutError(f"write {self._letter}[shape : strides], with one colon")
        shape, strides = _tuple(key.start), _strides(key)
        if len(shape) != len(strides):
            raise LayoutError(
                f"{self._letter}[{shown(key.start)} : {shown(key.stop)}] has {len(shape)} extents and "
                f"{len(strides)} strides; every extent needs its stride"
            )
        if len(shape) > MAX_LEAVES:
            raise LayoutError(f"{self._letter}[..] has more than {MAX_LEAVES} iters")
        return tuple(_iter(extent, stride) for extent, stride in zip(shape, strides, strict=True))

    def __reduce__(self) -> str:
        return self._letter  # the builders are the two constants below

    def __repr__(self) -> str:
        return self._letter


S = SpecBuilder("S")
R = SpecBuilder("R")


def row_major(shape: Sequence[Index]) -> Iters:
    """Iters with compact row-major strides on `m`: the last extent is the fastest.

    >>> row_major((2, 3))
    (Iter(2, 3, m), Iter(3, 1, m))
    """
    stride = 1
    out: list[Iter] = []
    for extent in reversed(shape):
        out.append(Iter(extent, stride, M))
        stride = stride * out[-1].extent
    return tuple(reversed(out))


def as_offset(value: object) -> Terms:
    """An offset as terms: an integer on `m`, a sum of `value @ axis`, or a mapping from axes to values.

    >>> as_offset(1 @ Axis.laneid + 2), as_offset({"warpid": 5})
    (((laneid, 1), (m, 2)), ((warpid, 5),))
    """
    if hasattr(value, "items"):
        return add_terms((Axis.get(axis), as_integer(v, "an offset")) for axis, v in value.items())
    if isinstance(value, AxisZero):
        return ((Axis.get(value.axis), 0),)
    if isinstance(value, AxisSum):
        return add_terms(on_named_axes(value))
    return ((M, as_integer(value, "an offset")),)


def _strides(key: slice) -> tuple[Any, ...]:
    # Beside a single extent a pair is one stride with its axis: S[8 : (4, "laneid")].
    alone = isinstance(key.stop, tuple) and len(key.stop) == 2 and isinstance(key.stop[1], str | Axis)
    return (key.stop,) if alone and not isinstance(key.start, tuple | list) else _tuple(key.stop)


def _tuple(value: object) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def _iter(extent: Index, stride: Index | AxisSum | str | Axis | tuple[Index, str | Axis]) -> Iter:
    if isinstance(stride, str | Axis):
        return Iter(extent, 1, stride)
    if isinstance(stride, tuple):
        if len(stride) != 2:
            raise LayoutError(f"a stride with its axis is the pair (value, axis), got {shown(stride)}")
        return Iter(extent, *stride)
    return Iter(extent, stride)
