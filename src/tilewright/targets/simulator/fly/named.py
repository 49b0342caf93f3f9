"""Ops that the dialects of xDSL lack, known by their names: kept as they stand, with a handler for each name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from xdsl.builder import Builder
from xdsl.dialects.builtin import StringAttr, UnregisteredOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase
from tilewright.ir.fly.foreign import NAME, name_of
from tilewright.targets.simulator.fly.atomics import ATOMIC_HANDLERS
from tilewright.targets.simulator.fly.functions import function_of, real_function
from tilewright.targets.simulator.fly.later import WAIT_HANDLERS
from tilewright.targets.simulator.fly.parts import parts, reshaped
from tilewright.targets.simulator.fly.waves import WAVE_HANDLERS
from tilewright.targets.simulator.program import Compiler, Handler, Step


class NamedOp(UnregisteredOp):
    """An op that only its name tells; it is printed under this."""

    @classmethod
    def of(cls, op: Operation) -> NamedOp:
        """The op, as one that has a handler."""
        made = cls.create(
            operands=op.operands,
            result_types=[result.type for result in op.results],
            attributes={**op.attributes, NAME: StringAttr(name_of(op))},
            properties=op.properties,
        )
        for old, new in zip(op.results, made.results, strict=True):
            new.name_hint = old.name_hint
        return made


def name_known(func: FuncOp) -> None:
    """Ops of the function that have a handler by their name become such ops."""
    for op in list(func.walk()):
        if isinstance(op, UnregisteredOp) and handler_of(name_of(op)) is not None:
            made = NamedOp.of(op)
            made.location = op.location
            Builder(InsertPoint.before(op)).insert(made)
            for old, new in zip(op.results, made.results, strict=True):
                old.replace_all_uses_with(new)
            erase(op)


def handler_of(name: str) -> Handler | None:
    """The handler of a named op."""
    dialect, _, word = name.partition(".")
    return function_of(word) if dialect == "math" else _HANDLERS.get(name)


def _named(compiler: Compiler, op: NamedOp) -> Step | None:
    handler = handler_of(name_of(op))
    assert handler is not None, "translated"
    return handler(compiler, op)


_HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "vector.shape_cast": parts(reshaped),
        "rocdl.exp2": real_function(np.exp2),
        "rocdl.sqrt": real_function(np.sqrt),
        "rocdl.rcp": real_function(lambda x: 1 / x),
        "rocdl.rsq": real_function(lambda x: 1 / np.sqrt(x)),
        **WAIT_HANDLERS,
        **ATOMIC_HANDLERS,
        **WAVE_HANDLERS,
    }
)
NAMED_HANDLERS: Mapping[type[Operation], Handler] = {NamedOp: _named}
