"""Polynomials up to the names of their variables: what is worked out of one holds of all that differ in names alone.

Programs ask the same of other numbers again and again. The places of the variables, in their order, stand for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from tilewright.layout.symbolic.polynomial import Atom, Call, Nameless, Polynomial, Variable, atoms

# In the order of the places, as variables are in the order in which they were made.
_PLACES = tuple(Nameless() for _ in range(64))
Names: TypeAlias = Mapping[Variable, Variable]


@lru_cache(8192)
def placed(p: Polynomial) -> tuple[Polynomial, Names]:
    """The polynomial with places for variables, and which variable each stands for; no places if they have names.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> a, b, c = SymInt(), SymInt(), SymInt()
    >>> (placed((a + 2 * b).polynomial)[0] == placed((b + 2 * c).polynomial)[0],
    ...  placed((a + 2 * b).polynomial)[0] == placed((2 * a + b).polynomial)[0])
    (True, False)
    """
    found = _variables(p)
    keys = [variable.key for variable in found if isinstance(variable.key, Nameless)]
    if len({key.serial for key in keys}) < len(found) or len(found) > len(_PLACES):
        return p, {}
    names = dict(zip(sorted(found), _PLACES, strict=False))
    places = {variable: _at(place, variable) for variable, place in names.items()}
    return renamed(p, places), {place: variable for variable, place in places.items()}


def _at(place: Nameless, variable: Variable) -> Variable:
    return Variable(place, variable.width, variable.step, variable.lower, variable.upper)


def _variables(p: Polynomial) -> set[Variable]:
    found, waiting, seen = set[Variable](), set(atoms(p)), set[Atom]()
    while waiting:
        atom = waiting.pop()
        seen.add(atom)
        if isinstance(atom, Variable):
            found.add(atom)
        else:
            waiting |= {inner for part in atom.args for inner in atoms(part)} - seen
    return found


def renamed(p: Polynomial, names: Names) -> Polynomial:
    """The polynomial with other variables, of the same facts and in the same order."""
    return _renamed(p, dict[Atom, Atom](names.items()))


def _renamed(p: Polynomial, known: dict[Atom, Atom]) -> Polynomial:
    return frozenset([(frozenset([(_atom(atom, known), power) for atom, power in mono]), c) for mono, c in p])


def _atom(atom: Atom, known: dict[Atom, Atom]) -> Atom:
    found = known.get(atom)
    if found is None:
        assert isinstance(atom, Call), "every variable has a name"
        a, b = atom.args
        found = known[atom] = Call(atom.op, (_renamed(a, known), _renamed(b, known)))
    return found
