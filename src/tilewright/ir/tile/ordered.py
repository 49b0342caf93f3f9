"""Atomic accesses with an order and a scope, and fences: how lanes that no barrier joins tell each other something.

`release`: who learns of the access by an `acquire` sees whatever its lane knew. A fence makes that of accesses that are
`relaxed`: those after it release, those before it have acquired.

Source: PTX ISA, "Memory Consistency Model".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.types import LOCAL, BufferType

ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = ("cta", "cluster", "gpu", "sys")


class OrderedOp(IRDLOperation):
    """Base: an access of one element, at the last operands: a memory and its indices, one where the memory is flat."""

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    order = prop_def(StringAttr)
    scope = prop_def(StringAttr)
    GIVEN: ClassVar[int] = 0  # operands before the memory
    ALLOWED: ClassVar[tuple[str, ...]] = ORDERS

    @property
    def place(self) -> tuple[SSAValue, Sequence[SSAValue]]:
        """The memory, and the indices there."""
        return self.operands[self.GIVEN], self.operands[self.GIVEN + 1 :]

    def on(self, memory: SSAValue, indices: Sequence[SSAValue]) -> Self:
        """The same access of another memory."""
        made = type(self).create(
            operands=[*self.operands[: self.GIVEN], memory, *indices],
            result_types=list(self.result_types),
            properties=dict(self.properties),
            attributes=dict(self.attributes),
        )
        made.location = self.location
        return made

    def verify_(self) -> None:
        """Known words, one index for each dimension, and the element's type."""
        if self.order.data not in self.ALLOWED:
            raise VerifyException(f"{self.name} order {self.order.data!r} is none of {', '.join(self.ALLOWED)}")
        if self.scope.data not in SCOPES:
            raise VerifyException(f"{self.name} scope {self.scope.data!r} is none of {', '.join(SCOPES)}")
        check_element(self, *self.place, [*self.operands[: self.GIVEN], *self.results])


def element_of(memory: SSAValue) -> Attribute | None:
    """The element type of a buffer or of flat memory that several lanes reach."""
    kind = memory.type
    if isinstance(kind, BufferType):
        return None if kind.scope == LOCAL else kind.element
    return kind.element_type if isinstance(kind, MemRefType) and kind.memory_space != StringAttr(LOCAL) else None


def check_element(op: IRDLOperation, memory: SSAValue, indices: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """Raises `VerifyException` where the op is no access of such an element."""
    kind, element = memory.type, element_of(memory)
    if element is None:
        raise VerifyException(f"{op.name} accesses memory that lanes share, got {kind}")
    rank = len(kind.shape) if isinstance(kind, BufferType) else 1
    if len(indices) != rank or any(value.type != element for value in values):
        given = ", ".join(str(value.type) for value in values)
        raise VerifyException(f"{op.name} of {given} at {len(indices)} indices of {kind}")


def _words(order: str, scope: str) -> dict[str, Attribute]:
    return {"order": StringAttr(order), "scope": StringAttr(scope)}


@irdl_op_definition
class AtomicLoadOp(OrderedOp):
    """Reads an element that others may change at the same time."""

    name = "tile.atomic_load"
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    result = result_def(AnyAttr())
    ALLOWED: ClassVar[tuple[str, ...]] = ("relaxed", "acquire")
    assembly_format = "$order $scope $memory `[` $indices `]` attr-dict `:` type($memory) `->` type($result)"

    def __init__(self, order: str, scope: str, memory: SSAValue, indices: Sequence[SSAValue]) -> None:
        element = element_of(memory)
        assert element is not None, "memory that lanes share"
        super().__init__(operands=[memory, indices], properties=_words(order, scope), result_types=[element])


@irdl_op_definition
class AtomicStoreOp(OrderedOp):
    """Writes an element that others may read or change at the same time."""

    name = "tile.atomic_store"
    value = operand_def(AnyAttr())
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    GIVEN: ClassVar[int] = 1
    ALLOWED: ClassVar[tuple[str, ...]] = ("relaxed", "release")
    assembly_format = "$order $scope $value `,` $memory `[` $indices `]` attr-dict `:` type($value) `,` type($memory)"

    def __init__(self, order: str, scope: str, value: SSAValue, memory: SSAValue, indices: Sequence[SSAValue]) -> None:
        super().__init__(operands=[value, memory, indices], properties=_words(order, scope))


@irdl_op_definition
class AtomicCasOp(OrderedOp):
    """The element becomes `value` where it is `expected`, in one step; gives what it was."""

    name = "tile.atomic_cas"
    expected = operand_def(AnyAttr())
    value = operand_def(AnyAttr())
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    result = result_def(AnyAttr())
    GIVEN: ClassVar[int] = 2
    assembly_format = (
        "$order $scope $expected `,` $value `,` $memory `[` $indices `]` attr-dict "
        "`:` type($value) `,` type($expected) `,` type($memory) `->` type($result)"
    )

    def __init__(
        self,
        words: tuple[str, str],
        expected: SSAValue,
        value: SSAValue,
        memory: SSAValue,
        indices: Sequence[SSAValue],
    ) -> None:
        super().__init__(
            operands=[expected, value, memory, indices], properties=_words(*words), result_types=[value.type]
        )


@irdl_op_definition
class MemoryFenceOp(IRDLOperation):
    """What the lane did before is seen before what it does after, by lanes of the scope."""

    name = "tile.memory_fence"
    scope = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$scope attr-dict"

    def __init__(self, scope: str) -> None:
        super().__init__(properties={"scope": StringAttr(scope)})

    def verify_(self) -> None:
        """A known scope."""
        if self.scope.data not in SCOPES:
            raise VerifyException(f"tile.memory_fence scope {self.scope.data!r} is none of {', '.join(SCOPES)}")


ORDERED = (AtomicLoadOp, AtomicStoreOp, AtomicCasOp, MemoryFenceOp)
