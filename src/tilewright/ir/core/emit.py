"""Numbers and conditions of the algebra as ops of `arith`: each formula once, where it is first needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, i32
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.created import created
from tilewright.ir.core.facts import BINARY, PREDICATE_OF, SIGNED
from tilewright.ir.core.formula import formula
from tilewright.ir.core.operations import Apply, Formula
from tilewright.ir.core.rewrite import Puts
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Sides
from tilewright.layout.symbolic.polynomial import Call, Polynomial, Variable, of_atom, value_of, variables
from tilewright.layout.symbolic.ranges import bounds
from tilewright.layout.symbolic.work import spend

if TYPE_CHECKING:
    from tilewright.ir.core.facts import BinaryClass

Known: TypeAlias = MutableMapping[tuple[Formula, int], SSAValue]
_OPS: Mapping[str, BinaryClass] = MappingProxyType({row.op.name.removeprefix("arith."): row.op for row in BINARY})
# These read the bits of numbers as wide as their operands are; sums and products are as wide as what they are for.
_WIDENS = frozenset({"addi", "subi", "muli"})


TERMS = 40  # of run-time integers, which take as long as one op: to make, to verify, to print


class Emitter:
    """Emits by `builder` what is not among the `known` values.

    Args:
        places: the value of each variable, an integer of 32 or 64 bits.
        known: what has been emitted where it can be seen from here.
    """

    def __init__(self, builder: Puts, places: Mapping[Variable, SSAValue], known: Known) -> None:
        self.builder = builder
        self._places = places
        self._known = known

    def number(self, p: Polynomial, width: int = 32) -> SSAValue:
        """The number as an integer of that width.

        Raises:
            LayoutError: an integer that the width does not hold.
        """
        return self.formula(formula(p), width)

    def truth(self, condition: Condition) -> SSAValue:
        """The condition as an `i1`, computed in 64 bits where 32 may not hold its numbers."""
        if isinstance(condition, Compound):
            kind = arith.AndIOp if condition.word == "and" else arith.OrIOp
            first, *rest = (self.truth(part) for part in condition.parts)
            for part in rest:
                first = self._insert(kind(first, part))
            return first
        if not isinstance(condition, Comparison):
            raise CompileError(f"{condition} cannot be asked at run time")
        width = _width((*condition.says[0], condition.says[2]))
        left, sign, right = _sides(condition.says)
        compared = arith.CmpiOp(self.number(left, width), self.number(right, width), PREDICATE_OF[SIGNED, sign])
        return self._insert(compared)

    def claim(self, condition: Condition, message: str) -> AssertOp:
        """An assertion of the condition."""
        return self.builder.put(AssertOp(self.truth(condition), message))

    def constant(self, value: int, width: int) -> SSAValue:
        """An integer of that width."""
        if not -(1 << width - 1) <= value < 1 << width - (width > 1):
            raise LayoutError(f"the integer {value} leaves {width} bits")
        found = self._known.get((value, width))
        if found is None:
            kind = IntegerType(width)
            found = self._insert(created(arith.ConstantOp, (), [kind], {"value": IntegerAttr(value, kind)}))
            found.name_hint = f"c{value}" if value >= 0 else None
            self._known[value, width] = found
        return found

    def formula(self, tree: Formula, width: int) -> SSAValue:
        """The number as an integer of that width."""
        if isinstance(tree, int):
            return self.constant(tree, width)
        found = self._known.get((tree, width))
        if found is None:
            found = self._known[tree, width] = self._emitted(tree, width)
        return found

    def _emitted(self, tree: Variable | Apply, width: int) -> SSAValue:
        if isinstance(tree, Variable):
            return self._resized(self._places[tree], width)
        own = width if tree.op in _WIDENS else tree.width
        if own != width:
            return self._resized(self.formula(tree, own), width)
        left, right = (self.formula(arg, width) for arg in tree.args)
        return self._insert(_made(tree.op, left, right))

    def _resized(self, value: SSAValue, width: int) -> SSAValue:
        assert isinstance(value.type, IntegerType)
        if value.type.width.data == width:
            return value
        kind = arith.ExtSIOp if value.type.width.data < width else arith.TruncIOp
        return self._insert(kind(value, IntegerType(width)))

    def _insert(self, op: Operation) -> SSAValue:
        spend(TERMS)
        return self.builder.put(op).results[0]


def _made(op: str, left: SSAValue, right: SSAValue) -> Operation:
    # Past the readers of arguments in xDSL's classes, which take longer than the op.
    return created(_OPS[op], [left, right], [left.type], _properties(op))


@lru_cache(64)
def _properties(op: str) -> Mapping[str, Attribute]:
    """Which an op has that is made of two operands alone."""
    one = arith.ConstantOp(IntegerAttr(1, i32)).result
    return MappingProxyType(_OPS[op](one, one).properties)


def _sides(says: Sides) -> tuple[Polynomial, str, Polynomial]:
    left, sign, right = says
    return (left[0] if len(left) == 1 else _rest(*left)), sign, right


def _rest(a: Polynomial, d: Polynomial) -> Polynomial:
    # That nothing is left says the same of either rounding: a mask for powers of two, one op for others.
    power = (value_of(d) or 0).bit_count() == 1
    return of_atom(Call("mod" if power else "rem", (a, d)))


def _width(numbers: Iterable[Polynomial]) -> int:
    for p in numbers:
        low, high = bounds(p)
        wide = any(variable.width > 32 for variable in variables(p))
        if wide or low is None or high is None or low < -(1 << 31) or high >= 1 << 31:
            return 64
    return 32
