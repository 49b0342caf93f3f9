"""Loads and stores of global memory in a Triton dump: sectors, where the pointers' steps are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tilewright.analysis.global_memory.sectors import coalescing_at
from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.analysis.lowering.issue import VECTOR_BITS, length
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.axes import vector_of
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.pointers import Affine, strides_of
from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

# Rows whose distance only the launch knows are put at least so far apart, in elements.
APART = 1 << 12
MOST_ADDRESSES = 1 << 16
_NOTE = "global accesses are taken as unmasked, rows of run-time stride as apart"


def load(op: Op, context: Context) -> Iterator[Finding]:
    """`tt.load` of a tensor of pointers; that of one pointer is a scalar's."""
    yield from _through_pointers(op, "global load", 1, context)


def store(op: Op, context: Context) -> Iterator[Finding]:
    """`tt.store`."""
    yield from _through_pointers(op, "global store", 2, context)


def buffer_load(op: Op, context: Context) -> Iterator[Finding]:
    """`amdg.buffer_load %base[%offsets], %mask`."""
    yield _through_offsets(op, context.tile(op.outputs, "tensor"), 1, "global load", context)


def buffer_store(op: Op, context: Context) -> Iterator[Finding]:
    """`amdg.buffer_store %value, %base[%offsets], %mask`."""
    yield _through_offsets(op, context.tile((*op.inputs, *op.outputs), "tensor"), 2, "global store", context)


def operand(op: Op, which: int) -> str:
    """The name of an operand.

    Raises:
        LayoutError: it has fewer.
    """
    if len(op.operands) <= which:
        raise LayoutError(f"{op.name} has {len(op.operands)} operands")
    return op.operands[which]


def pointers_of(op: Op, context: Context) -> Tiled | None:
    """The type of its tensor of pointers; None where it has one pointer."""
    tensors = [found for found in map(context.types.tiled, op.inputs) if found and found.kind == "tensor"]
    return next((found for found in tensors if found.element.startswith("!tt.ptr")), None)


def _through_pointers(op: Op, kind: str, mask: int, context: Context) -> Iterator[Finding]:
    """An access through the first operand; operand `mask` says who takes part."""
    pointers = pointers_of(op, context)
    if pointers is not None:
        bits, masks = pointers.pointee_bits, "".join(op.operands[mask : mask + 1])
        yield through(op, pointers, kind, bits * vector_of(operand(op, 0), pointers, bits, context, masks), context)


def through(op: Op, pointers: Tiled, kind: str, most: int, context: Context) -> Finding:
    """An access through the first operand in vectors of at most so many bits."""
    return _counted(op, pointers, pointers.pointee_bits, strides_of(operand(op, 0), context), kind, most, context)


def _through_offsets(op: Op, tensor: Tiled, offsets: int, kind: str, context: Context) -> Finding:
    name, bits = operand(op, offsets), tensor.bits
    told = op.integer("contiguity")
    length = told or vector_of(name, tensor, bits, context, "".join(op.operands[offsets + 1 : offsets + 2]))
    most = min(VECTOR_BITS, bits * length)
    return _counted(op, tensor, bits, strides_of(name, context), kind, most, context)


def _counted(op: Op, tensor: Tiled, bits: int, steps: Affine, kind: str, most: int, context: Context) -> Finding:
    columns = _columns(tensor.layout, steps, tensor.shape)
    count = length(columns, bits, most)
    vector = {bit for bit in columns.bits("register") if columns[bit] < count}
    others = [(bit, image) for bit, image in columns.table if bit not in vector]
    # Lanes and warps that hold the same as others are masked out.
    live = [(bit, image) for bit, image in others if image]
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
