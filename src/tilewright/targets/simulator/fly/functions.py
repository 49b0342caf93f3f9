"""Functions of numbers, and of vectors element by element: of floats worked out in binary64 and rounded once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from types import MappingProxyType

import numpy as np
from xdsl.dialects import arith, vector
from xdsl.dialects import math as mlir
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from tilewright.dtypes import DType
from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.rounding import rounded
from tilewright.targets.simulator.fly.arithmetic import elements_of
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.fly.values import Vector
from tilewright.targets.simulator.memory.access import Array, Number
from tilewright.targets.simulator.ops.arithmetic import EXTREMES
from tilewright.targets.simulator.ops.functions import REAL
from tilewright.targets.simulator.ops.fused import fma
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

Function = Callable[..., Array]


# What floats are.
_ASKED: Mapping[str, Callable[[Array, DType], Array]] = MappingProxyType(
    {
        "isnan": lambda x, _: np.isnan(x),
        "isinf": lambda x, _: np.isinf(x),
        "isfinite": lambda x, _: np.isfinite(x),
        "isnormal": lambda x, kind: np.isfinite(x) & (np.abs(x) >= float(np.finfo(kind.numpy()).tiny)),
    }
)


def _ones(x: Array) -> Array:
    return np.asarray(np.bitwise_count(_bits(x)))


def _leading(x: Array) -> Array:
    """The zeros before the first one."""
    for step in (1, 2, 4, 8, 16, 32)[: (8 * x.itemsize).bit_length() - 1]:
        x = x | _bits(x) >> step
    return 8 * x.itemsize - _ones(x)


def _bits(x: Array) -> Array:
    return x.view(f"u{x.itemsize}") if x.dtype.kind == "i" else x


def _to_the(base: Array, power: Array) -> Array:
    """Whole powers, which wrap; those below 0 are 0 but of 1 and -1, and of 0 they are 0."""
    with np.errstate(all="ignore"):
        up: Array = np.power(base, np.maximum(power, 0))
    down = np.where(base == 1, 1, np.where(base == -1, np.where(power % 2, -1, 1), 0))
    return np.where(power >= 0, up, down)


_WHOLE: Mapping[str, Function] = MappingProxyType(
    {
        "absi": np.abs,
        "ctpop": _ones,
        "ctlz": lambda x: _leading(_bits(x)),
        "cttz": lambda x: _ones(_bits(~x & (x - 1))),
        "ipowi": _to_the,
    }
)


def real_function(function: Function) -> Handler:
    """The handler of an op that works out a function of floats."""
    return _handler(_real(function))


def function_of(name: str) -> Handler | None:
    """The handler of the op of `math` of that name."""
    if name in REAL:
        return _handler(_real(REAL[name]))
    if name in _ASKED:
        asked = _ASKED[name]
        return _handler(lambda op: lambda x: asked(x, element_dtype(elements_of(op.operands[0].type))))
    if name in _WHOLE:
        whole = _WHOLE[name]
        return _handler(lambda op: lambda *values: whole(*values).astype(_kind(op).numpy()))
    return None


def _kind(op: Operation) -> DType:
    return element_dtype(elements_of(op.results[0].type))


def _real(function: Function) -> Callable[[Operation], Function]:
    def made(op: Operation) -> Function:
        kind = _kind(op)
        return lambda *values: rounded(np.asarray(function(*(x.astype(np.float64) for x in values)), np.float64), kind)

    return made


def _handler(made: Callable[[Operation], Function]) -> Handler:
    """The handler of an op that makes one element of those of its operands."""

    def handle(compiler: Compiler, op: Operation) -> Step:
        function, slots, result = made(op), list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
        whole = isinstance(op.results[0].type, VectorType)

        def step(frame: Frame) -> None:
            found = function(*(np.asarray(given(frame, op, frame.values[slot])) for slot in slots))
            frame.values[result] = Vector(found) if whole else found

        return step

    return handle


def _fused(_op: Operation) -> Function:
    return lambda a, b, c: np.asarray(fma(a, b, c))


# ---- reductions

_REDUCED: Mapping[str, Function] = MappingProxyType(
    {
        "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum,
        "minimumf": EXTREMES[arith.MinimumfOp], "maximumf": EXTREMES[arith.MaximumfOp],
        "minnumf": EXTREMES[arith.MinnumfOp], "maxnumf": EXTREMES[arith.MaxnumfOp],
        "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "minui": np.minimum, "maxui": np.maximum,
    }
)  # fmt: skip


def _reduction(compiler: Compiler, op: vector.ReductionOp) -> Step:
    """One element after the other, in their order, behind what is given to begin with."""
    word = str(op.kind.data.value if hasattr(op.kind.data, "value") else op.kind.data)
    function, slots, result = _REDUCED.get(word), list(map(compiler.slot, op.operands)), compiler.slot(op.dest)
    if function is None:
        raise CompileError(f"the reduction {word} is not simulated; there are {', '.join(_REDUCED)}\n{where(op)}")
    kind = _kind(op).numpy()
    seen = _bits if word in ("minui", "maxui") else np.asarray

    def step(frame: Frame) -> None:
        elements = list(np.asarray(given(frame, op, frame.values[slots[0]])))
        start: list[Number] = [np.asarray(frame.values[slot]) for slot in slots[1:]]
        frame.values[result] = np.asarray(reduce(function, [seen(np.asarray(x)) for x in (*start, *elements)])).view(
            kind
        )

    return step


FUNCTION_HANDLERS: Mapping[type[Operation], Handler] = {
    **{op: handler for op in mlir.Math.operations if (handler := function_of(op.name.removeprefix("math.")))},
    vector.FMAOp: _handler(_fused),
    vector.ReductionOp: _reduction,
}
