"""The handler of atomic changes of neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.atomic import FUNCTIONS
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.ops.copies import Rows
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.order.beyond import Sync
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def atomic_vector(compiler: Compiler, op: AtomicVectorOp) -> Step:
    """Element after element, each of lane after lane; the row is aligned, inside, and counted once."""
    count, size = len(op.values), numpy_type(op.values[0].type).itemsize
    memory, function = compiler.slot(op.memory), FUNCTIONS[op.kind.data]
    if function is None:
        raise CompileError(f"vectors are not exchanged\n{where(op)}")
    site = compiler.site(op, "atomic", op.memory, GLOBAL, count * size, True, size)
    rows = Rows(op, memory, place_of(compiler, op, op.memory, op.indices), site, count, count * size, False)
    values, results = [[*map(compiler.slot, part)] for part in (op.values, op.before)]
    sync = Sync.of(op.order.data, op.scope.data)

    def step(frame: Frame) -> None:
        lanes, held = real(frame), cast("Memory", frame.memory(memory))
        at = rows.located(frame, lanes, frame.mask, held)
        for number, (given, result) in enumerate(zip(values, results, strict=True)):
            full = np.broadcast_to(np.asarray(frame.operand(given), held.data.dtype), lanes.shape)
            chosen = full.reshape(-1) if frame.mask is None else full[frame.mask]
            present = Present(lanes.machine.clocks, at.actor[number::count])
            before = held.alter(at.elements[number::count], chosen, lanes, present, site, function, sync)
            spread = np.zeros(lanes.shape, held.data.dtype)
            spread[np.ones(lanes.shape, bool) if frame.mask is None else frame.mask] = before
            frame.values[result] = spread

    return step


VECTOR_HANDLERS: Mapping[type[Operation], Handler] = {AtomicVectorOp: atomic_vector}
