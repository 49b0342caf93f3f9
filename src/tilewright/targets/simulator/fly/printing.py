"""The handler of `fly.print`: each `{}` is a value, in the order of the lanes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Value
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.fly.layouts import value_of
from tilewright.targets.simulator.fly.values import Held, Vector, filled
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

HOLE = "{}"


def _print(compiler: Compiler, op: FlyOp) -> Step:
    values = list(op.group("values"))
    slots = list(map(compiler.slot, values))

    def step(frame: Frame) -> None:
        frame.domain.burn(prod(frame.domain.shape), op)
        active = np.broadcast_to(True if frame.mask is None else frame.mask, frame.domain.shape)
        columns = [_texts(frame, op, value, slot) for value, slot in zip(values, slots, strict=True)]
        lines = []
        for row, column in zip(*np.nonzero(active), strict=True):
            lines.append(printed(op, [text(int(row), int(column)) for text in columns]))
        print("".join(lines), end="")

    return step


def printed(op: FlyOp, texts: Sequence[str]) -> str:
    """The line that it prints of its values' texts; what has no hole stands behind the format."""
    pieces = str(op.attribute("format") or "").split(HOLE)
    pieces += [" "] * max(0, len(texts) - len(pieces) + 1)
    filled_in = [*texts, *[HOLE] * (len(pieces) - 1 - len(texts))]
    line = pieces[0] + "".join(text + piece for text, piece in zip(filled_in, pieces[1:], strict=True))
    return line if line.endswith("\n") else line.rstrip(" ") + "\n"


def _texts(frame: Frame, op: FlyOp, value: SSAValue, slot: int) -> Callable[[int, int], str]:
    """The value's text at a lane, by its row and column."""
    found = frame.values[slot]

    def at(number: Number, row: int, column: int) -> object:
        return np.broadcast_to(np.asarray(number), frame.domain.shape)[row, column].item()

    if isinstance(found, Held) and isinstance(value.type, FlyType):
        kind = value_of(value.type)

        def text(row: int, column: int) -> str:
            return bare(filled(kind, [int(str(at(x, row, column))) for x in found.numbers]))

        return text
    if isinstance(found, Vector):
        whole = np.asarray(given(frame, op, found))
        full = np.broadcast_to(whole, (*whole.shape[:-2], *frame.domain.shape))
        return lambda row, column: f"[{', '.join(number(x.item()) for x in full[..., row, column].reshape(-1))}]"
    truth = isinstance(value.type, IntegerType) and value.type.width.data == 1
    return lambda row, column: (
        number(bool(x) if truth else x) if (x := at(frame.number(slot), row, column)) is not None else ""
    )


def number(value: object) -> str:
    """A number as it is printed."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def bare(value: Value) -> str:
    """What stands in its type: `(4,8):(1,4)` of `!fly.layout<(4,8):(1,4)>`."""
    text = write(value)
    return text.partition("<")[2].removesuffix(">") if text.startswith("!fly.") else text


PRINT_HANDLERS: Mapping[type[Operation], Handler] = {OPS["print"]: _print}
