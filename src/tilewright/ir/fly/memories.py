"""Which memory the pointers of a kernel point into, and in what units each is kept.

Pointers are followed statically from where a memory begins (an argument, an allocation) through every op that makes
one of another, through loops and branches. A memory whose pointers all have one type of elements consists of these;
one that is seen as several types of the largest pieces that all of them are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from types import MappingProxyType

from xdsl.dialects import gpu, memref, scf
from xdsl.dialects.builtin import IntegerType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.dtypes import dtype
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.fly.argument import ArgumentOp
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.types import MemRef, Pointer
from tilewright.ir.tile.types import GLOBAL, LOCAL, SHARED

SPACES = {"register": LOCAL, "shared": SHARED}
_MOVING = ("recast_iter", "add_offset")
ALLOCATING = ("make_ptr", "memref.alloca", "make_fragment_like", "mma.make_fragment", "get_dyn_shared")
BOOL = 8  # bits that one takes in memory


def pointer_of(kind: Attribute) -> Pointer | None:
    """The pointer of a pointer's or view's type."""
    value = kind.value if isinstance(kind, FlyType) else None
    found = value.pointer if isinstance(value, MemRef) else value
    return found if isinstance(found, Pointer) else None


def is_declared(kind: Attribute) -> bool:
    """Is it memory of a block or a thread that a dump declares by MLIR's own `memref`?"""
    return isinstance(kind, MemRefType) and _declared_space(kind) != ""


def memory_of(kind: Attribute) -> Pointer | None:
    """The pointer of a type of fly, or of MLIR's own `memref` in a block's or a thread's memory."""
    if not isinstance(kind, MemRefType):
        return pointer_of(kind)
    space = _declared_space(kind)
    element = element_dtype(kind.element_type) if space else None
    return None if element is None else Pointer(element.mlir, space, element.bits, max(1, element.bits // 8))


def _declared_space(kind: MemRefType[Attribute]) -> str:
    text = str(kind.memory_space)
    return next((space for space, words in _DECLARED.items() if text in words), "")


_DECLARED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "shared": ("#gpu.address_space<workgroup>", "3", "3 : i32", "3 : i64"),
        "register": ("#gpu.address_space<private>", "5", "5 : i32", "5 : i64"),
    }
)


def space_of(pointer: Pointer) -> str:
    """The memory that it points into: `global`, `shared`, `local`."""
    return SPACES.get(pointer.space, GLOBAL)


def is_shared(op: Operation) -> bool:
    """Does the op set aside memory of a block?"""
    kinds = [memory_of(result.type) for result in op.results]
    return _begins(op.results[0]) and any(k is not None and space_of(k) == SHARED for k in kinds) if kinds else False


def cell_bits(pointer: Pointer) -> int:
    """The bits from one element to the next."""
    return BOOL if pointer.element == "i1" else pointer.bits


