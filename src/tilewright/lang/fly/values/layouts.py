"""Layouts, composed layouts, swizzles and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tilewright.errors import KernelError, shown
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import XorShift
from tilewright.lang.core.numerics.elements import INT64
from tilewright.lang.core.numerics.number import convert
from tilewright.lang.core.numerics.numeric import Numeric, scalar
from tilewright.lang.fly.values.base import FlyValue, apply, expect, of_text
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.layout.composed import ComposedLayout as ComposedKind
from tilewright.layout.coord_swizzle import CoordSwizzle as CoordKind
from tilewright.layout.inttuple import leaves
from tilewright.layout.layout import Layout as LayoutKind
from tilewright.layout.swizzle import Swizzle as SwizzleKind

__all__ = ["ComposedLayout", "CoordSwizzle", "Layout", "Swizzle", "Tile"]

AnyLayout: TypeAlias = "Layout | ComposedLayout"
LayoutLike: TypeAlias = "Layout | ComposedLayout | LayoutKind | ComposedKind"
ModeLike: TypeAlias = "int | Layout | Tile | tuple[ModeLike, ...] | None"
TilerLike: TypeAlias = "Tile | LayoutLike | IntTuple | int | tuple[ModeLike, ...] | list[ModeLike]"


class _Shaped(FlyValue):
    """What layouts and composed layouts have in common."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """How many modes it has."""
        return self.shape.rank

    @property
    def depth(self) -> int:
        """How deep its shape nests."""
        return self.shape.depth

    @property
    def is_leaf(self) -> bool:
        """Is its shape an integer?"""
        return self.shape.is_leaf

    @property
    def shape(self) -> IntTuple:
        """Its shape."""
        return expect(apply("get_shape", self), IntTuple, "a shape")

    @property
    def is_static_shape(self) -> bool:
        """Is its shape known?"""
        return self.shape.is_static

    def __getitem__(self, mode: int | Sequence[int] | tuple[IntTupleLike, ...]) -> FlyValue:
        """A mode, or one within one, by its path; of a coordinate with `None` in it, the layout that is left."""
        if isinstance(mode, tuple) and has_none(int_tuple(mode)):
            return self(*mode)
        path = mode if isinstance(mode, list | tuple) else (mode,)
        return expect(apply("get", self, mode=tuple(map(_step, path))), FlyValue, "a mode")

    def __call__(self, *coord: IntTupleLike) -> FlyValue:
        """The index of a coordinate; with `None` in it, the layout that is left."""
        given = wide_enough(int_tuple(coord[0] if len(coord) == 1 else tuple(coord)), self.kind)
        name = "slice" if has_none(given) else "crd2idx"
        operands = (self, given) if name == "slice" else (given, self)
        return expect(apply(name, *operands), FlyValue, "a result")

    def get_hier_coord(self, index: IntTupleLike) -> IntTuple:
        """The coordinate of an index, nested as the shape is."""
        return expect(apply("get_hier_coord", int_tuple(index), self), IntTuple, "a coordinate")

    def get_flat_coord(self, index: IntTupleLike) -> IntTuple:
        """The coordinate of an index, an integer for each mode."""
        return expect(apply("get_flat_coord", int_tuple(index), self), IntTuple, "a coordinate")

    def get_1d_coord(self, index: IntTupleLike) -> IntTuple:
        """The coordinate of an index as one integer, colexicographically."""
        return expect(apply("get_1d_coord", int_tuple(index), self), IntTuple, "a coordinate")


class Layout(_Shaped):
    """A layout: shape and stride."""

    named = "fly.layout"
    __slots__ = ()

    @property
    def stride(self) -> IntTuple:
        """Its stride."""
        return expect(apply("get_stride", self), IntTuple, "a stride")

    @property
    def is_static_stride(self) -> bool:
        """Is its stride known?"""
        return self.stride.is_static


class ComposedLayout(_Shaped):
    """inner(offset + outer(coordinate))."""

    named = "fly.composed_layout"
    __slots__ = ()

    @property
    def inner(self) -> FlyValue:
        """What is applied last: a swizzle or a layout."""
        return expect(apply("composed_get_inner", self), FlyValue, "the inner function")

    @property
    def offset(self) -> IntTuple:
        """What is added between."""
        return expect(apply("composed_get_offset", self), IntTuple, "an offset")

    @property
    def outer(self) -> AnyLayout:
        """What is applied to a coordinate."""
        found = apply("composed_get_outer", self)
        return found if isinstance(found, ComposedLayout) else expect(found, Layout, "the outer layout")

    @property
    def is_static_inner(self) -> bool:
        """Is the inner function known?"""
        return self.inner.is_static

    @property
    def is_static_offset(self) -> bool:
        """Is the offset known?"""
        return self.offset.is_static

    @property
    def is_static_outer(self) -> bool:
        """Is the outer layout known?"""
        return self.outer.is_static


class Swizzle(FlyValue):
    """An XOR of bits of an offset."""

    named = "fly.swizzle"
    __slots__ = ()

    @property
    def _swizzle(self) -> SwizzleKind | XorShift:
        assert isinstance(self.kind, SwizzleKind | XorShift)
        return self.kind

    @property
    def mask(self) -> int:
        """How many bits."""
        return self._swizzle.b

    @property
    def base(self) -> int:
        """The lowest of them."""
        return self._swizzle.m

    @property
    def shift(self) -> int:
        """How far away the bits are that they are XORed with."""
        return self._swizzle.s


class CoordSwizzle(FlyValue):
    """An XOR of bits of one coordinate with bits of another."""

    named = "fly.coord_swizzle"
    __slots__ = ()

    @property
    def _swizzle(self) -> CoordKind:
        assert isinstance(self.kind, CoordKind)
        return self.kind


class Tile(FlyValue):
    """A tiler: an extent or a layout for each mode, `*` for modes that stay."""

    named = "fly.tile"
    __slots__ = ()

    @property
    def rank(self) -> int:
        """How many modes it has."""
        return len(self.unpack())

    def unpack(self) -> tuple[object, ...]:
        """Its modes: integers, layouts, tuples, None."""
        tiler: object = getattr(self.kind, "tiler", None)
        return tiler if isinstance(tiler, tuple) else (tiler,)


# ---- from Python's own


def _step(mode: object) -> int:
    if not isinstance(mode, int | Numeric):
        raise KernelError(f"a mode is a number, or a path of numbers, got {shown(mode)}")
    return int(mode)


def has_none(value: object) -> bool:
    """Is there a `*` in an int tuple, or None in Python's own?"""
    kind = value.kind if isinstance(value, IntTuple) else value
    if isinstance(kind, tuple | list):
        return any(map(has_none, kind))
    return kind is None


