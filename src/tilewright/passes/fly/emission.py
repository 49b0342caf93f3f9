"""Where lowered ops go: integers, conditions and fly values emitted at one place, each once as far as it is visible."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BOUNDS
from tilewright.ir.core.emit import Emitter, Known
from tilewright.ir.core.formula import divisors, formula
from tilewright.ir.core.location import place as place_of
from tilewright.ir.core.operations import Formula
from tilewright.ir.core.rewrite import Before
from tilewright.ir.fly.dialect_types import FlyType, IntTupleType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, Plain, make
from tilewright.ir.fly.types import CoordTensor, MemRef, Pointer, Value
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Truth, all_of, decide
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.polynomial import Call, Polynomial, add, atoms, constant, of_atom, without_content
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.layout.symbolic.text import text
from tilewright.passes.fly.held import Held, Place
from tilewright.passes.fly.opened import Roots

# An expression of more terms, of longer products, or of deeper calls, is long; the algebra refuses much longer ones.
# Deep calls are what takes time, which many ops do not have: behind so many of them calls are deep sooner.
TERMS, FACTORS, NESTING = 24, 24, 5
MANY, NESTING_OF_MANY = 128, 1


class Seen:
    """What has been emitted where it can be seen: integers, fly values, and what has been asserted."""

    def __init__(self, outer: Seen | None = None) -> None:
        self.numbers: Known = dict(outer.numbers) if outer else {}
        self.values: dict[Hashable, SSAValue] = dict(outer.values) if outer else {}
        self.claimed: set[Condition] = set(outer.claimed) if outer else set()
        self.divided: dict[Polynomial, str] = dict(outer.divided) if outer else {}  # which op divides by what
        self.positive: set[Polynomial] = set(outer.positive) if outer else set()  # of those, what is asserted to be so
        self.ops: int = outer.ops if outer else 0  # that have been lowered


class Emission:
    """Emits before an op, on its behalf."""

    def __init__(self, op: Operation, roots: Roots, seen: Seen) -> None:
        self.op = op
        self._roots = roots
        self.builder = Before(op)
        self.seen = seen
        seen.ops += 1
        self._emitter = Emitter(self.builder, roots.places, seen.numbers)

    # ---- integers and conditions

    def integer(self, number: Integer, width: int) -> SSAValue:
        """The integer as a value of that width; what it divides by is asserted to be positive."""
        p = as_polynomial(number)
        return self.computed(formula(p), divided_by(p), width)

    def computed(self, tree: Formula, divisors: Iterable[Polynomial], width: int) -> SSAValue:
        """A number of which it is known how it is computed, and by what it is divided."""
        self._claim_divisors(divisors)
        return self._emitter.formula(tree, width)

    def within_reach(self, number: Integer) -> Integer:
        """The number; one whose expression has become long is computed here, and known by its value from here on."""
        if not isinstance(number, SymInt) or not _is_long(number, self.nesting):
            return number
        return self.known_as(self.integer(number, number.width))

    def known_as(self, value: SSAValue) -> Integer:
        """The number that stands for a value."""
        return self._roots.of(value)

    @property
    def nesting(self) -> int:
        """How deep calls may be within calls."""
        return NESTING if self.seen.ops <= MANY else NESTING_OF_MANY

    def truth(self, truth: Truth) -> SSAValue:
        """The truth as an `i1`."""
        if isinstance(truth, bool):
            return self._emitter.constant(int(truth), 1)
        return self._emitter.truth(truth)

    def claim(self, truth: Truth, what: str = "") -> AssertOp | None:
        """Asserts the truth, unless it is proved or has been asserted; gives the new assertion.

        Raises:
            CompileError: it does not hold.
        """
        if truth is True or truth in self.seen.claimed:
            return None
        if truth is False:
            raise CompileError(f"'{self.op.name}' op is not defined for these values\n{place_of(self.op)}".rstrip())
        self.seen.claimed.add(truth)
        for p in _divided(truth):
            self._claim_divisors(divided_by(p))
        made = self._emitter.claim(truth, what or f"{self.op.name}: {truth}")
        made.location = self.op.location
        return made

    def bound(self, index: Integer, extent: Integer, what: str) -> None:
        """Asserts 0 <= index < extent, as a bound of an access where the extent is known."""
        inside = all_of(at_least(index, 0), at_least(extent, index + 1))
        if inside is True or (inside in self.seen.claimed):
            return
        if inside is False or not isinstance(extent, int):
            made = self.claim(inside, f"{self.op.name}: {what}")
            if made is not None:
                made.attributes[BOUNDS] = UnitAttr()
            return
        self.seen.claimed.add(inside)
        assert isinstance(index, SymInt), "of two known integers it is decided"
        # An extent beyond what the index can count only leaves its sign to be asked.
        predicate, limit = ("ult", extent) if extent < 1 << index.width - 1 else ("sge", 0)
        held = arith.CmpiOp(self.integer(index, index.width), self.integer(limit, index.width), predicate)
        made = AssertOp(self.builder.put(held).result, what)
        made.attributes[BOUNDS] = UnitAttr()
        made.location = self.op.location
        self.builder.put(made)

    def note_divisors(self, divisors: Iterable[Polynomial]) -> None:
        """Remembers that it is this op that divides by these, wherever the quotients are emitted."""
        for q in divisors:
            self.seen.divided.setdefault(q, self.op.name)

    def _claim_divisors(self, divisors: Iterable[Polynomial]) -> None:
        for q in divisors:
            if q in self.seen.positive:
                continue
            self.seen.positive.add(q)
            what = f"{self.seen.divided.get(q, self.op.name)}: divides by {text(q)}, which is to be positive"
            self.claim(decide(add(q, constant(-1)), ">=", ((q,), ">=", constant(1))), what)

    # ---- fly values

    def built(self, held: Held) -> SSAValue:
        """The value, made of its parts."""
        found = self.seen.values.get(held.key)
        if found is None:
            found = self.seen.values[held.key] = self._built(held)
        return found

    def _built(self, held: Held) -> SSAValue:
        value, kind = held.type.value, held.type
        if isinstance(value, Pointer):
            assert held.place is not None, "a pointer points somewhere"
            return self.pointer(held.place)
        if isinstance(kind, IntTupleType):
            leaves = run_time_leaves(value)
            numbers = [self.integer(n, leaf.width) for n, leaf in zip(held.numbers, leaves, strict=True)]
            return self.make("make_int_tuple", numbers, kind)
        name = _CONSTRUCTORS.get(type(value), "static")
        return self.make(name, [self.built(part) for part in held.parts], kind)

    def pointer(self, place: Place) -> SSAValue:
        """The pointer to a place."""
        if place.value is not None:
            return place.value
        found = self.seen.values.get(place)
        if found is None:
            assert place.base is not None
            assert place.by is not None
            assert isinstance(place.type, FlyType)
            operands = [self.pointer(place.base), self.built(place.by)]
            found = self.seen.values[place] = self.make("add_offset", operands, place.type)
        return found

    def make(self, name: str, operands: list[SSAValue], *results: FlyType[Value], **attributes: Plain) -> SSAValue:
        """An op of the dialect, and its first result."""
        return self.add(make(name, operands, attributes, results)).results[0]

    def add(self, op: FlyOp) -> FlyOp:
        """An op, in the place of the one that is lowered."""
        op.location = self.op.location
        return self.builder.put(op)


def divided_by(p: Polynomial) -> tuple[Polynomial, ...]:
    """What the number divides by, where it is not known to be positive, without the factors that are integers."""
    return tuple(dict.fromkeys(without_content(q) for q in divisors(p)))


def _divided(condition: Condition) -> Iterator[Polynomial]:
    """Every number of the condition; of a remainder, the quotient that it comes with."""
    if isinstance(condition, Compound):
        for part in condition.parts:
            yield from _divided(part)
    elif isinstance(condition, Comparison):
        left, _, right = condition.says
        yield from (*left, right)
        if len(left) == 2:
            yield of_atom(Call("trunc", (left[0], left[1])))


def _is_long(number: SymInt, nesting: int) -> bool:
    inner = [atom.nesting for atom in atoms(number.polynomial) if isinstance(atom, Call)]
    factors = max((sum(power for _, power in mono) for mono, _ in number.polynomial), default=0)
    return len(number.polynomial) > TERMS or factors > FACTORS or max(inner, default=0) > nesting


def at_least(a: Integer, b: Integer) -> Truth:
    """a >= b."""
    return decide(as_polynomial(a - b), ">=", ((as_polynomial(a),), ">=", as_polynomial(b)))


_CONSTRUCTORS = {
    Layout: "make_layout",
    ComposedLayout: "make_composed_layout",
    MemRef: "make_view",
    CoordTensor: "make_view",
}
