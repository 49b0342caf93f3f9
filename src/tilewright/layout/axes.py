"""Axes, and the integer module in which strides live.

A stride is an `int` or an `AxisSum`: a sum of `value@axis` terms. An axis is the name of a hardware axis
(`laneid`, `TLane`) or a coordinate position, a path of integers from the outermost tuple inwards
(CuTe's basis E<1,0> is the path (1, 0); CuTe prints `1@0@1`, fly `1E1E0`). A plain integer lies on the
memory axis `m`, so `3@m` and `3` are one element, and sums of both are closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.errors import LayoutError, close_names, shown
from tilewright.layout.inttuple import MAX_INT, to_text

AxisKey: TypeAlias = str | tuple[int, ...]
Term: TypeAlias = tuple[AxisKey, int]

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilewright.layout.inttuple import Element, Elements, IntTuple
    from tilewright.layout.symbolic.symint import SymInt

    # What a layout has for values: integers, coordinates, or an integer for every axis; known, or run-time ones too.
    Known: TypeAlias = "int | tuple[Known, ...] | dict[AxisKey, Known]"
    Value: TypeAlias = "int | SymInt | tuple[Value, ...] | Mapping[AxisKey, Value]"
    # A value as `present` gives it; elements on axes as they are where nothing says what they span.
    Presented: TypeAlias = "IntTuple | dict[AxisKey, int] | AxisSum"

MEMORY = "m"


class Scope(str):
    """The name of a level of the thread hierarchy: `thread`, `warp`, ... A text that also answers to `.name`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The text itself."""
        return str(self)


_AXES: dict[str, Axis] = {}
AXES: Mapping[str, Axis] = MappingProxyType(_AXES)


def _hint(name: str) -> str:
    close = close_names(name, AXES)
    return f"; did you mean {shown(close[0])}?" if close else f"; known axes: {', '.join(AXES)}"


class _AxisNames(type):
    # `Axis.laneid` is `Axis.get("laneid")`.
    def __getattr__(cls, name: str) -> Axis:
        if name in AXES:
            return AXES[name]
        hint = "" if name.startswith("__") else _hint(name)  # what Python itself asks for is no misspelling
        raise AttributeError(f"no axis is named {shown(name)}{hint}")


@dataclass(frozen=True, init=False, eq=False)
class Axis(metaclass=_AxisNames):
    """A named hardware axis. `4 @ laneid` is the stride of four lanes.

    There are those of the table `AXES` and no others, each a single value: `Axis("laneid")` is `Axis.laneid`, and
    an unknown name raises with a suggestion, where TVM's release registers it silently and fails at its first use.

    `scope` and `subscope` say between which levels the axis counts: `warpid` counts the warps (subscope)
    of a cta (scope). Memory axes have neither. `registered` is the scope under which TVM's release knows the axis
    where that is another one: it files `bx`, `by` and `bz`, which count the ctas of a grid, under `thread`.
    Raises:
        LayoutError: no axis has the name; the message has the nearest one.

    Source: TIRx (its page on layouts; apache-tvm 0.27).

    >>> Axis("laneid") is Axis.laneid, Axis("laneid").scope, Axis("m").is_memory()
    (True, 'warp', True)
    """

    name: str
    scope: str | None
    subscope: str | None
    registered: str | None

    def __new__(cls, name: str | Axis) -> Axis:
        """The axis of that name."""
        return cls.get(name)

    def is_thread(self) -> bool:
        """Does the axis number threads, or groups of them, rather than memory cells?"""
        return self.scope is not None

    def is_memory(self) -> bool:
        """Does the axis number memory cells?"""
        return self.scope is None

    def get_scope(self) -> Scope | None:
        """The level within which the axis counts, by TVM's word for it; None for a memory axis.

        >>> Axis.laneid.get_scope().name, Axis.bx.get_scope().name, Axis.bx.scope
        ('warp', 'thread', 'grid')
        """
        known = self.registered or self.scope
        return None if known is None else Scope(known)

    def get_subscope(self) -> Scope | None:
        """The level that the axis counts; None for a memory axis."""
        return None if self.subscope is None else Scope(self.subscope)

    @staticmethod
    def get(name: str | Axis) -> Axis:
        """The axis of that name; an unknown name raises, with a suggestion.

        >>> Axis.get("laneid").scope
        'warp'
        """
        if isinstance(name, Axis):
            return name
        try:
            return AXES[name]
        except (KeyError, TypeError):
            hint = _hint(name) if isinstance(name, str) else f"; known axes: {', '.join(AXES)}"
            raise LayoutError(f"unknown axis {shown(name)}{hint}") from None

    def __rmatmul__(self, value: int | SymInt) -> Element:
        if value.__class__ is int and value and self.name != MEMORY:
            return _sum_of(((self.name, value),))
        element = term(value, self.name)
        return AxisZero(self.name) if type(element) is int and element == 0 and self.name != MEMORY else element

    def __reduce__(self) -> tuple[Callable[[str], Axis], tuple[str]]:
        return Axis.get, (self.name,)

    def __repr__(self) -> str:
        return self.name


class AxisZero(int):
    """The 0 that was written on an axis, `0 @ laneid`: the integer 0, which also knows the axis."""

    axis: str

    def __new__(cls, axis: str) -> AxisZero:
        """Zero on that axis."""
        zero = super().__new__(cls, 0)
        zero.axis = axis
        return zero

    def __reduce__(self) -> tuple[type[AxisZero], tuple[str]]:
        return AxisZero, (self.axis,)

    def __repr__(self) -> str:
        return f"0@{self.axis}"


# name, scope, subscope, the scope under which TVM registers it where that is another one
_TABLE = (
    *((name, None, None, None) for name in (MEMORY, "P", "F", "Bank", "TCol", "TLane")),
    ("gpuid", "world", "gpu", None),
    ("pid", "world", "gpu", None),
    ("bx", "grid", "cta", "thread"),
    ("by", "grid", "cta", "thread"),
    ("bz", "grid", "cta", "thread"),
    ("cbx", "cluster", "cta", None),
    ("cby", "cluster", "cta", None),
    ("cbz", "cluster", "cta", None),
    ("tx", "cta", "thread", None),
    ("warpid", "cta", "warp", None),
    ("laneid", "warp", "thread", None),
    ("wgid", "cta", "warpgroup", None),
    ("tid_in_wg", "warpgroup", "thread", None),
    ("wid_in_wg", "warpgroup", "warp", None),
)


def _registered(*row: str | None) -> Axis:
    axis = object.__new__(Axis)
    for field, value in zip(("name", "scope", "subscope", "registered"), row, strict=True):
        object.__setattr__(axis, field, value)
    return axis


_AXES.update({row[0]: _registered(*row) for row in _TABLE})


class AxisSum:
    """An element of the module: a frozen sum of `value@axis` terms with integer values, no zero among them.

    Adds to integers and to other sums, multiplies by integers; a sum that lies on `m` alone is never an
    `AxisSum` but the integer itself. `term` and `+` make them.

    Raises:
        LayoutError: terms that are not those of a sum: on unknown axes, zero, or in another order.

    >>> 4 * term(1, "laneid") + 3
    4@laneid+3
    """

    __slots__ = ("terms",)
    is_layout_leaf = True
    terms: tuple[Term, ...]

    def __init__(self, terms: tuple[Term, ...]) -> None:
        if not isinstance(terms, tuple) or not all(isinstance(part, tuple) and len(part) == 2 for part in terms):
            raise LayoutError(f"a sum on axes has terms (axis, value), got {shown(terms)}; write term(value, axis)")
        found = sum((term(value, axis) for axis, value in terms), 0)
        if components(found) != terms or not isinstance(found, AxisSum):
            raise LayoutError(f"the terms {shown(terms)} are those of {found}; write term(value, axis) + ..")
        object.__setattr__(self, "terms", terms)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"AxisSum is frozen; cannot set {name}")

    @property
    def values(self) -> dict[AxisKey, int]:
        """The value on each axis."""
        return dict(self.terms)

    def on(self, axis: AxisKey) -> int:
        """The component on one axis; 0 where there is none."""
        return next((v for a, v in self.terms if a == axis), 0)

    def __add__(self, other: Element) -> Element:
        if isinstance(other, AxisSum):
            return from_terms((*self.terms, *other.terms))
        return from_terms((*self.terms, (MEMORY, other))) if _is_scalar(other) else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> AxisSum:
        return _sum_of(tuple((a, -v) for a, v in self.terms))

    def __sub__(self, other: Element) -> Element:
        return self + (-other)

    def __rsub__(self, other: Element) -> Element:
        return -self + other

    def __mul__(self, other: int) -> Element:
        return from_terms((a, v * other) for a, v in self.terms) if _is_scalar(other) else NotImplemented

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AxisSum) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    def __reduce__(self) -> tuple[type[AxisSum], tuple[tuple[Term, ...]]]:
        return AxisSum, (self.terms,)

    def to_source(self) -> str:
        """A Python expression, over names that `tilewright` exports, that makes the sum."""
        return " + ".join(f"term({value!r}, {axis!r})" for axis, value in self.terms)

    def __repr__(self) -> str:
        return "+".join(map(_term_text, self.terms))


def _sum_of(terms: tuple[Term, ...]) -> AxisSum:
    """The sum of terms that are in order, not all on `m`, and none 0."""
    made = object.__new__(AxisSum)
    object.__setattr__(made, "terms", terms)
    return made


def term(value: int | SymInt, axis: AxisKey | Axis) -> Element:
    """`value@axis` as a module element: an int on `m`, 0 for value 0, else an `AxisSum`.

    Raises:
        LayoutError: no integer, or no such axis.

    >>> term(2, "laneid"), term(3, "m"), term(1, (1, 0))
    (2@laneid, 3, 1@0@1)
    """
    key = _position(axis) if isinstance(axis, tuple) else Axis.get(axis).name
    try:
        return from_terms(((key, value if _is_scalar(value) else index(value)),))  # type: ignore[arg-type]  # what is neither is a TypeError
    except TypeError:
        raise LayoutError(f"the value on an axis is an integer, got {shown(value)} on {key}") from None


def _position(path: tuple[int, ...]) -> tuple[int, ...]:
    """The path of a mode in a coordinate."""
    if not path or any(type(step) is not int or not 0 <= step < MAX_INT for step in path):
        raise LayoutError(f"a coordinate position is a path of modes such as (1, 0), got {shown(path)}")
    return path


def from_terms(terms: Iterable[Term]) -> Element:
    """The module element that is the sum of the terms, normalised."""
    total: dict[AxisKey, int] = {}
    for axis, value in terms:
        total[axis] = total[axis] + value if axis in total else value
    kept = sorted(((a, v) for a, v in total.items() if not (isinstance(v, int) and v == 0)), key=_order)
    if not kept:
        return 0
    if kept[0][0] == MEMORY:  # the last of all
        return kept[0][1]
    return _sum_of(tuple(kept))


def components(element: Element) -> tuple[Term, ...]:
    """The terms of any module element; an integer is one term on `m`, 0 has none."""
    if isinstance(element, AxisSum):
        return element.terms
    return () if isinstance(element, int) and element == 0 else ((MEMORY, element),)


def _is_scalar(value: object) -> TypeGuard[int]:
    return isinstance(value, int) or (getattr(value, "is_layout_leaf", False) and not isinstance(value, AxisSum))


def _order(item: Term) -> tuple[bool, tuple[int, ...], bool, str]:
    # Positions in their own order, then names in the order of the table, `m` last.
    axis = item[0]
    return (False, axis, False, "") if isinstance(axis, tuple) else (True, (), axis == MEMORY, axis)


def _term_text(item: Term) -> str:
    axis, value = item
    if isinstance(axis, tuple):
        return "@".join([to_text(value), *map(str, reversed(axis))])
    return to_text(value) if axis == MEMORY else f"{to_text(value)}@{axis}"


def element_at(coord: IntTuple, path: tuple[int, ...] = ()) -> Element:
    """The module element of a coordinate: the sum of `value@position` over its leaves.

    >>> element_at((3, (0, 2)))
    3@0+2@1@1
    """
    if isinstance(coord, tuple):
        return sum((element_at(item, (*path, i)) for i, item in enumerate(coord)), 0)
    return term(coord, path) if path else coord


def profile_axes(coord: IntTuple, path: tuple[int, ...] = ()) -> tuple[tuple[int, ...], ...]:
    """The position of every integer in a coordinate.

    >>> profile_axes((3, (0, 2))), profile_axes(3)
    (((0,), (1, 0), (1, 1)), ())
    """
    if isinstance(coord, tuple):
        return tuple(axis for i, item in enumerate(coord) for axis in profile_axes(item, (*path, i)))
    return (path,) if path else ()


def coordinate_of(element: Element, profile: IntTuple, path: tuple[int, ...] = ()) -> IntTuple:
    """The coordinate with the profile of `profile` that is this module element; undoes `element_at`.

    >>> coordinate_of(element_at((3, (0, 2))), (0, (0, 0)))
    (3, (0, 2))
    """
    if isinstance(profile, tuple):
        return tuple(coordinate_of(element, item, (*path, i)) for i, item in enumerate(profile))
    return dict(components(element)).get(path, 0)


def coordinate_in(element: Element, shape: IntTuple) -> Elements:
    """The coordinate of a shape that is this module element: of the shape's profile, or coarser where the element is.

    A leaf, which only scales, takes an element on any axes as it is.

    Raises:
        LayoutError: the element has a part that is no position of the shape.

    >>> coordinate_in(element_at((3, 5)), (4, (2, 8))), coordinate_in(element_at((3, (0, 2))), (4, (2, 8)))
    ((3, 5), (3, (0, 2)))
    """
    left = dict(components(element))
    if not isinstance(shape, tuple) and (0,) not in left:
        return element

    def walk(node: IntTuple, path: tuple[int, ...]) -> IntTuple:
        if path in left:
            return left.pop(path)
        return tuple(walk(item, (*path, i)) for i, item in enumerate(node)) if isinstance(node, tuple) else 0

    found = walk(shape, () if isinstance(shape, tuple) else (0,))
    if left:
        raise LayoutError(f"{element} is no coordinate of the shape {to_text(shape)}")
    return found
