"""From polynomials to integer operations: the fewest that are found for a number, as a tree without places.

A formula is an integer, a variable, or an operation of `arith` on formulas. Which operation divides is decided here,
where ranges are known: shifts and masks by powers of two, unsigned ops where both sides are natural.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from math import gcd, lcm, prod
from typing import TypeAlias

from tilewright.ir.core.naming import placed
from tilewright.layout.symbolic.operators import remainder
from tilewright.layout.symbolic.polynomial import (
    Atom,
    Call,
    Monomial,
    Polynomial,
    Variable,
    add,
    atoms,
    collect,
    constant,
    contains,
    content,
    multiply,
    of_atom,
    scale,
    subtract,
    value_of,
    without,
)
from tilewright.layout.symbolic.quotient import floor_divide
from tilewright.layout.symbolic.ranges import bounds


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation, by its name in `arith` without the dialect, on formulas; `width` is that of the widest variable."""

    op: str
    args: tuple[Formula, Formula]
    width: int = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        left, right = (32 if isinstance(arg, int) else arg.width for arg in self.args)
        object.__setattr__(self, "width", max(left, right))
        object.__setattr__(self, "_hash", hash((self.op, self.args)))

    def __hash__(self) -> int:
        return self._hash  # of a tree, which would be walked whenever it is looked up


Formula: TypeAlias = "int | Variable | Apply"
_COMMUTATIVE = ("min", "max", "xor")
MOST = 24  # terms of a sum among which common factors are looked for
FORMS = 24  # of a polynomial, among which the cheapest is taken
LONGEST = 40  # bits of an offset that a swizzle reads


def count(formula: Formula) -> int:
    """How many operations it takes, each once."""
    return len(_operations(formula))


@lru_cache(8192)
def _operations(formula: Formula) -> frozenset[Apply]:
    if not isinstance(formula, Apply):
        return frozenset()
    return frozenset({formula}).union(*map(_operations, formula.args))


@lru_cache(8192)
def formula(p: Polynomial) -> Formula:
    """The number by the fewest operations found.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> i, n = SymInt("i", lower=0), SymInt("n")
    >>> (i % n * 4 + i // n).expression, count(formula((i % n * 4 + i // n).polynomial))
    ('4*(i % n) + i//n', 4)
    """
    known = value_of(p)
    if known is not None:
        return known
    at_places, names = placed(p)
    return _with_names(_cheapest(at_places), dict[Formula, Formula](names.items()))


@lru_cache(8192)
def _cheapest(p: Polynomial) -> Formula:
    return min(map(_sum, _forms(p)), key=count)


def _with_names(tree: Formula, known: dict[Formula, Formula]) -> Formula:
    if not isinstance(tree, Apply):
        return known.get(tree, tree)
    found = known.get(tree)
    if found is None:
        left, right = tree.args
        found = known[tree] = Apply(tree.op, (_with_names(left, known), _with_names(right, known)))
    return found


@lru_cache(4096)
def divisors(p: Polynomial) -> tuple[Polynomial, ...]:
    """What the number divides by, where it is not known to be positive."""
    return tuple(_divisors(p))


def _divisors(p: Polynomial) -> Iterator[Polynomial]:
    for atom in sorted(set(atoms(p)), key=_order):
        if isinstance(atom, Call):
            for inner in atom.args:
                yield from divisors(inner)
            low = bounds(atom.args[1])[0]
            if atom.op in ("floor", "trunc") and (low is None or low < 1):
                yield atom.args[1]


# ---- other forms of a polynomial, which writes remainders and ceilings with a floor


