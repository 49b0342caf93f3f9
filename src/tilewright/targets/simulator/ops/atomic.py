"""The handler of atomic changes of memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp, OrderedOp
from tilewright.ir.tile.types import LOCAL, BufferType, space_of
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.order.beyond import RELAXED, Sync
from tilewright.targets.simulator.order.ordered import fence
from tilewright.targets.simulator.order.scopes import Scope
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

# What becomes of an element and a value; None: the value.
FUNCTIONS: Mapping[str, np.ufunc | None] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "exch": None,
    "fmin": np.fmin,
    "fmax": np.fmax,
}
# Of kinds that read the bits of integers without a sign: the functions.
UNSIGNED: Mapping[str, np.ufunc] = {"umin": np.minimum, "umax": np.maximum}


@dataclass(frozen=True)
class Through:
    """A function on elements whose memory holds their bits as another type."""

    function: np.ufunc
    kind: np.dtype[np.generic]

    def accumulate(self, chain: Array, dtype: object = None) -> Array:
        """Each element joined with all before it."""
        found: Array = self.function.accumulate(chain.view(self.kind), dtype=self.kind)
        return found.view(chain.dtype)


def function_of(kind: str, element: np.dtype[np.generic]) -> np.ufunc | None:
    """What becomes of an element and a value; None: the value."""
    if kind in UNSIGNED:
        return Through(UNSIGNED[kind], np.dtype(f"u{element.itemsize}"))  # type: ignore[return-value]  # accumulates too
    return FUNCTIONS[kind]


def is_for_some(op: Operation) -> bool:
    """Is it an atomic access whose scope leaves somebody out?"""
    if isinstance(op, AtomicOp):
        return op.words is not None and Scope.of(op.words[1]) != Scope.ALL
    return isinstance(op, OrderedOp) and Scope.of(op.scope.data) != Scope.ALL


def _memory(compiler: Compiler, op: Operation, memory: SSAValue, element: Attribute) -> tuple[int, Site]:
    """The slot of a memory that lanes share, and the site of an atomic access there."""
    space = memory.type.scope if isinstance(memory.type, BufferType) else space_of(memory)
    if space == LOCAL:
        raise CompileError(f"registers need no atomic access\n{where(op)}")
    return compiler.slot(memory), compiler.site(op, "atomic", memory, space, numpy_type(element).itemsize)


def _atomic(compiler: Compiler, op: AtomicOp) -> Step:
    buffer, site = _memory(compiler, op, op.memory, op.value.type)
    function = function_of(op.kind.data, numpy_type(op.value.type))
    sync = RELAXED if op.words is None else Sync.of(*op.words)
    value, result = compiler.slot(op.value), compiler.slot(op.result)
    place = place_of(compiler, op, op.memory, op.indices)

    def step(frame: Frame) -> None:
        memory, given = frame.shared(buffer), frame.operand(value)
        frame.values[result] = memory.update(frame.domain, place(frame), given, frame.mask, site, function, sync)

    return step


def _load(compiler: Compiler, op: AtomicLoadOp) -> Step:
    buffer, site = _memory(compiler, op, op.memory, op.result.type)
    result, sync = compiler.slot(op.result), Sync.of(op.order.data, op.scope.data, writes=False)
    place = place_of(compiler, op, op.memory, op.indices)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.shared(buffer).observe(frame.domain, place(frame), frame.mask, site, sync)

    return step


def _store(compiler: Compiler, op: AtomicStoreOp) -> Step:
    buffer, site = _memory(compiler, op, op.memory, op.value.type)
    value, sync = compiler.slot(op.value), Sync.of(op.order.data, op.scope.data, changes=False)
    place = place_of(compiler, op, op.memory, op.indices)

    def step(frame: Frame) -> None:
        memory, given = frame.shared(buffer), frame.operand(value)
        memory.update(frame.domain, place(frame), given, frame.mask, site, None, sync)

    return step


def _cas(compiler: Compiler, op: AtomicCasOp) -> Step:
    buffer, site = _memory(compiler, op, op.memory, op.value.type)
    result, sync = compiler.slot(op.result), Sync.of(op.order.data, op.scope.data)
    expected, value = compiler.slot(op.expected), compiler.slot(op.value)
    place = place_of(compiler, op, op.memory, op.indices)

    def step(frame: Frame) -> None:
        pair = frame.operand(expected), frame.operand(value)
        frame.values[result] = frame.shared(buffer).swap(frame.domain, place(frame), pair, frame.mask, site, sync)

    return step


def _fence(compiler: Compiler, op: MemoryFenceOp) -> Step:
    scope = Scope.of(op.scope.data)

    def step(frame: Frame) -> None:
        frame.domain.one_by_one(fence(frame.domain.present(frame.mask), scope), op)

    return step


ATOMIC_HANDLERS: Mapping[type[Operation], Handler] = {
    AtomicOp: _atomic,
    AtomicLoadOp: _load,
    AtomicStoreOp: _store,
    AtomicCasOp: _cas,
    MemoryFenceOp: _fence,
}
