"""What atoms do: copy and matrix operations that every target has, and the types that name them."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.errors import KernelError
from tilewright.ir.fly.dialect_types import from_text
from tilewright.lang.core.numerics.numeric import DTypeOf, numeric_type
from tilewright.lang.fly.values.enums import AtomicOp

__all__ = [
    "UniversalAtomic",
    "UniversalAtomicAdd",
    "UniversalAtomicAnd",
    "UniversalAtomicDec",
    "UniversalAtomicInc",
    "UniversalAtomicMax",
    "UniversalAtomicMin",
    "UniversalAtomicOr",
    "UniversalCopy",
    "UniversalCopy128b",
    "UniversalCopy16b",
    "UniversalCopy32b",
    "UniversalCopy64b",
    "UniversalCopy8b",
    "UniversalFMA",
]


@dataclass(frozen=True)
class Operation:
    """What an atom does, by its type's text: `!fly.universal_copy<128>`."""

    text: str

    def __post_init__(self) -> None:
        from_text(self.text)

    def __str__(self) -> str:
        return self.text


def number_of_bits(value: object) -> int:
    """A number of bits.

    Raises:
        KernelError: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise KernelError(f"a number of bits is an integer, got {value!r}")
    return value


def type_name(kind: DTypeOf) -> str:
    """The name of an element type in MLIR."""
    return str(numeric_type(kind).ir_type)


def UniversalCopy(bit_size: int) -> Operation:
    """A copy of so many bits by each thread, between any memories."""
    return Operation(f"!fly.universal_copy<{number_of_bits(bit_size)}>")


def UniversalCopy8b() -> Operation:
    """A copy of 8 bits by each thread."""
    return UniversalCopy(8)


def UniversalCopy16b() -> Operation:
    """A copy of 16 bits by each thread."""
    return UniversalCopy(16)


def UniversalCopy32b() -> Operation:
    """A copy of 32 bits by each thread."""
    return UniversalCopy(32)


def UniversalCopy64b() -> Operation:
    """A copy of 64 bits by each thread."""
    return UniversalCopy(64)


def UniversalCopy128b() -> Operation:
    """A copy of 128 bits by each thread."""
    return UniversalCopy(128)


def UniversalAtomic(atomic_op: AtomicOp | str, val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic operation on memory, by each thread."""
    word = atomic_op.value if isinstance(atomic_op, AtomicOp) else str(atomic_op)
    scope = f", {syncscope}" if syncscope else ""
    return Operation(f"!fly.universal_atomic<{word}, {type_name(val_type)}{scope}>")


def UniversalAtomicAdd(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic sum."""
    return UniversalAtomic(AtomicOp.Add, val_type, syncscope)


def UniversalAtomicMax(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic maximum."""
    return UniversalAtomic(AtomicOp.Max, val_type, syncscope)


def UniversalAtomicMin(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic minimum."""
    return UniversalAtomic(AtomicOp.Min, val_type, syncscope)


def UniversalAtomicAnd(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic `and` of bits."""
    return UniversalAtomic(AtomicOp.And, val_type, syncscope)


def UniversalAtomicOr(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic `or` of bits."""
    return UniversalAtomic(AtomicOp.Or, val_type, syncscope)


def UniversalAtomicInc(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic increment that wraps at a bound."""
    return UniversalAtomic(AtomicOp.Inc, val_type, syncscope)


def UniversalAtomicDec(val_type: DTypeOf, syncscope: str = "") -> Operation:
    """An atomic decrement that wraps at a bound."""
    return UniversalAtomic(AtomicOp.Dec, val_type, syncscope)


def UniversalFMA(ty: DTypeOf) -> Operation:
    """d = a * b + c of single numbers, by each thread."""
    name = type_name(ty)
    return Operation(f"!fly.universal_fma<1x1x1, ({name}, {name}) -> {name}>")