def _forms(p: Polynomial) -> list[Polynomial]:
    """The polynomial, and forms with remainders and ceilings as calls of their own, as far as none has more terms."""
    found = {p: None}
    waiting = [p]
    while waiting and len(found) < FORMS:
        form = waiting.pop()
        fresh = [q for q in dict.fromkeys(_rewritten(form)) if len(q) <= len(form) and q not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return list(found)


def _rewritten(p: Polynomial) -> Iterator[Polynomial]:
    for atom in sorted(set(atoms(p)), key=_order):
        if isinstance(atom, Call) and atom.op in ("floor", "trunc"):
            yield from _remainder_forms(p, atom)
            if atom.op == "floor":
                yield from _ceiling_forms(p, atom)
                yield from _joined_forms(p, atom)


def _remainder_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # p = k*(a - b*quotient) + left, and the remainder becomes an atom.
    a, b = quotient.args
    op, whole = "mod" if quotient.op == "floor" else "rem", _in_whole_variables(a, b)
    times = _ratio(whole[1], b)
    for k in _factors(p, quotient, b):
        left = subtract(p, multiply(k, subtract(a, multiply(b, of_atom(quotient)))))
        if content(k) % times == 0:
            yield add(left, multiply(frozenset((m, c // times) for m, c in k), of_atom(Call(op, whole))))


def _factors(p: Polynomial, quotient: Call, b: Polynomial) -> Iterator[Polynomial]:
    factor = _coefficient(p, quotient)
    lead, scaled = min(b, key=lambda term: (len(term[0]), abs(term[1]), _place(term)))
    terms = sorted(factor, key=_place)
    parts = [(without(m, lead), -c // scaled) for m, c in terms if contains(m, lead) and c % scaled == 0]
    yield from (frozenset({part}) for part in parts)
    if len(parts) > 1:
        yield collect(parts)


def _ceiling_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # floor(a/b) = ceil((a - b + 1)/b) = ceil((a + 1)/b) - 1.
    a, b = quotient.args
    below = add(subtract(a, b), constant(1))
    above = add(a, constant(1))
    for numerator, less in ((below, 0), (above, 1)):
        form = _exchanged(p, quotient, subtract(of_atom(Call("ceil", (numerator, b))), constant(less)))
        if len(numerator) < len(a) or len(form) < len(p):
            yield form


def _joined_forms(p: Polynomial, quotient: Call) -> Iterator[Polynomial]:
    # k*floor(a/b) + k*w = k*floor((a + b*w)/b).
    a, b = quotient.args
    k = value_of(_coefficient(p, quotient)) or 0
    for mono, c in sorted(p, key=_place) if k else ():
        whole = frozenset({(mono, c // k)})
        numerator = add(a, multiply(b, whole))
        if c % k == 0 and mono and not contains(mono, _alone(quotient)) and len(numerator) <= len(a):
            yield _exchanged(subtract(p, scale(whole, k)), quotient, of_atom(Call("floor", (numerator, b))))


def _exchanged(p: Polynomial, atom: Atom, other: Polynomial) -> Polynomial:
    kept = collect((m, c) for m, c in p if not contains(m, _alone(atom)))
    return add(kept, multiply(_coefficient(p, atom), other))


def _coefficient(p: Polynomial, atom: Atom) -> Polynomial:
    mono = _alone(atom)
    return collect((without(m, mono), c) for m, c in p if contains(m, mono))


def _alone(atom: Atom) -> Monomial:
    return frozenset({(atom, 1)})


# ---- sums of products


@lru_cache(8192)
def _sum(p: Polynomial) -> Formula:
    """The sum, with the factor that most terms share taken out where that saves operations."""
    known = value_of(p)
    if known is not None:
        return known
    terms = sorted(p, key=_place)
    plain = _added(terms)
    factor = _most_shared(terms) if 1 < len(terms) <= MOST else None
    return plain if factor is None else min(plain, _taken_out(p, factor), key=count)


def _taken_out(p: Polynomial, factor: Atom | int) -> Formula:
    if isinstance(factor, int):
        inside = collect((m, c // factor) for m, c in p if c % factor == 0)
        rest = collect((m, c) for m, c in p if c % factor)
        product: Formula = Apply("muli", (_sum(inside), factor))
    else:
        mono = frozenset({(factor, 1)})
        inside = collect((without(m, mono), c) for m, c in p if contains(m, mono))
        rest = collect((m, c) for m, c in p if not contains(m, mono))
        product = Apply("muli", (_sum(inside), _atom(factor)))
    return _plus(product, _sum(rest)) if rest else product


def _plus(a: Formula, b: Formula) -> Formula:
    return Apply("subi", (a, -b)) if isinstance(b, int) and b < 0 else Apply("addi", (a, b))


def _most_shared(terms: list[tuple[Monomial, int]]) -> Atom | int | None:
    """The atom, or else the coefficient, that stands in most terms, if that is more than one."""
    seen = Counter(atom for mono, _ in terms for atom, _ in mono)
    shared = [atom for atom, times in seen.items() if times > 1 and not _split_step(atom)]
    if shared:
        return min(shared, key=lambda atom: (-seen[atom], _order(atom)))
    if any(map(_split_step, seen)):
        return None
    common = {gcd(a, b) for (m, a), (n, b) in combinations(terms, 2) if m and n} - {1}
    return max(common, key=lambda c: (sum(k % c == 0 for m, k in terms if m), c), default=None)


def _split_step(atom: Atom) -> bool:
    return isinstance(atom, Variable) and atom.step > 1


def _added(terms: list[tuple[Monomial, int]]) -> Formula:
    # What is subtracted comes after the first term that is not; an integer comes last.
    first = next((i for i, (mono, c) in enumerate(terms) if c > 0 and mono), None)
    if first is None and len(terms) > 1 and terms[-1][1] > 0:
        first = len(terms) - 1
    if first is None:
        return _negated(terms)
    total = _product(*terms[first])
    for mono, c in terms[:first] + terms[first + 1 :]:
        total = Apply("addi" if c > 0 else "subi", (total, _product(mono, abs(c))))
    return total


def _negated(terms: list[tuple[Monomial, int]]) -> Formula:
    if len(terms) == 1 and abs(terms[0][1]) > 1:
        return _product(*terms[0])
    return Apply("subi", (0, _added([(mono, -c) for mono, c in terms])))


def _product(mono: Monomial, coefficient: int) -> Formula:
    steps = prod(atom.step**power for atom, power in mono if isinstance(atom, Variable))
    whole = coefficient % steps == 0
    number = coefficient // steps if whole else coefficient
    factors = [_atom(atom, whole) for atom, power in sorted(mono, key=lambda f: _order(f[0])) for _ in range(power)]
    if not factors:
        return number
    total = factors[0]
    for factor in factors[1:]:
        total = Apply("muli", (total, factor))
    return total if number == 1 else Apply("muli", (total, number))


# ---- atoms


def _atom(atom: Atom, whole: bool = True) -> Formula:
    if isinstance(atom, Variable):
        return atom if whole or atom.step == 1 else _divided("floor", of_atom(atom, atom.step), constant(atom.step))
    if atom.op in ("min", "max"):
        first, second = sorted(atom.args, key=_whole)
        return Apply(f"{atom.op}si", (formula(first), formula(second)))
    if atom.op == "xor":
        return _exclusive(*sorted(atom.args, key=_whole))
    a, b = _in_whole_variables(*atom.args)
    if atom.op in ("mod", "rem") and (times := _ratio(b, atom.args[1])) > 1:
        return Apply("divsi", (_divided(atom.op, a, b), times))  # (k*a) mod (k*b) is k * (a mod b)
    return _divided(atom.op, a, b)


def _in_whole_variables(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    # A quotient of parts of variables is one of the variables themselves.
    steps = lcm(*(atom.step for p in (a, b) for atom in atoms(p) if isinstance(atom, Variable)))
    split = any(c % _step_of(mono) for p in (a, b) for mono, c in p)
    return (scale(a, steps), scale(b, steps)) if split else (a, b)


def _ratio(scaled: Polynomial, p: Polynomial) -> int:
    return content(scaled) // content(p)


def _step_of(mono: Monomial) -> int:
    return prod(atom.step**power for atom, power in mono if isinstance(atom, Variable))


_BY_SIGN = {
    "floor": ("divui", "floordivsi"),
    "trunc": ("divui", "divsi"),
    "ceil": ("ceildivui", "ceildivsi"),
    "rem": ("remui", "remsi"),
}


def _divided(op: str, a: Polynomial, b: Polynomial) -> Formula:
    known, low = value_of(b), bounds(a)[0]
    natural = low is not None and low >= 0
    power = known is not None and known > 0 and known & known - 1 == 0
    if power and known is not None and (natural or op in ("floor", "mod")):
        if op in ("mod", "rem"):
            return Apply("andi", (formula(a), known - 1))
        if op in ("floor", "trunc"):
            return Apply("shrui" if natural else "shrsi", (formula(a), known.bit_length() - 1))
    if (op == "mod" and not natural) or (op in ("mod", "rem") and _may_be_too_large(b)):
        quotient = _divided("floor" if op == "mod" else "trunc", a, b)
        return Apply("subi", (formula(a), Apply("muli", (quotient, formula(b)))))
    least = bounds(b)[0]
    unsigned = natural and least is not None and least >= 0
    name = _BY_SIGN["rem" if op == "mod" else op][not unsigned]
    if op in ("mod", "rem") or len(b) != 1:
        return Apply(name, (formula(a), formula(b)))
    # By one factor after the other: their product may be too large for its bits.
    first, *others = _factored(b)
    if not others:
        return Apply(name, (formula(a), formula(b)))
    total = _by_a_number(op, a, first)
    for factor in others:
        total = Apply(name, (total, formula(factor)))
    return total


def _may_be_too_large(p: Polynomial) -> bool:
    """May a product of several factors leave its bits?"""
    if len(p) != 1 or len(_factored(p)) == 1:
        return False
    most, whole = bounds(p)[1], formula(p)
    return most is None or most >= 1 << (31 if isinstance(whole, int) else whole.width - 1)


def _by_a_number(op: str, a: Polynomial, b: Polynomial) -> Formula:
    number, by = value_of(a), value_of(b)
    if number is None or by is None or op != "floor":
        return _divided(op, a, b)
    return number // by


def _factored(p: Polynomial) -> list[Polynomial]:
    """The factors of a product of whole variables, a number first."""
    ((mono, c),) = p
    steps = _step_of(mono)
    if c % steps:
        return [p]
    factors = sorted(mono, key=lambda factor: _order(factor[0]))
    whole = [of_atom(atom, _step_of(_alone(atom))) for atom, power in factors for _ in range(power)]
    return [constant(c // steps)] * (c != steps) + whole


def _exclusive(p: Polynomial, q: Polynomial) -> Formula:
    for moved, of in ((q, p), (p, q)):
        swizzle = _swizzle(of, moved)
        if swizzle:
            mask, shift = swizzle
            x = formula(of)
            masked = Apply("andi", (x, mask))
            moved_bits = Apply("shrui", (masked, shift)) if shift >= 0 else Apply("shli", (masked, -shift))
            return Apply("xori", (x, moved_bits))
    return Apply("xori", (formula(p), formula(q)))


def _swizzle(x: Polynomial, moved: Polynomial) -> tuple[int, int] | None:
    """The mask and shift with moved == (x & mask) >> shift, of a swizzle's fields, which lie apart."""
    base = content(moved) & -content(moved)
    place = base.bit_length() - 1
    for start, bits in _fields(x, moved, base) if base else ():
        field = remainder(floor_divide(x, constant(1 << start)), constant(1 << bits))
        if start != place and scale(field, base) == moved:
            return ((1 << bits) - 1) << start, start - place
    return None


def _fields(x: Polynomial, moved: Polynomial, base: int) -> Iterator[tuple[int, int]]:
    """Which bits of x the moved ones may have been: from where on, and how many."""
    low, high = bounds(moved)
    if low is not None and high is not None and low >= 0:
        yield from ((start, (high // base).bit_length()) for start in range(LONGEST))
    quotients = (atom.args[1] for atom in atoms(moved) if isinstance(atom, Call) and atom.op == "floor")
    ends = sorted({end.bit_length() - 1 for q in quotients if (end := value_of(q) or 0).bit_count() == 1})
    zeros = (content(x) & -content(x)).bit_length() - 1  # of k*2^z the quotients are those of k
    yield from ((start + zeros, end - start) for start, end in combinations(ends, 2))


# ---- order: variables as they were made, integers last; a total one, so that the text is always the same


@lru_cache(8192)
def _order(atom: Atom) -> tuple[object, ...]:
    if isinstance(atom, Variable):
        return (0, *_key(atom))
    args = tuple(map(_whole, atom.args))
    if atom.op in _COMMUTATIVE:  # whose arguments stand as they came
        args = tuple(sorted(args))
        return (*min(map(_first, atom.args)), 1, atom.op, args)
    return (*_first(atom.args[0] or atom.args[1]), 1, atom.op, args)


def _whole(p: Polynomial) -> tuple[object, ...]:
    return _first(p), sorted(map(_place, p))


def _key(variable: Variable) -> tuple[object, ...]:
    key = variable.key
    return (0, 0, key) if isinstance(key, str) else (1, key.serial, "")


def _first(p: Polynomial) -> tuple[object, ...]:
    found = [_order(atom) for atom in set(atoms(p))]
    return min(found, default=(2,))


def _place(term: tuple[Monomial, int]) -> tuple[object, ...]:
    mono, c = term
    factors = sorted((_order(atom), power) for atom, power in mono)
    return (not mono, [order for order, _ in factors], len(mono), c, [power for _, power in factors])
