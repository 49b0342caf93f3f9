"""Blackwell's tensor memory as PTX: who has which columns, copies to and from registers, waits and fences."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.ir.tile.tmem import HALVED, TmemAllocOp, TmemCopyOp, TmemDeallocOp, TmemSyncOp, register_bits
from tilewright.targets.c_emitter.asynchronous import statement
from tilewright.targets.c_emitter.clusters import shared
from tilewright.targets.c_emitter.instructions import Words, called, need_assembly
from tilewright.targets.c_emitter.writer import Handlers, Writer

# Of so many CTAs, by what is done.
SYNCS: Mapping[str, str] = {
    "relinquish": "tcgen05.relinquish_alloc_permit.cta_group::{}.sync.aligned;",
    "wait.ld": "tcgen05.wait::ld.sync.aligned;",
    "wait.st": "tcgen05.wait::st.sync.aligned;",
    "fence.before": "tcgen05.fence::before_thread_sync;",
    "fence.after": "tcgen05.fence::after_thread_sync;",
}
_ALLOC = "tcgen05.alloc.cta_group::{}.sync.aligned.shared::cta.b32 [%0], {};"
_DEALLOC = "tcgen05.dealloc.cta_group::{}.sync.aligned.b32 %0, {};"


def address(out: Writer, value: SSAValue) -> str:
    """An address of tensor memory, or another number of 32 bits, in C."""
    return out.exprs[value].cast("unsigned int").text


def _alloc(out: Writer, op: TmemAllocOp) -> None:
    need_assembly(out, op)
    out.line(statement(_ALLOC.format(op.ctas, op.columns.value.data), shared(out, op.target)))


def _dealloc(out: Writer, op: TmemDeallocOp) -> None:
    need_assembly(out, op)
    out.line(statement(_DEALLOC.format(op.ctas, op.columns.value.data), f'"r"({address(out, op.address)})'))


def _sync(out: Writer, op: TmemSyncOp) -> None:
    need_assembly(out, op)
    out.line(statement(SYNCS[op.kind.data].format(op.ctas)))


def _copy(out: Writer, op: TmemCopyOp) -> None:
    need_assembly(out, op)
    (place,), atom = op.places, op.instruction
    split = f", {op.split.value.data}" * (HALVED in atom.instruction)
    name = called(atom.instruction + split)
    out.functions.setdefault(name, _function(name, atom, op.loads, split, out.table.function))
    out.line(f"{name}(&{out.element(place.memory, place.indices)}, {address(out, op.address)});")


def _function(name: str, atom: CopyAtom, loads: bool, split: str, function: str) -> str:
    """A copy between registers, which lie at an address, and tensor memory."""
    words = Words("w", "unsigned int", "r", register_bits(atom) // 32)
    listed = "{" + ", ".join(f"%{number + (not loads)}" for number in range(words.count)) + "}"
    if loads:
        text = f'"{atom.instruction} {listed}, [%{words.count}]{split};" : {words.passed(True)} : "r"(address)'
    else:
        text = f'"{atom.instruction} [%0]{split}, {listed};" :: "r"(address), {words.passed()}'
    lines = [words.declared(not loads).replace(", w,", ", registers,"), f'  asm volatile({text} : "memory");']
    lines += ["  memcpy(registers, w_, sizeof w_);"] * loads
    kind = "void*" if loads else "const void*"
    return "\n".join([f"{function} void {name}({kind} registers, unsigned int address) {{", *lines, "}"])


TENSOR_MEMORY: Handlers = {
    TmemAllocOp: _alloc,
    TmemDeallocOp: _dealloc,
    TmemCopyOp: _copy,
    TmemSyncOp: _sync,
}
