"""Addresses as integers: where they point is known of sums of an address and other integers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.effects import is_pure
from tilewright.ir.fly.dialect_types import FlyType, from_text
from tilewright.ir.fly.ops import is_fly
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Pointer as PointerKind
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int8, Int64
from tilewright.lang.fly.values.base import apply, expect, wrapped
from tilewright.lang.fly.values.memory import Pointer, recast

__all__ = ["inttoptr", "ptrtoint"]

NAME = "fly.ptrtoint"


@dataclass(frozen=True)
class Address:
    """A pointer, and what is added to it and taken from it, in bytes."""

    pointer: SSAValue
    added: tuple[SSAValue, ...] = ()
    taken: tuple[SSAValue, ...] = ()


def ptrtoint(ptr: Pointer) -> Numeric:
    """A pointer's address: `inttoptr` makes a pointer of it again, and of sums with it."""
    return expect(apply("ptrtoint", expect(ptr, Pointer, "ptr")), Numeric, "an address")


def inttoptr(result_type: object, src: NumericLike) -> Pointer:
    """An address as a pointer of a type.

    Raises:
        KernelError: it is no sum with an address of `ptrtoint`: nobody knows which memory it points into.
    """
    found = _address(Int64(as_numeric(src)).number.ssa())
    if found is None:
        raise KernelError(
            "inttoptr takes fx.ptrtoint(p), plus or minus bytes; nobody knows what another integer points at, nor an "
            "address that a loop or a branch gives: carry the pointer"
        )
    start = recast(expect(wrapped(found.pointer.type, found.pointer), Pointer, "a pointer"), Int8)
    for value in found.added:
        start = start + as_numeric(value)
    for value in found.taken:
        start = start - as_numeric(value)
    return expect(apply("recast_iter", start, result=_as_aligned(str(result_type), start)), Pointer, "a pointer")


def _as_aligned(text: str, start: Pointer) -> str:
    """The text of a pointer's type, as far aligned as is known: accesses are checked where they are."""
    found = from_text(text)
    kind: object = found.value if isinstance(found, FlyType) else None
    if not isinstance(kind, PointerKind):
        raise KernelError(f"inttoptr gives a pointer, whose type is fx.PointerType.get(..); got {text}")
    if start.alignment % kind.align == 0:
        return text
    return write(replace(kind, align=kind.natural))


def _address(value: SSAValue) -> Address | None:
    """What an integer is, as an address."""
    op = value.owner
    if isinstance(op, Block):
        return None
    if op.name == NAME:
        return Address(op.operands[0])
    if isinstance(op, arith.AddiOp):
        left, right = _address(op.lhs), _address(op.rhs)
        if left is not None and right is None:
            return Address(left.pointer, (*left.added, op.rhs), left.taken)
        if right is not None and left is None:
            return Address(right.pointer, (*right.added, op.lhs), right.taken)
    if isinstance(op, arith.SubiOp):
        left, right = _address(op.lhs), _address(op.rhs)
        if left is not None and right is None:
            return Address(left.pointer, left.added, (*left.taken, op.rhs))
    return None


def without_unused_addresses(body: Block) -> None:
    """Erases the ops of a kernel that take addresses which nobody uses as numbers, with what is added to them."""
    for op in [op for op in body.walk() if is_fly(op) and op.name == NAME]:
        _erase(op)


def _erase(op: Operation) -> None:
    if op.parent is None:
        return
    for use in list(op.results[0].uses):
        if is_pure(use.operation) and len(use.operation.results) == 1 and not use.operation.regions:
            _erase(use.operation)
    if not op.results[0].uses:
        op.detach()  # type: ignore[no-untyped-call]  # xDSL's
        op.erase()
