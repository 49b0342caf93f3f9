"""The handler of matrix descriptors: the bits that say where in shared memory an operand of tensor cores lies."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.descriptors import GRAIN
from tilewright.errors import AlignmentError
from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.targets.simulator.agents.products import Facts
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.addressed import Active
from tilewright.targets.simulator.ops.addressed import Operand as Address
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.program import Compiler, Frame, Step
from tilewright.targets.simulator.sites import Site


def facts_of(machine: Machine) -> Facts:
    """What the kernel says of shared memory."""
    assert machine.facts is not None, "the kernel has a product"
    return machine.facts


def descriptor(compiler: Compiler, op: MatrixDescriptorOp) -> Step:
    """The step of an op."""
    operand, result = Address.of(compiler, op, op.address, "load"), compiler.slot(op.result)
    owner, pattern = operand.origin.owner, np.uint64(op.described().encode(op.format))
    assert isinstance(owner, Operation), "shared memory is allocated"

    def step(frame: Frame) -> None:
        inside = np.asarray(frame.number(operand.slot), np.int64) * operand.bits // 8
        base = facts_of(real(frame).machine).shared.start(owner)
        if (inside % GRAIN).any():
            _refuse_between(frame, inside, operand.site)
        frame.values[result] = pattern | ((base + inside) // GRAIN).astype(np.uint64)

    return step


def _refuse_between(frame: Frame, inside: Array, site: Site) -> None:
    """Raises where an active lane's byte is no multiple of 16."""
    active = Active.of(frame)
    found = np.broadcast_to(inside, active.lanes.shape)[active.at]
    wrong = found % GRAIN != 0
    if wrong.any():
        bad = int(np.argmax(wrong))
        text = f"{active.name(bad)} makes a descriptor of byte {found[bad]} of {site.buffer}"
        raise AlignmentError(f"{text}, which is to be a multiple of {GRAIN}\n{site.where}")
