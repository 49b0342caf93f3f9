"""What layouts are, by enumeration: written from the definitions alone, so that it can judge the package.

A layout is given as a pair of nested tuples (shape, stride) with integer strides, or as any object with both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product as box
from typing import Any

Modes = list[tuple[int, int]]


def leaves(t: Any) -> list[Any]:
    return [leaf for item in t for leaf in leaves(item)] if isinstance(t, tuple) else [t]


def modes(layout: Any) -> Modes:
    """The leaves as (extent, stride), fastest first."""
    shape, stride = (layout.shape, layout.stride) if hasattr(layout, "shape") else layout
    return list(zip(leaves(shape), leaves(stride), strict=True))


def size(t: Any) -> int:
    count = 1
    for extent in leaves(t):
        count *= extent
    return count


def value(layout: Any, i: int) -> Any:
    """A~(i): the last leaf is unbounded."""
    total = 0
    flat = modes(layout)
    for k, (extent, stride) in enumerate(flat):
        digit = i if k == len(flat) - 1 else i % extent
        total = total + stride * digit
        i //= extent
    return total


def with_zeros(coord: Any, shape: Any) -> Any:
    """The coordinate, with zeros for the modes that its tuples leave out; None if it has more than the shape."""
    if not isinstance(coord, tuple):
        return coord
    if not isinstance(shape, tuple) or len(coord) > len(shape):
        return None
    found = tuple(with_zeros(*pair) for pair in zip(coord, shape, strict=False)) + (0,) * (len(shape) - len(coord))
    return None if None in found else found


def table(layout: Any) -> list[Any]:
    """All values, colexicographically."""
    values = [0]
    for extent, stride in modes(layout):
        values = [v + j * stride for j in range(extent) for v in values]
    return values


def fit(values: Sequence[Any]) -> Modes | None:
    """The modes of the coalesced layout with these values on [0, len(values)), or None if there is none.

    Complete: the first mode of such a layout ends where the values stop being multiples of values[1].
    """
    found: Modes = []
    rest = list(values)
    if rest and rest[0] != 0:
        return None
    while len(rest) > 1:
        step = rest[1]
        run = next((i for i, v in enumerate(rest) if v != i * step), len(rest))
        if len(rest) % run or any(v != rest[i - i % run] + i % run * step for i, v in enumerate(rest)):
            return None
        found.append((run, step))
        rest = rest[::run]
    return found


def wide_elements(a: Any, factor: int) -> list[int] | None:
    """The elements `factor` times as wide, in the order in which A begins them; None where one would be cut."""
    values, held = table(a), bits(a, 1)
    whole = all(held[x - x % factor + j] == held[x] for x in list(held) for j in range(factor))
    return [x // factor for x in values if x % factor == 0] if whole else None


def fit_tree(shape: Any, values: Sequence[Any]) -> bool:
    """Is there a layout with these values whose shape refines `shape`?"""
    extents = leaves(shape)
    steps = [1]
    for extent in extents:
        steps.append(steps[-1] * extent)
    lines = [[values[i * step] for i in range(extent)] for extent, step in zip(extents, steps, strict=False)]
    if any(fit(line) is None for line in lines):
        return False
    return all(sum(parts) == v for parts, v in zip(_sums(lines), values, strict=True))


def _sums(lines: list[list[Any]]) -> Iterable[tuple[Any, ...]]:
    return (tuple(reversed(parts)) for parts in box(*reversed(lines)))


def composed_table(a: Any, b: Any) -> list[Any] | None:
    """A~(B(i)) for all i; None where B takes a negative value."""
    points = table(b)
    return None if min(points) < 0 else [value(a, x) for x in points]


def composable(a: Any, b: Any) -> bool:
    """Is there a layout that refines B's shape and has the function A~(B(i))?"""
    values = composed_table(a, b)
    return values is not None and fit_tree(b.shape if hasattr(b, "shape") else b[0], values)


def longest_right_inverse(a: Any) -> int:
    """For an injective A: the largest n for which i -> (the coordinate with the value i) is a layout on [0, n)."""
    where = {v: i for i, v in enumerate(table(a))}
    known = [where[i] for i in range(next(i for i in range(len(where) + 1) if i not in where))]
    return max((n for n in range(1, len(known) + 1) if fit(known[:n]) is not None), default=1)


def has_left_inverse(a: Any) -> bool:
    """Has the injective A, of non-negative values, a layout R with R(A(i)) == i? By every chain of radices."""
    values = table(a)
    return any(_solvable(values, chain) for chain in _chains(max(values)))


def _chains(most: int) -> Iterable[tuple[int, ...]]:
    yield ()
    for radix in range(2, most + 1):
        for rest in _chains(most // radix):
            yield (radix, *rest)


def _solvable(values: list[int], chain: tuple[int, ...]) -> bool:
    rows = []
    for i, v in enumerate(values):
        digits = []
        for radix in chain:
            digits.append(v % radix)
            v //= radix
        rows.append([*digits, v, i])
    return _integer_solution(rows)


def _integer_solution(rows: list[list[int]]) -> bool:
    """Do integers c solve digits . c == i for every row (digits, i)? By integer elimination of columns (Hermite)."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    target, basis = columns.pop(), columns
    for k in range(len(target)):
        live = [c for c in basis if c[k]]
        while len(live) > 1:
            live.sort(key=lambda c: abs(c[k]))
            pivot = live[0]
            for c in live[1:]:
                q = c[k] // pivot[k]
                c[:] = [x - q * y for x, y in zip(c, pivot, strict=True)]
            live = [c for c in live if c[k]]
        if live:
            pivot = live[0]
            if target[k] % pivot[k]:
                return False
            q = target[k] // pivot[k]
            target = [x - q * y for x, y in zip(target, pivot, strict=True)]
            basis = [c for c in basis if c is not pivot]
        elif target[k]:
            return False
    return True


def is_injective(layout: Any) -> bool:
    values = table(layout)
    return len(set(values)) == len(values)


def bits(layout: Any, width: int) -> Counter[int]:
    """How often each bit is held, by elements of `width` bits."""
    return Counter(v * width + j for v in table(layout) for j in range(width))


def refines(shape: Any, coarse: Any) -> bool:
    """Has `shape` the size of `coarse` at every leaf of `coarse`?"""
    if not isinstance(coarse, tuple):
        return size(shape) == coarse
    return isinstance(shape, tuple) and len(shape) == len(coarse) and all(map(refines, shape, coarse))
