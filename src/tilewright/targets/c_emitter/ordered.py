"""How atomic accesses with an order and a scope are written, and fences."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.dtypes import DType
from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.cluster import ClusterArriveOp, ClusterWaitOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp, OrderedOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.targets.c_emitter.values import Expr
from tilewright.targets.c_emitter.writer import Handlers, Writer
from tilewright.targets.launch import where

FENCES = {
    "cta": "__threadfence_block",
    "cluster": "__threadfence",
    "gpu": "__threadfence",
    "sys": "__threadfence_system",
}
WORDS = (32, 64)  # bits of what is accessed


def fence(out: Writer, order: str, scope: str, orders: tuple[str, ...]) -> None:
    """A fence where the order is one of these: before what releases, behind what acquires."""
    if order in orders:
        out.line(f"{FENCES[scope]}();")


def _target(out: Writer, op: OrderedOp) -> str:
    memory, indices = op.place
    return f"&{out.element(memory, indices)}"


def _check(op: OrderedOp) -> None:
    element = element_dtype(op.operands[0].type if op.GIVEN else op.results[0].type)
    if element.bits not in WORDS:
        raise CompileError(f"atomic accesses have 32 or 64 bits, not {element.bits}\n{where(op)}")


def _load(out: Writer, op: AtomicLoadOp) -> None:
    _check(op)
    call = f"tw_load_{op.order.data}_{op.scope.data}({_target(out, op)})"
    if op.result.first_use is None:
        out.line(f"{call};")
    else:
        out.define(op.result, Expr(call, out.ctype(op.result.type)), named=True)


def _store(out: Writer, op: AtomicStoreOp) -> None:
    _check(op)
    value = out.exprs[op.value].cast(out.ctype(op.value.type)).text
    out.line(f"tw_store_{op.order.data}_{op.scope.data}({_target(out, op)}, {value});")


def _cas(out: Writer, op: AtomicCasOp) -> None:
    _check(op)
    if not element_dtype(op.value.type).is_integer:
        raise CompileError(f"compare and swap of integers, not of {element_dtype(op.value.type)}\n{where(op)}")
    ctype = out.ctype(op.value.type)
    expected, value = (out.exprs[operand].cast(ctype).text for operand in (op.expected, op.value))
    fence(out, op.order.data, op.scope.data, ("release", "acq_rel"))
    call = f"tw_swap({_target(out, op)}, {expected}, {value})"
    if op.result.first_use is None:
        out.line(f"{call};")
    else:
        out.define(op.result, Expr(call, ctype), named=True)
    fence(out, op.order.data, op.scope.data, ("acquire", "acq_rel"))


def _vector(out: Writer, op: AtomicVectorOp) -> None:
    memory, indices = op.place
    element, ctype = element_dtype(op.values[0].type), out.ctype(op.values[0].type)
    values = [out.exprs[value].cast(ctype).text for value in op.values]
    at = out.element(memory, indices)
    fence(out, order := op.order.data, op.scope.data, ("release", "acq_rel"))
    if out.table.assembly:
        name = _changer(out, op.kind.data, element, ctype, len(values))
        found = out.names.fresh("before", "before")
        out.line(f"{ctype} {found}[{len(values)}];")
        out.line(f"{name}({', '.join([found, f'&{at}', *values])});")
        parts = [f"{found}[{i}]" for i in range(len(values))]
    else:
        parts = [out.names.fresh("before", "before") for _ in values]
        for i, (part, value) in enumerate(zip(parts, values, strict=True)):
            out.line(f"const {ctype} {part} = atomic{op.kind.data.capitalize()}(&{at} + {i}, {value});")
            out.line(f"(void){part};")
    for result, part in zip(op.before, parts, strict=True):
        out.exprs[result] = Expr(part, ctype)
    fence(out, order, op.scope.data, ("acquire", "acq_rel"))


def _changer(out: Writer, kind: str, element: DType, ctype: str, count: int) -> str:
    """The function of so many atomic changes at once; what elements were goes to `before`."""
    single = element.name == "float32"
    letter, held = ("f", "float") if single else ("h", "unsigned short")
    suffix = "f32" if single else element.name.replace("loat", "")
    name = f"tw_{kind}_v{count}_{suffix}"
    flush = "" if single else ".noftz"
    numbers = range(count)
    before = ", ".join(f"%{i}" for i in numbers)
    given = ", ".join(f"%{count + 1 + i}" for i in numbers)
    instruction = f"atom.relaxed.gpu.global.{kind}{flush}.v{count}.{suffix} {{{before}}}, [%{count}], {{{given}}};"
    parameters = ", ".join(f"{ctype} x{i}" for i in numbers)
    outs = ", ".join(f'"={letter}"(was[{i}])' for i in numbers)
    ins = ", ".join(['"l"(at)', *(f'"{letter}"(by[{i}])' for i in numbers)])
    lines = [
        f"{out.table.function} void {name}({ctype}* before, {ctype}* at, {parameters}) {{",
        f"  const {ctype} given[] = {{{', '.join(f'x{i}' for i in numbers)}}};",
        f"  {held} by[{count}], was[{count}];",
        "  memcpy(by, given, sizeof by);",
        f'  asm volatile("{instruction}" : {outs} : {ins} : "memory");',
        "  memcpy(before, was, sizeof was);",
        "}",
    ]
    out.functions.setdefault(name, "\n".join(lines))
    return name


def _fence(out: Writer, op: MemoryFenceOp) -> None:
    out.line(f"{FENCES[op.scope.data]}();")


def _in_cluster(out: Writer, op: Operation) -> None:
    if "cluster" not in out.table.barriers:
        raise CompileError(f"{out.table.name} has no clusters\n{where(op)}")


def _cluster_arrive(out: Writer, op: ClusterArriveOp) -> None:
    _in_cluster(out, op)
    out.line(f"tw_cluster_arrive_{op.order.data}();")


def _cluster_wait(out: Writer, op: ClusterWaitOp) -> None:
    _in_cluster(out, op)
    out.line("tw_cluster_wait();")


def _remote(out: Writer, op: RemoteOp) -> None:
    _in_cluster(out, op)
    name, ctype = out.names.fresh(op.result.name_hint, "remote", "_ptr"), out.ctype(memref_element(op.result))
    out.line(f"{ctype}* const {name} = tw_remote({out.exprs[op.memory].text}, {out.exprs[op.rank].cast('int').text});")
    out.exprs[op.result] = Expr(name, "")


def memref_element(memory: SSAValue) -> Attribute:
    """The element type of flat memory."""
    return cast("MemRefType[Attribute]", memory.type).element_type


ORDERED: Handlers = {
    RemoteOp: _remote,
    ClusterArriveOp: _cluster_arrive,
    ClusterWaitOp: _cluster_wait,
    AtomicLoadOp: _load,
    AtomicStoreOp: _store,
    AtomicCasOp: _cas,
    AtomicVectorOp: _vector,
    MemoryFenceOp: _fence,
}
