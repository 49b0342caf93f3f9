"""Handlers of what a kernel prints: `printf` in the order of the lanes, and the elements of a buffer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import copysign, isfinite
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from tilewright.errors import SimulationError
from tilewright.ir.core.location import place
from tilewright.ir.tile.printing import FLOATS, TRUTHS, UNSIGNED, Conversion, InspectOp, PrintOp
from tilewright.ir.tile.types import BufferType
from tilewright.layout.axes import MEMORY
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Mask, Number
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

INDEX_BITS = 64


def _print(compiler: Compiler, op: PrintOp) -> Step:
    slots = [compiler.slot(value) for value in op.values]
    pieces = op.pieces
    kinds = iter([value.type for value in op.values])
    writers = [_writer(piece, next(kinds)) for piece in pieces if isinstance(piece, Conversion)]
    template = "".join(piece.replace("%", "%%") if isinstance(piece, str) else "%s" for piece in pieces)

    def step(frame: Frame) -> None:
        shape, mask = frame.domain.shape, frame.mask
        count = shape[0] * shape[1] if mask is None else int(np.count_nonzero(np.broadcast_to(mask, shape)))
        frame.domain.burn(count, op)
        columns = [map(w, _column(frame.number(s), shape, mask)) for w, s in zip(writers, slots, strict=True)]
        rows = zip(*columns, strict=True) if columns else [()] * count
        print("".join(template % row for row in rows), end="")

    return step


def _column(value: Number, shape: tuple[int, int], mask: Mask) -> list[float]:
    full = np.broadcast_to(np.asarray(value), shape)
    chosen = full.reshape(-1) if mask is None else full[np.broadcast_to(mask, shape)]
    found: list[float] = (chosen if chosen.dtype.kind in "biu" else chosen.astype(np.float64)).tolist()
    return found


def _writer(conversion: Conversion, kind: Attribute) -> Callable[[float], str]:
    style = f"%{conversion.style}{'d' if conversion.kind in 'diu' else conversion.kind}"
    if conversion.kind in TRUTHS:
        return lambda number: style % bool(number)
    if conversion.kind in FLOATS:
        return lambda number: style % number if isfinite(number) else _not_finite(conversion, number)
    if conversion.kind in UNSIGNED:
        ones = (1 << (kind.width.data if isinstance(kind, IntegerType) else INDEX_BITS)) - 1
        return lambda number: style % (int(number) & ones)
    return lambda number: style % ((int(number) + (1 << 63)) % (1 << 64) - (1 << 63))


def _not_finite(conversion: Conversion, number: float) -> str:
    """`inf` and `nan` as C writes them: with the sign, padded with spaces.

    >>> _not_finite(Conversion("+06.1", "f"), float("inf")), _not_finite(Conversion("-6", "E"), float("nan"))
    ('  +inf', 'NAN   ')
    """
    flags = conversion.style[: len(conversion.style) - len(conversion.style.lstrip("-+ 0"))]
    width = int(conversion.style.lstrip("-+ 0").partition(".")[0] or 0)
    sign = "-" if copysign(1, number) < 0 else "+" if "+" in flags else " " if " " in flags else ""
    text = sign + ("nan" if number != number else "inf")
    text = text.upper() if conversion.kind.isupper() else text
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _inspect(compiler: Compiler, op: InspectOp) -> Step:
    memory, view = compiler.slot(op.memory), op.view
    chosen = [(b, t) for b in op.blocks.get_values() for t in op.threads.get_values()]
    offsets = _offsets(view)
    line = place(op).strip()

    def step(frame: Frame) -> None:
        lanes, held = cast(Lockstep, frame.domain), cast("Memory | Registers", frame.values[memory])
        _check_there(op, lanes.launch)
        for block, thread in chosen:
            row, column = np.flatnonzero(lanes.blocks == block), np.flatnonzero(lanes.threads == thread)
            if len(row) and len(column) and _active(frame, int(row[0]), int(column[0])):
                who = lanes.name(block * lanes.machine.clocks.width + thread)
                print(f"{op.label.data} of {who} {line}".rstrip())
                print(shown(*held.held(lanes, int(row[0]), int(column[0])), offsets))

    return step


def _check_there(op: InspectOp, launch: Launch) -> None:
    """Raises `SimulationError` where the launch has no such block or thread."""
    for what, chosen, count in (("block", op.blocks, launch.blocks), ("thread", op.threads, launch.threads)):
        if max(chosen.get_values()) >= count:
            there = f"{what} {max(chosen.get_values())} is to be shown; there are {count}, numbered from 0"
            raise SimulationError(f"{there}\n{where(op)}")


def _active(frame: Frame, row: int, column: int) -> bool:
    return frame.mask is None or bool(np.broadcast_to(frame.mask, frame.domain.shape)[row, column])


def _offsets(view: BufferType) -> Array | None:
    """The place of each element in memory; None where the layout spreads them over threads."""
    found = view.layout.base(*np.indices(view.shape), shape=view.shape)
    return np.broadcast_to(found.get(MEMORY, 0), view.shape) if set(found) <= {MEMORY} else None


def shown(values: Array, known: Array, offsets: Array | None) -> str:
    """The elements in their order, `--` for those that nothing has written.

    >>> print(shown(np.arange(4), np.array([True, False, True, True]), np.array([[0, 2], [1, 3]])))
    [[0 2]
     [-- 3]]
    """
    if offsets is not None:
        values, known = values[offsets], known[offsets]
    plain = values if values.dtype.kind in "biufc" else values.astype(object)
    return str(np.ma.masked_array(plain, ~known)) if not known.all() else str(plain)


PRINT_HANDLERS: Mapping[type[Operation], Handler] = {PrintOp: _print, InspectOp: _inspect}
