"""`Layout`: a function from coordinates to elements of the stride module, written `shape:stride`.

L(c) = sum over the leaves of (digit of c in the leaf) * (stride of the leaf), where an integer coordinate is
split over the leaves colexicographically: the first mode is fastest, the last one takes what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisKey, AxisSum, components
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import (
    IntTuple,
    as_int_tuple,
    congruent,
    depth,
    flatten,
    leaves,
    product,
    rank,
    to_text,
)

if TYPE_CHECKING:
    from types import NotImplementedType


class Layout(LayoutBase):
    """The layout `shape:stride`: immutable, hashable, checked when built.

    Args:
        shape: an int tuple; every extent is at least 1.
        stride: an int tuple of the same profile whose leaves are integers or `value@axis` sums.
            Without it the strides are compact, first mode fastest, and 0 on modes of size 1.

    Raises:
        LayoutError: an extent below 1, or profiles that differ.

    Source: CuTe's `Layout`.

    >>> layout = Layout((4, (2, 8)), (1, (16, 4)))
    >>> layout(1, 5), layout((1, (1, 2))), layout.size
    (25, 25, 64)
    >>> print(Layout((4, 1, 3)))
    (4,1,3):(1,0,4)
    """

    __slots__ = ("shape", "stride")
    shape: IntTuple
    stride: IntTuple

    def __init__(self, shape: IntTuple, stride: IntTuple = None) -> None:
        shape = as_int_tuple(shape)
        for extent in leaves(shape):
            if extent is None or (type(extent) is int and extent < 1):
                raise LayoutError(f"layout extents must be at least 1, got {extent} in shape {to_text(shape)}")
        stride = compact_stride(shape) if stride is None else as_int_tuple(stride)
        if not congruent(shape, stride):
            raise LayoutError(f"shape {to_text(shape)} and stride {to_text(stride)} have different profiles")
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "stride", stride)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Layout is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Layout is frozen; cannot delete {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Layout, (self.shape, self.stride)

    # ---- queries

    @property
    def size(self) -> Any:
        """The number of coordinates: the product of the extents."""
        return product(self.shape)

    @property
    def rank(self) -> int:
        """The number of top-level modes; 1 for a leaf layout."""
        return rank(self.shape)

    @property
    def depth(self) -> int:
        """The nesting depth of the shape; 0 for a leaf layout."""
        return depth(self.shape)

    @property
    def flat(self) -> tuple[tuple[Any, Any], ...]:
        """The leaves as (extent, stride) pairs, fastest first."""
        return tuple(zip(flatten(self.shape), flatten(self.stride), strict=True))

    @property
    def cosize(self) -> Any:
        """The largest value + 1."""
        from tilewright.layout.query import cosize

        return cosize(self)

    def contains(self, *coord: Any) -> bool:
        """Is the coordinate inside the domain? (Evaluation also works outside: the last mode extends.)

        >>> Layout((4, 8)).contains(3, 7), Layout((4, 8)).contains(4, 0), Layout((4, 8)).contains(32)
        (True, False, False)
        """
        return _contains(_one(coord), self.shape)

    # ---- evaluation

    def __call__(self, *coord: Any) -> Any:
        """L(coord): an int, a coordinate tuple, or `{axis: int}` with every axis of the strides.

        The coordinate is an integer (colexicographic), a tuple weakly congruent to the shape, or one argument a
        mode. With `None` among them the result is the layout of the modes kept, see `slice`.
        """
        where = _one(coord)
        if _keeps(where):
            return self.slice(where)
        return present(crd2idx(where, self.shape, self.stride), self.stride)

    # ---- modes

    def __getitem__(self, mode: Any) -> Layout:
        """The layout of one mode; a negative index counts from the end, a slice keeps several.

        >>> print(Layout((4, (2, 8)), (1, (16, 4)))[1])
        (2,8):(16,4)
        """
        if not isinstance(self.shape, tuple):
            if mode in (0, -1):
                return self
            raise LayoutError(f"mode {mode} of the leaf layout {self}, which has only mode 0")
        try:
            return Layout(self.shape[mode], self.stride[mode])
        except IndexError:
            raise LayoutError(f"mode {mode} of {self}, which has rank {self.rank}") from None
        except TypeError:
            raise LayoutError(f"a mode is an integer or a slice, got {mode!r}") from None

    def __iter__(self) -> Iterator[Layout]:
        return (self[i] for i in range(self.rank))

    def __len__(self) -> int:
        return self.rank

    def __eq__(self, other: object) -> bool | NotImplementedType:
        if not isinstance(other, Layout):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __str__(self) -> str:
        return f"{to_text(self.shape)}:{to_text(self.stride)}"

    def __repr__(self) -> str:
        return f"Layout({self.shape!r}, {self.stride!r})"


_new = object.__new__
_set_shape = Layout.__dict__["shape"].__set__
_set_stride = Layout.__dict__["stride"].__set__


def trusted(shape: IntTuple, stride: IntTuple) -> Layout:
    """A layout of parts that are known to be well formed, without the checks."""
    layout = _new(Layout)
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    return layout


def compact_stride(shape: IntTuple) -> IntTuple:
    """Compact colexicographic strides as CuTe makes them: modes of static size 1 get stride 0.

    >>> compact_stride((4, 1, 3))
    (1, 0, 4)
    """
    running = 1

    def walk(node: IntTuple) -> IntTuple:
        nonlocal running
        if isinstance(node, tuple):
            return tuple(walk(item) for item in node)
        if type(node) is int and node == 1:
            return 0
        stride, running = running, running * node
        return stride

    return walk(shape)


def crd2idx(coord: Any, shape: IntTuple, stride: IntTuple) -> Any:
    """The module element at a coordinate that is weakly congruent to the shape; the last mode extends.

    >>> crd2idx((3, 5), (8, 16), (1, 8))
    43
    """
    if isinstance(shape, tuple):
        if isinstance(coord, tuple | list):
            if len(coord) != len(shape):
                raise LayoutError(f"coordinate {to_text(tuple(coord))} does not fit shape {to_text(shape)}")
            return sum(map(crd2idx, coord, shape, stride))
        total: Any = 0
        last = len(shape) - 1
        for mode, (s, d) in enumerate(zip(shape, stride, strict=True)):
            if mode == last:
                return total + crd2idx(coord, s, d)
            extent = product(s)
            total, coord = total + crd2idx(coord % extent, s, d), coord // extent
        return total
    if isinstance(coord, tuple | list):
        if len(coord) == 1:
            return crd2idx(coord[0], shape, stride)
        raise LayoutError(f"coordinate {to_text(tuple(coord))} does not fit the leaf {shape}")
    return coord * stride


def idx2crd(index: Any, shape: IntTuple) -> IntTuple:
    """The coordinate in `shape` of a colexicographic index; the last mode is not reduced.

    >>> idx2crd(43, (8, 16)), idx2crd(11, (2, 5))
    ((3, 5), (1, 5))
    """
    if not isinstance(shape, tuple):
        return index
    out = []
    for s in shape[:-1]:
        extent = product(s)
        out.append(idx2crd(index % extent, s))
        index = index // extent
    return (*out, idx2crd(index, shape[-1])) if shape else ()


def coprofile_axes(stride: IntTuple) -> tuple[AxisKey, ...]:
    """Every axis that occurs in the strides, in first-seen order."""
    return tuple(dict.fromkeys(axis for leaf in leaves(stride) for axis, _ in components(leaf)))


def present(value: Any, stride: IntTuple) -> Any:
    """A module element as the caller sees it: an int, a coordinate tuple, or `{axis: int}`.

    Coordinate positions give a tuple with the codomain's profile; named axes give a dict.
    """
    axes = [axis for leaf in leaves(stride) if isinstance(leaf, AxisSum) for axis, _ in leaf.terms]
    if not axes:
        return value
    found = dict(components(value))
    if all(isinstance(axis, tuple) for axis in axes):
        return _coordinate({axis: found.get(axis, 0) for axis in axes}, 0)
    return {axis: found.get(axis, 0) for axis in coprofile_axes(stride)}


def _coordinate(values: dict[AxisKey, Any], level: int) -> Any:
    count = 1 + max(int(path[level]) for path in values)
    out = []
    for position in range(count):
        here = {path: v for path, v in values.items() if path[level] == position}
        deeper = {path: v for path, v in here.items() if len(path) > level + 1}
        out.append(_coordinate(deeper, level + 1) if deeper else sum(here.values()))
    return tuple(out)


def _contains(coord: Any, shape: IntTuple) -> bool:
    if isinstance(shape, tuple) and isinstance(coord, tuple | list):
        return len(coord) == len(shape) and all(map(_contains, coord, shape))
    return not isinstance(coord, tuple | list) and bool(0 <= coord < product(shape))


def _keeps(coord: Any) -> bool:
    return coord is None or (isinstance(coord, tuple | list) and any(map(_keeps, coord)))


def _one(coord: tuple[Any, ...]) -> Any:
    return coord[0] if len(coord) == 1 else coord
