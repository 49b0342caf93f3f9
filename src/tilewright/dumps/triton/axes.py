"""What Triton's axis analysis knows of a value: how long its runs along each dimension are, and what divides them.

Source: the rules of `AxisInfoAnalysis` in Triton 3.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from math import gcd

from tilewright.analysis.lowering.issue import VECTOR_BITS
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.flow import Key, Origin, Scope, definition, key_of, origins
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled, pointee_bits
from tilewright.numerals import integer

LIMIT = 2**63
MOST = 1 << 20  # no vector is longer, and no alignment is larger
MOST_DEPTH = 96


@dataclass(frozen=True)
class Axes:
    """Along each dimension: elements in a run of consecutive values, of equal values, and what divides a run's first.

    Divisors of pointers are in bytes. A number has one dimension, of one element.
    """

    runs: tuple[int, ...] = (1,)
    divisors: tuple[int, ...] = (1,)
    equal: tuple[int, ...] = (1,)
    value: int | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.runs)


def axes_of(name: str, context: Context) -> Axes:
    """What is known of a value; a value that is not followed has runs of 1. What is learnt of others is kept."""
    search = _Search(context, context.definitions)
    found = search.of(name)
    context.axes[key_of(name, context.definitions)] = found
    if not search.cut:
        context.axes.update(search.known)
    return found


@dataclass
class _Search:
    """In a region of `op`, its own values are known here; others are looked for `around` it."""

    context: Context
    definitions: Scope
    known: dict[Key, Axes] = field(default_factory=dict)
    around: _Search | None = None
    op: Op | None = None
    depth: int = 0
    cut: bool = False  # has anything been left out as too deep?

    def of(self, name: str) -> Axes:
        if self.around is not None and self.op is not None:
            if name in self.op.bindings:
                return self.lent(self.around, self.op.bindings[name])
            if not isinstance(self.definitions, ChainMap) or name.partition("#")[0] not in self.definitions.maps[0]:
                return self.lent(self.around, name)
        key = key_of(name, self.definitions)
        learnt = self.known.get(key) or (self.context.axes.get(key) if self.around is None else None)
        if learnt is not None:
            return learnt
        self.depth += 1
        self.cut |= self.depth >= MOST_DEPTH
        self.known[key] = self.found(name) if self.depth < MOST_DEPTH else Axes()
        self.depth -= 1
        return self.known[key]

    def lent(self, other: _Search, name: str) -> Axes:
        """What another search finds, as deep as this one is."""
        before, other.depth = other.depth, self.depth
        found = other.of(name)
        other.depth, self.cut = before, self.cut or other.cut
        return found

    def found(self, name: str) -> Axes:
        op, _ = definition(name, self.definitions)
        if op is None:
            return Axes(divisors=(self.context.divisors.get(name, 1),))
        if name in op.bindings and op.name != "scf.for":
            return self.of(op.bindings[name])
        if op.name in ("scf.for", "scf.if") or (op.name == "arith.select" and len(op.inputs) == 1):
            return self.carried(op, name)
        shape = shape_of(op, self.context)
        rule, arity = RULES.get(op.name, (None, 0))
        if rule is None or len(op.operands) != arity:
            found = unknown(shape)
        else:
            given = [self.of(operand) for operand in op.operands]
            alike = op.name in _RESHAPING or all(one.rank == max(1, len(shape)) for one in given)
            found = rule(op, given, shape) if alike else unknown(shape)
        return hinted(op, found)

    def carried(self, op: Op, name: str) -> Axes:
        """A loop's counter, its value as it begins and as turns leave it, or one of several, chosen whole."""
        if name == next(iter(op.bindings), None):
            first, step = self.of(op.bindings[name]), self.of(op.operands[3]) if len(op.operands) > 3 else Axes()
            return Axes(divisors=(gcd(first.divisors[0], step.divisors[0]),))
        found = [self.within(origin, op) for origin in origins(name, self.definitions)]
        return reduce(_meet, found) if found else Axes()

    def within(self, origin: Origin, op: Op) -> Axes:
        """A value where it is defined in a region of the operation, a loop's own values as they began."""
        name, scope = origin
        if scope is self.definitions or not isinstance(scope, ChainMap):
            return self.of(name)
        return self.lent(_Search(self.context, scope, around=self, op=op), name)


def _meet(one: Axes, other: Axes) -> Axes:
    if one.rank != other.rank:
        return Axes((1,) * one.rank, (1,) * one.rank, (1,) * one.rank)
    return Axes(_gcds(one.runs, other.runs), _gcds(one.divisors, other.divisors), _gcds(one.equal, other.equal))


