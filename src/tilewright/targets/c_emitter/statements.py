"""How each op is written: one handler an op class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import THREAD, UNROLL
from tilewright.ir.core.bounds import claim_of
from tilewright.ir.core.effects import moved_to
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.narrow import is_converted
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.pool import pool_offset
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.tile.among import ShuffleAmongOp, VoteAmongOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.pairs import PairOp
from tilewright.ir.tile.printing import PrintOp
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT
from tilewright.ir.tile.together import (
    ActiveMaskOp,
    BarOp,
    BlockVoteOp,
    RegistersOp,
    RequireOp,
    ShuffleOp,
    SleepOp,
    SyncOp,
    VoteOp,
)
from tilewright.ir.tile.types import SHARED, space_of
from tilewright.targets.c_emitter.asynchronous import ASYNCHRONOUS
from tilewright.targets.c_emitter.instructions import INSTRUCTIONS
from tilewright.targets.c_emitter.operations import CALLS, OPERATIONS, matched, operation
from tilewright.targets.c_emitter.ordered import ORDERED, fence
from tilewright.targets.c_emitter.printing import printf
from tilewright.targets.c_emitter.scaled import SCALED
from tilewright.targets.c_emitter.sparse import SPARSE
from tilewright.targets.c_emitter.tcgen05 import TCGEN05
from tilewright.targets.c_emitter.tensor_memory import TENSOR_MEMORY
from tilewright.targets.c_emitter.values import UNSIGNED, WIDE, Expr, bit_pattern, index_constant, index_type, number
from tilewright.targets.c_emitter.warpgroups import WARPGROUPS
from tilewright.targets.c_emitter.whiles import WHILE
from tilewright.targets.c_emitter.writer import LONG, Handlers, Writer
from tilewright.targets.launch import refuse_bool_arithmetic, where

_BITS = frozenset({"add", "min", "max", "and", "or", "xor", "exch"})
_AS_UNSIGNED = {"umin": "min", "umax": "max"}
ATOMIC = {
    **dict.fromkeys(("int32", "int64"), _BITS | set(_AS_UNSIGNED)),
    **dict.fromkeys(("uint32", "uint64"), _BITS),
    "float32": frozenset({"add", "exch"}),
    **dict.fromkeys(("float64", "float16", "bfloat16"), frozenset({"add"})),
}
WORDS_64 = {"int64": "long long", "uint64": "unsigned long long"}
ALL_LANES = "0xffffffffu"  # of a warp
WARP = 32  # its lanes
MAX_UNROLLED = 4096  # lines that one loop may become
LOCAL_ALIGNMENT = 64
STACK_BYTES = 1 << 20  # of arrays of registers
VERY_LONG = 64  # leaves above which any expression gets a name


def _computed(out: Writer, op: Operation) -> None:
    result = op.results[0]
    refuse_bool_arithmetic(op)
    _refuse_uncomputable(out, op)
    found = out.ranges.of(result) if isinstance(result.type, IndexType) else (None, None)
    made = operation(op, [out.exprs[operand] for operand in op.operands], found)
    several = 1 if type(op) in CALLS else LONG  # a call is not written twice
    out.define(result, made, named=made.leaves > (VERY_LONG if result.has_one_use() else several))


def _converted(out: Writer, op: Operation) -> None:
    for value in (*op.operands, *op.results):
        out.converted(value.type, op)
    result = op.results[0]
    made = operation(op, [out.exprs[operand] for operand in op.operands], (None, None))
    out.define(result, made, named=made.leaves > (VERY_LONG if result.has_one_use() else LONG))


def _refuse_uncomputable(out: Writer, op: Operation) -> None:
    for value in (*op.operands, *op.results):
        if not isinstance(value.type, IndexType) and not isinstance(value.type, MemRefType):
            element = element_dtype(value.type)
            if element.name not in out.table.computes:
                raise CompileError(f"{out.table.name} cannot compute with {element.name}\n{where(op)}")


def _constant(out: Writer, op: arith.ConstantOp) -> None:
    if isinstance(op.result.type, IndexType):
        out.exprs[op.result] = index_constant(cast("IntegerAttr[Any]", op.value).value.data)
    else:
        element = element_dtype(op.result.type)
        if is_converted(element):
            out.converted(op.result.type, op)
        else:
            out.ctype(op.result.type)
        write = number if element.name in out.table.computes else bit_pattern
        out.exprs[op.result] = write(cast("IntegerAttr[Any]", op.value).value.data, element)


def _lookup(out: Writer, op: LookupOp) -> None:
    name, index = out.constants(op.table), out.exprs[op.index]
    low, high = min(op.table), max(op.table)
    made = Expr(f"{name}[{index.text}]", index_type((low, high)), leaves=index.leaves + 1, low=low)
    out.define(op.result, made, named=not op.result.has_one_use())


def _thread(out: Writer, op: gpu.ThreadIdOp) -> None:
    out.exprs[op.result] = Expr(out.table.thread.format(axis=op.dimension.data), UNSIGNED, low=0)


def _block(out: Writer, op: gpu.BlockIdOp) -> None:
    out.exprs[op.result] = Expr(out.table.block.format(axis=op.dimension.data), out.table.block_type, low=0)


def _grid(out: Writer, op: gpu.GridDimOp) -> None:
    out.exprs[op.result] = Expr(out.table.grid.format(axis=op.dimension.data), out.table.block_type, low=1)


def _threads(out: Writer, op: gpu.BlockDimOp) -> None:
    out.exprs[op.result] = Expr(out.table.threads.format(axis=op.dimension.data), UNSIGNED, low=1)


def _alloca(out: Writer, op: memref.AllocaOp) -> None:
    if not op.memref.uses or (op.memref in out.exprs and space_of(op.memref) == SHARED):
        return
    kind: MemRefType[Any] = op.memref.type
    (size,) = kind.get_shape()
    name, ctype = out.names.fresh(op.memref.name_hint, "buffer", "_ptr"), out.ctype(kind.element_type)
    out.exprs[op.memref] = Expr(name, "")
    offset = pool_offset(op)
    if space_of(op.memref) != SHARED:
        out.stacked += size * element_dtype(kind.element_type).bytes
        large = out.table.large * (out.stacked > STACK_BYTES)
        out.line(" ".join(filter(None, (f"alignas({LOCAL_ALIGNMENT})", large, ctype, f"{name}[{size}];"))))
    # At the top, once: in C too, shared memory is the block's, wherever it is declared.
    elif offset is None:
        words = " ".join(filter(None, (f"alignas({ARRAY_ALIGNMENT})", out.table.shared, ctype)))
        out.declarations.append(f"  {words} {name}[{size}];")
    else:
        out.declarations.append(f"  {ctype}* const {name} = reinterpret_cast<{ctype}*>({out.pool} + {offset});")


def _load(out: Writer, op: memref.LoadOp) -> None:
    ctype = out.ctype(op.res.type)
    moved = isinstance(moved_to(op), memref.StoreOp | scf.IfOp | scf.ConditionOp | scf.YieldOp)
    out.define(op.res, Expr(out.element(op.memref, op.indices), ctype), named=not moved)


def _store(out: Writer, op: memref.StoreOp) -> None:
    ctype = out.ctype(op.value.type)
    out.line(f"{out.element(op.memref, op.indices)} = {out.exprs[op.value].cast(ctype).text};")


def _sync(out: Writer, op: SyncOp) -> None:
    if op.scope.data not in out.table.barriers:
        raise CompileError(f"{out.table.name} has no barrier of a {op.scope.data}\n{where(op)}")
    out.line(out.table.barriers[op.scope.data])


def _bar(out: Writer, op: BarOp) -> None:
    barrier = out.exprs[op.barrier].cast("int").text
    out.line(f"tw_bar_{op.kind.data}({barrier}, {op.threads.value.data});")


def _registers(out: Writer, op: RegistersOp) -> None:
    out.line(f"tw_registers_{op.kind.data}<{op.count.value.data}>();")


def _sleep(out: Writer, op: SleepOp) -> None:
    out.line(f"__nanosleep({out.exprs[op.time].cast('unsigned int').text});")


def _atomic(out: Writer, op: AtomicOp) -> None:
    element, ctype = element_dtype(op.value.type), out.ctype(op.value.type)
    kind, target = op.kind.data, f"&{out.element(op.memory, op.indices)}"
    if kind not in ATOMIC.get(element.name, ()):
        raise CompileError(f"{out.table.name} has no atomic {kind} on {element.name}\n{where(op)}")
    value = out.exprs[op.value].cast(ctype).text
    if kind in _AS_UNSIGNED:
        kind, wide = _AS_UNSIGNED[kind], "unsigned int" if element.bits == 32 else "unsigned long long"
        target, value = f"reinterpret_cast<{wide}*>({target})", f"static_cast<{wide}>({value})"
    elif element.name in WORDS_64:  # CUDA's 64-bit integers are its `unsigned long long`, and `long long` to compare
        wide = WORDS_64[element.name] if kind in ("min", "max") else "unsigned long long"
        target, value = f"reinterpret_cast<{wide}*>({target})", f"static_cast<{wide}>({value})"
    call = f"atomic{kind.capitalize()}({target}, {value})"
    order, scope = op.words or ("relaxed", "gpu")
    fence(out, order, scope, ("release", "acq_rel"))
    if op.result.first_use is None:
        out.line(f"{call};")
    else:
        out.define(op.result, Expr(call, ctype).cast(ctype), named=True)
    fence(out, order, scope, ("acquire", "acq_rel"))


def _shuffle(out: Writer, op: ShuffleOp | ShuffleAmongOp) -> None:
    name = "__shfl_sync" if op.kind.data == "idx" else f"__shfl_{op.kind.data}_sync"
    value, by, ctype = out.exprs[op.value], out.exprs[op.by].cast("int"), out.ctype(op.value.type)
    text = f"{name}({_mask(out, op)}, {value.cast(ctype).text}, {by.text}, {op.segment(WARP)})"
    out.define(op.result, Expr(text, ctype), named=True)


def _vote(out: Writer, op: VoteOp | VoteAmongOp) -> None:
    text = f"__{op.kind.data}_sync({_mask(out, op)}, {out.exprs[op.condition].text})"
    if op.kind.data == "ballot":
        _define_bits(out, op, text)
    else:
        out.define(op.result, Expr(f"{text} != 0", out.ctype(op.result.type)), named=True)


def _mask(out: Writer, op: ShuffleOp | VoteOp | ShuffleAmongOp | VoteAmongOp) -> str:
    if isinstance(op, ShuffleOp | VoteOp):
        return ALL_LANES
    if "cta" not in out.table.barriers:
        raise CompileError(f"loops through the threads of a block have no lanes apart: {op.name}\n{where(op)}")
    return out.exprs[op.mask].cast("unsigned int").text


def _define_bits(out: Writer, op: VoteOp | VoteAmongOp | ActiveMaskOp, text: str) -> None:
    """A bit for each of 32 lanes, in as wide a number as is asked for."""
    out.define(op.result, Expr(text, "uint32_t").cast(out.ctype(op.result.type)), named=True)


def _block_vote(out: Writer, op: BlockVoteOp) -> None:
    if "cta" not in out.table.barriers:
        raise CompileError(f"loops through the threads of a block have no votes: {op.name}\n{where(op)}")
    text = f"__syncthreads_{op.kind.data}({out.exprs[op.condition].text})"
    truth = "" if op.kind.data == "count" else " != 0"
    out.define(op.result, Expr(text + truth, out.ctype(op.result.type)), named=True)


def _active_mask(out: Writer, op: ActiveMaskOp) -> None:
    if out.table.name != "cuda":
        raise CompileError(f"{out.table.name} does not know which lanes go together: {op.name}\n{where(op)}")
    _define_bits(out, op, "__activemask()")


def _print(out: Writer, op: PrintOp) -> None:
    _refuse_uncomputable(out, op)
    for value in op.values:
        out.ctype(value.type)
    out.line(printf(op, [out.exprs[value] for value in op.values]))


def _assert(out: Writer, op: AssertOp) -> None:
    claim = claim_of(op)
    if not out.table.assertion:
        out.line(f"if (!{out.exprs[op.arg].operand}) __trap();")
        return
    value = out.exprs[claim.value].cast(WIDE).text
    numbers = {"low": claim.low, "high": claim.high, "number": len(out.assertions), "thread": out.thread}
    out.line(out.table.assertion.format(value=value, **numbers))
    out.assertions.append((claim, where(op)))


def _for(out: Writer, op: scf.ForOp) -> None:
    bounds = [constant_of(bound) for bound in (op.lb, op.ub, op.step)]
    low, high, by = bounds
    if (
        out.table.unrolls
        and UNROLL in op.attributes
        and low is not None
        and high is not None
        and by is not None
        and by > 0
    ):
        trips = range(low, high, by)
        if len(trips) * sum(1 for _ in op.body.walk()) <= MAX_UNROLLED:
            _unrolled(out, op, trips)
            return
    _loop(out, op)


def _unrolled(out: Writer, op: scf.ForOp, trips: range) -> None:
    induction, *carried = op.body.block.args
    now = [out.exprs[value] for value in op.iter_args]
    for trip in trips:
        out.exprs[induction] = index_constant(trip)
        out.exprs.update(zip(carried, now, strict=True))
        out.block(op.body.block)
        now = [out.settled(made, value) for value, made in zip(carried, _made(out, op.body.block), strict=True)]
    out.exprs.update(zip(op.res, now, strict=True))


def _loop(out: Writer, op: scf.ForOp) -> None:
    induction, *carried = op.body.block.args
    variables = [out.variable(c, out.exprs[value]) for c, value in zip(carried, op.iter_args, strict=True)]
    found = out.ranges.of(induction)
    # The counter also takes the first value beyond the loop.
    top, step = found[1], out.ranges.of(op.step)[1]
    reach = None if top is None or step is None else top + step
    counter = Expr(out.names.fresh(induction.name_hint, "i"), index_type((found[0], reach)), low=found[0])
    start, stop, by = (out.settled(out.exprs[value], value, 1) for value in (op.lb, op.ub, op.step))
    out.exprs[induction] = counter
    left, right = matched(counter, stop)
    more = "++" + counter.text if by.text == "1" else f"{counter.text} += {by.cast(counter.ctype).text}"
    if UNROLL in op.attributes and out.table.unroll:
        out.line(out.table.unroll)
    head = f"for ({counter.ctype} {counter.text} = {start.text}; {left.operand} < {right.operand}; {more})"
    with out.braces(head), out.turn(counter, op.attributes.get(THREAD)):
        out.block(op.body.block)
        out.assign(variables, _yielded(op.body.block))
    out.exprs.update(zip(op.res, variables, strict=True))


def _if(out: Writer, op: scf.IfOp) -> None:
    condition = out.exprs[op.cond].text
    variables = [out.variable(result, None) for result in op.output]
    with out.braces(f"if ({condition})"):
        _branch(out, op.true_region.block, variables)
    if op.false_region.blocks and (variables or len(op.false_region.block.ops) > 1):
        with out.braces("else"):
            _branch(out, op.false_region.block, variables)


def _branch(out: Writer, block: Block, variables: Sequence[Expr]) -> None:
    out.block(block)
    out.assign(variables, _yielded(block))


def _made(out: Writer, block: Block) -> list[Expr]:
    return [out.exprs[value] for value in _yielded(block)]


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return tuple(last.operands) if isinstance(last, scf.YieldOp) else ()


STATEMENTS: Handlers = {
    **dict.fromkeys(OPERATIONS, _computed),
    **dict.fromkeys((arith.ExtFOp, arith.TruncFOp, arith.BitcastOp, NarrowOp, PairOp), _converted),
    arith.ConstantOp: _constant,
    LookupOp: _lookup,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
    gpu.GridDimOp: _grid,
    gpu.BlockDimOp: _threads,
    memref.AllocaOp: _alloca,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    SyncOp: _sync,
    AtomicOp: _atomic,
    BarOp: _bar,
    RegistersOp: _registers,
    SleepOp: _sleep,
    RequireOp: lambda out, op: None,
    ShuffleOp: _shuffle,
    VoteOp: _vote,
    ShuffleAmongOp: _shuffle,
    VoteAmongOp: _vote,
    BlockVoteOp: _block_vote,
    ActiveMaskOp: _active_mask,
    PrintOp: _print,
    AssertOp: _assert,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.YieldOp: lambda out, op: None,
    scf.ConditionOp: lambda out, op: None,
    **WHILE,
    **ORDERED,
    **INSTRUCTIONS,
    **ASYNCHRONOUS,
    **SPARSE,
    **SCALED,
    **WARPGROUPS,
    **TENSOR_MEMORY,
    **TCGEN05,
    ReturnOp: lambda out, op: None,
}
