"""`emit`: a kernel at stage `final` as C text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.dtypes import DType
from tilewright.errors import CompileError
from tilewright.ir.attributes import UNROLL
from tilewright.ir.effects import is_pure, reads_past
from tilewright.ir.ranges import constant_of
from tilewright.ir.tile import SyncOp
from tilewright.ir.types import GLOBAL, SHARED, element_dtype
from tilewright.targets.c_emitter.helpers import HELPERS
from tilewright.targets.c_emitter.names import Names, kernel_name
from tilewright.targets.c_emitter.operations import OPERATIONS, matched, operation
from tilewright.targets.c_emitter.tables import CUDA, CTable
from tilewright.targets.c_emitter.values import UNSIGNED, WIDE, CRanges, Expr, index_constant, index_type, number
from tilewright.targets.launch import Launch, kernel_of, parameter_types, where

MAX_UNROLLED = 4096  # lines that one loop may become
LOCAL_ALIGNMENT, SHARED_ALIGNMENT = 64, 128
_LONG = 16  # leaves above which an expression that is used twice gets a name


@dataclass(frozen=True)
class CText:
    """The text of a kernel, its name there, how it is launched, and the types of its parameters."""

    source: str
    name: str
    launch: Launch
    parameters: tuple[DType, ...]
    shared_bytes: int


def emit(module: ModuleOp, table: CTable = CUDA, restrict: bool = True) -> CText:
    """The C text of a kernel.

    Args:
        module: a kernel at stage `final`.
        table: the dialect of C.
        restrict: promise the compiler that the parameters do not overlap.

    Raises:
        CompileError: an op that the emitter does not know, an element type that the dialect cannot compute with,
            a name that is no identifier, or more shared memory than a block has.
    """
    return _Emitter(module, table, restrict).text()


class _Emitter:
    """Walks a function once, in order; `exprs` holds the C expression of every value in scope."""

    def __init__(self, module: ModuleOp, table: CTable, restrict: bool) -> None:
        self.func = kernel_of(module)
        self.table, self.restrict = table, restrict
        self.launch = Launch.of(self.func)
        self.name = kernel_name(self.func.sym_name.data)
        self.names = Names(self.name, *HELPERS)
        self.ranges = CRanges()
        self.exprs: dict[SSAValue, Expr] = {}
        self.lines: list[str] = []
        self.types: set[str] = set()
        self.level, self.shared_bytes = 1, 0

    def text(self) -> CText:
        types = parameter_types(self.func)
        arguments = self.func.body.block.args
        for argument in arguments:
            self.exprs[argument] = Expr(self.names.fresh(argument.name_hint, "arg", "_ptr"), "")
        self.block(self.func.body.block)
        parameters = [self.parameter(argument) for argument in arguments]
        kernel = self.table.kernel.format(threads=self.launch.threads, name=self.name, parameters=", ".join(parameters))
        body = "\n".join([kernel, *self.lines, "}"])
        helpers = [text.format(function=self.table.function) for name, text in HELPERS.items() if name in body]
        headers = sorted({self.table.headers[ctype] for ctype in self.types if ctype in self.table.headers})
        source = "\n".join([*headers, *helpers, body]) + "\n"
        elements = tuple(element_dtype(kind.element_type) for kind in types)
        return CText(source, self.name, self.launch, elements, self.shared_bytes)

    def parameter(self, argument: SSAValue) -> str:
        kind, name = cast("MemRefType[Any]", argument.type), self.exprs[argument].text
        used = any(f"{name}[" in line for line in self.lines)
        words = [f"{self.ctype(kind.element_type)}*", self.table.restrict * self.restrict, name * used]
        return " ".join(filter(None, words))

    # ---- statements

    def block(self, block: Block) -> None:
        for op in block.ops:
            self.statement(op)

    def statement(self, op: Operation) -> None:
        handler = STATEMENTS.get(type(op))
        if handler is not None:
            handler(self, op)
        elif type(op) in OPERATIONS:
            self.computed(op)
        else:
            raise CompileError(f"the {self.table.name} emitter does not know the op {op.name}\n{where(op)}")

    def line(self, text: str) -> None:
        self.lines.append("  " * self.level + text)

    @contextmanager
    def braces(self, head: str) -> Iterator[None]:
        self.line(f"{head} {{")
        self.level += 1
        yield
        self.level -= 1
        self.line("}")

    def computed(self, op: Operation) -> None:
        result = op.results[0]
        self.refuse_uncomputable(op)
        found = self.ranges.of(result) if isinstance(result.type, IndexType) else (None, None)
        made = operation(op, [self.exprs[operand] for operand in op.operands], found)
        self.define(result, made, named=made.leaves > _LONG and not result.has_one_use())

    def refuse_uncomputable(self, op: Operation) -> None:
        for value in (*op.operands, *op.results):
            if not isinstance(value.type, IndexType) and not isinstance(value.type, MemRefType):
                element = element_dtype(value.type)
                if element.name not in self.table.computes:
                    raise CompileError(f"{self.table.name} cannot compute with {element.name}\n{where(op)}")

    def define(self, value: SSAValue, made: Expr, named: bool) -> None:
        """The value's expression, put into a variable first where it is to be `named`."""
        if value.uses:
            self.exprs[value] = self.settled(made, value, 0) if named else made

    def settled(self, made: Expr, value: SSAValue, leaves: int = _LONG) -> Expr:
        """The expression, or a variable that holds it if it has more leaves."""
        if made.leaves <= leaves:
            return made
        name = self.names.fresh(value.name_hint, "v")
        self.line(f"const {made.ctype} {name} = {made.text};")
        return Expr(name, made.ctype, low=made.low)

    def variable(self, value: SSAValue, start: Expr | None) -> Expr:
        """A variable for a value that control flow assigns."""
        name, ctype = self.names.fresh(value.name_hint, "v"), self.ctype(value.type)
        self.line(f"{ctype} {name}{'' if start is None else f' = {start.cast(ctype).text}'};")
        self.exprs[value] = made = Expr(name, ctype)
        return made

    def ctype(self, kind: Any) -> str:
        if isinstance(kind, IndexType):
            return WIDE
        name = element_dtype(kind).c_name
        self.types.add(name)
        return name

    def element(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> str:
        return f"{self.exprs[buffer].text}[{self.exprs[indices[0]].text}]"

    def assign(self, targets: Sequence[Expr], values: Sequence[SSAValue]) -> None:
        """All at once: a value may name another target."""
        made = [self.exprs[value] for value in values]
        if len(made) > 1:
            held = [self.names.fresh(None, "next") for _ in made]
            for name, target, value in zip(held, targets, made, strict=True):
                self.line(f"const {target.ctype} {name} = {value.cast(target.ctype).text};")
            made = [Expr(name, target.ctype) for name, target in zip(held, targets, strict=True)]
        for target, value in zip(targets, made, strict=True):
            if value.text != target.text:
                self.line(f"{target.text} = {value.cast(target.ctype).text};")


def _constant(out: _Emitter, op: arith.ConstantOp) -> None:
    if isinstance(op.result.type, IndexType):
        out.exprs[op.result] = index_constant(cast("IntegerAttr[Any]", op.value).value.data)
    else:
        element = element_dtype(op.result.type)
        out.ctype(op.result.type)
        out.exprs[op.result] = number(cast("IntegerAttr[Any]", op.value).value.data, element)


def _thread(out: _Emitter, op: gpu.ThreadIdOp) -> None:
    out.exprs[op.result] = Expr(out.table.thread.format(axis=op.dimension.data), UNSIGNED, low=0)


def _block(out: _Emitter, op: gpu.BlockIdOp) -> None:
    out.exprs[op.result] = Expr(out.table.block.format(axis=op.dimension.data), UNSIGNED, low=0)


def _alloca(out: _Emitter, op: memref.AllocaOp) -> None:
    if not op.memref.uses:
        return
    kind: MemRefType[Any] = op.memref.type
    space = kind.memory_space.data if isinstance(kind.memory_space, StringAttr) else GLOBAL
    (size,), element = kind.get_shape(), element_dtype(kind.element_type)
    name, ctype = out.names.fresh(op.memref.name_hint, "buffer", "_ptr"), out.ctype(kind.element_type)
    out.exprs[op.memref] = Expr(name, "")
    if space == SHARED:
        out.shared_bytes += size * element.bytes
        if out.shared_bytes > out.table.shared_bytes:
            have = f"a block has {out.table.shared_bytes}"
            raise CompileError(f"the kernel needs {out.shared_bytes} bytes of shared memory, {have}\n{where(op)}")
        out.line(f"alignas({SHARED_ALIGNMENT}) {out.table.shared} {ctype} {name}[{size}];")
    else:
        out.line(f"alignas({LOCAL_ALIGNMENT}) {ctype} {name}[{size}];")


def _load(out: _Emitter, op: memref.LoadOp) -> None:
    ctype = out.ctype(op.res.type)
    out.define(op.res, Expr(out.element(op.memref, op.indices), ctype), named=not _moves_down(op))


def _store(out: _Emitter, op: memref.StoreOp) -> None:
    ctype = out.ctype(op.value.type)
    out.line(f"{out.element(op.memref, op.indices)} = {out.exprs[op.value].cast(ctype).text};")


def _sync(out: _Emitter, op: SyncOp) -> None:
    out.line(out.table.barriers[op.scope.data])


def _for(out: _Emitter, op: scf.ForOp) -> None:
    bounds = [constant_of(bound) for bound in (op.lb, op.ub, op.step)]
    low, high, by = bounds
    if UNROLL in op.attributes and low is not None and high is not None and by is not None and by > 0:
        trips = range(low, high, by)
        if len(trips) * sum(1 for _ in op.body.walk()) <= MAX_UNROLLED:
            _unrolled(out, op, trips)
            return
    _loop(out, op)


def _unrolled(out: _Emitter, op: scf.ForOp, trips: range) -> None:
    induction, *carried = op.body.block.args
    now = [out.exprs[value] for value in op.iter_args]
    for trip in trips:
        out.exprs[induction] = index_constant(trip)
        out.exprs.update(zip(carried, now, strict=True))
        out.block(op.body.block)
        now = [out.settled(made, value) for value, made in zip(carried, _made(out, op.body.block), strict=True)]
    out.exprs.update(zip(op.res, now, strict=True))


def _loop(out: _Emitter, op: scf.ForOp) -> None:
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
    with out.braces(head):
        out.block(op.body.block)
        out.assign(variables, _yielded(op.body.block))
    out.exprs.update(zip(op.res, variables, strict=True))


def _if(out: _Emitter, op: scf.IfOp) -> None:
    condition = out.exprs[op.cond].text
    variables = [out.variable(result, None) for result in op.output]
    with out.braces(f"if ({condition})"):
        _branch(out, op.true_region.block, variables)
    if op.false_region.blocks and (variables or len(op.false_region.block.ops) > 1):
        with out.braces("else"):
            _branch(out, op.false_region.block, variables)


def _branch(out: _Emitter, block: Block, variables: Sequence[Expr]) -> None:
    out.block(block)
    out.assign(variables, _yielded(block))


def _made(out: _Emitter, block: Block) -> list[Expr]:
    return [out.exprs[value] for value in _yielded(block)]


def _yielded(block: Block) -> Sequence[SSAValue]:
    last = block.last_op
    return tuple(last.operands) if isinstance(last, scf.YieldOp) else ()


def _moves_down(load: memref.LoadOp) -> bool:
    """May the load stand where its value is used? Only if that is one place, and nothing is written before it."""
    op: Operation = load
    while (use := op.results[0].get_user_of_unique_use()) is not None:
        op = use
        if not is_pure(op) or len(op.results) != 1:
            break
    return isinstance(op, memref.StoreOp) and not reads_past(load, op)


STATEMENTS: Mapping[type[Operation], Callable[[_Emitter, Any], None]] = {
    arith.ConstantOp: _constant,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
    memref.AllocaOp: _alloca,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    SyncOp: _sync,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.YieldOp: lambda out, op: None,
    ReturnOp: lambda out, op: None,
}
EMITTED = (*STATEMENTS, *OPERATIONS)
