"""The texts of TIRx layouts: TVM's form, which is Python over the names of `tirx.layout`, and the short notation."""

from __future__ import annotations

from tilewright.layout.axes import MEMORY, Axis
from tilewright.tirx.iters import Iters, Parts, Terms, terms


def python_text(parts: Parts) -> str:
    """`TileLayout(S[(8, 4):(4 @ laneid, 1)] + 5 @ warpid)`: as TVM prints it, without its `T.` and `Axis.`."""
    if parts.shard or parts.replica:
        return f"TileLayout({spec_text(parts)})"
    offset = ", ".join(f'"{axis.name}": {value}' for axis, value in parts.offset)
    return f"TileLayout.from_iters({f'offset={{{offset}}}' if offset else ''})"


def spec_text(parts: Parts) -> str:
    """`S[(8, 4):(4 @ laneid, 1)] + R[2:4 @ warpid] + (3 @ laneid + 5)`; `m` is not written."""
    pieces = [_builder(letter, iters) for letter, iters in (("S", parts.shard), ("R", parts.replica)) if iters]
    return " + ".join([*pieces, *([_sum(parts.offset)] if parts.offset else [])])


def notation(parts: Parts) -> str:
    """`S[(8,4):(4@laneid,1)] + R[2:4@warpid] + 3@laneid + 5`: the notation that `tilewright.parse` reads."""
    pieces = [_short("S", parts.shard)] + ([_short("R", parts.replica)] if parts.replica else [])
    return " + ".join([*pieces, *(_at(value, axis, "@") for axis, value in parts.offset)])


def _builder(letter: str, iters: Iters) -> str:
    strides = [_sum(terms(it.stride, it.axis)) for it in iters]
    if len(iters) == 1:
        return f"{letter}[{iters[0].extent}:{strides[0]}]"
    return f"{letter}[({', '.join(str(it.extent) for it in iters)}):({', '.join(strides)})]"


def _short(letter: str, iters: Iters) -> str:
    strides = ["+".join(_at(v, axis, "@") for axis, v in terms(it.stride, it.axis)) for it in iters]
    if len(iters) == 1:
        return f"{letter}[{iters[0].extent}:{strides[0]}]"
    return f"{letter}[({','.join(str(it.extent) for it in iters)}):({','.join(strides)})]"


def _sum(items: Terms) -> str:
    text = " + ".join(_at(value, axis, " @ ") for axis, value in sorted(items, key=lambda item: item[0].name))
    return f"({text})" if len(items) > 1 else text


def _at(value: int, axis: Axis, at: str) -> str:
    return str(int(value) if isinstance(value, int) else value) if axis.name == MEMORY else f"{value}{at}{axis.name}"
