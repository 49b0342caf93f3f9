"""`fx.printf`."""

from __future__ import annotations

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.core.numerics.types import Int64
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.values.base import FlyValue, Operand, perform

__all__ = ["printf"]

HOLE = "{}"
VALUES = "__fly_values__"


def printf(*args: object, format_str: str = "") -> None:
    """Prints a line for each thread: `{}` stands for the next value; what is known is part of the text.

    Truths are `True` and `False`, on every target; floats are written as C's `%g` does.

    Raises:
        KernelError: other holes than `{}`, or more or fewer values than holes.
    """
    text, values = format_str, list(args)
    if not format_str and args and isinstance(args[0], str):
        text, values = args[0], list(args[1:])
    values = [inner for value in values for inner in _unpacked(value)]
    text = text or " ".join([HOLE] * len(values))
    pieces = text.split(HOLE)
    if any("{" in piece or "}" in piece for piece in pieces):
        raise KernelError(f"a format of printf has holes {{}} only, without anything in them; got {shown(text)}")
    if len(pieces) - 1 != len(values):
        raise KernelError(f"{shown(text)} has {len(pieces) - 1} holes for {len(values)} values")
    said, operands = pieces[0], list[Operand]()
    for value, piece in zip(values, pieces[1:], strict=True):
        if isinstance(value, FlyValue | Vector) or (isinstance(value, Numeric) and not value.is_static()):
            operands.append(_wide(value))
            said += HOLE + piece
        else:
            said += _known(value) + piece
    perform("print", *operands, format=said)


def _wide(value: Operand) -> Operand:
    """A number without a sign as the number that it is, which the bits alone do not tell."""
    if isinstance(value, Numeric) and value.element.kind == "uint" and value.element.bits < Int64.element.bits:
        return value.to(Int64)
    return value


def _unpacked(value: object) -> list[object]:
    given = getattr(value, VALUES, None)
    return list(given()) if callable(given) and not isinstance(value, type) else [value]


def _known(value: object) -> str:
    if isinstance(value, Numeric | bool | int | float | str):
        return str(value) if not isinstance(value, float) else f"{as_numeric(value)}"
    return value.__name__ if isinstance(value, type) else str(value)
