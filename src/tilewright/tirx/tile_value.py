"""`TileValue`: what a tile layout is made of. A frozen value with its pieces, its texts, its equality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis, AxisSum
from tilewright.layout.drawn import Drawn
from tilewright.tirx import text
from tilewright.tirx.canonical import without_zeros
from tilewright.tirx.extent import require_64_bits
from tilewright.tirx.frozen import Frozen
from tilewright.tirx.iters import Iter, Iters, Parts, Terms, extents
from tilewright.tirx.spec import LayoutSpec, as_offset

if TYPE_CHECKING:
    from tilewright.tirx.iters import Offset


class TileValue(Frozen, Drawn):
    """Shard, replica and offset, equal by value; an offset of 0 is printed but is no other value than none."""

    __slots__ = ("_copies", "parts")
    parts: Parts
    _copies: tuple[Terms, ...] | None

    def __init__(
        self, shard: LayoutSpec | Iterable[Iter], replica: Iterable[Iter] = (), offset: Offset | None = None
    ) -> None:
        if not isinstance(shard, LayoutSpec):
            parts = Parts(_iters(shard), _iters(replica), () if offset is None else as_offset(offset))
        elif replica or offset is not None:
            raise LayoutError("with S[..] the replica and the offset are summands: S[..] + R[..] + offset")
        else:
            parts = shard.parts
        self._fill(parts)

    @classmethod
    def _of_parts(cls, parts: Parts) -> Self:
        """The layout of pieces that are known to be right."""
        layout = object.__new__(cls)
        layout._fill(parts)
        return layout

    def _fill(self, parts: Parts) -> None:
        require_64_bits(parts)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "_copies", None)

    @classmethod
    def from_iters(cls, shard: Iterable[Iter] = (), replica: Iterable[Iter] = (), offset: Offset | None = None) -> Self:
        """The layout of iters that have been built already.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout.from_iters([Iter(8, 4, "laneid"), Iter(2, 1, "m")], offset={"warpid": 5})
        TileLayout(S[(8, 2):(4 @ laneid, 1)] + 5 @ warpid)
        """
        return cls(_iters(shard), replica, offset)

    @property
    def shard(self) -> Iters:
        """The iters of D, slowest first."""
        return self.parts.shard

    @property
    def replica(self) -> Iters:
        """The iters of the copies."""
        return self.parts.replica

    @property
    def offset(self) -> Mapping[Axis, int]:
        """The fixed offset, axis by axis."""
        return MappingProxyType(dict(self.parts.offset))

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the shard."""
        return extents(self.parts.shard)

    @property
    def strides(self) -> tuple[int | AxisSum, ...]:
        """The strides of the shard as elements of the stride module: `4@laneid`, or an integer on `m`."""
        return tuple(it.stride if it.axis is None else it.stride @ it.axis for it in self.parts.shard)

    def notation(self) -> str:
        """The short text that `tilewright.parse` reads.

        >>> from tilewright.tirx.layout import *
        >>> TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane]).notation()
        'S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]'
        """
        return text.notation(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileValue) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def _value(self) -> Parts:
        return self.parts._replace(offset=without_zeros(self.parts.offset))

    def __reduce__(self) -> tuple[type[Self], tuple[Iters, Iters, dict[Axis, int]]]:
        return type(self), (self.parts.shard, self.parts.replica, dict(self.parts.offset))

    def __repr__(self) -> str:
        return text.python_text(self.parts)


def _iters(items: Iterable[Iter]) -> Iters:
    iters = tuple(items) if isinstance(items, Iterable) else (items,)
    for item in iters:
        if not isinstance(item, Iter):
            raise LayoutError(f"a shard is S[..] or a sequence of Iter, got {shown(item)}")
    return iters