def _gcds(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(gcd(a, b) for a, b in zip(one, other, strict=True))


def unknown(shape: tuple[int, ...]) -> Axes:
    """Nothing known."""
    ones = (1,) * max(1, len(shape))
    return Axes(ones, ones, ones)


def uniform(value: int | None, divisor: int, shape: tuple[int, ...]) -> Axes:
    """The same everywhere."""
    rank = max(1, len(shape))
    return Axes((1,) * rank, (divisor,) * rank, shape or (1,), value)


def hinted(op: Op, found: Axes) -> Axes:
    """With what `tl.multiple_of` and its like promise."""
    if not any(key in op.attributes for key in ("tt.contiguity", "tt.divisibility", "tt.constancy")):
        return found
    runs = _promised(op, "tt.contiguity", found.runs)
    divisors, equal = _promised(op, "tt.divisibility", found.divisors), _promised(op, "tt.constancy", found.equal)
    return Axes(runs, divisors, equal, found.value)


def _promised(op: Op, key: str, own: tuple[int, ...]) -> tuple[int, ...]:
    """The larger of what an attribute such as `dense<[1, 16]>` says and what is known, dimension by dimension."""
    words = op.attributes.get(key, "").partition(":")[0].replace(",", " ").split()
    numbers = [number for word in words if (number := integer(word, LIMIT)) is not None]
    wide = numbers * len(own) if len(numbers) == 1 else numbers
    return tuple(map(max, own, wide)) if len(wide) == len(own) else own


def shape_of(op: Op, context: Context) -> tuple[int, ...]:
    """The extents of the result; none of a number."""
    tiled = context.types.tiled((op.outputs or op.inputs or ("",))[0 if op.name == "tt.addptr" else -1])
    return tiled.shape if tiled else ()


def divisor_of(value: int) -> int:
    """The largest power of two that divides a number."""
    return min(MOST, value & -value) if value else MOST


# ---- rules

Rule = Callable[[Op, list[Axes], tuple[int, ...]], Axes]


def _constant(op: Op, _: list[Axes], shape: tuple[int, ...]) -> Axes:
    words = [word for word in op.words if word not in ("dense", "<", ">", "-")]
    value = integer(words[0], LIMIT) if len(words) == 1 else None
    if value is None:
        alike = words[:1] in (["true"], ["false"])
        return uniform(None, 1, shape) if alike else unknown(shape)
    return uniform(-value if "-" in op.words else value, divisor_of(value), shape)


def _range(op: Op, _: list[Axes], shape: tuple[int, ...]) -> Axes:
    return Axes(shape or (1,), (divisor_of(op.integer("start") or 0),), (1,))


def _same(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    return given[0]


def _splat(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    return uniform(given[0].value, given[0].divisors[0], shape)


def _broadcast(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    (one,) = given
    if one.rank != len(shape):
        return unknown(shape)
    # A dimension of one element has one run; where it is repeated, equal ones.
    wide = [e if r == 1 and q in (1, e) and e > 1 else q for e, r, q in zip(shape, one.runs, one.equal, strict=True)]
    return replace(one, equal=tuple(wide))


def _expand(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    return _with_one(given[0], op.integer("axis") or 0)


def _with_one(one: Axes, axis: int) -> Axes:
    """With one dimension of one element more."""
    divisor = 0
    for run, own in zip(one.runs, one.divisors, strict=True):
        divisor = gcd(divisor, 1 if run > 1 else own)

    def more(values: tuple[int, ...], new: int) -> tuple[int, ...]:
        return (*values[:axis], new, *values[axis:])

    return Axes(more(one.runs, 1), more(one.divisors, divisor), more(one.equal, 1), one.value)


def _reshaped(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    """Dimensions of one element come; no other reshape is followed."""
    (one,) = given
    if [d for d, extent in enumerate(shape) if extent > 1] and sum(extent > 1 for extent in shape) == one.rank:
        for axis in (d for d, extent in enumerate(shape) if extent == 1):
            one = _with_one(one, axis)
        return one
    return unknown(shape)


def _transposed(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    (one,), order = given, op.integers("order")
    if order is None or sorted(order) != list(range(one.rank)):
        return unknown(shape)
    runs, divisors, equal = (tuple(v[d] for d in order) for v in (one.runs, one.divisors, one.equal))
    return Axes(runs, divisors, equal, one.value)


def _sum(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    a, b = given
    unit = _unit(op)
    pairs = list(zip(a.runs, a.equal, b.runs, b.equal, strict=True))
    minus = op.name == "arith.subi"
    runs = tuple(max(gcd(run, same), 1 if minus else gcd(equal, other)) for run, equal, other, same in pairs)
    divisors = tuple(gcd(d, min(MOST, e * unit)) for d, e in zip(a.divisors, b.divisors, strict=True))
    known = a.value is not None and b.value is not None and unit == 1
    value = (a.value or 0) + (b.value or 0) * (-1 if minus else 1) if known else None
    return Axes(runs, divisors if value is None else (divisor_of(value),) * a.rank, _gcds(a.equal, b.equal), value)


def _unit(op: Op) -> int:
    """How many bytes a step of a pointer is."""
    return max(1, pointee_bits(op.inputs[0]) // 8) if op.name == "tt.addptr" and op.inputs else 1


def _product(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    a, b = given
    divisors = tuple(_divided(a, b, d) * _divided(b, a, d) for d in range(a.rank))
    ones = (side.runs if other.value == 1 else (1,) * side.rank for side, other in ((a, b), (b, a)))
    runs = tuple(map(max, *ones))
    value = a.value * b.value if a.value is not None and b.value is not None else None
    return Axes(runs, tuple(min(MOST, d) for d in divisors), _gcds(a.equal, b.equal), value)


def _divided(one: Axes, other: Axes, d: int) -> int:
    """What divides every value of a run, not its first one only."""
    return 1 if one.runs[d] > 1 and other.value != 1 else one.divisors[d]


def _remainder(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    a, b = given
    divisors = _gcds(a.divisors, b.divisors)
    runs = tuple(gcd(run, d) if same >= run else 1 for run, d, same in zip(a.runs, divisors, b.equal, strict=True))
    return Axes(runs, divisors, _gcds(a.equal, b.equal))


def _quotient(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    a, b = given
    pairs = zip(a.runs, _gcds(a.divisors, b.divisors), a.equal, b.equal, strict=True)
    equal = tuple(max(gcd(own, same), gcd(run, d) if same >= run else 1) for run, d, own, same in pairs)
    return a if b.value == 1 else replace(unknown(shape), equal=equal)


def _compared(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    a, b = given
    divisors = _gcds(a.divisors, b.divisors)
    pairs = zip(a.runs, a.equal, b.runs, b.equal, divisors, strict=True)
    equal = tuple(max(gcd(p, q), gcd(gcd(r, q), d), gcd(gcd(s, p), d)) for r, p, s, q, d in pairs)
    return replace(unknown(shape), equal=equal)


def _joined(op: Op, given: list[Axes], shape: tuple[int, ...]) -> Axes:
    return replace(unknown(shape), equal=_gcds(given[0].equal, given[1].equal))


_RESHAPING = ("tt.splat", "tt.broadcast", "tt.expand_dims", "tt.trans", "tt.reshape")
RULES: Mapping[str, tuple[Rule, int]] = {
    "arith.constant": (_constant, 0),
    "tt.make_range": (_range, 0),
    "tt.splat": (_splat, 1),
    "tt.broadcast": (_broadcast, 1),
    "tt.expand_dims": (_expand, 1),
    "tt.trans": (_transposed, 1),
    "tt.reshape": (_reshaped, 1),
    **dict.fromkeys(("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast"), (_same, 1)),
    **dict.fromkeys(("ttg.convert_layout", "tt.bitcast"), (_same, 1)),
    **dict.fromkeys(("arith.addi", "arith.subi", "tt.addptr"), (_sum, 2)),
    "arith.muli": (_product, 2),
    **dict.fromkeys(("arith.remsi", "arith.remui"), (_remainder, 2)),
    **dict.fromkeys(("arith.divsi", "arith.divui"), (_quotient, 2)),
    "arith.cmpi": (_compared, 2),
    **dict.fromkeys(("arith.andi", "arith.ori", "arith.xori"), (_joined, 2)),
}


# ---- the widest vector


def vector_of(pointers: str, tensor: Tiled, bits: int, context: Context, mask: str = "") -> int:
    """The elements that Triton moves at once: consecutive, aligned, of one thread, all masked alike, of 128 bits.

    It looks along the dimension that registers walk first. Where nothing is masked, LLVM for AMD joins what lies side
    by side along another one.
    """
    known = axes_of(pointers, context)
    if known.rank != len(tensor.shape):
        return 1
    first = _first(tensor)
    masked = axes_of(mask, context).equal if mask else tensor.shape
    joined = range(known.rank) if context.spec.vendor == "amd" and not mask else (first,)
    return max(min(_along(d, known, tensor, bits), masked[d] if d < len(masked) else 1) for d in {first, *joined})


def _along(d: int, known: Axes, tensor: Tiled, bits: int) -> int:
    aligned = max(1, known.divisors[d] // max(1, bits // 8))
    return min(registers_along(tensor, d), known.runs[d], aligned, max(1, VECTOR_BITS // bits))


def _first(tensor: Tiled) -> int:
    """The dimension that registers walk first; the last one where they walk none."""
    images = dict(tensor.layout.bases).get("register", [])
    walked = (next((d for d, value in enumerate(image) if value), None) for image in images)
    return next((d for d in walked if d is not None), len(tensor.shape) - 1)


def registers_along(tensor: Tiled, d: int | None = None) -> int:
    """How many elements in a row along that dimension, or along the first one, the registers of a thread hold.

    Along the first one they are its first registers.
    """
    images = [tuple(image) for image in dict(tensor.layout.bases).get("register", [])]
    first, rank = _first(tensor), len(tensor.shape)
    d = first if d is None else d
    wanted = [tuple(1 << i if e == d else 0 for e in range(rank)) for i in range(VECTOR_BITS.bit_length())]
    there = (image in images if d != first else images[i : i + 1] == [image] for i, image in enumerate(wanted))
    return 1 << next((i for i, found in enumerate(there) if not found), len(wanted))
