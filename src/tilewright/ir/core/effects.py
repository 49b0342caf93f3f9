"""What an op does besides giving results."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation
from xdsl.traits import (
    IsTerminator,
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    OpTrait,
    Pure,
    SymbolOpInterface,
)

from tilewright.ir.core.facts import BINARY_OF
from tilewright.ir.core.intervals import BITS

ACCESSES = "accesses"  # what nobody knows better
VERBS = ("reads", "writes", ACCESSES)

# Of which xDSL does not say so. By name: what a file has no op of is not loaded.
_PURE = frozenset(
    {
        "builtin.unrealized_conversion_cast",
        "gpu.block_dim",
        "gpu.block_id",
        "gpu.grid_dim",
        "gpu.thread_id",
        "llvm.mlir.undef",
        "vector.bitcast",
        "vector.broadcast",
        "vector.shuffle",
    }
)


@lru_cache(1 << 12)
def _has(kind: type[Operation], trait: type[OpTrait]) -> bool:
    """Has an op of that class the trait? Classes do not change, and xDSL looks through all their traits."""
    return kind.has_trait(trait, value_if_unregistered=False)


def is_pure(op: Operation) -> bool:
    """Do the results depend on the operands alone? Thread and block numbers count: a thread's never change."""
    return _has(type(op), Pure) or op.name in _PURE or op.name.startswith("arith.")


def is_read(op: Operation) -> bool:
    """Does the op only read memory?"""
    return _has(type(op), MemoryReadEffect) and not _has(type(op), MemoryWriteEffect)


def is_store(op: Operation) -> bool:
    """Does the op only write memory: its first operand into the memory of its second?"""
    return _has(type(op), MemoryWriteEffect) and not _has(type(op), MemoryReadEffect) and not op.results


def verb(op: Operation) -> str:
    """What the op does to memory, for a message: `reads`, `writes`, or `accesses` where it may do both.

    >>> from xdsl.dialects.test import TestReadOp
    >>> verb(TestReadOp())
    'reads'
    """
    return "reads" if is_read(op) else "writes" if is_store(op) else ACCESSES


def is_allocation(op: Operation) -> bool:
    """Is the op's result memory that nobody else has?"""
    return _has(type(op), MemoryAllocEffect)


def may_fail(op: Operation) -> bool:
    """Can the op alone be an error where it is executed: as an access, or as it has no result for some operands?"""
    if op.name == "tile.lookup":
        return True
    row = BINARY_OF.get(type(op))
    if row is None or not row.partial:
        return is_read(op)
    kind, right = op.results[0].type, op.operands[1].owner
    if not (isinstance(right, ConstantOp) and isinstance(right.value, IntegerAttr)):
        return True
    return row.undefined(right.value.value.data, kind.width.data if isinstance(kind, IntegerType) else BITS)


def is_removable(op: Operation, faults: bool = True) -> bool:
    """May the op go when nobody uses its results? What has a name may be used by it; what asserts the truth may go.

    A `scf.while` stays: it may never end. So does, unless with its `faults`, what may fail.
    """
    if _has(type(op), SymbolOpInterface) or op.name in ("builtin.module", "scf.while"):
        return False
    if op.regions:
        inside = (inner for region in op.regions for block in region.blocks for inner in block.ops)
        return all(is_removable(inner, faults) for inner in inside)
    if not faults and may_fail(op):
        return False
    return is_pure(op) or is_read(op) or is_allocation(op) or _has(type(op), IsTerminator) or _asserts_truth(op)


def _asserts_truth(op: Operation) -> bool:
    made = op.operands[0].owner if type(op) is AssertOp else None
    return isinstance(made, ConstantOp) and isinstance(made.value, IntegerAttr) and made.value.value.data != 0


def moved_to(load: Operation) -> Operation | None:
    """The op in which the load's value ends, through pure ops used once, if the load may as well stand there."""
    op = load
    while (use := op.results[0].get_user_of_unique_use()) is not None:
        if not is_pure(use) or len(use.results) != 1:
            return None if reads_past(load, use) else use
        op = use
    return None


def reads_past(load: Operation, use: Operation) -> bool:
    """Could the value change if the load moved down to `use`? True also where the two lie in different blocks."""
    between = load.next_op
    while between is not None and between is not use:
        if not (is_pure(between) or is_read(between) or isinstance(between, AssertOp)):
            return True
        between = between.next_op
    return between is None
