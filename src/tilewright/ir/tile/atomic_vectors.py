"""Atomic changes of neighbours by one instruction, each in one step of its own.

Source: PTX ISA, "red" and "atom", vector operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ordered import OrderedOp
from tilewright.ir.tile.types import GLOBAL, BufferType, space_of

# How many of each type an instruction changes, and how.
COUNTS: Mapping[str, tuple[int, ...]] = {"float32": (2, 4), "float16": (2, 4, 8), "bfloat16": (2, 4, 8)}
KINDS: Mapping[str, tuple[str, ...]] = {
    "float32": ("add",),
    "float16": ("add", "min", "max"),
    "bfloat16": ("add", "min", "max"),
}


@irdl_op_definition
class AtomicVectorOp(OrderedOp):
    """Neighbours from an element of global memory on are changed, each by its value; gives what they were.

    The first lies at a multiple of all their bytes. Each is changed in one step; all together are not.
    """

    name = "tile.atomic_vector"
    kind = prop_def(StringAttr)
    values = var_operand_def(AnyAttr())
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    before = var_result_def(AnyAttr())
    GIVEN: ClassVar[int] = 0  # of each op another number: `place` tells
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))  # type: ignore[assignment]  # a longer tuple than the base's
    assembly_format = (
        "$kind $order $scope `(` $values `)` $memory `[` $indices `]` attr-dict "
        "`:` `(` type($values) `)` type($memory) `->` type($before)"
    )

    def __init__(
        self,
        kind: str,
        words: tuple[str, str],
        values: Sequence[SSAValue],
        memory: SSAValue,
        indices: Sequence[SSAValue],
    ) -> None:
        order, scope = words
        super().__init__(
            operands=[list(values), memory, list(indices)],
            properties={"kind": StringAttr(kind), "order": StringAttr(order), "scope": StringAttr(scope)},
            result_types=[[value.type for value in values]],
        )

    @property
    def place(self) -> tuple[SSAValue, Sequence[SSAValue]]:
        """The memory, and the indices of the first element."""
        return self.memory, self.indices

    def on(self, memory: SSAValue, indices: Sequence[SSAValue]) -> AtomicVectorOp:
        """The same access of another memory."""
        words = self.order.data, self.scope.data
        made = AtomicVectorOp(self.kind.data, words, list(self.values), memory, indices)
        made.location = self.location
        return made

    def verify_(self) -> None:
        """Global memory, and so many of its elements as an instruction changes in that way."""
        super().verify_()
        space = self.memory.type.scope if isinstance(self.memory.type, BufferType) else space_of(self.memory)
        if space != GLOBAL:
            raise VerifyException(f"{self.name} changes global memory, not {space}")
        types = {value.type for value in (*self.values, *self.before)}
        element = element_dtype(self.values[0].type) if self.values else None
        known = element is not None and len(types) == 1 and len(self.before) == len(self.values)
        if element is None or not known or len(self.values) not in COUNTS.get(element.name, ()):
            raise VerifyException(f"{self.name} changes {', '.join(f'{n} of {e}' for e, n in COUNTS.items())}")
        if self.kind.data not in KINDS[element.name]:
            raise VerifyException(f"{self.name} has no {self.kind.data} of {element}; {', '.join(KINDS[element.name])}")


VECTORS = (AtomicVectorOp,)
