"""Loads and stores of global memory in a Triton dump: sectors, where the pointers' steps are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tilewright.analysis.global_memory.sectors import coalescing_at
from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.analysis.lowering.issue import VECTOR_BITS, length
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.pointers import Affine, strides_of
from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

# Rows whose distance only the launch knows are put at least so far apart, in elements.
APART = 1 << 12
MOST_ADDRESSES = 1 << 16
_NOTE = "global accesses are taken as unmasked and aligned to their vectors, rows of run-time stride as apart"


def load(op: Op, context: Context) -> Iterator[Finding]:
    """`tt.load` of a tensor of pointers; that of one pointer is a scalar's."""
    yield from _through_pointers(op, "global load", context)


def store(op: Op, context: Context) -> Iterator[Finding]:
    """`tt.store`."""
    yield from _through_pointers(op, "global store", context)


def copied(op: Op, context: Context) -> Iterator[Finding]:
    """The global side of an asynchronous copy."""
    yield from _through_pointers(op, "global load", context)


def buffer_load(op: Op, context: Context) -> Iterator[Finding]:
    """`amdg.buffer_load %base[%offsets]`."""
    yield from _through_offsets(op, context.tile(op.outputs, "tensor"), _operand(op, 1), "global load", context)


def buffer_store(op: Op, context: Context) -> Iterator[Finding]:
    """`amdg.buffer_store %value, %base[%offsets]`."""
    tensor = context.tile((*op.inputs, *op.outputs), "tensor")
    yield from _through_offsets(op, tensor, _operand(op, 2), "global store", context)


def _operand(op: Op, which: int) -> str:
    if len(op.operands) <= which:
        raise LayoutError(f"{op.name} has {len(op.operands)} operands")
    return op.operands[which]


def _through_pointers(op: Op, kind: str, context: Context) -> Iterator[Finding]:
    tensors = [found for found in map(context.types.tiled, op.inputs) if found and found.kind == "tensor"]
    pointers = next((found for found in tensors if found.element.startswith("!tt.ptr")), None)
    if pointers is None:
        return
    yield _counted(op, pointers, pointers.pointee_bits, strides_of(_operand(op, 0), context), kind, context)


def _through_offsets(op: Op, tensor: Tiled, offsets: str, kind: str, context: Context) -> Iterator[Finding]:
    yield _counted(op, tensor, tensor.bits, strides_of(offsets, context), kind, context)


def _counted(op: Op, tensor: Tiled, bits: int, steps: Affine, kind: str, context: Context) -> Finding:
    columns = _columns(tensor.layout, steps, tensor.shape)
    most = min(VECTOR_BITS, (op.integer("contiguity") or VECTOR_BITS) * bits)
    count = length(columns, bits, most)
    vector = {bit for bit in columns.bits("register") if columns[bit] < count}
    others = [(bit, image) for bit, image in columns.table if bit not in vector]
    # Lanes and warps that hold the same as others are masked out.
    live = [(bit, image) for bit, image in others if image or bit[0] == "lane"]
    width = max(8, count * bits) // 8
    sectors = ideal = 0
    # Rows that differ by whole lines touch alike.
    alike = Counter(_within_line(row, context.spec.line_bytes) for row in _addresses(live, bits))
    for row, times in alike.items():
        one = coalescing_at(list(row), width, kind=kind.removeprefix("global "), arch=context.spec)
        sectors, ideal = sectors + times * one.sectors, ideal + times * one.ideal
    name = f"{kind} {8 * width} bits"
    times = 1 << sum(bit[0] == "register" for bit, _ in live)
    return Finding(op.name, kind, name, None, ideal, None, sectors, times, (_NOTE,))


def _columns(layout: LinearLayout, steps: Affine, shape: tuple[int, ...]) -> Columns:
    if len(steps.strides) != len(shape):
        raise LayoutError("the steps of its pointers could not be followed")
    strides = _apart(steps, shape)
    table: list[tuple[Bit, int]] = []
    for level, images in layout.bases:
        for i, image in enumerate(images):
            offset = sum(value * stride for value, stride in zip(image, strides, strict=True))
            if level != "block" and (offset or level != "register"):
                table.append(((level, i), offset))
    return Columns(tuple(table))


def _apart(steps: Affine, shape: tuple[int, ...]) -> list[int]:
    """The strides, run-time ones so large that nothing meets."""
    pairs = [(stride, extent) for stride, extent in zip(steps.strides, shape, strict=True)]
    apart = APART << sum(abs(stride) * extent for stride, extent in pairs if stride is not None).bit_length()
    strides = []
    for stride, extent in pairs:
        strides.append(apart if stride is None else abs(stride))
        apart *= extent if stride is None else 1
    return strides


def _addresses(live: list[tuple[Bit, int]], bits: int) -> Iterator[list[int]]:
    """The byte addresses of every instruction of every warp."""
    if 1 << len(live) > MOST_ADDRESSES:
        raise LayoutError(f"2^{len(live)} addresses, more than {MOST_ADDRESSES}")
    lanes = _sums([image for bit, image in live if bit[0] == "lane"])
    starts = _sums([image for bit, image in live if bit[0] != "lane"])
    for start in starts:
        yield [(start + lane) * bits // 8 for lane in lanes]


def _within_line(row: list[int], line: int) -> tuple[int, ...]:
    base = min(row) // line * line
    return tuple(address - base for address in row)


def _sums(images: list[int]) -> list[int]:
    found = [0]
    for image in images:
        found += [image + value for value in found]
    return found
