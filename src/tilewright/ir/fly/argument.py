"""Arguments of a `fly` kernel as the simulator takes them: flat memory, and the integers of their layouts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure


@irdl_op_definition
class ArgumentOp(IRDLOperation):
    """The value of a kernel's argument: a pointer to the memory, and the integers of the type's run-time leaves."""

    name = "simulator.argument"
    memory = opt_operand_def()
    numbers = prop_def(DenseArrayBase)
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def of(cls, memory: SSAValue | None, numbers: Sequence[int], kind: Attribute) -> ArgumentOp:
        """The argument of that type."""
        given = [] if memory is None else [memory]
        properties = {"numbers": DenseArrayBase.from_list(i64, numbers)}
        return cls.create(operands=given, properties=properties, result_types=[kind])

    @property
    def leaves(self) -> tuple[int, ...]:
        """The integers."""
        return tuple(int(number) for number in self.numbers.get_values())
