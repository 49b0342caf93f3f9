"""All ops of a module as a list: passes go over them many times, and xDSL's `walk` asks three generators for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar, cast

from xdsl.ir import Block, Operation

Kind = TypeVar("Kind", bound=Operation)


def operations(op: Operation) -> list[Operation]:
    """The op and all ops within it, in the order of the text, as they stand now."""
    found = [op]
    for region in op.regions:
        for block in region.blocks:
            for inner in ops_of(block):
                if inner.regions:
                    found += operations(inner)
                else:
                    found.append(inner)
    return found


def of_kinds(top: Operation, *kinds: type[Kind]) -> list[Kind]:
    """The op and those within it that are of one of the kinds, in the order of the text.

    >>> from xdsl.dialects.builtin import ModuleOp
    >>> from xdsl.dialects.func import FuncOp
    >>> module = ModuleOp([FuncOp("f", ((), ())), FuncOp("g", ((), ()))])
    >>> [op.sym_name.data for op in of_kinds(module, FuncOp)], of_kinds(module, ModuleOp) == [module]
    (['f', 'g'], True)
    """
    return only(operations(top), *kinds)


def only(ops: Sequence[Operation], *kinds: type[Kind]) -> list[Kind]:
    """Those of one of the kinds: each class is asked once what it is, as xDSL's take long to tell."""
    return [cast("Kind", op) for op in ops if _is(type(op), kinds)]


@lru_cache(1 << 14)
def _is(kind: type[Operation], kinds: tuple[type[Operation], ...]) -> bool:
    return issubclass(kind, kinds)


def ops_of(block: Block) -> list[Operation]:
    """The ops of a block, as they stand now; `list(block.ops)` goes through them twice, as it asks for their number."""
    found, op = list[Operation](), block.first_op
    while op is not None:
        found.append(op)
        op = op._next_op  # a property would be asked for every op of every walk
    return found
