"""TIRx's and CUDA's names for what signs and other functions say: `T.And(a, b)` is `a and b` with both worked out."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.expressions import as_condition, binary, is_element, logic, select
from tilewright.lang.ordered import element_at
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show


def _logic(sign: str) -> Builder:
    def build(t: Tracer, a: Value, b: Value) -> Value:
        return logic(t, as_condition(t, a), as_condition(t, b), sign)

    return build


def _select(t: Tracer, condition: Value, true_value: Value, false_value: Value) -> Value:
    decided = as_condition(t, condition)
    if isinstance(decided, bool):
        return true_value if decided else false_value
    return select(t, decided, true_value, false_value)


def _ceiling(t: Tracer, a: Value, b: Value) -> Value:
    """-(-a // b)."""
    return binary(t, "-", 0, binary(t, "//", binary(t, "-", 0, a), b))


def _ldg(t: Tracer, addr: Value, element: Value) -> SSAValue:
    place, kind = element_at(frozenset(("global",)), addr, "T.cuda.ldg")
    if dtype(element) != kind.dtype:
        raise KernelError(f"T.cuda.ldg of a {dtype(element)} at {kind.dtype}s")
    return t.insert(LoadOp(place.buffer, place.indices)).results[0]


def _to_float(name: str, wanted: str) -> Builder:
    def build(t: Tracer, src: Value) -> SSAValue:
        if not isinstance(src, SSAValue) or not is_element(src) or element_dtype(src.type).name != wanted:
            raise KernelError(f"{name} takes a {wanted}, got {show(src)}")
        return t.elements.cast(src, dtype("float32"))

    return build


SPELLINGS: tuple[Function, ...] = (
    Function("And", _logic("&"), "Do both hold? Both are worked out."),
    Function("Or", _logic("|"), "Does one of both hold?"),
    Function("Select", _select, "One of two values; both are worked out."),
    Function("ceildiv", _ceiling, "The quotient of integers, rounded up."),
    Function("cuda.ldg", _ldg, "The element of that type in global memory."),
    Function("cuda.half2float", _to_float("T.cuda.half2float", "float16"), "The float16 as a float32."),
    Function("cuda.bfloat162float", _to_float("T.cuda.bfloat162float", "bfloat16"), "The bfloat16 as a float32."),
)
