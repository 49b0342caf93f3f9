"""Functions of numbers: those of floats, CUDA's faster ones, and PTX's approximate instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from xdsl.ir import Operation, SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.elements import integer_limits, kind_of
from tilewright.ir.core.functions import APPROXIMATE, FLOAT_FUNCTIONS, FloatFunction
from tilewright.ir.core.narrow import NARROW, SCALE
from tilewright.lang.expressions import is_element, same_type
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show, type_named
from tilewright.lang.words import Row, Words

_BY_NAME: Mapping[str, FloatFunction] = {row.name: row for row in FLOAT_FUNCTIONS}
_FLOAT = dtype("float32")
_LARGEST: Mapping[str, float] = {
    "float16": 65504.0,
    "bfloat16": (2 - 2.0**-7) * 2.0**127,
    "float32": (2 - 2.0**-23) * 2.0**127,
    "float64": (2 - 2.0**-52) * 2.0**1023,
}


def _float(value: Value, name: str) -> SSAValue:
    if not isinstance(value, SSAValue) or not is_element(value) or element_dtype(value.type).kind != "float":
        raise KernelError(f"{name} takes a float of the kernel, such as T.float32(x), got {show(value)}")
    return value


def _applied(t: Tracer, row: FloatFunction, name: str, given: tuple[Value, ...], fast: bool = False) -> SSAValue:
    values = [_float(value, name) for value in given] if row.count == 1 else [*same_type(t, *given)]
    kind_of(_float(values[0], name))
    make: Callable[..., Operation] = row.op
    return t.insert(make(*values, APPROXIMATE) if fast and row.fast else make(*values)).results[0]


def _function(row: FloatFunction, name: str, fast: bool = False) -> Builder:
    def one(t: Tracer, value: Value) -> SSAValue:
        return _applied(t, row, name, (_single(value, name) if fast else value,), fast)

    def two(t: Tracer, left: Value, right: Value) -> SSAValue:
        return _applied(t, row, name, (left, right))

    return one if row.count == 1 else two


def _single(value: Value, name: str) -> SSAValue:
    found = _float(value, name)
    if element_dtype(found.type) != _FLOAT:
        raise KernelError(f"{name} takes a float32, got {show(value)}")
    return found


def _fast_power(t: Tracer, left: Value, right: Value) -> SSAValue:
    name = "T.cuda.__powf"
    x, y = same_type(t, left, right)
    return _applied(t, _BY_NAME["pow"], name, (_single(x, name), y), fast=True)


def _sigmoid(t: Tracer, value: Value) -> SSAValue:
    """1 / (1 + exp(-x))."""
    given = _float(value, "T.sigmoid")
    element = element_dtype(given.type)
    one = t.elements.constant(1.0, element)
    power = _applied(t, _BY_NAME["exp"], "T.sigmoid", (t.elements.negate(given),))
    return t.elements.binary("/", one, t.elements.binary("+", one, power))


def _quotient(t: Tracer, x: Value, y: Value) -> SSAValue:
    left, right = same_type(t, x, y)
    return t.elements.binary("/", _single(left, "T.cuda.fdividef"), right)


def _infinity(t: Tracer, element: Value) -> SSAValue:
    return t.elements.constant(inf, _named(element, "T.infinity", floats=True))


def _extreme(name: str, sign: int) -> Builder:
    def build(t: Tracer, element: Value) -> SSAValue:
        kind = _named(element, name)
        most = NARROW[kind.name].maximum if kind.name in NARROW else _LARGEST.get(kind.name, inf)
        if kind.name == SCALE:
            return t.elements.constant((2.0**-127, most)[sign], kind)
        bounds = (-most, most) if kind.kind == "float" else integer_limits(kind)
        return t.elements.constant(bounds[sign], kind)

    return build


def _named(element: Value, name: str, floats: bool = False) -> DType:
    kind = type_named(element)
    if kind.kind not in (("float",) if floats else ("float", "int", "uint")):
        raise KernelError(f"{name} takes a type of {'floats' if floats else 'numbers'}, got {kind}")
    return kind


# ---- instructions of PTX


def _instruction(row: FloatFunction, ptx: str) -> Callable[[Words], Builder]:
    def builder(words: Words) -> Builder:
        def build(t: Tracer, dst: Value, x: Value) -> None:
            put = destination(t, dst, ptx)
            put(_applied(t, row, ptx, (_single(x, ptx),), fast=True))

        return build

    return builder


def _reciprocal(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, x: Value) -> None:
        put, value = destination(t, dst, "rcp"), _single(x, "rcp")
        put(t.elements.binary("/", t.elements.constant(1.0, _FLOAT), value))

    return build


_PTX = (
    ("ex2 approx f32", "exp2"),
    ("lg2 approx f32", "log2"),
    ("sin approx f32", "sin"),
    ("cos approx f32", "cos"),
    ("tanh approx f32", "tanh"),
    ("rsqrt approx f32", "rsqrt"),
    ("sqrt f32", "sqrt"),
)


def _instruction_row(words: str, name: str) -> Row:
    row = _BY_NAME[name]
    return Row.of(words, "ftz approx rn", _instruction(row, words.split()[0]), f"The register becomes: {row.effect}")


_FAST = [row for row in FLOAT_FUNCTIONS if row.fast and row.count == 1]
NUMBERS: tuple[Function, ...] = (
    *(Function(row.name, _function(row, f"T.{row.name}"), row.effect) for row in FLOAT_FUNCTIONS),
    Function("sigmoid", _sigmoid, "1 / (1 + exp(-value))."),
    *(
        Function(f"cuda.{row.fast}", _function(row, f"T.cuda.{row.fast}", fast=True), f"{row.effect} In fewer steps.")
        for row in _FAST
    ),
    Function("cuda.__powf", _fast_power, "The first to the power of the second, in fewer steps."),
    Function("cuda.fdividef", _quotient, "The quotient of float32s."),
    Function("infinity", _infinity, "The infinity of a type of floats."),
    Function("max_value", _extreme("T.max_value", 1), "The largest finite value of a type."),
    Function("min_value", _extreme("T.min_value", 0), "The lowest."),
)
NUMBER_ROWS: tuple[Row, ...] = (
    *(_instruction_row(*pair) for pair in _PTX),
    Row.of("rcp f32", "approx ftz rn", _reciprocal, "The register becomes 1 / x."),
)
