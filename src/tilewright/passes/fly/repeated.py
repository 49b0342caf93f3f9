"""What working out an op came to, told again of other integers where an op alike is given integers alike.

Programs ask the same of other numbers again and again. What is worked out of numbers depends on their expressions up
to the names of the variables; it claims conditions, has numbers computed that have become long, each known by a
variable of its own from there on, and gives numbers. That course is noted, and followed with other names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from tilewright.ir.core.formula import formula, with_names
from tilewright.ir.core.naming import in_places, renamed
from tilewright.ir.core.operations import Formula
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Truth
from tilewright.layout.symbolic.polynomial import Atom, Polynomial, Variable, atoms, of_atom
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.passes.fly.emission import Emission, divided_by

Numbers: TypeAlias = tuple[Integer, ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """A number is computed, and known by the variable from here on."""

    tree: Formula
    divisors: tuple[Polynomial, ...]
    variable: Variable


@dataclass(frozen=True, slots=True)
class Claimed:
    """A condition is asserted."""

    truth: Truth


@dataclass(frozen=True, slots=True)
class Divided:
    """It is this op that divides by these."""

    divisors: tuple[Polynomial, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The variables of the numbers that were given, in their order, what was done, and the numbers that were found."""

    variables: tuple[Variable, ...]
    steps: tuple[Computed | Claimed | Divided, ...]
    found: Numbers

    def followed(self, variables: Sequence[Variable], emission: Emission) -> Numbers | None:
        """The same of other variables; None where what is computed is known by another number than it was."""
        names = _Names(dict(zip(self.variables, variables, strict=True)))
        for step in self.steps:
            if isinstance(step, Claimed):
                emission.claim(names.truth(step.truth))
            elif isinstance(step, Divided):
                emission.note_divisors(map(names.polynomial, step.divisors))
            else:
                tree, divisors = names.tree(step.tree), [names.polynomial(q) for q in step.divisors]
                known = emission.known_as(emission.computed(tree, divisors, step.variable.width))
                if not names.take(step.variable, known):
                    return None
        return tuple(map(names.number, self.found))


class _Names:
    """Which variable stands for which."""

    def __init__(self, names: Mapping[Variable, Variable]) -> None:
        self._atoms: dict[Atom, Atom] = dict(names.items())
        self._trees: dict[Formula, Formula] = dict(names.items())
        self._latest = max(names.values(), default=None)

    def take(self, variable: Variable, number: Integer) -> bool:
        """Lets the number, if it is a new variable of the same facts, stand for the variable."""
        found = _variable(number)
        if found is None or _facts(found) != _facts(variable) or not _is_behind(self._latest, found):
            return False
        self._latest = found
        self._atoms[variable] = self._trees[variable] = found
        return True

    def polynomial(self, p: Polynomial) -> Polynomial:
        return renamed(p, self._atoms)

    def tree(self, tree: Formula) -> Formula:
        return with_names(tree, self._trees)

    def number(self, number: Integer) -> Integer:
        if not isinstance(number, SymInt):
            return number
        return SymInt.of_result(self.polynomial(number.polynomial), number.width, number.div)

    def truth(self, truth: Truth) -> Truth:
        match truth:
            case Compound():
                return Compound(truth.word, tuple(self.condition(part) for part in truth.parts))
            case Comparison():
                left, sign, right = truth.says
                says = tuple(map(self.polynomial, left)), sign, self.polynomial(right)
                return Comparison(self.polynomial(truth.polynomial), truth.relation, says)
        return truth

    def condition(self, condition: Condition) -> Condition:
        found = self.truth(condition)
        assert isinstance(found, Condition)
        return found


class Noted:
    """An emission that notes the course of what is emitted through it."""

    def __init__(self, emission: Emission) -> None:
        self._emission = emission
        self._steps: list[Computed | Claimed | Divided] = []
        self._is_told = True  # can it be told of other numbers?

    def within_reach(self, number: Integer) -> Integer:
        """As of `Emission`."""
        found = self._emission.within_reach(number)
        if found is not number and isinstance(number, SymInt):
            variable = _variable(found)
            self._is_told = self._is_told and variable is not None
            if variable is not None:
                p = number.polynomial
                self._steps.append(Computed(formula(p), divided_by(p), variable))
        return found

    def claim(self, truth: Truth) -> None:
        """As of `Emission`."""
        if truth is not True:
            self._steps.append(Claimed(truth))
            self._emission.claim(truth)

    def note_divisors(self, divisors: Iterable[Polynomial]) -> None:
        """As of `Emission`."""
        step = Divided(tuple(divisors))
        self._steps.append(step)
        self._emission.note_divisors(step.divisors)

    def course(self, variables: Sequence[Variable], found: Numbers) -> Course | None:
        """What was done; None if it cannot be told of other numbers."""
        computed = [step.variable for step in self._steps if isinstance(step, Computed)]
        new = all(_is_behind(first, second) for first, second in pairwise([*variables[-1:], *computed]))
        return Course(tuple(variables), tuple(self._steps), found) if self._is_told and new else None


def numbers_of(op: Hashable, given: Numbers, emission: Emission, work: Callable[[Noted], Numbers]) -> Numbers:
    """What `work` finds of the given numbers; `op` tells apart what works otherwise."""
    forms, variables = in_places(given)
    key = op, forms, emission.nesting
    known = _course(key)
    told = known[0].followed(variables, emission) if known else None
    if told is not None:
        return told
    noted = Noted(emission)
    found = work(noted)
    course = noted.course(variables, found)
    if course is not None and not known:
        known.append(course)
    return found


@lru_cache(1 << 12)
def _course(key: Hashable) -> list[Course]:
    """The course of ops that have the key in common, of whatever module, where it is known."""
    return []


def _variable(number: Integer) -> Variable | None:
    """The variable that the number is."""
    if not isinstance(number, SymInt):
        return None
    atom = next(atoms(number.polynomial))
    return atom if isinstance(atom, Variable) and number.polynomial == of_atom(atom, atom.step) else None


def _facts(variable: Variable) -> tuple[int, ...]:
    return variable.width, variable.step, variable.lower, variable.upper


def _is_behind(earlier: Variable | None, later: Variable) -> bool:
    return earlier is None or earlier < later
