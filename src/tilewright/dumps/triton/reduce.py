"""Reductions of a Triton dump: what warps that share a row tell each other through shared memory."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.analysis.lowering.cost import cost
from tilewright.analysis.lowering.issue import plain
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.context import Context
from tilewright.errors import LayoutError
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

_NOTE = "the scratch of a reduction is taken as one row of partial results a warp, rows of the result contiguous"


def reduce(op: Op, context: Context) -> Iterator[Finding]:
    """A store of each warp's partial results and a load of all of them; nothing where a warp holds whole rows."""
    axis = op.integer("axis")
    for text in op.inputs:
        tensor = context.types.tiled(text)
        if tensor is None or axis is None or axis >= len(tensor.shape):
            raise LayoutError(f"a reduction of {text} along axis {axis}")
        yield from _partial(op, tensor, axis, context)


def _partial(op: Op, tensor: Tiled, axis: int, context: Context) -> Iterator[Finding]:
    stored, loaded = _columns(tensor, axis)
    if loaded is None:
        return
    bits = max(8, tensor.bits)
    for columns, kind in ((stored, "store"), (loaded, "load")):
        issue = plain(columns, bits, "store" if kind == "store" else "load", context.spec)
        found = cost(columns, issue, bits, context.spec)
        notes = (*found.notes, _NOTE)
        left = "Triton lays out the scratch of a reduction itself" if found.excess else ""
        yield Finding(
            op.name, kind, issue.text, found.wavefronts, found.ideal, None, None, found.instructions, notes,
            unrepaired=left,
        )  # fmt: skip


def _columns(tensor: Tiled, axis: int) -> tuple[Columns, Columns | None]:
    """Where partial results lie as they are stored, and as they are loaded; None where no warp shares a row."""
    strides, rows = [0] * len(tensor.shape), 1
    for d in reversed(range(len(tensor.shape))):
        strides[d], rows = (0, rows) if d == axis else (rows, rows * tensor.shape[d])
    stored: list[tuple[Bit, int]] = []
    loaded: list[tuple[Bit, int]] = []
    partners: list[int] = []
    for level, images in tensor.layout.bases:
        for i, image in enumerate(images):
            row = sum(value * stride for value, stride in zip(image, strides, strict=True))
            if level == "block" or (level == "register" and not row):
                continue
            shared = level == "warp" and bool(image[axis])
            if shared:
                partners.append(rows << len(partners))
            stored.append(((level, i), row + partners[-1] if shared else row))
            loaded.append(((level, i), row))
    return Columns(tuple(stored)), _spread(loaded, partners) if partners else None


def _spread(loaded: list[tuple[Bit, int]], partners: list[int]) -> Columns:
    """Free lanes take the partial results of one row, registers those that are left."""
    free = [at for at, (bit, image) in enumerate(loaded) if bit[0] == "lane" and not image]
    for at, image in zip(free, partners, strict=False):
        loaded[at] = (loaded[at][0], image)
    more = [(("register", 64 + i), image) for i, image in enumerate(partners[len(free) :])]
    return Columns((*more, *loaded))
