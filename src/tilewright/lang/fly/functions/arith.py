"""`fx.arith`: arithmetic by name, on numbers and vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, overload

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, SSAValue

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.number import of_ssa
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric, numeric_type, scalar
from tilewright.lang.core.numerics.types import Index
from tilewright.lang.core.numerics.vector import Vector

__all__ = [
    "AddFOp",
    "ArithValue",
    "CmpFPredicate",
    "CmpIPredicate",
    "IndexCastOp",
    "MaxUIOp",
    "MulIOp",
    "TruncIOp",
    "addf",
    "addi",
    "andi",
    "bitcast",
    "ceildiv",
    "cmpf",
    "cmpi",
    "constant",
    "constant_vector",
    "current_fastmath",
    "divf",
    "divsi",
    "divui",
    "ext_f",
    "extf",
    "extsi",
    "extui",
    "fastmath",
    "fptosi",
    "index",
    "index_cast",
    "maximumf",
    "maxnumf",
    "maxsi",
    "maxui",
    "minimumf",
    "minnumf",
    "minsi",
    "minui",
    "mulf",
    "muli",
    "ori",
    "remsi",
    "remui",
    "resolve_fastmath",
    "select",
    "shli",
    "shrsi",
    "shrui",
    "sitofp",
    "subf",
    "subi",
    "trunc_f",
    "truncf",
    "trunci",
    "unwrap",
    "xori",
]

Value: TypeAlias = "Numeric | Vector"
ValueLike: TypeAlias = "NumericLike | Vector"


class _Lifting(type):
    """`ArithValue(v)` is v as a number or vector; both are instances of it."""

    def __call__(cls, v: object, signed: bool | None = None) -> Value:
        return _lifted(v).with_signedness(signed)

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Numeric | Vector)


class ArithValue(metaclass=_Lifting):
    """What has Python's operators: numbers and vectors. `ArithValue(v, signed=True)` reads integers with a sign."""


def _lifted(value: object) -> Value:
    if isinstance(value, Vector):
        return value
    if isinstance(value, SSAValue):
        return Vector(value) if isinstance(value.type, VectorType) else scalar(of_ssa(value))
    return as_numeric(value)


def binary(sign: str, lhs: object, rhs: object) -> Value:
    """An operator between two numbers or vectors."""
    a, b = _lifted(lhs), _lifted(rhs)
    if isinstance(a, Vector):
        return a._binary(sign, b)
    return b._reflected(sign, a) if isinstance(b, Vector) else as_numeric(a._binary(sign, b))


def _operator(name: str, sign: str, words: str, kinds: str = "") -> Callable[..., Value]:
    def function(lhs: ValueLike, rhs: ValueLike, *, fastmath: object = None) -> Value:
        a, b = _lifted(lhs), _lifted(rhs)
        if kinds == "unsigned":
            a, b = (_unsigned(x) for x in (a, b))
            return _signed(binary(sign, a, b))
        return binary(sign, a, b)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{words}."
    return function


def _unsigned(value: Value) -> Value:
    element = value.dtype.element
    return value.bitcast(numeric_type(f"u{element.name}")) if element.kind == "int" and element.bits > 4 else value


def _signed(value: Value) -> Value:
    name = value.dtype.element.name
    return value.bitcast(numeric_type(name.removeprefix("u"))) if value.dtype.element.kind == "uint" else value


addf = _operator("addf", "+", "The sum")
subf = _operator("subf", "-", "The difference")
mulf = _operator("mulf", "*", "The product")
divf = _operator("divf", "/", "The quotient")
addi = _operator("addi", "+", "The sum")
subi = _operator("subi", "-", "The difference")
muli = _operator("muli", "*", "The product")
andi = _operator("andi", "&", "The bits that both have")
ori = _operator("ori", "|", "The bits that either has")
xori = _operator("xori", "^", "The bits that one has")
shli = _operator("shli", "<<", "The bits moved up")
shrsi = _operator("shrsi", ">>", "The bits moved down, with the sign")
remsi = _operator("remsi", "%", "The remainder, with the sign of the dividend")
divui = _operator("divui", "//", "The quotient of bits read without a sign", "unsigned")
remui = _operator("remui", "%", "The remainder of bits read without a sign", "unsigned")
minsi = _operator("minsi", "min", "The smaller one")
maxsi = _operator("maxsi", "max", "The larger one")
minui = _operator("minui", "min", "The smaller one of bits read without a sign", "unsigned")
maxui = _operator("maxui", "max", "The larger one of bits read without a sign", "unsigned")


