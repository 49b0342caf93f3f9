"""`symbol-dce`: private functions that nobody names go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from tilewright.ir.core.rewrite import erase


@dataclass(frozen=True)
class SymbolDce(ModulePass):
    """Removes the private functions that what stays does not name."""

    name = "symbol-dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        private = {f.sym_name.data: f for f in op.walk() if isinstance(f, func.FuncOp) and _is_private(f)}
        named = {name: frozenset(_named(f.walk())) for name, f in private.items()}
        waiting = set(_named(_outside(op, {*private.values()})))
        while waiting:
            name = waiting.pop()
            if private.pop(name, None) is not None:
                waiting |= named[name]
        for function in private.values():
            erase(function)


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def _outside(op: Operation, functions: set[Operation]) -> Iterator[Operation]:
    """The ops that are in none of the functions."""
    if op not in functions:
        yield op
        for inner in (inner for region in op.regions for block in region.blocks for inner in block.ops):
            yield from _outside(inner, functions)


def _named(ops: Iterable[Operation]) -> Iterator[str]:
    """The symbols that ops speak of."""
    for op in ops:
        for attribute in (*op.attributes.values(), *op.properties.values()):
            yield from _symbols(attribute)


def _symbols(attribute: Attribute) -> Iterator[str]:
    if isinstance(attribute, SymbolRefAttr):
        yield attribute.root_reference.data
    elif isinstance(attribute, ArrayAttr | DictionaryAttr):
        for part in attribute.data.values() if isinstance(attribute, DictionaryAttr) else attribute.data:
            yield from _symbols(part)
