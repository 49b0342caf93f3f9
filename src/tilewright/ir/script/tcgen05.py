"""Products in tensor memory as statements of a script."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.tcgen05 import Tcgen05CommitOp, Tcgen05CpOp, Tcgen05MmaOp


def _mma(out: Printer, op: Tcgen05MmaOp) -> None:
    metadata, factors = op.beside[: op.sparse], op.beside[op.sparse :]
    given = ", ".join(map(out.show.of, (op.d, op.a, op.b, *metadata, op.told, *factors, op.scale_d)))
    words = f"mma{'.ws' * op.ws}{'.sp' * op.sparse}.cta_group::{op.ctas}.kind::{op.kind.data}"
    scaled = f".block_scale.scale_vec::{op.factors}X" if op.factors else ""
    out.emit(f'T.ptx["tcgen05.{words}{scaled}"]({given})')


def _cp(out: Printer, op: Tcgen05CpOp) -> None:
    given = ", ".join(map(out.show.of, (op.target, op.source)))
    out.emit(f'T.ptx["tcgen05.cp.cta_group::{op.ctas}.{op.shape.data}"]({given})')


def _commit(out: Printer, op: Tcgen05CommitOp) -> None:
    given = [out.show.of(value) for value in op.operands]
    words = f"commit.cta_group__{op.ctas}.mbarrier__arrive__one.shared__cluster"
    spread = ".multicast__cluster" if op.mask is not None else ""
    out.emit(f"T.ptx.tcgen05.{words}{spread}.b64({', '.join(given)})")


TCGEN05_STATEMENTS: Mapping[type[Operation], Statement] = {
    Tcgen05MmaOp: _mma,
    Tcgen05CpOp: _cp,
    Tcgen05CommitOp: _commit,
}
