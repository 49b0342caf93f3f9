"""The handler of `fly.print`: each `{}` is a value, in the order of the lanes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.type_writer import write
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.fly.layouts import value_of
from tilewright.targets.simulator.fly.values import Held, Vector, filled
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

HOLE = "{}"


def _print(compiler: Compiler, op: FlyOp) -> Step:
    pieces = str(op.attribute("format") or "").split(HOLE)
    values = list(op.group("values"))
    slots = list(map(compiler.slot, values))
    holes = len(pieces) - 1
    pieces += [" "] * max(0, len(values) - holes)  # what has no hole stands behind the text

    def step(frame: Frame) -> None:
        frame.domain.burn(prod(frame.domain.shape), op)
        active = np.broadcast_to(True if frame.mask is None else frame.mask, frame.domain.shape)
        columns = [_texts(frame, op, value, slot) for value, slot in zip(values, slots, strict=True)]
        lines = []
        for row, column in zip(*np.nonzero(active), strict=True):
            shown = [text(int(row), int(column)) for text in columns]
            shown += [HOLE] * (len(pieces) - 1 - len(shown))
            lines.append(pieces[0] + "".join(text + piece for text, piece in zip(shown, pieces[1:], strict=True)))
        print("".join(f"{line.rstrip(' ')}\n" if not line.endswith("\n") else line for line in lines), end="")

    return step


def _texts(frame: Frame, op: FlyOp, value: SSAValue, slot: int) -> Callable[[int, int], str]:
    """The value's text at a lane, by its row and column."""
    found = frame.values[slot]

    def at(number: Number, row: int, column: int) -> object:
        return np.broadcast_to(np.asarray(number), frame.domain.shape)[row, column].item()

    if isinstance(found, Held) and isinstance(value.type, FlyType):
        kind = value_of(value.type)

        def text(row: int, column: int) -> str:
            return _bare(write(filled(kind, [int(str(at(x, row, column))) for x in found.numbers])))

        return text
    if isinstance(found, Vector):
        whole = np.asarray(given(frame, op, found))
        full = np.broadcast_to(whole, (*whole.shape[:-2], *frame.domain.shape))
        return lambda row, column: f"[{', '.join(_number(x.item()) for x in full[..., row, column].reshape(-1))}]"
    truth = isinstance(value.type, IntegerType) and value.type.width.data == 1
    return lambda row, column: (
        _number(bool(x) if truth else x) if (x := at(frame.number(slot), row, column)) is not None else ""
    )


def _number(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _bare(text: str) -> str:
    """What stands in a type: `(4,8):(1,4)` of `!fly.layout<(4,8):(1,4)>`."""
    return text.partition("<")[2].removesuffix(">") if text.startswith("!fly.") else text


PRINT_HANDLERS: Mapping[type[Operation], Handler] = {OPS["print"]: _print}
