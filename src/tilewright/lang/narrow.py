"""Conversions as PTX has them: `T.ptx.cvt` of two floats at once, and of one to tf32."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.narrow import TF32
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.tile.pairs import PAIRS, Pair, PairOp
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.words import Row, Words

_FLOAT = dtype("float32")


def _single(t: Tracer, value: Value) -> SSAValue:
    if type(value) in (int, float):
        return as_element(t, value, _FLOAT)
    if isinstance(value, SSAValue) and is_element(value) and element_dtype(value.type) == _FLOAT:
        return value
    raise KernelError(f"cvt takes a float32, got {show(value)}")


def _word(t: Tracer, value: Value, kind: DType) -> SSAValue:
    """A word of so many bits, or two narrow elements as a vector seen as one."""
    element = element_dtype(value.type) if is_element(value) else None
    if not is_element(value) or element is None or not element.is_integer or element.bits != kind.bits:
        raise KernelError(f"cvt takes a word of {kind.bits} bits, T.uint{kind.bits}, got {show(value)}")
    return t.elements.cast(value, kind)


def _of_two(rows: tuple[Pair, ...]) -> Callable[[Words], Builder]:
    """The instructions of one pair of types, which differ in how they round and in what is below 0."""
    by_words = {_words(row): row for row in rows}

    def builder(words: Words) -> Builder:
        row = by_words.get(words)
        if row is None:
            known = ", ".join(f"cvt.{row.name}" for row in rows)
            raise KernelError(f"of these words PTX has {known}, not {' '.join(sorted(words))}")
        return _numbers(row) if len(row.given) == 2 else _halves(row)

    return builder


def _words(row: Pair) -> Words:
    return frozenset(["cvt", *row.name.split(".")])


def _numbers(row: Pair) -> Builder:
    def build(t: Tracer, dst: Value, a: Value, b: Value) -> None:
        put = destination(t, dst, "cvt")
        put(t.insert(PairOp(row, [_single(t, a), _single(t, b)])).results[0])

    return build


def _halves(row: Pair) -> Builder:
    def build(t: Tracer, dst: Value, a: Value) -> None:
        put = destination(t, dst, "cvt")
        put(t.insert(PairOp(row, [_word(t, a, row.given[0])])).results[0])

    return build


def _tf32(how: str) -> Callable[[Words], Builder]:
    def build(t: Tracer, dst: Value, a: Value) -> None:
        put = destination(t, dst, "cvt")
        put(t.elements.cast(t.insert(NarrowOp(how, _single(t, a), dtype(TF32))).results[0], _FLOAT))

    return lambda words: build


def _row(rows: tuple[Pair, ...]) -> Row:
    """The first one is as it is written; words that others have beside it may be there."""
    first, every = rows[0], frozenset[str]().union(*map(_words, rows))
    needed = frozenset[str].intersection(*map(_words, rows))
    summary = f"The register of {first.result.bits} bits becomes two {first.source} as {first.target}, the first above."
    return Row(needed, every - needed, _of_two(rows), f"cvt.{first.name}", summary)


_KINDS = dict.fromkeys((row.target, row.source) for row in PAIRS.values())
NARROW_ROWS: tuple[Row, ...] = (
    *(_row(tuple(row for row in PAIRS.values() if (row.target, row.source) == kind)) for kind in _KINDS),
    Row.of(
        "cvt rna tf32 f32", "", _tf32("rna"), "The register becomes a float32 of tf32's digits, halves rounded away."
    ),
    Row.of("cvt rn tf32 f32", "", _tf32("rn"), "The same, halves to even."),
)
