"""Functions of the bits of integers, by CUDA's and TIRx's names and PTX's; and elements seen as of another type."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.core.elements import kind_of
from tilewright.ir.core.narrow import is_converted
from tilewright.ir.tile.bits import BIT_FUNCTIONS, BitsOp
from tilewright.lang.expressions import as_element, binary, is_element
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show, type_named
from tilewright.lang.words import Row, Words

_WORD, _COUNT = dtype("uint32"), dtype("int32")


def _word(t: Tracer, value: Value, name: str, bits: int = 32) -> SSAValue:
    """An integer of so many bits as an unsigned one; a constant, or an index, becomes one."""
    if type(value) is int or is_index(value):
        if type(value) is int and not -(2 ** (bits - 1)) <= value < 2**bits:
            raise KernelError(f"{name} takes integers of {bits} bits, got {value}")
        return as_element(t, value % 2**bits if type(value) is int else value, dtype(f"uint{bits}"))
    element = element_dtype(value.type) if is_element(value) else None
    if not is_element(value) or element is None or element.kind not in ("int", "uint") or element.bits != bits:
        raise KernelError(f"{name} takes integers of {bits} bits, got {show(value)}")
    return t.elements.cast(value, dtype(f"uint{bits}"))


def _bits(t: Tracer, kind: str, words: list[SSAValue], table: int = 0) -> SSAValue:
    return t.insert(BitsOp(kind, words, table)).results[0]


def _of_one(kind: str, name: str, bits: int, result: DType) -> Callable[[Tracer, Value], SSAValue]:
    def build(t: Tracer, x: Value) -> SSAValue:
        return t.elements.cast(_bits(t, kind, [_word(t, x, name, bits)]), result)

    return build


def _of_its_type(kind: str, name: str) -> Builder:
    """The result has the type of the operand."""

    def build(t: Tracer, x: Value) -> SSAValue:
        if not is_element(x) or element_dtype(x.type).bits not in (32, 64):
            raise KernelError(f"{name} takes an integer of 32 or 64 bits, got {show(x)}")
        element = element_dtype(x.type)
        return t.elements.cast(_bits(t, kind, [_word(t, x, name, element.bits)]), element)

    return build


def _of_three(kind: str, name: str) -> Builder:
    def build(t: Tracer, x: Value, y: Value, s: Value) -> SSAValue:
        return _bits(t, kind, [_word(t, value, name) for value in (x, y, s)])

    return build


def _byte_perm(t: Tracer, x: Value, y: Value, s: Value) -> SSAValue:
    """CUDA looks at three bits of a digit, PTX at four."""
    words = [_word(t, value, "T.cuda.__byte_perm") for value in (x, y, s)]
    words[2] = t.elements.binary("&", words[2], t.elements.constant(0x7777, _WORD))
    return _bits(t, "prmt", words)


def _permuted(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, a: Value, b: Value, c: Value) -> None:
        put = destination(t, dst, "prmt")
        put(_bits(t, "prmt", [_word(t, value, "prmt") for value in (a, b, c)]))

    return build


def _lop3(t: Tracer, a: Value, b: Value, c: Value, immLut: Value) -> SSAValue:
    if type(immLut) is not int or not 0 <= immLut < 256:
        raise KernelError(f"the table of lop3 is a constant of eight bits, got {show(immLut)}")
    return _bits(t, "lop3", [_word(t, value, "lop3") for value in (a, b, c)], immLut)


def _looked_up(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, a: Value, b: Value, c: Value, immLut: Value) -> None:
        put = destination(t, dst, "lop3")
        put(_lop3(t, a, b, c, immLut))

    return build


def _counted(kind: str) -> Callable[[Words], Builder]:
    def builder(words: Words) -> Builder:
        bits = 64 if "b64" in words else 32
        result = _WORD if BIT_FUNCTIONS[kind].counts else dtype(f"uint{bits}")

        def build(t: Tracer, dst: Value, a: Value) -> None:
            put = destination(t, dst, kind)
            put(_of_one(kind, kind, bits, result)(t, a))

        return build

    return builder


def seen(t: Tracer, value: Value, element: DType, name: str) -> SSAValue:
    """The same bits as an element of another type."""
    if not is_element(value) or element_dtype(value.type).bits != element.bits:
        raise KernelError(f"{name} takes an element of {element.bits} bits, got {show(value)}")
    if not is_converted(element_dtype(value.type)):
        kind_of(value)
    given = t.elements.cast(value, _signed(value)) if element_dtype(value.type).kind == "uint" else value
    kind = element if element.kind != "uint" else dtype(f"int{element.bits}")
    found = given if given.type == ir_type(kind) else t.insert(arith.BitcastOp(given, ir_type(kind))).results[0]
    return t.elements.cast(found, element)


def _signed(value: SSAValue) -> DType:
    return dtype(f"int{element_dtype(value.type).bits}")


def _reinterpret(t: Tracer, dtype_: Value, value: Value) -> SSAValue:
    return seen(t, value, type_named(dtype_), "T.reinterpret")


def _as(element: str, name: str) -> Builder:
    def build(t: Tracer, bits: Value) -> SSAValue:
        given = _word(t, bits, name) if type(bits) is int else bits
        return seen(t, given, dtype(element), name)

    return build


def _sign(sign: str) -> Builder:
    def build(t: Tracer, x: Value, y: Value) -> Value:
        return binary(t, sign, x, y)

    return build


_SIGNS = (
    ("bitwise_and", "&"),
    ("bitwise_or", "|"),
    ("bitwise_xor", "^"),
    ("shift_left", "<<"),
    ("shift_right", ">>"),
    ("floordiv", "//"),
    ("floormod", "%"),
)
_SEEN = (
    ("__uint_as_float", "float32"),
    ("uint_as_float", "float32"),
    ("__int_as_float", "float32"),
    ("__float_as_uint", "uint32"),
    ("float_as_uint", "uint32"),
    ("__float_as_int", "int32"),
)
_COUNTS = [kind for kind, row in BIT_FUNCTIONS.items() if row.count == 1]
_FUNNELS = [(kind, row.cuda) for kind, row in BIT_FUNCTIONS.items() if kind.startswith("shf")]


def _result(kind: str, bits: int) -> DType:
    return _COUNT if BIT_FUNCTIONS[kind].counts else dtype(f"uint{bits}")


BITS: tuple[Function, ...] = (
    Function("popcount", _of_its_type("popc", "T.popcount"), BIT_FUNCTIONS["popc"].effect),
    Function("clz", _of_its_type("clz", "T.clz"), BIT_FUNCTIONS["clz"].effect),
    Function("ffs", _of_its_type("ffs", "T.ffs"), BIT_FUNCTIONS["ffs"].effect),
    Function("prmt", _of_three("prmt", "T.prmt"), BIT_FUNCTIONS["prmt"].effect),
    Function("lop3", _lop3, BIT_FUNCTIONS["lop3"].effect),
    *(
        Function(
            f"cuda.__{kind}{end}", _of_one(kind, f"T.cuda.__{kind}{end}", bits, _result(kind, bits)), row.effect + more
        )
        for kind in _COUNTS
        for row in (BIT_FUNCTIONS[kind],)
        for end, bits, more in (("", 32, ""), ("ll", 64, " Of 64 bits."))
    ),
    Function("cuda.ffs_u32", _of_one("ffs", "T.cuda.ffs_u32", 32, _COUNT), BIT_FUNCTIONS["ffs"].effect),
    Function("cuda.__byte_perm", _byte_perm, BIT_FUNCTIONS["prmt"].effect),
    *(
        Function(f"cuda.{name}", _of_three(kind, f"T.cuda.{name}"), BIT_FUNCTIONS[kind].effect)
        for kind, name in _FUNNELS
    ),
    Function("reinterpret", _reinterpret, "The same bits as an element of another type."),
    *(Function(f"cuda.{name}", _as(to, f"T.cuda.{name}"), f"The same bits as a {to}.") for name, to in _SEEN),
    *(Function(name, _sign(sign), f"x {sign} y.") for name, sign in _SIGNS),
)
BIT_ROWS: tuple[Row, ...] = (
    *(Row.of(kind, "b32 b64", _counted(kind), BIT_FUNCTIONS[kind].effect) for kind in _COUNTS if kind != "ffs"),
    Row.of("prmt b32", "", _permuted, BIT_FUNCTIONS["prmt"].effect),
    Row.of("lop3 b32", "", _looked_up, BIT_FUNCTIONS["lop3"].effect),
)
