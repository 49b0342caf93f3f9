"""Integers of a FlyDSL dump: `arith` for all threads at once."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from tilewright.dumps.fly.values import Missing, Number, Value, are_numbers, is_number
from tilewright.errors import LayoutError
from tilewright.ir.core.facts import BINARY, COMPARED, INTEGER_PREDICATES, SIGNED, UNSIGNED, Binary, Meaning
from tilewright.notation.ttgir_op import Op
from tilewright.numerals import integer

INDEX_BITS = 64
DATA = Missing("it depends on data")

# The integers of LLVM are those of `arith` under other names.
_LLVM = {
    **{f"llvm.{name}": f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor", "shl")},
    **{f"llvm.{sign}{name}": f"arith.{name}{sign}i" for name in ("div", "rem") for sign in "us"},
    **{f"llvm.intr.{sign}{name}": f"arith.{name}{sign}i" for name in ("min", "max") for sign in "us"},
    "llvm.lshr": "arith.shrui",
    "llvm.ashr": "arith.shrsi",
}
_KNOWN = {row.op.name: row for row in BINARY}
_ROWS: Mapping[str, Binary] = MappingProxyType({**_KNOWN, **{name: _KNOWN[same] for name, same in _LLVM.items()}})
_PREDICATES = {predicate.name: predicate for predicate in INTEGER_PREDICATES}
_ELEMENTWISE: Mapping[str, Meaning] = {"min": np.minimum, "max": np.maximum}


def bits_of(text: str) -> int | None:
    """Bits of an integer type; None of any other."""
    if text == "index":
        return INDEX_BITS
    found = integer(text.removeprefix("i"), 1 << 10) if text.startswith("i") else None
    return found if found is not None and 0 < found <= INDEX_BITS else None


def constant(op: Op) -> Value:
    """`arith.constant 4 : i32`, or `{value = 4 : i32}`."""
    words = op.words or tuple(op.attributes.get("value", "").partition(":")[0].split())
    sign, rest = (-1, words[1:]) if words[:1] == ("-",) else (1, words)
    if rest in (("true",), ("false",)):
        return int(rest == ("true",))
    found = integer(rest[0], 1 << 64) if len(rest) == 1 else None
    if found is None:
        return DATA
    text = (op.inputs or op.outputs or ("index",))[0]
    return wrapped(sign * found, bits_of(text) or INDEX_BITS)


def wrapped(number: Number, bits: int) -> Number:
    """The signed number that those bits hold."""
    if bits >= INDEX_BITS and isinstance(number, np.ndarray):
        return number
    half = 1 << (bits - 1)
    if bits == 1:
        return number & 1
    return (number + half & (1 << bits) - 1) - half


def _read(number: Number, bits: int, how: str | None) -> Number:
    if how == UNSIGNED and bits < INDEX_BITS:
        return number & (1 << bits) - 1
    return -number if how == SIGNED and bits == 1 else number


def binary(op: Op, given: list[Value]) -> Value:
    """An op of two integers; of floats it is data.

    Raises:
        LayoutError: it has not two operands.
    """
    if len(given) != 2:
        raise LayoutError(f"{op.name} on line {op.line} has {len(given)} operands; it takes 2")
    row, bits = _ROWS[op.name], bits_of((op.inputs or op.outputs or ("",))[0])
    if row.reads is None or bits is None or row.meaning is None:
        return DATA
    if not are_numbers(given):
        return next((value for value in given if isinstance(value, Missing)), DATA)
    left, right = (_read(value, bits, row.reads) for value in given)
    wrong = {"zero": np.any(right == 0), "shift": np.any((right < 0) | (right >= bits))}.get(row.partial, False)
    if wrong:
        return Missing(f"{op.name} on line {op.line} has no result for some thread")
    meaning = _ELEMENTWISE.get(row.sign, row.meaning) if row.sign in _ELEMENTWISE else row.meaning
    found = meaning(left, right)
    return wrapped(int(found) if isinstance(found, np.integer) else found, bits)


def compared(op: Op, given: list[Value]) -> Value:
    """`arith.cmpi slt, %a, %b : i32`."""
    number = op.integer("predicate")
    word = op.words[0].strip('"') if op.words else ""
    known = number is not None and 0 <= number < len(INTEGER_PREDICATES)
    predicate = INTEGER_PREDICATES[number] if known and number is not None else _PREDICATES.get(word)
    bits = bits_of((op.inputs or ("",))[0])
    if predicate is None or bits is None or not are_numbers(given):
        return next((value for value in given if isinstance(value, Missing)), DATA)
    left, right = (_read(value, bits, predicate.reads) for value in given)
    found = COMPARED[predicate.sign](left, right)
    return found.astype(np.int64) if isinstance(found, np.ndarray) else int(found)


def selected(given: list[Value]) -> Value:
    """`arith.select`: of numbers thread by thread, of anything else where all threads choose alike."""
    condition, yes, no = given
    if not is_number(condition):
        return yes if yes is no else condition
    if isinstance(condition, int) or bool((condition == condition[0]).all()):
        return yes if (condition if isinstance(condition, int) else condition[0]) else no
    if is_number(yes) and is_number(no):
        return np.where(condition != 0, yes, no)
    return next((value for value in (yes, no) if isinstance(value, Missing)), DATA)


def cast(op: Op, given: list[Value]) -> Value:
    """Integers made wider or narrower, signed ones or not."""
    (value,) = given
    before, after = (bits_of(texts[0]) if texts else None for texts in (op.inputs, op.outputs))
    if not is_number(value) or before is None or after is None:
        return value if isinstance(value, Missing) else DATA
    unsigned = op.name.endswith(("extui", "castui", "zext"))
    return wrapped(_read(value, before, UNSIGNED if unsigned else None), after)


def is_binary(name: str) -> bool:
    """Is it an op of two operands that `binary` knows?"""
    return name in _ROWS
