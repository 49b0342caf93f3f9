"""Views read and written as one vector: a load or store for each run of elements that lie side by side."""

from __future__ import annotations

from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import VectorType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase, replace
from tilewright.ir.fly.attrs import MemRefType, type_of
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.ir.mlir.slices import inserted, taken
from tilewright.layout.indexing import crd2idx
from tilewright.layout.layout import Layout

MOST = 4096  # elements of a vector


def load_all(op: FlyOp) -> bool:
    """`memref.load_vec`: element i of the vector is that of the coordinate i."""
    (view,), kind = op.operands, op.results[0].type
    runs = runs_of(view)
    if runs is None or not isinstance(kind, VectorType):
        return False
    at = _At(op, view)
    if len(runs) == 1:
        replace(op, at.loaded(runs[0], kind))
        return True
    whole: SSAValue = at.builder.insert(PoisonOp(kind)).result
    width = kind.element_count() // len(runs)
    for i, offset in enumerate(runs):
        whole = inserted(at.builder, at.loaded(offset, _part(kind, width)), whole, i * width)
    replace(op, whole)
    return True


def store_all(op: FlyOp) -> bool:
    """`memref.store_vec`, likewise."""
    (value, view), kind = op.operands, op.operands[0].type
    runs = runs_of(view)
    if runs is None or not isinstance(kind, VectorType):
        return False
    at = _At(op, view)
    width = kind.element_count() // len(runs)
    for i, offset in enumerate(runs):
        part = value if len(runs) == 1 else taken(at.builder, value, i * width, _part(kind, width))
        at.add("ptr.store", [part, at.pointer(offset)])
    erase(op)
    return True


def runs_of(view: SSAValue) -> tuple[int, ...] | None:
    """Where the runs of a view begin, all of one length and as long as they may be; None if that is not known."""
    layout = view.type.value.layout if isinstance(view.type, MemRefType) else None
    if not isinstance(layout, Layout) or not layout.is_static or not 0 < layout.size <= MOST:
        return None
    offsets = [int(crd2idx(i, layout.shape, layout.stride)) for i in range(layout.size)]
    width = next(w for w in range(len(offsets), 0, -1) if len(offsets) % w == 0 and _are_runs(offsets, w))
    return tuple(offsets[::width])


def _are_runs(offsets: list[int], width: int) -> bool:
    return all(offset == offsets[i - i % width] + i % width for i, offset in enumerate(offsets))


def _part(kind: VectorType[Any], width: int) -> Attribute:
    element: Attribute = kind.element_type
    return element if width == 1 else VectorType(element, [width])


class _At:
    """Makes ops before the one that is expanded, in its place of the source."""

    def __init__(self, op: FlyOp, view: SSAValue) -> None:
        self.builder, self._location = Builder(InsertPoint.before(op)), op.location
        self._iterator = self.add("get_iter", [view]).results[0]

    def loaded(self, offset: int, kind: Attribute) -> SSAValue:
        return self.add("ptr.load", [self.pointer(offset)], kind).results[0]

    def pointer(self, offset: int) -> SSAValue:
        if offset == 0:
            return self._iterator
        by = self.add("make_int_tuple", [], type_of(offset)).results[0]
        return self.add("add_offset", [self._iterator, by]).results[0]

    def add(self, name: str, operands: list[SSAValue], *results: Attribute) -> Operation:
        wanted = () if name == "ptr.store" else results or None
        made = make(name, operands, None, wanted)
        made.location = self._location
        return self.builder.insert(made)