@dataclass(frozen=True, eq=False)
class Memories:
    """The memories of a function: of each pointer the values that may stand for its memory, of those the units."""

    roots: Mapping[SSAValue, tuple[SSAValue, ...]]
    units: Mapping[SSAValue, Attribute]

    def of(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The memories that a pointer or view may point into."""
        return self.roots[value]


@lru_cache(8)
def memories_of(func: FuncOp | gpu.FuncOp) -> Memories:
    """The memories of a function."""
    sets = _Sets()
    named: dict[Attribute | None, SSAValue] = {}  # by name, and the shared memory of the launch, which has none
    for op in func.walk():
        for one, other in _same(op):
            sets.join(one, other)
        if isinstance(op, memref.GetGlobalOp) and is_declared(op.memref.type):
            sets.join(op.memref, named.setdefault(op.name_, op.memref))
        elif isinstance(op, FlyOp) and op.short == "get_dyn_shared":
            sets.join(op.results[0], named.setdefault(None, op.results[0]))
    members = sets.members()
    roots: dict[SSAValue, tuple[SSAValue, ...]] = {}
    units: dict[SSAValue, Attribute] = {}
    for values in members:
        begins = tuple(value for value in values if _begins(value))
        used = [value for value in values if _is_used(value)] or values
        unit = _unit([found for value in used if (found := memory_of(value.type)) is not None])
        roots.update(dict.fromkeys(values, begins))
        units.update(dict.fromkeys(begins, unit))
    return Memories(roots, units)


def memories(op: Operation) -> Memories:
    """Those of the function that the op is in."""
    return memories_of(function_of(op))


def function_of(op: Operation) -> FuncOp:
    """The function that the op is in."""
    around = op.parent_op()
    while not isinstance(around, FuncOp):
        assert around is not None
        around = around.parent_op()
    return around


def _begins(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, ArgumentOp) or (isinstance(owner, Block) and isinstance(owner.parent_op(), gpu.FuncOp)):
        return True
    if isinstance(owner, memref.GetGlobalOp | memref.AllocaOp):
        return is_declared(value.type)
    if not isinstance(owner, FlyOp) or owner.short not in ALLOCATING:
        return False
    return owner.short != "make_ptr" or not _pointers(owner.operands)  # of a pointer it makes one into a buffer


def _pointers(values: Iterable[SSAValue]) -> list[SSAValue]:
    return [value for value in values if memory_of(value.type) is not None]


def _same(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Pairs of values that point into one memory, or may."""
    for value in _pointers([*op.operands, *op.results]):
        yield value, value
    if isinstance(op, FlyOp) or op.name in ("arith.select", "memref.view", "builtin.unrealized_conversion_cast"):
        given = _pointers(op.operands)
        if isinstance(op, FlyOp) and op.short in ALLOCATING and op.short != "make_ptr":
            given = []  # another memory, alike
        for result in _pointers(op.results):
            yield from ((value, result) for value in given)
    elif isinstance(op, scf.ForOp):
        for initial, argument, result in zip(op.iter_args, op.body.block.args[1:], op.res, strict=True):
            yield from _all_same(initial, argument, result)
        yield from _yielded(op.body.block.last_op, op.res)
    elif isinstance(op, scf.IfOp):
        for region in op.regions:
            if region.blocks:
                yield from _yielded(region.block.last_op, op.output)
    elif isinstance(op, scf.WhileOp):
        before, after = op.before_region.block, op.after_region.block
        for initial, argument in zip(op.operands, before.args, strict=True):
            yield from _all_same(initial, argument)
        for argument, result in zip(after.args, op.results, strict=True):
            yield from _all_same(argument, result)
        yield from _yielded(after.last_op, before.args)
        if isinstance(before.last_op, scf.ConditionOp):
            for value, result in zip(before.last_op.args, op.results, strict=True):
                yield from _all_same(value, result)


def _yielded(last: Operation | None, results: Iterable[SSAValue]) -> Iterator[tuple[SSAValue, SSAValue]]:
    if isinstance(last, scf.YieldOp):
        for value, result in zip(last.operands, results, strict=True):
            yield from _all_same(value, result)


def _all_same(first: SSAValue, *rest: SSAValue) -> Iterator[tuple[SSAValue, SSAValue]]:
    if memory_of(first.type) is not None:
        yield from ((first, other) for other in rest)


class _Sets:
    """Values that point into one memory."""

    def __init__(self) -> None:
        self._above: dict[SSAValue, SSAValue] = {}

    def find(self, value: SSAValue) -> SSAValue:
        while (above := self._above.setdefault(value, value)) is not value:
            self._above[value] = value = self._above.setdefault(above, above)
        return value

    def join(self, one: SSAValue, other: SSAValue) -> None:
        self._above[self.find(one)] = self.find(other)

    def members(self) -> list[list[SSAValue]]:
        found: dict[SSAValue, list[SSAValue]] = {}
        for value in self._above:
            found.setdefault(self.find(value), []).append(value)
        return list(found.values())


def _is_used(value: SSAValue) -> bool:
    """Is it more than what other pointers are made of, as an arena's bytes are?"""
    return any(not (isinstance(use.operation, FlyOp) and use.operation.short in _MOVING) for use in value.uses)


def _unit(pointers: list[Pointer]) -> Attribute:
    elements = {pointer.element for pointer in pointers}
    if len(elements) == 1:
        (element,) = elements
        if dtype(element).bits % 8 == 0 or element == "i1":
            return ir_type(dtype(element))
    bits = gcd(*(cell_bits(pointer) for pointer in pointers))
    return IntegerType(bits if bits % 8 == 0 else 8)
