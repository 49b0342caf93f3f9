"""Warpgroup products as statements of a script."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.wgmma import MODIFIERS, SYNCS, WgmmaOp, WgmmaSyncOp

_NAMES: Mapping[str, str] = {"fence": "fence", "commit": "commit_group", "wait": "wait_group"}
_TOLD: Mapping[str, str] = dict(zip(MODIFIERS, ("scale_a=-1", "scale_b=-1", "trans_a=1", "trans_b=1"), strict=True))


def _wgmma(out: Printer, op: WgmmaOp) -> None:
    places = [out.show.element(place.memory, place.indices) for place in op.places]
    given = map(out.show.of, (*op.descriptors, op.scale_d))
    told = [_TOLD[word] for word in op.words]
    told += [f"metadata={out.show.of(value)}, selector={op.selector}" for value in op.metadata]
    out.emit(f'T.wgmma_atom("{op.atom.data}", {", ".join([*places, *given, *told])})')


def _sync(out: Printer, op: WgmmaSyncOp) -> None:
    count = str(op.pending.value.data) if SYNCS[op.kind.data] else ""
    out.emit(f"T.ptx.wgmma.{_NAMES[op.kind.data]}.sync.aligned({count})")


WGMMA_STATEMENTS: Mapping[type[Operation], Statement] = {WgmmaOp: _wgmma, WgmmaSyncOp: _sync}
