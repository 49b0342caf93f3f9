"""Where a value of a Triton dump comes from through loops, branches and selections."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import MutableMapping
from typing import TypeAlias

from tilewright.notation.ttgir_op import Op
from tilewright.numerals import natural

MOST_RESULTS = 1 << 12
# Which operation defines a name; regions beside each other may use the same names.
Scope: TypeAlias = MutableMapping[str, Op]
Origin: TypeAlias = tuple[str, Scope]
# A value, and which operation defines it: regions beside each other may use the same names.
Key: TypeAlias = tuple[str, int]


def key_of(name: str, scope: Scope) -> Key:
    """By what a value is known as long as the dump is."""
    return name, id(scope.get(name.partition("#")[0]))


def definition(name: str, scope: Scope) -> tuple[Op | None, int]:
    """The operation that defines it, and which of its results it is.

    >>> loop = Op("scf.for", 1, ("%x",))
    >>> definition("%x#2", {"%x": loop}) == (loop, 2), definition("%y", {})
    (True, (None, 0))
    """
    whole, _, number = name.partition("#")
    op = scope.get(whole)
    place = op.places.get(whole, 0) if op else 0
    return op, place + ((natural(number, MOST_RESULTS) or 0) if number else 0)


def origins(name: str, scope: Scope) -> list[Origin]:
    """What a value may be that a loop carries or gives, a branch gives, or a selection: every one of them.

    None where no such operation makes it, or where it does not say all that it may be.

    >>> branch = Op("scf.if", 1, ("%x",), regions=tuple((Op("scf.yield", 2, (), (end,)),) for end in ("%a", "%b")))
    >>> [origin for origin, _ in origins("%x", {"%x": branch})]
    ['%a', '%b']
    """
    op, which = definition(name, scope)
    if op is None:
        return []
    if op.name == "arith.select":
        return [(operand, scope) for operand in op.operands[1:]]
    if op.name == "scf.if":
        return _yielded(op, which, scope)
    if op.name == "scf.for":
        # The first binding is the induction variable's.
        place = op.binding_places.get(name, which + 1)
        begins = op.begins[place : place + 1]
        ends = _yielded(op, place - 1, scope) if place else []
        return [*((begin, scope) for begin in begins), *ends] if begins and ends else []
    return [(op.bindings[name], scope)] if name in op.bindings and not op.name.startswith("scf.") else []


def _yielded(op: Op, which: int, scope: Scope) -> list[Origin]:
    """What each region ends with as that result, where it is defined there; none where one of them does not say."""
    found: list[Origin] = []
    for region, inside in zip(op.regions, op.defined_inside, strict=True):
        last = region[-1] if region else None
        if last is None or last.name != "scf.yield" or not which < len(last.operands):
            return []
        name = last.operands[which]
        found.append((name, _within(inside, scope) if name.partition("#")[0] in inside else scope))
    return found


def _within(inside: MutableMapping[str, Op], scope: Scope) -> Scope:
    return scope.new_child(inside) if isinstance(scope, ChainMap) else ChainMap(inside, scope)
