"""Index arithmetic that folds while it builds: the one set of rules behind tracing, dispatch and `simplify`.

An index is an `int` or a value of type `index`. `//` and `%` round towards minus infinity, as in Python.
A rule returns an equal, simpler index, or None. Sums and products wrap at 64 bits, as they do when they run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.created import created
from tilewright.ir.core.facts import BINARY_OF, Binary
from tilewright.ir.core.intervals import BITS
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.ranges import Index, Ranges, constant_of

INDEX = IndexType()
# A sum of index * factor; a constant is (1, c).
Terms: TypeAlias = list[tuple[Index, int]]
MAX_TERMS = 32
LIMIT = 1 << (BITS - 1)


@lru_cache(1 << 12)
def _written(constant: int) -> Mapping[str, Attribute]:
    """What an `arith.constant` says: most are a few numbers, again and again."""
    return {"value": IntegerAttr(constant, INDEX)}


# The operations of indices. Where it is not certain that both sides are natural, `//` and `>>` are the signed ops.
ADD, SUB, MUL = BINARY_OF[arith.AddiOp], BINARY_OF[arith.SubiOp], BINARY_OF[arith.MuliOp]
DIV, MOD = BINARY_OF[arith.DivUIOp], BINARY_OF[arith.RemUIOp]
AND, OR, XOR = BINARY_OF[arith.AndIOp], BINARY_OF[arith.OrIOp], BINARY_OF[arith.XOrIOp]
SHL, SHR = BINARY_OF[arith.ShLIOp], BINARY_OF[arith.ShRUIOp]
KIND_OF_SIGN = {kind.sign: kind for kind in (ADD, SUB, MUL, DIV, MOD, AND, OR, XOR, SHL, SHR)}
KIND_OF_OP: Mapping[type[Operation], Binary] = {kind.op: kind for kind in KIND_OF_SIGN.values()}
_SIGNED_OPS = {DIV: arith.FloorDivSIOp, SHR: arith.ShRSIOp}


class IndexBuilder:
    """Builds index expressions at the insertion point of `builder`.

    Constants stay Python integers until an op needs them.
    """

    def __init__(self, builder: Builder, ranges: Ranges | None = None) -> None:
        self.builder = builder
        self.ranges = ranges or Ranges()

    def value(self, index: Index) -> SSAValue:
        """The index as a value; an integer becomes an `arith.constant`."""
        if isinstance(index, SSAValue):
            return index
        constant = self.held(index)
        result = self.builder.insert(created(arith.ConstantOp, (), (INDEX,), _written(constant))).result
        result.name_hint = f"c{constant}" if constant >= 0 else None
        return result

    def held(self, constant: int) -> int:
        """What 64 bits hold of a constant that others were folded to."""
        return (constant + LIMIT) % (2 * LIMIT) - LIMIT

    def binary(self, kind: Binary, x: Index, y: Index) -> Index:
        """x sign y, folded if a rule applies.

        Raises:
            CompileError: a division by the constant 0, or a shift by a constant outside 0..63.
        """
        x, y = (self.held(side) if isinstance(side, int) else side for side in (x, y))
        folded = self.fold(kind, x, y)
        return self._create(kind, x, y) if folded is None else folded

    def add(self, x: Index, y: Index) -> Index:
        """x + y."""
        return self.binary(ADD, x, y)

    def mul(self, x: Index, y: Index) -> Index:
        """x * y."""
        return self.binary(MUL, x, y)

    def div(self, x: Index, y: Index) -> Index:
        """x // y."""
        return self.binary(DIV, x, y)

    def mod(self, x: Index, y: Index) -> Index:
        """x % y."""
        return self.binary(MOD, x, y)

    def xor(self, x: Index, y: Index) -> Index:
        """x ^ y."""
        return self.binary(XOR, x, y)

    def bits_and(self, x: Index, y: Index) -> Index:
        """x & y."""
        return self.binary(AND, x, y)

    def shift_right(self, x: Index, y: Index) -> Index:
        """x >> y."""
        return self.binary(SHR, x, y)

    def shift_left(self, x: Index, y: Index) -> Index:
        """x << y."""
        return self.binary(SHL, x, y)

    def lookup(self, table: Sequence[int], x: Index, name: str | None = None) -> Index:
        """table[x], of an x within the table; `name` is what the kernel's text may call it.

        Raises:
            CompileError: a constant x outside.
        """
        c = constant_of(x)
        if c is None:
            found = self.builder.insert(LookupOp(table, self.value(x))).result
            found.name_hint = name
            return found
        if not 0 <= c < len(table):
            raise CompileError(f"the index {c} lies outside a table of {len(table)} numbers")
        return table[c]

    def total(self, terms: Terms) -> Index:
        """The sum of index * factor over the terms, largest factors first, the constant last."""
        parts = [(index, factor * scale) for term, scale in terms for index, factor in linear(term)]
        constant = sum(index * factor for index, factor in parts if isinstance(index, int))
        moving = sorted((part for part in parts if not isinstance(part[0], int)), key=lambda part: -part[1])
        return self.sum_of([*moving, (1, constant)])

    def sum_of(self, terms: Terms) -> Index:
        """The sum of index * factor over the terms, in their order."""
        total: Index = 0
        for index, factor in terms:
            total = self.add(total, self.mul(index, factor))
        return total

    def fold(self, kind: Binary, x: Index, y: Index) -> Index | None:
        """An index equal to x sign y that needs no new op of this kind on these operands, if a rule finds one."""
        a, b = constant_of(x), constant_of(y)
        if b is not None and kind.undefined(b):
            return None
        if a is not None and b is not None:
            return self.held(_on_constants(kind, a, b))
        if a is not None:
            return self.binary(kind, y, x) if kind.commutes else None
        return RULES[kind](self, x, b) if b is not None and isinstance(x, SSAValue) else None

    def _create(self, kind: Binary, x: Index, y: Index) -> Index:
        op, b = kind.op, constant_of(y)
        if b is not None and kind.undefined(b):
            raise CompileError(f"an index {kind.sign} {b} is not defined")
        if kind in (DIV, MOD, SHR) and not (self.ranges.natural(x) and self.ranges.natural(y)):
            if kind is MOD:
                return self.binary(SUB, x, self.mul(self.div(x, y), y))
            op = _SIGNED_OPS[kind]
        made: Operation = self.builder.insert(op(self.value(x), self.value(y)))
        return made.results[0]


