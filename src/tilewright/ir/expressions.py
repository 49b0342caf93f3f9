"""Expressions of the script printer: values as Python text, with parentheses only where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from tilewright.ir import tile
from tilewright.ir.effects import is_pure, reads_past
from tilewright.ir.index import KINDS
from tilewright.ir.ranges import constant_of
from tilewright.ir.types import element_dtype

# Binding strength in Python, higher binds tighter. Operands of the bitwise signs are put in parentheses whenever
# they are compound, as readers expect.
_STRENGTH = {"<": 1, "|": 2, "^": 3, "&": 4, "<<": 5, ">>": 5, "+": 6, "-": 6, "*": 7, "/": 7, "//": 7, "%": 7}
_ATOM = 9
_BITWISE = frozenset(["&", "|", "^", "<<", ">>"])
_SIGNS: dict[type[Operation], str] = {
    **{kind.op: kind.sign for kind in KINDS},
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
    arith.FloorDivSIOp: "//",
    arith.ShRSIOp: ">>",
}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_FLOAT_COMPARISONS = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
_CALLS: dict[type[Operation], str] = {
    arith.MinSIOp: "T.min",
    arith.MaxSIOp: "T.max",
    arith.MinUIOp: "T.min",
    arith.MaxUIOp: "T.max",
    arith.MinimumfOp: "T.min",
    arith.MaximumfOp: "T.max",
}
_CASTS = (
    arith.IndexCastOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
    arith.ExtFOp,
    arith.TruncFOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.TruncIOp,
)


class Expressions:
    """The text of values; each value that needs a name gets one, made from its hint, once."""

    def __init__(self) -> None:
        self._names: dict[SSAValue, str] = {}
        self._taken: set[str] = set()

    def name(self, value: SSAValue) -> str:
        """The value's name."""
        if value not in self._names:
            hint = stem = value.name_hint or "v"
            number = 0
            while hint in self._taken:
                number += 1
                hint = f"{stem}_{number}"
            self._names[value] = hint
            self._taken.add(hint)
        return self._names[value]

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names given within are free again afterwards."""
        taken = set(self._taken)
        yield
        self._taken = taken

    def inlined(self, load: Operation) -> bool:
        """Is the load shown where its value is used?"""
        op, value = load, load.results[0]
        while (use := value.get_user_of_unique_use()) is not None:
            op = use
            if not is_pure(op) or len(op.results) != 1:
                break
            value = op.results[0]
        return op is not load and not reads_past(load, op)

    def of(self, value: SSAValue, around: int = 0) -> str:
        """The value as an expression, in parentheses if it binds no tighter than `around`."""
        text, strength = self._tree(value)
        return f"({text})" if strength <= around else text

    def element(self, buffer: SSAValue, indices: Any) -> str:
        """`buffer[indices]`; the storage of a buffer bears the buffer's name."""
        owner = buffer.owner
        named = owner.buffer if isinstance(owner, tile.StorageOp) else buffer
        return f"{self.name(named)}[{', '.join(map(self.of, indices))}]"

    def region(self, region: tile.RegionOp) -> str:
        """`buffer[start:stop, ...]`."""
        ranges = map(self._range, region.starts, region.result.type.shape)
        return f"{self.name(region.buffer)}[{', '.join(ranges)}]"

    def _range(self, start: SSAValue | int, extent: int) -> str:
        if isinstance(start, int):
            return f"{start}:{start + extent}"
        return self.of(start) if extent == 1 else f"{self.of(start)}:{self.of(start, 6)} + {extent}"

    def _tree(self, value: SSAValue) -> tuple[str, int]:
        op = value.owner
        if isinstance(op, Operation) and (value not in self._names):
            sign = _SIGNS.get(type(op))
            if sign:
                return self._binary(sign, *op.operands)
            shown = _LEAVES.get(type(op))
            if shown:
                return shown(self, op)
        return self.name(value), _ATOM

    def _binary(self, sign: str, left: SSAValue, right: SSAValue) -> tuple[str, int]:
        strength = _STRENGTH[sign]
        if sign in _BITWISE:
            return f"{self.of(left, _ATOM - 1)} {sign} {self.of(right, _ATOM - 1)}", strength
        return f"{self.of(left, strength - 1)} {sign} {self.of(right, strength)}", strength


def _constant(show: Expressions, op: arith.ConstantOp) -> tuple[str, int]:
    if isinstance(op.value, IntegerAttr) and op.value.type == IntegerType(1):
        return str(bool(op.value.value.data)), _ATOM
    value = op.value.value.data if isinstance(op.value, FloatAttr) else constant_of(op.result)
    text = repr(value)
    if isinstance(op.value, FloatAttr) and not text[-1].isdigit():
        return f'float("{text}")', _ATOM
    return text, 6 if text.startswith("-") else _ATOM


def _compare(show: Expressions, op: Any) -> tuple[str, int]:
    number = op.predicate.value.data
    sign = _COMPARISONS[number] if isinstance(op, arith.CmpiOp) else _FLOAT_COMPARISONS.get(number, "?")
    return f"{show.of(op.lhs, 1)} {sign} {show.of(op.rhs, 1)}", 1


def _select(show: Expressions, op: arith.SelectOp) -> tuple[str, int]:
    return f"{show.of(op.lhs, 0)} if {show.of(op.cond, 0)} else {show.of(op.rhs, 0)}", 0


def _call(show: Expressions, op: Operation) -> tuple[str, int]:
    return f"{_CALLS[type(op)]}({', '.join(map(show.of, op.operands))})", _ATOM


def _cast(show: Expressions, op: Operation) -> tuple[str, int]:
    return f'T.cast({show.of(op.operands[0])}, "{_type_name(op.results[0])}")', _ATOM


def _type_name(value: SSAValue) -> str:
    return "index" if str(value.type) == "index" else str(element_dtype(value.type))


def _negate(show: Expressions, op: arith.NegfOp) -> tuple[str, int]:
    return f"-{show.of(op.operand, 7)}", 7


def _thread(show: Expressions, op: gpu.ThreadIdOp) -> tuple[str, int]:
    return f"t{op.dimension.data}", _ATOM


def _block(show: Expressions, op: gpu.BlockIdOp) -> tuple[str, int]:
    return f"b{op.dimension.data}", _ATOM


def _load(show: Expressions, op: Any) -> tuple[str, int]:
    buffer = op.buffer if isinstance(op, tile.LoadOp) else op.memref
    return show.element(buffer, op.indices), _ATOM


_LEAVES: dict[type[Operation], Callable[[Expressions, Any], tuple[str, int]]] = {
    arith.ConstantOp: _constant,
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare,
    arith.SelectOp: _select,
    arith.NegfOp: _negate,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
    tile.LoadOp: _load,
    memref.LoadOp: _load,
    **dict.fromkeys(_CALLS, _call),
    **dict.fromkeys(_CASTS, _cast),
}
