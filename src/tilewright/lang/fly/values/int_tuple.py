"""Int tuples: nested tuples of integers, of which run time alone may know some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self, TypeAlias

from tilewright.errors import KernelError, shown
from tilewright.ir.fly.types import is_tree
from tilewright.lang.core.numerics.elements import INT32, INT64
from tilewright.lang.core.numerics.number import Number, convert
from tilewright.lang.core.numerics.numeric import Numeric, scalar
from tilewright.lang.core.numerics.typed import Typed
from tilewright.lang.core.numerics.types import Int32, Int64
from tilewright.lang.fly.values.base import FlyValue, apply, expect, of_text
from tilewright.layout.axes import AxisSum
from tilewright.layout.symbolic.symint import SymInt

__all__ = ["Basis", "E", "IntTuple"]

PythonTuple: TypeAlias = "int | AxisSum | tuple[PythonTuple, ...] | None"
IntTupleLike: TypeAlias = "IntTuple | Basis | Numeric | int | tuple[IntTupleLike, ...] | list[IntTupleLike] | None"


class IntTuple(FlyValue, Typed[Numeric]):
    """A nested tuple of integers and `*`; one that is an integer calculates as one."""

    named = "fly.int_tuple"
    __slots__ = ()

    @property
    def rank(self) -> int:
        """How many modes it has; an integer has one."""
        return len(self.kind) if isinstance(self.kind, tuple) else 1

    @property
    def depth(self) -> int:
        """How deep its tuples nest; of an integer 0."""
        return _depth(self.kind)

    @property
    def is_leaf(self) -> bool:
        """Is it an integer?"""
        return not isinstance(self.kind, tuple)

    @property
    def get_static_leaf_int(self) -> int:
        """The integer, which is known."""
        return self.__index__()

    def to_py_value(self) -> PythonTuple:
        """Python's own nested tuple of it; every integer is known.

        Raises:
            KernelError: run time alone knows one.
        """
        if not self.is_static:
            raise KernelError(f"{self} has integers that only run time knows")
        return python_tuple(self.kind)

    def unpack(self) -> tuple[IntTuple, ...]:
        """Its modes."""
        return tuple(self[i] for i in range(self.rank))

    def __iter__(self) -> Iterator[IntTuple]:
        return iter(self.unpack())

    def __len__(self) -> int:
        return self.rank

    def __getitem__(self, mode: int | Sequence[int]) -> IntTuple:
        """A mode, or one within one, by its path; an integer is its own mode 0."""
        path = mode if isinstance(mode, list | tuple) else (mode,)
        if self.is_leaf and [*path] == [0]:
            return self
        found = apply("get", self, mode=tuple(int(step) for step in path))
        return expect(found, IntTuple, "a mode")

    # ---- an integer

    @property
    def number(self) -> Number:
        """The integer.

        Raises:
            KernelError: it is a tuple.
        """
        if isinstance(self.kind, int):
            return Number(INT32 if -(1 << 31) <= self.kind < 1 << 31 else INT64, self.kind)
        if not isinstance(self.kind, SymInt):
            raise KernelError(f"{self} is no integer; take a mode of it, as x[0]")
        found = apply("get_scalar", self)
        assert isinstance(found, Numeric)
        return found.number

    def _made(self, number: Number) -> Numeric:
        return scalar(number)

    def __eq__(self, other: object) -> object:  # type: ignore[override]  # a truth of run time
        if self.is_leaf and isinstance(other, int | Numeric):
            return Typed.__eq__(self, other)
        return apply("equal", self, int_tuple(other))  # type: ignore[arg-type]  # what is none is refused

    __hash__ = object.__hash__

    def __int__(self) -> int:
        return int(scalar(self.number))

    def __index__(self) -> int:
        return int(scalar(self.number))

    def __bool__(self) -> bool:
        return bool(scalar(self.number)) if self.is_leaf else True

    def __str__(self) -> str:
        return f"IntTuple<{self.text}>"

    __repr__ = __str__


class Basis(FlyValue):
    """An element of the module of strides: `3E0E1`.

    Args:
        value: how often; or a basis.
        modes: the path of the mode.
    """

    named = "fly.basis"
    __slots__ = ()

    def __new__(cls, value: object = None, modes: Sequence[int] = ()) -> Self:
        """`Basis(3, [0, 1])`."""
        if not isinstance(value, int):
            return super().__new__(cls, value)
        return expect(of_text(f"!fly.basis<{value}{''.join(f'E{mode}' for mode in modes)}>"), cls, "a basis")

    @property
    def value(self) -> int:
        """How often the unit of the mode is taken."""
        return int(self.text.partition("E")[0])

    @property
    def modes(self) -> tuple[int, ...]:
        """The path of the mode.

        >>> E(1, 0).modes, (E(1, 0) * 3).value
        ((1, 0), 3)
        """
        return tuple(map(int, self.text.split("E")[1:]))

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def __mul__(self, factor: int) -> Basis:
        return Basis(self.value * factor, self.modes)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Basis) and self.type == other.type

    __hash__ = object.__hash__


def E(*mode: int) -> Basis | int:
    """The unit of a mode, by its path: `E(0)` is `1E0`; without a path it is 1."""
    return expect(of_text("!fly.basis<1" + "".join(f"E{m}" for m in mode) + ">"), Basis, "a basis") if mode else 1


def _depth(kind: object) -> int:
    return 1 + max(map(_depth, kind), default=0) if isinstance(kind, tuple) else 0


def python_tuple(kind: object) -> PythonTuple:
    """A known int tuple as Python's own."""
    if isinstance(kind, tuple):
        return tuple(map(python_tuple, kind))
    if isinstance(kind, int | AxisSum | None):
        return kind
    raise KernelError(f"{shown(kind)} is known at run time only")


