"""How each op is written: one handler an op class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import THREAD
from tilewright.ir.core.bounds import claim_of
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.narrow import is_converted
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.pool import pool_offset
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp
from tilewright.ir.tile.pairs import PairOp
from tilewright.ir.tile.printing import FLOATS, TRUTHS, UNSIGNED, Conversion, PrintOp
from tilewright.ir.tile.together import RegistersOp, RequireOp, SleepOp
from tilewright.ir.tile.types import SHARED, space_of
from tilewright.targets.c_emitter.statements import ATOMIC, LOCAL_ALIGNMENT, STACK_BYTES
from tilewright.targets.launch import refuse_bool_arithmetic, where
from tilewright.targets.llvm_emitter.operations import OPERATIONS, resized, widened
from tilewright.targets.llvm_emitter.types import INDEX, NARROW, Value, alignment, in_memory, kind_of, number
from tilewright.targets.llvm_emitter.writer import Handlers, Writer

_COMPUTED = frozenset({"float32", "float64", *NARROW})
_CHANGES = {"and": "and", "or": "or", "xor": "xor"}
_GRID = 7  # the word of the report at which the extents of the grid begin


def _computed(out: Writer, op: Operation) -> None:
    refuse_bool_arithmetic(op)
    for value in (*op.operands, *op.results):
        _refuse_moved(value.type, op)
    out.values[op.results[0]] = OPERATIONS[type(op)](out, op, out.of(op.operands))


def _converted(out: Writer, op: Operation) -> None:
    for value in (*op.operands, *op.results):
        if not is_converted(element_dtype(value.type)):
            _refuse_moved(value.type, op)
    out.values[op.results[0]] = OPERATIONS[type(op)](out, op, out.of(op.operands))


def _refuse_moved(kind: Attribute, op: Operation) -> None:
    if isinstance(kind, IndexType | MemRefType):
        return
    element = element_dtype(kind)
    if not (element.is_integer or element.kind == "bool" or element.name in _COMPUTED):
        raise CompileError(f"host cannot compute with {element.name}\n{where(op)}")


def _constant(out: Writer, op: arith.ConstantOp) -> None:
    value: Any = op.value
    out.values[op.result] = number(value.value.data, op.result.type)


def _lookup(out: Writer, op: LookupOp) -> None:
    name = f"@table{len(out.globals)}"
    numbers = ", ".join(f"i64 {found}" for found in op.table)
    out.globals.append(f"{name} = private constant [{len(op.table)} x i64] [{numbers}]")
    at = out.make("ptr", f"getelementptr i64, ptr {name}, {out.values[op.index]}")
    out.values[op.result] = out.make(INDEX, f"load i64, {at}")


def _thread(out: Writer, op: gpu.ThreadIdOp) -> None:
    out.values[op.result] = Value("0", INDEX)


def _block(out: Writer, op: gpu.BlockIdOp) -> None:
    out.values[op.result] = Value(f"%block_{op.dimension.data}", INDEX)


def _grid(out: Writer, op: gpu.GridDimOp) -> None:
    at = out.make("ptr", f"getelementptr i64, ptr %report, i64 {_GRID + 'xyz'.index(op.dimension.data)}")
    out.values[op.result] = out.make(INDEX, f"load i64, {at}")


def _alloca(out: Writer, op: memref.AllocaOp) -> None:
    if op.memref in out.values and space_of(op.memref) == SHARED:
        return
    kind: MemRefType[Any] = op.memref.type
    (size,) = kind.get_shape()
    element, offset, name = element_dtype(kind.element_type), pool_offset(op), f"%{out.fresh()}"
    if offset is not None and space_of(op.memref) == SHARED:
        out.arrays.append(f"  {name} = getelementptr i8, ptr %pool, i64 {offset}")
    elif out.stacked + size * element.bytes > STACK_BYTES:
        out.arrays.append(f"  {name} = getelementptr i8, ptr %large, i64 {out.large}")
        out.large += -(-size * element.bytes // LOCAL_ALIGNMENT) * LOCAL_ALIGNMENT
    else:
        out.stacked += size * element.bytes
        stored = in_memory(kind_of(kind.element_type))
        out.arrays.append(f"  {name} = alloca [{size} x {stored}], align {LOCAL_ALIGNMENT}")
    out.values[op.memref] = Value(name, "ptr")


def _at(out: Writer, memory: SSAValue, indices: Sequence[SSAValue]) -> tuple[Value, Attribute, str]:
    """The address of an element, its type, and how it is aligned."""
    kind = memory.type
    assert isinstance(kind, MemRefType), "flat memory"
    element: Attribute = kind.element_type
    stored = in_memory(kind_of(element))
    base, index = out.values[memory], out.values[indices[0]]
    found = out.make("ptr", f"getelementptr inbounds {stored}, {base}, {index}")
    return found, element, f"align {alignment(element_dtype(element))}"


def _read(out: Writer, memory: SSAValue, indices: Sequence[SSAValue]) -> Value:
    at, element, aligned = _at(out, memory, indices)
    kind = kind_of(element)
    found = out.make(in_memory(kind), f"load {in_memory(kind)}, {at}, {aligned}")
    return out.make("i1", f"icmp ne {found}, 0") if kind == "i1" else found


def _write(out: Writer, value: Value, memory: SSAValue, indices: Sequence[SSAValue]) -> None:
    at, _, aligned = _at(out, memory, indices)
    held = out.make("i8", f"zext {value} to i8") if value.kind == "i1" else value
    out.line(f"store {held}, {at}, {aligned}")


def _load(out: Writer, op: memref.LoadOp) -> None:
    out.values[op.res] = _read(out, op.memref, op.indices)


def _store(out: Writer, op: memref.StoreOp) -> None:
    _write(out, out.values[op.value], op.memref, op.indices)


# ---- changes of memory: threads take turns, so that each is whole as it stands


def _atomic(out: Writer, op: AtomicOp) -> None:
    element, kind = element_dtype(op.value.type), op.kind.data
    if kind not in ATOMIC.get(element.name, ()):
        raise CompileError(f"host has no atomic {kind} on {element.name}\n{where(op)}")
    before, value = _read(out, op.memory, op.indices), out.values[op.value]
    _write(out, _changed(out, kind, element.kind, before, value), op.memory, op.indices)
    out.values[op.result] = before


_COMPARED = {"min": "lt", "umin": "lt", "max": "gt", "umax": "gt"}


def _changed(out: Writer, kind: str, family: str, before: Value, value: Value) -> Value:
    if kind == "exch":
        return value
    if kind in _COMPARED:
        unsigned = family == "uint" or kind.startswith("u")
        takes = out.make("i1", f"icmp {'u' if unsigned else 's'}{_COMPARED[kind]} {value}, {before.text}")
        return out.make(value.kind, f"select {takes}, {value}, {before}")
    name = _CHANGES.get(kind) or ("fadd" if family == "float" else "add")
    return out.make(value.kind, f"{name} {before}, {value.text}")


def _ordered_load(out: Writer, op: AtomicLoadOp) -> None:
    out.values[op.result] = _read(out, *op.place)


def _ordered_store(out: Writer, op: AtomicStoreOp) -> None:
    _write(out, out.values[op.value], *op.place)


def _swap(out: Writer, op: AtomicCasOp) -> None:
    before, (expected, value) = _read(out, *op.place), out.of((op.expected, op.value))
    same = out.make("i1", f"icmp eq {before}, {expected.text}")
    _write(out, out.make(value.kind, f"select {same}, {value}, {before}"), *op.place)
    out.values[op.result] = before


# ---- what is told


def _print(out: Writer, op: PrintOp) -> None:
    given = iter(op.values)
    text, arguments = "", []
    for piece in op.pieces:
        if isinstance(piece, Conversion):
            text += f"%{piece.style}{'' if piece.kind in FLOATS + TRUTHS else 'll'}{piece.kind}"
            arguments.append(_argument(out, piece, next(given), op))
        else:
            text += piece.replace("%", "%%")
    out.used["fprintf"] = None
    listed = ", ".join(["ptr %out", f"ptr {_text(out, text)}", *map(str, arguments)])
    out.line(f"call i32 (ptr, ptr, ...) @fprintf({listed})")


def _text(out: Writer, text: str) -> str:
    """A constant text; its name."""
    coded = text.encode("utf-8", "replace") + b"\0"
    name = f"@format{len(out.globals)}"
    shown = "".join(f"\\{byte:02X}" for byte in coded)
    out.globals.append(f'{name} = private constant [{len(coded)} x i8] c"{shown}"')
    return name


def _argument(out: Writer, conversion: Conversion, value: SSAValue, op: Operation) -> Value:
    _refuse_moved(value.type, op)
    given = out.values[value]
    if conversion.kind in TRUTHS:
        return out.make("ptr", f"select {given}, ptr {_text(out, 'True')}, ptr {_text(out, 'False')}")
    if conversion.kind in FLOATS:
        return widened(out, given, value.type, "double")
    unsigned = isinstance(value.type, IntegerType) and (
        conversion.kind in UNSIGNED or element_dtype(value.type).kind in ("uint", "bool")
    )
    return resized(out, given, INDEX, "zext" if unsigned else "sext")


def _assert(out: Writer, op: AssertOp) -> None:
    claim = claim_of(op)
    value = resized(out, out.values[claim.value], INDEX, "zext")
    above = out.make(INDEX, f"sub {value}, {claim.low}")
    holds = out.make("i1", f"icmp ult {above}, {claim.high - claim.low}")
    good, bad = out.fresh(), out.fresh()
    out.line(f"br {holds}, label %{good}, label %{bad}, !prof !0")
    out.start(bad)
    for number_, told in enumerate((Value(str(len(out.assertions)), INDEX), value, None, out.thread())):
        if told is not None:
            at = out.make("ptr", f"getelementptr i64, ptr %report, i64 {number_}")
            out.line(f"store {told}, {at}")
    out.line("ret i32 1")
    out.start(good)
    out.assertions.append((claim, where(op)))


# ---- control


def _for(out: Writer, op: scf.ForOp) -> None:
    low, high, by = out.of((op.lb, op.ub, op.step))
    induction, *carried = op.body.block.args
    head, body, after, before = out.fresh(), out.fresh(), out.fresh(), out.label
    starts = out.of(op.iter_args)
    out.jump(head)
    out.start(head)
    counter = out.phi(INDEX, (low, before))
    phis = [out.phi(value.kind, (value, before)) for value in starts]
    out.values[induction] = counter.made
    out.values.update(zip(carried, (phi.made for phi in phis), strict=True))
    out.branch(out.make("i1", f"icmp slt {counter.made}, {high.text}"), body, after)
    out.start(body)
    with out.turn(counter.made, op.attributes.get(THREAD)):
        out.block(op.body.block)
    ends = out.of(_yielded(op.body.block))
    following = out.make(INDEX, f"add nsw {counter.made}, {by.text}")
    for phi, value in zip([counter, *phis], [following, *ends], strict=True):
        out.close(phi, (value, out.label))
    out.jump(head)
    out.start(after)
    out.values.update(zip(op.res, (phi.made for phi in phis), strict=True))


def _if(out: Writer, op: scf.IfOp) -> None:
    yes, no, after = out.fresh(), out.fresh(), out.fresh()
    out.branch(out.values[op.cond], yes, no)
    ways: list[tuple[list[Value], str]] = []
    for label, region in ((yes, op.true_region), (no, op.false_region)):
        out.start(label)
        if region.blocks:
            out.block(region.block)
        ways.append((out.of(_yielded(region.block)) if region.blocks else [], out.label))
        out.jump(after)
    out.start(after)
    for number_, result in enumerate(op.output):
        made = [(values[number_], label) for values, label in ways]
        out.values[result] = out.close(out.phi(made[0][0].kind, *made))


def _while(out: Writer, op: scf.WhileOp) -> None:
    first, second = op.before_region.block, op.after_region.block
    head, body, after, before = out.fresh(), out.fresh(), out.fresh(), out.label
    starts = out.of(op.arguments)
    out.jump(head)
    out.start(head)
    phis = [out.phi(value.kind, (value, before)) for value in starts]
    out.values.update(zip(first.args, (phi.made for phi in phis), strict=True))
    out.block(first)
    last = first.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    passed = out.of(last.args)
    out.branch(out.values[last.condition], body, after)
    out.start(body)
    out.values.update(zip(second.args, passed, strict=True))
    out.block(second)
    for phi, value in zip(phis, out.of(_yielded(second)), strict=True):
        out.close(phi, (value, out.label))
    out.jump(head)
    out.start(after)
    out.values.update(zip(op.res, passed, strict=True))


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return tuple(last.operands) if isinstance(last, scf.YieldOp) else ()


def _nothing(out: Writer, op: Operation) -> None:
    """Of one thread, or for the block that holds it."""


STATEMENTS: Handlers = {
    **dict.fromkeys(OPERATIONS, _computed),
    **dict.fromkeys((arith.ExtFOp, arith.TruncFOp, arith.BitcastOp, NarrowOp, PairOp), _converted),
    arith.ConstantOp: _constant,
    LookupOp: _lookup,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
    gpu.GridDimOp: _grid,
    memref.AllocaOp: _alloca,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    AtomicOp: _atomic,
    AtomicLoadOp: _ordered_load,
    AtomicStoreOp: _ordered_store,
    AtomicCasOp: _swap,
    PrintOp: _print,
    AssertOp: _assert,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
    **dict.fromkeys((scf.YieldOp, scf.ConditionOp, ReturnOp, MemoryFenceOp, RegistersOp, SleepOp, RequireOp), _nothing),
}
