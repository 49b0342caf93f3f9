"""Polynomials up to the names of their variables: what is worked out of one holds of all that differ in names alone.

Programs ask the same of other numbers again and again. The places of the variables, in their order, stand for them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from tilewright.layout.symbolic.polynomial import Atom, Call, Nameless, Polynomial, Variable, atoms
from tilewright.layout.symbolic.symint import Integer, SymInt

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
    return renamed(p, dict[Atom, Atom](places.items())), {place: variable for variable, place in places.items()}


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


def in_places(numbers: Sequence[Integer]) -> tuple[Hashable, list[Variable]]:
    """What numbers alike have in common, if the variables of each are its own; and these, in their order.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> a, b, c = SymInt(), SymInt(), SymInt()
    >>> in_places([a, a + b])[0] == in_places([b, b + c])[0], in_places([a, a + b])[0] == in_places([a, b + c])[0]
    (True, False)
    """
    found = sorted(set[Variable]().union(*(_variables(n.polynomial) for n in numbers if isinstance(n, SymInt))))
    places: dict[Atom, Atom] = {
        variable: _at(_PLACES[i], variable) if i < len(_PLACES) and isinstance(variable.key, Nameless) else variable
        for i, variable in enumerate(found)
    }
    forms = tuple(
        (renamed(number.polynomial, places), number.width, number.div) if isinstance(number, SymInt) else number
        for number in numbers
    )
    return forms, found


def renamed(p: Polynomial, known: dict[Atom, Atom]) -> Polynomial:
    """The polynomial with other atoms, of the same facts and in the same order; calls are added to those known."""
    return frozenset([(frozenset([(_atom(atom, known), power) for atom, power in mono]), c) for mono, c in p])


def _atom(atom: Atom, known: dict[Atom, Atom]) -> Atom:
    found = known.get(atom)
    if found is None:
        assert isinstance(atom, Call), "every variable has a name"
        a, b = atom.args
        found = known[atom] = Call(atom.op, (renamed(a, known), renamed(b, known)))
    return found