def divsi(lhs: ValueLike, rhs: ValueLike) -> Value:
    """The quotient without its fraction, as C has it.

    >>> divsi(-7, 2)
    Int32(-3)
    """
    return binary("//", subi(lhs, remsi(lhs, rhs)), rhs)


def shrui(value: ValueLike, amount: ValueLike, *, is_exact: bool = False) -> Value:
    """The bits moved down, zeros behind them."""
    found = _lifted(value)
    return _signed(binary(">>", _unsigned(found), _unsigned(_lifted(amount))))


def maximumf(a: ValueLike, b: ValueLike, *, fastmath: object = None) -> Value:
    """The larger one; a NaN where one is."""
    return binary("max", a, b)


def minimumf(a: ValueLike, b: ValueLike, *, fastmath: object = None) -> Value:
    """The smaller one; a NaN where one is."""
    return binary("min", a, b)


def _number_of_two(sign: str, a: ValueLike, b: ValueLike) -> Value:
    """The larger or smaller one; where one is a NaN, the other."""
    x, y = _lifted(a), _lifted(b)
    found = binary(sign, x, y)
    if not found.dtype.element.is_float:
        return found
    x, y = (z.to(found.dtype) for z in (x, y))
    return select(binary("!=", x, x), y, select(binary("!=", y, y), x, found))


def maxnumf(a: ValueLike, b: ValueLike, *, fastmath: object = None) -> Value:
    """The larger one; where one is a NaN, the other."""
    return _number_of_two("max", a, b)


def minnumf(a: ValueLike, b: ValueLike, *, fastmath: object = None) -> Value:
    """The smaller one; where one is a NaN, the other."""
    return _number_of_two("min", a, b)


def _flattened(operands: tuple[object, ...]) -> list[object]:
    return [x for part in operands for x in (_flattened(tuple(part)) if isinstance(part, list | tuple) else [part])]


def _extreme(sign: str, operands: tuple[object, ...]) -> Value:
    items = _flattened(operands)
    if not items:
        raise KernelError("max and min take at least one number")
    found = _lifted(items[0])
    for item in items[1:]:
        found = binary(sign, found, _lifted(item))
    return found


@overload
def max(*operands: NumericLike, fastmath: object = None) -> Numeric: ...
@overload
def max(*operands: ValueLike, fastmath: object = None) -> Value: ...
def max(*operands: ValueLike, fastmath: object = None) -> Value:
    """The largest of numbers or vectors; a NaN where one is.

    >>> from tilewright.lang.core.numerics.types import Int32
    >>> max(Int32(3), 7, [2, 5])
    Int32(7)
    """
    return _extreme("max", operands)


@overload
def min(*operands: NumericLike, fastmath: object = None) -> Numeric: ...
@overload
def min(*operands: ValueLike, fastmath: object = None) -> Value: ...
def min(*operands: ValueLike, fastmath: object = None) -> Value:
    """The smallest of numbers or vectors; a NaN where one is."""
    return _extreme("min", operands)


def ceildiv(lhs: NumericLike, rhs: NumericLike) -> Numeric:
    """The quotient rounded up.

    >>> ceildiv(7, 2)
    Int32(4)
    """
    a, b = as_numeric(lhs), as_numeric(rhs)
    down = as_numeric(a // b)
    return as_numeric(down + as_numeric(as_numeric(down * b) != a).to(down.dtype))


def select(condition: ValueLike, true_value: ValueLike, false_value: ValueLike) -> Value:
    """One of two, by a condition, element by element."""
    asked, yes, no = _lifted(condition), _lifted(true_value), _lifted(false_value)
    number = operators.select(asked.number, yes.number, no.number)
    shaped = next((x for x in (asked, yes, no) if isinstance(x, Vector)), None)
    return scalar(number) if shaped is None else Vector.of(number, shaped.shape)


PREDICATES = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">=", "oeq": "==", "une": "!=",
              "olt": "<", "ole": "<=", "ogt": ">", "oge": ">="}  # fmt: skip
UNSIGNED = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}


def cmpi(predicate: object, lhs: ValueLike, rhs: ValueLike) -> Value:
    """The truth of a comparison of integers: `eq ne slt sle sgt sge ult ule ugt uge`."""
    word = _word(predicate)
    a, b = _lifted(lhs), _lifted(rhs)
    if word in UNSIGNED:
        return binary(UNSIGNED[word], _unsigned(a), _unsigned(b))
    if word not in PREDICATES:
        raise KernelError(f"cmpi asks one of eq ne slt sle sgt sge ult ule ugt uge, got {shown(predicate)}")
    return binary(PREDICATES[word], a, b)


