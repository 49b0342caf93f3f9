"""Blackwell's tensor memory as PTX: who has which columns, copies to and from registers, waits and fences."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

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
    atom = op.instruction
    split = f", {op.split.value.data}" * (HALVED in atom.instruction)
    words = f"{atom.instruction.removesuffix('.b32')}.{op.reduction or 'b32'}"
    name = called(words + split)
    out.functions.setdefault(name, _function(name, words, op, split, out.table.function))
    registers = [f"&{out.element(place.memory, place.indices)}" for place in op.places]
    out.line(f"{name}({', '.join([*registers, address(out, op.address)])});")


def _function(name: str, instruction: str, op: TmemCopyOp, split: str, function: str) -> str:
    """A copy between registers, which lie at an address, and tensor memory; what it reduces them to lies at another."""
    words, reduces = Words("w", "unsigned int", "r", register_bits(op.instruction) // 32), bool(op.reduction)
    listed = "{" + ", ".join(f"%{number + (not op.loads)}" for number in range(words.count)) + "}"
    if op.loads:
        outs = words.passed(True) + ', "=r"(reduced_)' * reduces
        more, last = f", %{words.count}" * reduces, words.count + reduces
        text = f'"{instruction} {listed}{more}, [%{last}]{split};" : {outs} : "r"(address)'
    else:
        text = f'"{instruction} [%0]{split}, {listed};" :: "r"(address), {words.passed()}'
    lines = [words.declared(not op.loads).replace(", w,", ", registers,")]
    lines += ["  unsigned int reduced_;"] * reduces + [f'  asm volatile({text} : "memory");']
    lines += ["  memcpy(registers, w_, sizeof w_);"] * op.loads
    lines += ["  memcpy(reduced, &reduced_, sizeof reduced_);"] * reduces
    parameters = [
        f"{'' if op.loads else 'const '}void* registers",
        *["void* reduced"] * reduces,
        "unsigned int address",
    ]
    return "\n".join([f"{function} void {name}({', '.join(parameters)}) {{", *lines, "}"])


TENSOR_MEMORY: Handlers = {
    TmemAllocOp: _alloc,
    TmemDeallocOp: _dealloc,
    TmemCopyOp: _copy,
    TmemSyncOp: _sync,
}
