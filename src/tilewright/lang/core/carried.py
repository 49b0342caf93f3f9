"""A leaf that control flow carries: its type, when two are the same, and how a constant becomes a typed value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, cast

from xdsl.ir import SSAValue

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.elements import normal
from tilewright.lang.core.numerics.number import Number, filled
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric, scalar
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.pytree import is_leaf


class Leaf(Protocol):
    """What splits into values of the IR and is made of such again."""

    def __extract_to_ir_values__(self) -> list[SSAValue]:
        """The values."""

    @classmethod
    def __construct_from_ir_values__(cls, values: list[SSAValue], exemplar: object = None) -> object:
        """The same of other values."""


def extracted(leaf: object) -> list[SSAValue]:
    """The values that a leaf splits into; what a user's class gives may be leaves and Python's numbers.

    Raises:
        KernelError: a user's class gives what has no value at run time.
    """
    given = cast(Leaf, leaf).__extract_to_ir_values__()
    if not isinstance(given, list | tuple):
        raise KernelError(f"{type(leaf).__name__}.__extract_to_ir_values__ gave {shown(given)}; give a list of values")
    return [value for part in given for value in _values(part, type(leaf).__name__)]


def _values(part: object, owner: str) -> list[SSAValue]:
    if isinstance(part, SSAValue):
        return [part]
    value = typed(part)
    if value is None:
        what = f"{owner}.__extract_to_ir_values__ gave {shown(part)}, which has no value at run time"
        raise KernelError(f"{what}; give numbers, vectors, tensors")
    return extracted(value)


def constructed(leaf: object, values: Sequence[SSAValue]) -> object:
    """A leaf like this one, of other values."""
    return cast(Leaf, leaf).__construct_from_ir_values__(list(values), leaf)


def same(a: object, b: object) -> bool:
    """Are they one value, or equal constants?"""
    if a is b:
        return True
    if is_leaf(a) or is_leaf(b):
        return _same_leaf(a, b)
    if type(a) is not type(b):
        return False
    try:
        return bool(a == b)
    except Exception:  # what a user's == does
        return False


def _same_leaf(a: object, b: object) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, Numeric) and isinstance(b, Numeric):
        x, y = a.number, b.number
        return (x.known and y.known and x.value == y.value) or x.value is y.value
    if isinstance(a, Vector) and isinstance(b, Vector):
        return a.number.value is b.number.value and a.shape == b.shape
    constant = getattr(type(a), "__is_same__", None)
    return constant is not None and bool(constant(a, b))


def kind_of(leaf: object) -> str:
    """The type of a leaf in words: two of one kind can stand for each other."""
    if isinstance(leaf, Numeric):
        return type(leaf).__name__
    if isinstance(leaf, Vector):
        return f"Vector<{leaf.dtype}, {leaf.shape}>"
    if is_leaf(leaf):
        return getattr(leaf, "__kind__", type(leaf).__name__)
    return f"the Python constant {shown(leaf)}" if isinstance(leaf, str | int | float | None) else type(leaf).__name__


def typed(value: object) -> object | None:
    """The value as a leaf: of Python's number the typed one; None where it is none."""
    if isinstance(value, bool | int | float):
        return as_numeric(value)
    return value if is_leaf(value) else None


def like(value: object, leaf: object) -> object | None:
    """The value as a leaf of another's kind; None where it is none: Python's numbers take the other's type."""
    if isinstance(leaf, Numeric) and isinstance(value, bool | int | float):
        if isinstance(value, float) and not leaf.element.is_float:
            return None
        return type(leaf)(value)
    if is_leaf(value) and kind_of(value) == kind_of(leaf):
        return value
    return None


def met(a: object, b: object) -> tuple[object, object] | None:
    """Two values as leaves of one kind, or None."""
    one, two = typed(a), typed(b)
    if one is None or two is None:
        return None
    if a is one:
        found = like(b, one)
        return None if found is None else (one, found)
    found = like(a, two)
    return None if found is None else (found, two)


def blank(leaf: object) -> object | None:
    """A leaf of that kind that nobody will look at: zeros."""
    if isinstance(leaf, Numeric):
        return scalar(Number(leaf.element, normal(leaf.element, 0)))
    if isinstance(leaf, Vector):
        return Vector.of(filled(leaf.number.element, 0, (leaf.numel,)), leaf.shape)
    return None


_NAMELESS = re.compile(r"^__carried_[0-9]+")


def told(name: str) -> str:
    """A variable as its user knows it: what `init=` gives a loop has no name in the source.

    >>> told("__carried_2[0]"), told("total")
    ('what `init=` and `yield` carry[0]', 'total')
    """
    return _NAMELESS.sub("what `init=` and `yield` carry", name)


def refusal(name: str, a: object, b: object, ways: str) -> KernelError:
    """Two values of a variable that do not go together."""
    advice = "give it a value on both" if a is None or b is None else "give it one type, as with .to(dtype)"
    return KernelError(f"{told(name)} is {kind_of(a)} {ways} {kind_of(b)}; {advice}")