def cmpf(predicate: object, lhs: ValueLike, rhs: ValueLike) -> Value:
    """The truth of a comparison of floats: `oeq une olt ole ogt oge`."""
    word = _word(predicate)
    if word not in PREDICATES:
        raise KernelError(f"cmpf asks one of oeq une olt ole ogt oge, got {shown(predicate)}")
    return binary(PREDICATES[word], lhs, rhs)


def _word(predicate: object) -> str:
    return str(getattr(predicate, "name", predicate)).lower()


# ---- as another type


def _converted(kind: object, value: ValueLike) -> Value:
    found = _lifted(value)
    element = kind.element_type if isinstance(kind, VectorType) else kind
    return found.to(numeric_type(element))


def _cast(name: str, words: str) -> Callable[[object, ValueLike], Value]:
    def function(target_type: object, value: ValueLike) -> Value:
        return _converted(target_type, value)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{words}; the type may be that of a vector."
    return function


trunc_f = _cast("trunc_f", "A float rounded to a narrower type")
truncf = _cast("truncf", "A float rounded to a narrower type")
ext_f = _cast("ext_f", "A float as one of a wider type")
extf = _cast("extf", "A float as one of a wider type")
index_cast = _cast("index_cast", "An integer as an index, or an index as an integer")
trunci = _cast("trunci", "The low bits of an integer")
extsi = _cast("extsi", "An integer as one of a wider type")
sitofp = _cast("sitofp", "An integer as a float")
fptosi = _cast("fptosi", "A float as an integer, without its fraction")


def extui(target_type: object, value: ValueLike) -> Value:
    """An integer's bits as one of a wider type, zeros before them; the type may be that of a vector."""
    return _converted(target_type, _unsigned(_lifted(value)))


@dataclass(frozen=True)
class _Op:
    """What MLIR's bindings give for an op."""

    result: Value


def _op(name: str, does: Callable[..., Value]) -> Callable[..., _Op]:
    def function(*operands: object, **named: object) -> _Op:
        return _Op(does(*operands, **named))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{does.__name__}` as an op, whose `.result` it is."
    return function


AddFOp = _op("AddFOp", addf)
MulIOp = _op("MulIOp", muli)
MaxUIOp = _op("MaxUIOp", maxui)
TruncIOp = _op("TruncIOp", trunci)
IndexCastOp = _op("IndexCastOp", index_cast)


def bitcast(type: object, value: ValueLike) -> Value:
    """The same bits as another type."""
    element = type.element_type if isinstance(type, VectorType) else type
    return _lifted(value).bitcast(numeric_type(element))


def constant(value: bool | int | float, *, type: object = None, index: bool = False) -> Numeric:
    """A known number, of the type of such a literal, or of another one."""
    if index:
        return Index(value)
    return as_numeric(value) if type is None else numeric_type(type)(value)


def index(value: int) -> Index:
    """A known index."""
    return Index(value)


def constant_vector(element_value: bool | int | float, vector_type: Attribute) -> Vector:
    """A vector of one known number."""
    if not isinstance(vector_type, VectorType):
        raise KernelError(f"constant_vector takes a type such as T.vec(4, T.f32), got {shown(vector_type)}")
    return Vector.filled(tuple(vector_type.get_shape()), element_value, numeric_type(vector_type.element_type))


def unwrap(val: ValueLike, *, type: object = None, index: bool = False) -> Value:
    """The value as one of run time."""
    if index:
        return Index(as_numeric(val))
    found = _lifted(val)
    return found if type is None else found.to(numeric_type(type))


def _to_raw(v: ValueLike) -> Value:
    """The value as one of run time."""
    return _lifted(v)


_FASTMATH: ContextVar[object] = ContextVar("tilewright_fastmath", default=None)


@contextmanager
def fastmath(flags: object) -> Iterator[None]:
    """What a compiler may assume of floats within; here arithmetic is exact whatever it may."""
    token = _FASTMATH.set(flags)
    try:
        yield
    finally:
        _FASTMATH.reset(token)


def current_fastmath() -> object:
    """What the enclosing `fastmath` says, or None."""
    return _FASTMATH.get()


def resolve_fastmath(explicit: object) -> object:
    """What is said, or else what the enclosing `fastmath` says."""
    return current_fastmath() if explicit is None else explicit


class CmpIPredicate(Enum):
    """How integers are compared."""

    eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge = range(10)


class CmpFPredicate(Enum):
    """How floats are compared."""

    AlwaysFalse, OEQ, OGT, OGE, OLT, OLE, ONE, ORD, UEQ, UGT, UGE, ULT, ULE, UNE, UNO, AlwaysTrue = range(16)
