"""Operations of a Triton dump that move tensors between registers and shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from tilewright.analysis.lowering.columns import Columns, columns_of, coordinates_of
from tilewright.analysis.lowering.cost import Cost, cost
from tilewright.analysis.lowering.issue import VECTOR_BITS, Issue, Kind, issues
from tilewright.analysis.lowering.scratch import passage
from tilewright.analysis.lowering.shuffles import mixed_bits
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.context import Context, moved_by
from tilewright.dumps.triton.use import TritonUse, extents_of
from tilewright.errors import LayoutError
from tilewright.layout.linear import f2
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

_SCRATCH = "the scratch tile of a convert_layout is laid out as Triton 3.9 does"
_UNPADDED = ("ldmatrix", "stmatrix")


def local_load(op: Op, context: Context) -> Iterator[Finding]:
    """From shared memory to registers."""
    memory, tensor = context.tile(op.inputs, "memdesc"), context.tile(op.outputs, "tensor")
    yield moved(op, memory, tensor, partial(_matrix_or_plain, "load", context.spec), context)


def local_store(op: Op, context: Context) -> Iterator[Finding]:
    """From registers to shared memory; also an allocation that begins with a tensor."""
    tensor, memory = context.tile(op.inputs, "tensor"), context.tile((*op.inputs, *op.outputs), "memdesc")
    yield moved(op, memory, tensor, partial(_matrix_or_plain, "store", context.spec), context)


# Where registers, lanes and warps lie, bits of an element, those of the widest vector -> the instructions, best first.
Choose: TypeAlias = Callable[[Columns, int, int], Iterator[Issue]]


def _matrix_or_plain(kind: Kind, spec: ArchSpec, columns: Columns, bits: int, most: int) -> Iterator[Issue]:
    return issues(columns, bits, kind, spec, most)


def moved(op: Op, memory: Tiled, tensor: Tiled, choose: Choose, context: Context) -> Finding:
    """An access by the instruction that is chosen for it, here and under any other layout of the buffer."""
    spec, bits = context.spec, memory.bits
    columns = columns_of(tensor.layout, memory.layout)
    padded = bool(memory.paddings)
    found_by = choose(columns, bits, widest(memory))
    issue = next(one for one in found_by if not (padded and one.counted.startswith(_UNPADDED)))
    _check_aligned(memory, issue.width(bits))
    found = cost(columns, issue, bits, spec, moved_by(memory))

    def ways(columns: Columns) -> Iterator[tuple[str, Cost]]:
        for issue in choose(columns, bits, VECTOR_BITS):
            yield issue.text, cost(columns, issue, bits, spec)

    use = TritonUse(memory, coordinates_of(tensor.layout, memory.order, extents_of(memory)).distinct(), ways)
    return Finding(
        op.name, issue.kind, issue.text, found.wavefronts, found.ideal, None, None, found.instructions, found.notes, use
    )


def widest(memory: Tiled) -> int:
    """The widest vector that every gap leaves whole; Triton 3.9 does not ask whether it is aligned behind the gap."""
    return min([VECTOR_BITS, *(memory.bits * gap.interval for gap in memory.paddings)])


def _check_aligned(memory: Tiled, width: int) -> None:
    for gap in memory.paddings:
        size = gap.padding * memory.bits // 8
        if size % width:
            raise LayoutError(
                f"behind a gap of {size} bytes Triton's vectors of {width} bytes are misaligned;"
                " some chips refuse that, and what it costs on others is not known here"
            )


def convert_layout(op: Op, context: Context) -> Iterator[Finding]:
    """Through a tile of shared memory, where registers and shuffles do not do it."""
    source, target = context.tile(op.inputs, "tensor"), context.tile(op.outputs, "tensor")
    rows = range(len(source.shape))
    before, after = (coordinates_of(side.layout, rows, source.shape) for side in (source, target))
    bits = (source.size - 1).bit_length()
    ranks = [f2.rank(image for _, image in side.table) for side in (before, after)]
    if source.shape != target.shape or ranks != [bits, bits]:
        raise LayoutError("the tensors of a convert_layout have one shape, and registers for every element")
    mixed = mixed_bits(before, after)
    if mixed is not None and mixed < 2:
        return
    way = passage(before, after, bits, source.bits, context.spec)
    for issue, costs in ((way.store, way.stored), (way.load, way.loaded)):
        yield Finding(
            op.name, issue.kind, issue.text, costs.wavefronts, costs.ideal, None, None, costs.instructions,
            (*costs.notes, _SCRATCH),
            unrepaired="Triton lays out the scratch tile itself" if costs.wavefronts > costs.ideal else "",
        )  # fmt: skip
