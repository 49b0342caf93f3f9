"""What a matrix instruction leaves in the registers of a warp, element by element from its layouts and the rule."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]

# type -> bits of the significand, least exponent of a normal number
FLOATS = {"float64": (53, -1022), "float32": (24, -126), "float16": (11, -14), "bfloat16": (8, -126)}


def nearest(value: float | Fraction, element: DType) -> float:
    """The value rounded to nearest, ties to even; from the definition, by whole numbers of units in the last place."""
    if value == 0 or not math.isfinite(value):
        return float(value)
    digits, lowest = FLOATS[element.name]
    exponent = max(math.frexp(value)[1] - 1, lowest)
    unit = Fraction(2) ** (exponent - digits + 1)
    rounded = Fraction(round(Fraction(value) / unit)) * unit
    highest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** (-lowest + 1)
    if abs(rounded) > highest:
        return math.copysign(math.inf, value)
    return math.copysign(float(rounded), value)


def total(a: list[float], b: list[float], c: float, narrow: bool) -> float:
    """The exact sum of the products and of c, rounded once to binary64; never -0. Products of narrow ones are exact."""
    terms = [x * y for x, y in zip(a, b, strict=True)]
    if not all(map(math.isfinite, (*a, *b, c))):
        return sum(terms, c)
    if narrow:
        return math.fsum((*terms, c)) + 0.0
    exact = sum((Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)), Fraction(c))
    return float(exact) + 0.0


@lru_cache(maxsize=3)
def places(atom: MmaAtom, operand: str, warp: int) -> tuple[tuple[int, int, int, int, int], ...]:
    """(group, row, column, lane, value) of each register of a warp; each block of an atom is a group of its own."""
    return tuple(_places(atom, operand, warp))


def _places(atom: MmaAtom, operand: str, warp: int) -> Iterator[tuple[int, int, int, int, int]]:
    layout, (rows, columns) = atom.tv_layout(operand), atom.tile(operand)
    lanes = [atom.thr_layout(thread) for thread in range(atom.threads)]
    starts: list[int] = []
    taken: set[int] = set()
    for lane in range(warp):
        if lane not in taken:
            starts.append(lane)
            taken |= {lane + other for other in lanes}
    for group, start in enumerate(starts):
        for thread in range(atom.threads):
            for value in range(layout[1].size):
                block, inside = divmod(layout(thread, value), rows * columns)
                column, row = divmod(inside, rows)
                yield group * atom.blocks + block, row, column, start + lanes[thread], value


def one(atom: MmaAtom, a: list[Any], b: list[Any], c: Any) -> Any:
    """One element of D."""
    d, narrow = atom.dtypes[0], atom.dtypes[1].bits <= 32
    if d.is_integer:
        if "popc" in atom.instruction:
            pick = int.__xor__ if ".xor.popc" in atom.instruction else int.__and__
            found = c + sum(pick(x, y) for x, y in zip(a, b, strict=True))
        else:
            found = c + sum(x * y for x, y in zip(a, b, strict=True))
        low, high = -(1 << (d.bits - 1)), (1 << (d.bits - 1)) - 1
        return min(max(found, low), high) if "satfinite" in atom.instruction else (found - low) % (1 << d.bits) + low
    if d.kind == "complex":
        half, narrow = (np.float64, False) if d.bits == 128 else (np.float32, True)
        ar, ai, br, bi = ([getattr(x, part) for x in side] for side in (a, b) for part in ("real", "imag"))
        real = total(ar + ai, br + [-x for x in bi], c.real, narrow)
        return complex(half(real), half(total(ar + ai, bi + br, c.imag, narrow)))
    return nearest(total(a, b, c, narrow), d)


def expected(atom: MmaAtom, warp: int, a: Array, b: Array, c: Array) -> Array:
    """The D fragments (lane, value) of A, B and C fragments."""
    d = atom.dtypes[0]
    convert = int if d.is_integer else complex if d.kind == "complex" else float
    sides: list[dict[tuple[int, int, int], Any]] = []
    for operand, fragment in zip("ABC", (a, b, c), strict=True):
        held = places(atom, operand, warp)
        sides.append({(g, row, column): convert(fragment[lane, value]) for g, row, column, lane, value in held})
    left, right, start = sides
    k = atom.shape_mnk[2]
    result = np.zeros(c.shape, d.numpy())
    for g, m, n, lane, value in places(atom, "C", warp):
        row, column = [left[g, m, i] for i in range(k)], [right[g, n, i] for i in range(k)]
        result[lane, value] = one(atom, row, column, start[g, m, n])
    return result
