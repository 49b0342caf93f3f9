"""Operations of a Triton dump that move tensors between registers and shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tilewright.analysis.lowering.columns import Columns, columns_of, coordinates_of
from tilewright.analysis.lowering.cost import cost
from tilewright.analysis.lowering.issue import VECTOR_BITS, Issue, Kind, issues, plain
from tilewright.analysis.lowering.repair import asked_of, in_triton
from tilewright.analysis.lowering.scratch import mixed_bits, passage
from tilewright.dumps.finding import Finding, Use
from tilewright.dumps.triton.context import Context, moved_by
from tilewright.errors import LayoutError
from tilewright.layout.linear import f2
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

_ASYNC = {"nvidia": "cp.async", "amd": "global_load_lds"}
_UNPADDED = ("ldmatrix", "stmatrix")


def local_load(op: Op, context: Context) -> Iterator[Finding]:
    """From shared memory to registers."""
    memory, tensor = context.tile(op.inputs, "memdesc"), context.tile(op.outputs, "tensor")
    yield _moved(op, memory, tensor, "load", context)


def local_store(op: Op, context: Context) -> Iterator[Finding]:
    """From registers to shared memory; also an allocation that begins with a tensor."""
    tensor, memory = context.tile(op.inputs, "tensor"), context.tile((*op.inputs, *op.outputs), "memdesc")
    yield _moved(op, memory, tensor, "store", context)


def async_copy(op: Op, context: Context) -> Iterator[Finding]:
    """From global to shared memory, past the registers: what it writes."""
    pointers, memory = context.tile(op.inputs, "tensor"), context.tile((*op.inputs, *op.outputs), "memdesc")
    columns = columns_of(pointers.layout, memory.layout)
    most = min(_most_bits(memory), (op.integer("contiguity") or VECTOR_BITS) * memory.bits)
    issue = plain(columns, memory.bits, "store", context.spec, max(memory.bits, most))
    name = f"{_ASYNC[context.spec.vendor]} {issue.width(memory.bits)} bytes"
    yield _finding(op, memory, pointers, columns, replace(issue, text=name), context)


def _moved(op: Op, memory: Tiled, tensor: Tiled, kind: Kind, context: Context) -> Finding:
    columns = columns_of(tensor.layout, memory.layout)
    choices = issues(columns, memory.bits, kind, context.spec, _most_bits(memory))
    fitting = (one for one in choices if not (memory.paddings and one.counted.startswith(_UNPADDED)))
    return _finding(op, memory, tensor, columns, next(fitting), context)


def _most_bits(memory: Tiled) -> int:
    """The widest vector that every gap leaves whole and aligned."""
    gaps = [memory.bits * (n & -n) for gap in memory.paddings for n in (gap.interval, gap.padding) if n]
    return min(VECTOR_BITS, *gaps) if gaps else VECTOR_BITS


def _finding(op: Op, memory: Tiled, tensor: Tiled, columns: Columns, issue: Issue, context: Context) -> Finding:
    found = cost(columns, issue, memory.bits, context.spec, moved_by(memory))
    return Finding(
        op.name, issue.kind, issue.text, found.wavefronts, found.ideal, None, None, found.instructions, found.notes,
        _use(memory, tensor, issue),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TritonTile:
    """A tile whose dimension order[0] is contiguous."""

    extents: tuple[int, ...]
    order: tuple[int, ...]
    bits: int

    def words(self, swizzle: Swizzle) -> str:
        """The swizzle in elements, and Triton's attribute where it has one."""
        attribute = in_triton(swizzle, self.extents[self.order[0]], self.order)
        what = f"{swizzle} in elements of the plain {'x'.join(map(str, self.extents))} tile"
        return f"{what}, {attribute}" if attribute else what


def _use(memory: Tiled, tensor: Tiled, issue: Issue) -> Use:
    extents = memory.whole[-len(memory.shape) :]
    asked = asked_of(coordinates_of(tensor.layout, memory.order, extents), issue)
    return Use(TritonTile(extents, memory.order, memory.bits), asked)


def convert_layout(op: Op, context: Context) -> Iterator[Finding]:
    """Through a tile of shared memory, where registers and shuffles do not do it."""
    source, target = context.tile(op.inputs, "tensor"), context.tile(op.outputs, "tensor")
    rows = tuple(reversed(range(len(source.shape))))
    before, after = (coordinates_of(side.layout, rows, source.shape) for side in (source, target))
    bits = (source.size - 1).bit_length()
    ranks = [f2.rank(image for _, image in side.table) for side in (before, after)]
    if source.shape != target.shape or ranks != [bits, bits]:
        raise LayoutError("the tensors of a convert_layout have one shape, and registers for every element")
    mixed = mixed_bits(before, after)
    if mixed is not None and mixed < 2:
        return
    way = passage(before, after, bits, source.bits, context.spec)
    for issue, spent in ((way.store, way.stored), (way.load, way.loaded)):
        yield Finding(
            op.name, issue.kind, issue.text, spent.wavefronts, spent.ideal, None, None, spent.instructions,
            (*spent.notes, "the scratch tile of a convert_layout is laid out by the rules of Triton 3"),
        )  # fmt: skip