NARROW = 1 << 31


def wide_enough(coord: IntTuple, layout: object) -> IntTuple:
    """The coordinate, of 64 bits where a known part of a layout (its kind) reaches beyond 32: its index has as many."""
    if coord.is_static or _reach(layout) < NARROW:
        return coord
    return int_tuple(_wide(coord))


def _wide(part: IntTuple) -> IntTupleLike:
    if not part.is_leaf:
        return tuple(map(_wide, part))
    return part if part.is_static else scalar(convert(part.number, INT64))


def _reach(kind: object) -> int:
    """The largest index that known extents and strides lead to."""
    if isinstance(kind, ComposedKind):
        return _reach(kind.inner)
    if not isinstance(kind, LayoutKind):
        return 0
    found = 0
    for extent, step in zip(leaves(kind.shape), leaves(kind.stride), strict=True):
        if isinstance(step, int):
            found += abs(step) * (max(extent - 1, 0) if isinstance(extent, int) else 1)
    return found


def layout_of(value: object) -> AnyLayout:
    """A layout of the language, of one of this package's too.

    Raises:
        KernelError: it is none.
    """
    if isinstance(value, Layout | ComposedLayout):
        return value
    if isinstance(value, LayoutKind | ComposedKind):
        found = of_text(write(value))
        assert isinstance(found, Layout | ComposedLayout)
        return found
    raise KernelError(f"expected a layout, got {shown(value)}")


def tile(modes: Sequence[object]) -> Tile:
    """The tiler of these modes.

    >>> tile((4, None, (2, 8)))
    Tile<[4|*|[2|8]]>
    """
    return expect(of_text(f"!fly.tile<{_tile_text(tuple(modes))}>"), Tile, "a tile")


def _tile_text(mode: object) -> str:
    if mode is None:
        return "*"
    if isinstance(mode, tuple | list):
        return f"[{'|'.join(map(_tile_text, mode))}]"
    if isinstance(mode, Layout | Tile):
        if not mode.is_static:
            raise KernelError(f"a tile is made of what is known while tracing, got {mode}")
        return mode.text
    if isinstance(mode, IntTuple) and mode.is_static:
        return _tile_text(mode.to_py_value())
    if isinstance(mode, LayoutKind):
        return layout_of(mode).text
    if isinstance(mode, Numeric) or (isinstance(mode, int) and not isinstance(mode, bool)):
        return str(int(mode))
    raise KernelError(f"a mode of a tile is an integer, None, a layout or a tuple, got {shown(mode)}")


def tiler(value: TilerLike) -> FlyValue:
    """What divides or composes: a layout, a tile, or an integer of known or run-time extent."""
    if isinstance(value, FlyValue):
        return value
    if isinstance(value, tuple | list):
        dynamic = [x for x in value if isinstance(x, Numeric | IntTuple) and not is_known(x)]
        return int_tuple(tuple(value)) if dynamic else tile(value)  # type: ignore[arg-type]  # integers and None
    if isinstance(value, int | Numeric):
        return int_tuple(value)
    return layout_of(value)


def is_known(value: Numeric | IntTuple) -> bool:
    """Is it known while tracing?"""
    return value.is_static() if isinstance(value, Numeric) else value.is_static
