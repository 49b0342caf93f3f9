"""In which registers of the machine values lie, where a program says so."""

from __future__ import annotations

from tilewright.errors import LayoutError, TilewrightError
from tilewright.ir.fly.rules.access import NOTHING
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import MemRef, Pointer, Results, Scalar, Value
from tilewright.notation.fly_atoms import element_bits


def set_register(
    memory: Pointer | MemRef, _class: object, start: int | None = None, alignment: int | None = None
) -> Results:
    """The registers of a pointer or view lie in a class of the machine's, from number `start` on."""
    pointer = memory.pointer if isinstance(memory, MemRef) else memory
    if pointer.space != "register":
        raise LayoutError(f"SetRegisterOp: requires a register-memory pointer or tensor\ngot {write(memory)}")
    _check("SetRegisterOp", start, alignment)
    return NOTHING


def register_value(
    value: Scalar,
    _class: object,
    start: int | None,
    alignment: int | None,
    offset: int,
    storage: int,
) -> Value:
    """The value, which lies `offset` bits behind the first of the registers that hold `storage` bits."""
    _check("RegisterValueOp", start, alignment)
    try:
        bits = element_bits(value.text, value.text)
    except TilewrightError:
        raise LayoutError(f"RegisterValueOp: {value.text} is no type of a value in registers") from None
    if offset < 0 or offset + bits > storage:
        words = f"{bits} bits from bit {offset} on are not within {storage}"
        raise LayoutError(f"RegisterValueOp: slice exceeds register storage size\n{words}")
    return value


def _check(op: str, start: int | None, alignment: int | None) -> None:
    if start is not None and start < 0:
        raise LayoutError(f"{op}: start must be a nonnegative register class index\ngot {start}")
    if alignment is not None and (alignment < 1 or alignment & alignment - 1):
        raise LayoutError(f"{op}: registerAlignment must be a positive power of two\ngot {alignment}")
