"""What is done with tensor memory, as statements of a script."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.tmem import HALVED, TmemAllocOp, TmemCopyOp, TmemDeallocOp, TmemSyncOp

_SYNCS: Mapping[str, str] = {
    "relinquish": "relinquish_alloc_permit.cta_group__{}.sync.aligned",
    "wait.ld": "wait__ld.sync.aligned",
    "wait.st": "wait__st.sync.aligned",
    "fence.before": "fence__before_thread_sync",
    "fence.after": "fence__after_thread_sync",
}


def _alloc(out: Printer, op: TmemAllocOp) -> None:
    words = f"alloc.cta_group__{op.ctas}.sync.aligned.shared__cta.b32"
    out.emit(f"T.ptx.tcgen05.{words}({out.show.of(op.target)}, {op.columns.value.data})")


def _dealloc(out: Printer, op: TmemDeallocOp) -> None:
    words = f"dealloc.cta_group__{op.ctas}.sync.aligned.b32"
    out.emit(f"T.ptx.tcgen05.{words}({out.show.of(op.address)}, {op.columns.value.data})")


def _copy(out: Printer, op: TmemCopyOp) -> None:
    place, *reduced = op.places
    given = [out.show.element(place.memory, place.indices), out.show.of(op.address)]
    split = [str(op.split.value.data)] if HALVED in op.instruction.instruction else []
    told = [f'reduced={out.show.element(to.memory, to.indices)}, reduction="{op.reduction}"' for to in reduced]
    out.emit(f'T.tmem_atom("{op.atom.data}", {", ".join([*given, *split, *told])})')


def _sync(out: Printer, op: TmemSyncOp) -> None:
    out.emit(f"T.ptx.tcgen05.{_SYNCS[op.kind.data].format(op.ctas)}()")


TMEM_STATEMENTS: Mapping[type[Operation], Statement] = {
    TmemAllocOp: _alloc,
    TmemDeallocOp: _dealloc,
    TmemCopyOp: _copy,
    TmemSyncOp: _sync,
}
