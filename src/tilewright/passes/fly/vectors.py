"""Views read and written as one vector: a load or store for each run of elements that lie side by side."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.rewrite import Before, erase, replace
from tilewright.ir.fly.dialect_types import FlyType, MemRefType, type_of
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.ir.fly.types import CoordTensor
from tilewright.ir.mlir.vector import FromElementsOp
from tilewright.layout.indexing import crd2idx
from tilewright.layout.layout import Layout

MOST = 4096  # elements of a vector


def load_all(op: FlyOp) -> bool:
    """`memref.load_vec`: element i of the vector is that of the coordinate i."""
    from tilewright.ir.mlir.slices import inserted

    (view,), kind = op.operands, op.results[0].type
    if isinstance(view.type, FlyType) and isinstance(view.type.value, CoordTensor) and isinstance(kind, VectorType):
        return _load_coordinates(op, view, kind)
    runs = runs_of(view)
    if runs is None or not isinstance(kind, VectorType):
        return False
    at = _At(op, view, runs)
    if len(runs.starts) == 1:
        replace(op, at.loaded(runs.starts[0], kind))
        return True
    whole: SSAValue = at.builder.put(PoisonOp(kind)).result
    for i, start in enumerate(runs.starts):
        whole = inserted(at.builder, at.loaded(start, _part(kind, runs.width)), whole, i * runs.width)
    replace(op, whole)
    return True


def _load_coordinates(op: FlyOp, view: SSAValue, kind: VectorType[Attribute]) -> bool:
    """The integers of a coordinate tensor, one by one."""
    builder, count = Before(op), kind.get_shape()[0]
    if count > MOST:
        return False

    def add(made: Operation) -> SSAValue:
        made.location = op.location
        return builder.put(made).results[0]

    def integer(at: int) -> SSAValue:
        where = add(make("make_int_tuple", [], None, [type_of(at)]))
        found = add(make("get_scalar", [add(make("memref.load", [view, where]))]))
        if found.type == kind.element_type:
            return found
        assert isinstance(kind.element_type, IntegerType)
        return add(arith.ExtSIOp(found, kind.element_type))

    replace(op, add(FromElementsOp.of([integer(at) for at in range(count)])))
    return True


def store_all(op: FlyOp) -> bool:
    """`memref.store_vec`, likewise."""
    from tilewright.ir.mlir.slices import taken

    (value, view), kind = op.operands, op.operands[0].type
    runs = runs_of(view)
    if runs is None or not isinstance(kind, VectorType):
        return False
    at, width = _At(op, view, runs), runs.width
    for i, start in enumerate(runs.starts):
        part = value if len(runs.starts) == 1 else taken(at.builder, value, i * width, _part(kind, width))
        at.add("ptr.store", [part, at.pointer(start)])
    erase(op)
    return True


class Runs(NamedTuple):
    """Runs of a view, all of one width: where they start, as offsets if these are known, else as indices."""

    width: int
    starts: tuple[int, ...]
    known: bool


def runs_of(view: SSAValue) -> Runs | None:
    """The runs of a view, as long as they surely are; None if how many elements it has is not known."""
    layout = view.type.value.layout if isinstance(view.type, MemRefType) else None
    if not isinstance(layout, Layout) or not all(isinstance(s, int) for s, _ in layout.flat):
        return None
    if not 0 < layout.size <= MOST:
        return None
    if not layout.is_static:
        width = _surely_together(layout)
        return Runs(width, tuple(range(0, layout.size, width)), known=False)
    offsets = [int(crd2idx(i, layout.shape, layout.stride)) for i in range(layout.size)]
    width = next(w for w in range(len(offsets), 0, -1) if len(offsets) % w == 0 and _are_runs(offsets, w))
    return Runs(width, tuple(offsets[::width]), known=True)


def _surely_together(layout: Layout) -> int:
    """How many elements the first modes hold side by side, whatever the run-time strides are."""
    width = 1
    for extent, stride in layout.flat:
        if extent != 1 and not (isinstance(stride, int) and stride == width):
            break
        width *= extent
    return width


def _are_runs(offsets: list[int], width: int) -> bool:
    return all(offset == offsets[i - i % width] + i % width for i, offset in enumerate(offsets))


def _part(kind: VectorType[Attribute], width: int) -> Attribute:
    return kind.element_type if width == 1 else VectorType(kind.element_type, [width])


class _At:
    """Makes ops before the one that is expanded, in its place of the source."""

    def __init__(self, op: FlyOp, view: SSAValue, runs: Runs) -> None:
        self.builder, self._location = Before(op), op.location
        self._iterator = self.add("get_iter", [view]).results[0]
        self._layout = None if runs.known else self.add("get_layout", [view]).results[0]

    def loaded(self, start: int, kind: Attribute) -> SSAValue:
        return self.add("ptr.load", [self.pointer(start)], kind).results[0]

    def pointer(self, start: int) -> SSAValue:
        if start == 0:
            return self._iterator
        by = self.add("make_int_tuple", [], type_of(start)).results[0]
        if self._layout is not None:
            by = self.add("crd2idx", [by, self._layout]).results[0]
        return self.add("add_offset", [self._iterator, by]).results[0]

    def add(self, name: str, operands: list[SSAValue], *results: Attribute) -> Operation:
        wanted = () if name == "ptr.store" else results or None
        made = make(name, operands, None, wanted)
        made.location = self._location
        return self.builder.put(made)
