"""Where the arrays that each thread has for itself lie once threads are loops.

An array that one leaf uses, or that every leaf writes before it reads, stays in the loop. The others have a part for
each thread; a leaf that often accesses its part works on a copy, which compilers keep in registers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.evaluate import evaluated
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.tile.types import LOCAL, space_of
from tilewright.passes.fission.plan import Item, Leaf, is_memory, leaves

MOST_STEPS = 20_000  # ops that are looked at, turn by turn, to see what a leaf writes first
USUAL_TRIPS = 8  # of a loop whose bounds are not known
OFTEN = 2  # accesses of each element that make a copy worth its while


@dataclass(frozen=True)
class Local:
    """How a leaf holds an array: as its own; else in the thread's part, or as a copy that is moved in and out."""

    own: bool = False
    moved_in: bool = False
    moved_out: bool = False

    @property
    def in_place(self) -> bool:
        """Is the thread's part itself accessed?"""
        return not (self.own or self.moved_in or self.moved_out)


@dataclass
class Registers:
    """The arrays of all leaves, and how each of these holds them."""

    held: dict[tuple[Leaf, SSAValue], Local] = field(default_factory=dict)
    of_leaf: dict[Leaf, list[SSAValue]] = field(default_factory=dict)

    @staticmethod
    def of(items: Iterable[Item]) -> Registers:
        """Those of a plan."""
        found, using = Registers(), dict[SSAValue, list[Leaf]]()
        for leaf in leaves(items):
            for array in leaf.needed():
                if is_memory(array) and space_of(array) == LOCAL:
                    using.setdefault(array, []).append(leaf)
        for leaf in leaves(items):
            for op in leaf.ops:
                for array in using.keys() & set(op.results):  # those that it declares itself
                    using[array] += [leaf] * any(array in inner.operands for inner in _walk(leaf.ops))
        for array, users in using.items():
            found._place(array, users)
        for leaf, array in found.held:
            found.of_leaf.setdefault(leaf, []).append(array)
        return found

    def _place(self, array: SSAValue, users: list[Leaf]) -> None:
        scans = {leaf: Scan.of(leaf, array) for leaf in users}
        if all(scan.first for scan in scans.values()):
            self.held.update(((leaf, array), Local(own=True)) for leaf in users)
            return
        for leaf, scan in scans.items():
            often = _accesses(leaf.ops, array) >= OFTEN * size_of(array)
            stores = any(isinstance(op, memref.StoreOp) and op.memref is array for op in _walk(leaf.ops))
            self.held[leaf, array] = Local(False, often and not scan.whole, often and stores)


@dataclass
class Scan:
    """What a leaf does to an array: does it store each element before it loads it; does it store `whole` the array?"""

    array: SSAValue
    size: int
    first: bool = True
    written: set[int] = field(default_factory=set)
    steps: int = MOST_STEPS

    @property
    def whole(self) -> bool:
        """Are all elements certain to be stored, before any is loaded?"""
        return self.first and len(self.written) == self.size

    @property
    def decided(self) -> bool:
        """Does nothing that follows change the answer?"""
        return not self.first or len(self.written) == self.size

    @staticmethod
    def of(leaf: Leaf, array: SSAValue) -> Scan:
        """The scan of a leaf."""
        scan = Scan(array, size_of(array))
        scan.block(leaf.ops, {}, True)
        return scan

    def block(self, ops: Iterable[Operation], known: dict[SSAValue, int], certain: bool) -> None:
        """Looks at ops in their order; `known` are the integers, `certain` whether they are executed."""
        for op in ops:
            self.steps -= 1
            self.first &= self.steps > 0
            if self.decided:
                return
            if self.array in op.operands:
                self._access(op, known, certain)
            elif op.regions and any(self.array in inner.operands for inner in op.walk()):
                self._inside(op, known, certain)
            elif len(op.results) == 1 and isinstance(op.results[0].type, IndexType | IntegerType):
                _evaluate(op, known)

    def _access(self, op: Operation, known: dict[SSAValue, int], certain: bool) -> None:
        if isinstance(op, memref.StoreOp) and op.value is not self.array:
            at = known.get(op.indices[0])
            if at is not None and certain:
                self.written.add(at)
        else:
            at = known.get(op.indices[0]) if isinstance(op, memref.LoadOp) else None
            self.first &= at in self.written

    def _inside(self, op: Operation, known: dict[SSAValue, int], certain: bool) -> None:
        if isinstance(op, scf.ForOp):
            first, last, step = (known.get(bound, constant_of(bound)) for bound in (op.lb, op.ub, op.step))
            if first is not None and last is not None and step is not None and step > 0:
                for turn in range(first, last, step):
                    if self.decided:
                        return
                    known[op.body.block.args[0]] = turn
                    self.block(op.body.block.ops, known, certain)
                return
        for region in op.regions:
            for block in region.blocks:
                self.block(block.ops, known, False)


def size_of(array: SSAValue) -> int:
    """The elements of a flat array.

    Raises:
        CompileError: it is none.
    """
    shape = cast("MemRefType[Attribute]", array.type).get_shape()
    if len(shape) != 1:
        raise CompileError(f"the registers {array.name_hint} of type {array.type} are no flat array")
    return shape[0]


def _walk(ops: Iterable[Operation]) -> Iterable[Operation]:
    return (inner for op in ops for inner in op.walk())


def _evaluate(op: Operation, known: dict[SSAValue, int]) -> None:
    operands = [known.get(operand) for operand in op.operands]
    numbers = [number for number in operands if number is not None]
    if len(numbers) == len(operands):
        try:
            known[op.results[0]] = evaluated(op, numbers)
        except SimulationError:
            return


def _accesses(ops: Iterable[Operation], array: SSAValue) -> int:
    """About how often a thread accesses the array."""
    total = 0
    for op in ops:
        total += array in op.operands
        trips = _trips(op) if isinstance(op, scf.ForOp) else 1
        total += trips * sum(_accesses(block.ops, array) for region in op.regions for block in region.blocks)
    return total


def _trips(op: scf.ForOp) -> int:
    first, last, step = (constant_of(bound) for bound in (op.lb, op.ub, op.step))
    if first is None or last is None or not step or step < 1:
        return USUAL_TRIPS
    return len(range(first, last, step))
