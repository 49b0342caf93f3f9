"""What others say otherwise than kernels here: barriers, shuffles, ends, loops that count in i32; and hints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu, scf
from xdsl.dialects.builtin import IndexType, IntegerType, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.location import shown
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.together import SHUFFLES, ShuffleOp, SyncOp

NAME, TEXT = "op_name__", "text__"  # of ops that are kept as their line stands
# Hints to a scheduler, priorities, and waits of architectures whose work is done at once here.
WITHOUT_EFFECT = (
    "rocdl.sched.barrier",
    "rocdl.sched.group.barrier",
    "rocdl.iglp.opt",
    "rocdl.s.setprio",
    "rocdl.s.nop",
    "rocdl.s.wait.asynccnt",
    "rocdl.s.wait.dscnt",
    "rocdl.s.wait.loadcnt",
    "rocdl.s.wait.storecnt",
)


def translate(func: FuncOp) -> None:
    """Puts our ops in the place of those that say the same, and drops what has no effect here.

    Raises:
        CompileError: a shuffle that kernels here have not.
    """
    for op in list(func.walk()):
        if isinstance(op, scf.ForOp) and isinstance(op.lb.type, IntegerType):
            _count_in_index(op)
        elif (change := _CHANGES.get(name_of(op))) is not None:
            change(op)


def name_of(op: Operation) -> str:
    """The op's name as its text has it, also of one that is kept as its line stands."""
    said = op.attributes.get(NAME)
    return said.data if isinstance(said, StringAttr) else op.name


def _barrier(op: Operation) -> None:
    _replaced(op, SyncOp("cta"))


def _end(op: Operation) -> None:
    _replaced(op, ReturnOp())


def _replaced(op: Operation, made: Operation) -> None:
    made.location = op.location
    Builder(InsertPoint.before(op)).insert(made)
    erase(op)


def _shuffle(op: Operation) -> None:
    """`gpu.shuffle xor %v, %by, %width`: what another lane has, and whether that lane is there."""
    value, by, width = op.operands
    kind, lanes = _mode(op), constant_of(width)
    found, there = op.results
    if kind not in SHUFFLES or lanes is None or there.first_use is not None:
        raise CompileError(
            f"gpu.shuffle is there for known widths, and without its second result\n{shown(op)}".rstrip()
        )
    builder = Builder(InsertPoint.before(op))
    cast = builder.insert(arith.IndexCastOp(by, IndexType()))
    made = ShuffleOp(kind, value, cast.result, lanes)
    cast.location = made.location = op.location
    found.replace_all_uses_with(builder.insert(made).result)
    erase(op)


def _mode(op: Operation) -> str:
    """`xor` of `gpu.shuffle xor`, and of `mode = #gpu<shuffle_mode xor>`."""
    text = op.attributes.get(TEXT)
    said = text.data if isinstance(text, StringAttr) else str({**op.properties, **op.attributes}.get("mode", ""))
    return next((word for word in re.split("[^a-z]+", said) if word in SHUFFLES), "")


def _count_in_index(op: scf.ForOp) -> None:
    """The loop counts in `index`; its body has the number as what it was."""
    counter = op.body.block.args[0]
    before = Builder(InsertPoint.before(op))
    for number, bound in enumerate((op.lb, op.ub, op.step)):
        op.operands[number] = _cast(before, bound, op)
    new = op.body.block.insert_arg(IndexType(), 0)
    old = arith.IndexCastOp(new, counter.type)
    old.location = op.location
    counter.replace_all_uses_with(Builder(InsertPoint.at_start(op.body.block)).insert(old).result)
    op.body.block.erase_arg(counter)


def _cast(builder: Builder, bound: SSAValue, op: Operation) -> SSAValue:
    cast = arith.IndexCastOp(bound, IndexType())
    cast.location = op.location
    return builder.insert(cast).result


_CHANGES: Mapping[str, Callable[[Operation], None]] = MappingProxyType(
    {
        **dict.fromkeys(WITHOUT_EFFECT, erase),
        **dict.fromkeys((gpu.BarrierOp.name, "rocdl.barrier", "rocdl.s.barrier"), _barrier),
        "rocdl.wave.barrier": lambda op: _replaced(op, SyncOp("warp")),
        **dict.fromkeys((gpu.ReturnOp.name, ReturnOp.name), _end),
        "gpu.shuffle": _shuffle,
    }
)