# ---- from Python's own


def int_tuple(value: IntTupleLike) -> IntTuple:
    """Python's own nested tuple as an int tuple; one as it is.

    Raises:
        KernelError: something in it is no integer.

    >>> int_tuple((4, (None, Int32(2))))
    IntTuple<(4,(*,2))>
    """
    if isinstance(value, IntTuple):
        return value
    leaves: list[Numeric] = []
    text = f"!fly.int_tuple<{_text(value, leaves)}>"
    if not leaves:
        return expect(of_text(text), IntTuple, "an int tuple")
    return expect(apply("make_int_tuple", *leaves, result=text), IntTuple, "an int tuple")


def _text(value: object, leaves: list[Numeric]) -> str:
    """The text of a type, with the numbers of its run-time leaves."""
    if value is None:
        return "*"
    if isinstance(value, bool | float):
        raise KernelError(f"an int tuple is made of integers, got {shown(value)}")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple | list):
        if not value:
            raise KernelError("an int tuple has no empty tuples")
        return f"({','.join(_text(part, leaves) for part in value)})"
    if isinstance(value, Basis):
        return value.text
    if isinstance(value, IntTuple):
        return _of_tuple(value, leaves)
    if isinstance(value, Numeric):
        return _of_number(value, leaves)
    if is_tree(value):
        return of_tree(value)
    raise KernelError(f"an int tuple is made of integers, got {shown(value)}")


def of_tree(tree: object) -> str:
    """The text of a known tree."""
    from tilewright.notation.printers import to_fly

    return to_fly(tree)


def _of_tuple(value: IntTuple, leaves: list[Numeric]) -> str:
    if value.is_static:
        return value.text
    if not value.is_leaf:
        return f"({','.join(_of_tuple(part, leaves) for part in value)})"
    leaves.append(scalar(value.number))
    return value.text


def _of_number(value: Numeric, leaves: list[Numeric]) -> str:
    if value.element.is_float or value.element.kind == "bool":
        raise KernelError(f"an int tuple is made of integers, got {value!r}")
    if value.is_static():
        return str(int(value))
    wide = value.element.bits > INT32.bits and value.element.name != "index"
    leaves.append(scalar(convert(value.number, INT64 if wide else INT32)))
    return "?{i64}" if wide else "?"


def scalar_of(value: IntTuple) -> Numeric:
    """The integer that an int tuple is: Int32, or Int64 where it is wider."""
    found = scalar(value.number)
    return found if isinstance(found, Int32 | Int64) else Int32(found)