def _on_constants(kind: Binary, a: int, b: int) -> int:
    assert kind.meaning is not None, "every operation of indices has a meaning"
    return int(kind.meaning(a, b))


# ---- the rules; the right operand is a constant


def _add(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    if c == 0:
        return x
    inner = split(x, ADD)
    return b.add(inner[0], inner[1] + c) if inner else None


def _sub(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    return b.add(x, -c)


def _mul(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    if c in (0, 1):
        return x if c else 0
    inner = split(x, MUL)
    return b.mul(inner[0], inner[1] * c) if inner else None


def _div(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    if c < 1:
        return None
    if c == 1:
        return x
    if b.ranges.within(x, 0, c):
        return 0
    if _may_wrap(b, x):
        return None
    inner = split(x, DIV)
    if inner and 0 < inner[1] < LIMIT // c:
        return b.div(inner[0], inner[1] * c)
    terms = linear(x)
    whole, rest = _partition(terms, c)
    if whole:
        return b.add(b.sum_of(whole), b.div(b.sum_of(rest), c))
    for k, high, _low in _scales(b, terms, c):
        return b.div(b.sum_of(high), c // k)
    return None


def _mod(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    if c < 1:
        return None
    if c == 1:
        return 0
    if b.ranges.within(x, 0, c):
        return x
    if _may_wrap(b, x):
        return None
    inner = split(x, MOD)
    if inner and inner[1] > 0 and inner[1] % c == 0:
        return b.mod(inner[0], c)
    terms = linear(x)
    whole, rest = _partition(terms, c)
    if whole:
        return b.mod(b.sum_of(rest), c)
    for k, high, low in _scales(b, terms, c):
        return b.add(b.mul(b.mod(b.sum_of(high), c // k), k), b.sum_of(low))
    return None


def _may_wrap(b: IndexBuilder, x: SSAValue) -> bool:
    """May it reach beyond 64 bits? Where no bound is known, its terms are taken to lie within 31."""
    low, high = b.ranges.of(x)
    if low is None or high is None:
        return any(factor >> BITS // 2 not in (0, -1) for _, factor in linear(x))
    return low < -LIMIT or high >= LIMIT


def _and(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    # Ranges remove no mask: a swizzle keeps the one it is written with, as in the text of TIRx's permute.
    return 0 if c == 0 else None


def _or(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    return x if c == 0 else None


def _shl(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    return x if c == 0 else None


def _shr(b: IndexBuilder, x: SSAValue, c: int) -> Index | None:
    if c == 0:
        return x
    return 0 if 0 < c < 64 and b.ranges.within(x, 0, 1 << c) else None


RULES: dict[Binary, Callable[[IndexBuilder, SSAValue, int], Index | None]] = {
    ADD: _add,
    SUB: _sub,
    MUL: _mul,
    DIV: _div,
    MOD: _mod,
    AND: _and,
    OR: _or,
    XOR: _or,
    SHL: _shl,
    SHR: _shr,
}


# ---- sums


def linear(x: Index) -> Terms:
    """x as a sum of at most MAX_TERMS terms, in the order in which they are added; itself where a factor would wrap."""
    done: Terms = []
    waiting: Terms = [(x, 1)]
    while waiting:
        if len(done) + len(waiting) > MAX_TERMS:
            return [(x, 1)]
        index, factor = waiting.pop()
        if not -LIMIT <= factor < LIMIT:
            return [(x, 1)]
        constant, scaled = constant_of(index), split(index, MUL)
        if constant is not None:
            done.append((1, constant * factor))
        elif scaled:
            waiting.append((scaled[0], scaled[1] * factor))
        elif isinstance(index, SSAValue) and isinstance(index.owner, arith.AddiOp):
            waiting += [(index.owner.rhs, factor), (index.owner.lhs, factor)]
        else:
            done.append((index, factor))
    return done


def _partition(terms: Terms, k: int) -> tuple[Terms, Terms]:
    """The terms that are multiples of k, divided by k, and the others; a constant is divided with remainder."""
    high = [(index, factor // k) for index, factor in terms if factor % k == 0 or (index == 1 and factor // k)]
    low = [(index, factor % k if index == 1 else factor) for index, factor in terms if factor % k]
    return high, low


def _scales(b: IndexBuilder, terms: Terms, c: int) -> Iterator[tuple[int, Terms, Terms]]:
    """Every k with x = high * k + low, where 1 < k < c divides c and 0 <= low < k."""
    for k in sorted({factor for _, factor in terms if 1 < factor < c and c % factor == 0}, reverse=True):
        high, low = _partition(terms, k)
        if high and b.ranges.sum_within(low, 0, k):
            yield k, high, low


def split(x: Index, kind: Binary) -> tuple[SSAValue, int] | None:
    """(a, c) when x is `a sign c` with a constant c."""
    op = x.owner if isinstance(x, SSAValue) else None
    if not isinstance(op, kind.op):
        return None
    c = constant_of(op.operands[1])
    return None if c is None else (op.operands[0], c)
