"""Registers that a program names: values of their allocation say where in them they lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, VectorType, i64
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import Puts
from tilewright.ir.fly.ops import FlyOp, is_fly, make
from tilewright.ir.fly.storage import Reach
from tilewright.ir.mlir.slices import bits_of


@dataclass(frozen=True)
class Registers:
    """The op that names the registers of an allocation, and the vector that holds them."""

    named_by: FlyOp
    vector: VectorType[Attribute]

    def holding(self, builder: Puts, value: SSAValue, offset: int) -> SSAValue:
        """The value, which begins at an element of the allocation, with the place where it lies."""
        said = {
            **self.named_by.properties,
            "bitOffset": IntegerAttr(offset * bits_of(self.vector.element_type), i64),
            "storageBits": IntegerAttr(bits_of(self.vector), i64),
        }
        made = make("register_value", [value], said, [value.type])
        made.location = self.named_by.location
        return builder.put(made).results[0]


def named(found: Reach, vector: VectorType[Attribute]) -> Registers | None:
    """The registers that the program names for an allocation, if it does.

    Raises:
        CompileError: it names them twice, or those of a part of it.
    """
    naming = list(_naming(found.users))
    for op in naming[1:]:
        raise _refused(op, "names registers of an allocation that another op names too")
    for op in naming:
        if found.offsets.get(op.operands[0]) != 0:
            raise _refused(op, "names registers of a part of an allocation; name those of all of it")
        return Registers(op, vector)
    return None


def _naming(users: Iterable[Operation]) -> Iterable[FlyOp]:
    return (op for op in users if is_fly(op) and op.short == "set_register")


def _refused(op: Operation, words: str) -> CompileError:
    return CompileError(f"'{op.name}' op {words}\n{place(op)}".rstrip())
