"""The names that MLIR gives to values when it prints them: `%arg0`, `%c4_i32`, `%0`, and `%1#0` of several results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, UnregisteredOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

_UNWRITABLE = re.compile(r"[^\w$.-]")
_SPECIAL = {"memref.alloc": "alloc", "memref.alloca": "alloca"}
# Ops that name each of their results.
_EACH = {"gpu.shuffle": ("shuffleResult", "valid"), "memref.view": ("view",)}
_DIMENSIONED = ("gpu.thread_id", "gpu.block_id", "gpu.block_dim", "gpu.grid_dim")


@dataclass
class _Scope:
    """The names in use where a region begins, and the next numbers."""

    used: frozenset[str] | set[str] = frozenset()
    number: int = 0
    argument: int = 0
    conflict: int = 0


def names_of(op: Operation) -> dict[SSAValue, str]:
    """The name of every value in an op's regions, without `%`.

    Those of a block are numbered before those of the regions within it, and regions beside one another begin alike.
    """
    names: dict[SSAValue, str] = {}
    waiting = [(region, _Scope()) for region in op.regions]
    while waiting:
        region, outer = waiting.pop()
        scope = replace(outer, used=set(outer.used))
        names.update(_of_region(region, scope))
        waiting += [(inner, scope) for block in region.blocks for found in block.ops for inner in found.regions]
    return names


def _of_region(region: Region, scope: _Scope) -> Iterator[tuple[SSAValue, str]]:
    for block in region.blocks:
        yield from _of_arguments(block, block is region.blocks[0], scope)
        for op in block.ops:
            yield from _of_results(op, scope)


def _of_arguments(block: Block, entry: bool, scope: _Scope) -> Iterator[tuple[SSAValue, str]]:
    for argument in block.args:
        if entry:
            scope.argument += 1
            yield argument, _unique(f"arg{scope.argument - 1}", scope)
        else:
            yield argument, _numbered(scope)


def _of_results(op: Operation, scope: _Scope) -> Iterator[tuple[SSAValue, str]]:
    if not op.results:
        return
    if (each := _EACH.get(_name(op))) and len(each) == len(op.results):
        yield from zip(op.results, [_unique(name, scope) for name in each], strict=True)
        return
    wanted = suggested(op)
    name = _unique(wanted, scope) if wanted else _numbered(scope)
    if len(op.results) == 1:
        yield op.results[0], name
    else:
        yield from ((result, f"{name}#{i}") for i, result in enumerate(op.results))


def _name(op: Operation) -> str:
    return op.op_name.data if isinstance(op, UnregisteredOp) else op.name


def _numbered(scope: _Scope) -> str:
    scope.number += 1
    return str(scope.number - 1)


def _unique(name: str, scope: _Scope) -> str:
    assert isinstance(scope.used, set)
    found = name
    while found in scope.used:
        found = f"{name}_{scope.conflict}"
        scope.conflict += 1
    scope.used.add(found)
    return found


def suggested(op: Operation) -> str:
    """The name that the op's own result asks for, if any.

    >>> from xdsl.dialects import arith
    >>> from xdsl.dialects.builtin import i32
    >>> suggested(arith.ConstantOp(IntegerAttr(4, i32)))
    'c4_i32'
    """
    if op.name == "arith.constant":
        return _of_constant(op.properties["value"])
    if op.name in _DIMENSIONED:
        dimension = op.properties["dimension"]
        assert isinstance(dimension, EnumAttribute)
        return f"{op.name.removeprefix('gpu.')}_{dimension.data.value}"
    return _SPECIAL.get(op.name, "")


def _of_constant(value: Attribute) -> str:
    if not isinstance(value, IntegerAttr):
        return "cst"
    number = value.value.data
    if isinstance(value.type, IntegerType) and value.type.width.data == 1:
        return "true" if number else "false"
    return f"c{number}" if isinstance(value.type, IndexType) else _UNWRITABLE.sub("_", f"c{number}_{value.type}")
