"""Two numbers in one word: CUDA's `float2` as a uint64, PTX's `f32x2`, `f16x2` and `bf16x2`, the first number below.

What is done to each of the two is one operation, rounded once; words are taken apart and put together around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.pairs import PAIRS, PairOp
from tilewright.lang.bits import seen
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.words import Row, Words

_FLOAT, _WORD, _BYTE4 = dtype("float32"), dtype("uint64"), dtype("uint32")
HALVES: Mapping[str, DType] = {"f32x2": _FLOAT, "f16x2": dtype("float16"), "bf16x2": dtype("bfloat16")}
SIGNS: Mapping[str, str] = {"add": "+", "sub": "-", "mul": "*"}
_TO_BFLOAT16, _TO_E4M3 = PAIRS["rn.bf16x2.f32"], PAIRS["rn.satfinite.e4m3x2.f32"]


def _number(t: Tracer, value: Value, kind: DType, name: str) -> SSAValue:
    if type(value) in (int, float):
        return as_element(t, value, kind)
    if isinstance(value, SSAValue) and is_element(value) and element_dtype(value.type) == kind:
        return value
    raise KernelError(f"{name} takes a {kind}, got {show(value)}")


def halves(t: Tracer, word: Value, kind: DType, name: str) -> tuple[SSAValue, SSAValue]:
    """The two numbers of a word, the lower one first.

    Raises:
        KernelError: it is no word of so many bits.
    """
    whole = _number(t, word, dtype(f"uint{2 * kind.bits}"), name)
    upper = t.elements.binary(">>", whole, t.elements.constant(kind.bits, element_dtype(whole.type)))
    low, high = (t.elements.cast(part, dtype(f"uint{kind.bits}")) for part in (whole, upper))
    return seen(t, low, kind, name), seen(t, high, kind, name)


def joined(t: Tracer, low: SSAValue, high: SSAValue) -> SSAValue:
    """The word of two numbers of one type."""
    kind = element_dtype(low.type)
    wide, bits = dtype(f"uint{2 * kind.bits}"), dtype(f"uint{kind.bits}")
    lower, upper = (t.elements.cast(seen(t, part, bits, "a word"), wide) for part in (low, high))
    shifted = t.elements.binary("<<", upper, t.elements.constant(kind.bits, wide))
    return t.elements.binary("|", shifted, lower)


# ---- CUDA's functions


def _make_float2(t: Tracer, x: Value, y: Value) -> SSAValue:
    return joined(t, *(_number(t, value, _FLOAT, "T.cuda.make_float2") for value in (x, y)))


def _part(name: str, number: int) -> Builder:
    def build(t: Tracer, p: Value) -> SSAValue:
        return halves(t, p, _FLOAT, f"T.cuda.{name}")[number]

    return build


def _both(sign: str, name: str) -> Builder:
    def build(t: Tracer, a: Value, b: Value) -> SSAValue:
        sides = [halves(t, word, _FLOAT, f"T.cuda.{name}") for word in (a, b)]
        low, high = (t.elements.binary(sign, left, right) for left, right in zip(*sides, strict=True))
        return joined(t, low, high)

    return build


def _to_bfloat16s(t: Tracer, v0: Value, v1: Value) -> SSAValue:
    given = [_number(t, value, _FLOAT, "T.cuda.float22bfloat162_rn") for value in (v1, v0)]
    return t.insert(PairOp(_TO_BFLOAT16, given)).results[0]


def _float2_to_bfloat16s(t: Tracer, p: Value) -> SSAValue:
    low, high = halves(t, p, _FLOAT, "T.cuda.float22bfloat162_rn_from_float2")
    return t.insert(PairOp(_TO_BFLOAT16, [high, low])).results[0]


def _bfloat16s_to_float2(t: Tracer, p: Value) -> SSAValue:
    found = halves(t, p, HALVES["bf16x2"], "T.cuda.bfloat1622float2")
    return joined(t, *(t.elements.cast(half, _FLOAT) for half in found))


def _to_bytes(t: Tracer, x: Value, y: Value, z: Value, w: Value) -> SSAValue:
    a, b, c, d = (_number(t, value, _FLOAT, "T.cuda.fp8x4_e4m3_from_float4") for value in (x, y, z, w))
    low, high = (t.elements.cast(t.insert(PairOp(_TO_E4M3, pair)).results[0], _BYTE4) for pair in ((b, a), (d, c)))
    return t.elements.binary("|", t.elements.binary("<<", high, t.elements.constant(16, _BYTE4)), low)


# ---- PTX's instructions


def _parts(t: Tracer, value: Value, words: Words, name: str) -> list[SSAValue]:
    kind = next((HALVES[word] for word in HALVES if word in words), None)
    return [_number(t, value, _FLOAT, name)] if kind is None else [*halves(t, value, kind, name)]


def _put(t: Tracer, dst: Value, name: str, found: list[SSAValue]) -> None:
    put = destination(t, dst, name)
    put(found[0] if len(found) == 1 else joined(t, *found))


def _of_two(sign: str, name: str) -> Callable[[Words], Builder]:
    def builder(words: Words) -> Builder:
        def build(t: Tracer, dst: Value, a: Value, b: Value) -> None:
            left, right = (_parts(t, value, words, name) for value in (a, b))
            _put(t, dst, name, [t.elements.binary(sign, x, y) for x, y in zip(left, right, strict=True)])

        return build

    return builder


def _fused(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, a: Value, b: Value, c: Value) -> None:
        given = [_parts(t, value, words, "fma") for value in (a, b, c)]
        _put(t, dst, "fma", [t.elements.fma(*numbers) for numbers in zip(*given, strict=True)])

    return build


def _negated(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, a: Value) -> None:
        _put(t, dst, "neg", [t.elements.negate(part) for part in _parts(t, a, words, "neg")])

    return build


def _rows(name: str, builder: Callable[[Words], Builder], what: str) -> list[Row]:
    one = Row.of(f"{name} f32", "rn ftz", builder, f"The register becomes {what}, rounded once.")
    both = "Of both numbers in a word, the register becomes"
    return [one, *(Row.of(f"{name} {kind}", "rn ftz", builder, f"{both} {what}.") for kind in HALVES)]


PAIRED: tuple[Function, ...] = (
    Function("cuda.make_float2", _make_float2, "Two float32s in a uint64, x below."),
    Function("cuda.float2_x", _part("float2_x", 0), "The lower one."),
    Function("cuda.float2_y", _part("float2_y", 1), "The upper one."),
    Function("cuda.fadd2_rn", _both("+", "fadd2_rn"), "The sums of both."),
    Function("cuda.fmul2_rn", _both("*", "fmul2_rn"), "The products of both."),
    Function("cuda.float22bfloat162_rn", _to_bfloat16s, "Two float32s as bfloat16s in a uint32, v0 below."),
    Function("cuda.float22bfloat162_rn_from_float2", _float2_to_bfloat16s, "The same of two in a uint64."),
    Function("cuda.bfloat1622float2", _bfloat16s_to_float2, "Two bfloat16s of a uint32 as float32s in a uint64."),
    Function("cuda.fp8x4_e4m3_from_float4", _to_bytes, "Four float32s as float8_e4m3fns in a uint32, x lowest."),
)
PAIRED_ROWS: tuple[Row, ...] = (
    *(row for name, sign in SIGNS.items() for row in _rows(name, _of_two(sign, name), f"a {sign} b")),
    *_rows("fma", _fused, "a * b + c"),
    *_rows("neg", _negated, "-a"),
)
