"""How many registers a thread takes: as ptxas says, else an estimate from the values that live at once."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.errors import TilewrightError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.types import LOCAL, BufferType, space_of
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.cuda.cubin import resources
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.launch import kernel_of

REGISTER_BITS = 32
PTXAS, ESTIMATE = "ptxas", "estimate"


@dataclass(frozen=True)
class Registers:
    """32-bit registers of a thread, from `ptxas` or an `estimate`; bytes of stack where ptxas says."""

    count: int
    source: str
    stack_bytes: int | None = None

    def __str__(self) -> str:
        spilled = f", {self.stack_bytes} bytes of stack" if self.stack_bytes else ""
        return f"{self.count} registers a thread ({self.source}{spilled})"


def registers_of(module: ModuleOp, arch: str) -> Registers:
    """Those of a kernel at stage `final`: ptxas's for an NVIDIA architecture where NVRTC is installed."""
    try:
        if arch.startswith("sm_"):
            return Registers(*_compiled(module, arch))
    except TilewrightError:  # no NVRTC, or a kernel that CUDA text cannot express
        pass
    return Registers(pressure(module), ESTIMATE)


def _compiled(module: ModuleOp, arch: str) -> tuple[int, str, int]:
    found = resources(compile_cubin(emit(module).source, arch))
    return found.registers, PTXAS, found.stack_bytes


def pressure(module: ModuleOp) -> int:
    """The most registers that values need at once, in the order of the text: an estimate of what a compiler takes.

    Constants need none, and local buffers are held whole. A compiler that reorders, or computes again, needs fewer.
    """
    block = kernel_of(module).body.block
    arrays = sum(_array(op) for op in module.walk())
    return arrays + _most(block, {argument for argument in block.args if argument.uses})


def _most(block: Block, live: set[SSAValue]) -> int:
    """The most at once within a block, where these live from before to behind it."""
    last: dict[SSAValue, Operation] = {}
    for op in block.ops:
        for inner in op.walk():
            last |= dict.fromkeys(inner.operands, op)
    now = {value for value in (*live, *block.args) if value.uses and _size(value)}
    most = sum(map(_size, now))
    ends: dict[Operation, list[SSAValue]] = {}
    for value, op in last.items():
        ends.setdefault(op, []).append(value)
    for op in block.ops:
        held = sum(map(_size, now))
        inside = max((_most(b, set(now)) for region in op.regions for b in region.blocks), default=0)
        now -= {value for value in ends.get(op, ()) if value not in live}
        now |= {result for result in op.results if result.uses and _size(result)}
        most = max(most, held, inside, sum(map(_size, now)))
    return most


def _size(value: SSAValue) -> int:
    """The registers of a value: none of a constant, of shared and of local memory; two of an address."""
    if isinstance(value.owner, arith.ConstantOp | memref.AllocaOp) or isinstance(value.type, BufferType):
        return 0
    if isinstance(value.type, MemRefType):
        return 2
    if isinstance(value.type, IndexType):
        return 1
    try:
        return max(1, -(-element_dtype(value.type).bits // REGISTER_BITS))
    except TilewrightError:
        return 1


def _array(op: Operation) -> int:
    if not isinstance(op, memref.AllocaOp) or space_of(op.memref) != LOCAL:
        return 0
    kind = op.memref.type
    return -(-kind.get_shape()[0] * element_dtype(kind.element_type).bits // REGISTER_BITS)
