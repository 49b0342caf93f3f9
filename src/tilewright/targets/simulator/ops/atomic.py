"""The handler of atomic changes of memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.types import LOCAL, BufferType
from tilewright.targets.launch import space_of, where
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

# What becomes of an element and a value; None: the value.
_FUNCTIONS: Mapping[str, np.ufunc | None] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "exch": None,
}


def _atomic(compiler: Compiler, op: AtomicOp) -> Step:
    kind, element = op.kind.data, op.value.type
    space = op.memory.type.scope if isinstance(op.memory.type, BufferType) else space_of(op.memory)
    if space == LOCAL:
        raise CompileError(f"registers need no atomic {kind}\n{where(op)}")
    function = _FUNCTIONS[kind]
    buffer, value, result = compiler.slot(op.memory), compiler.slot(op.value), compiler.slot(op.result)
    site = compiler.site(op, "atomic", op.memory, space, numpy_type(element).itemsize)
    place = place_of(compiler, op, op.memory, op.indices)

    def step(frame: Frame) -> None:
        memory, given = frame.shared(buffer), frame.operand(value)
        frame.values[result] = memory.update(frame.domain, place(frame), given, frame.mask, site, function)

    return step


ATOMIC_HANDLERS: Mapping[type[Operation], Handler] = {AtomicOp: _atomic}
