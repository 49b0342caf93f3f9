"""isl as a second oracle: layouts as integer maps, equal for all points, also where there are 2^62 of them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from oracle import modes
from strategies import Dice, huge, inside, layout

import tilewright as tw
from tilewright import Layout, LayoutError

isl = pytest.importorskip("islpy")


def as_map(a: Layout) -> Any:
    """i -> A~(i) for i >= 0."""
    terms, size = [], 1
    flat = modes(a)
    for k, (extent, stride) in enumerate(flat):
        digit = f"floor(i/{size})" if k == len(flat) - 1 else f"(floor(i/{size}) mod {extent})"
        terms.append(f"{stride}*{digit}")
        size *= extent
    return isl.Map(f"{{ [i] -> [{' + '.join(terms)}] : i >= 0 }}")


def domain(a: Layout) -> Any:
    return isl.Set(f"{{ [i] : 0 <= i < {a.size} }}")


def test_compositions_are_equal_maps() -> None:
    accepted = 0
    for seed in range(150):
        pick = Dice(seed)
        a = huge(pick) if seed % 2 else layout(pick)
        b = huge(pick) if seed % 4 == 1 else inside(pick, layout(pick) if seed % 2 else a)
        try:
            found = tw.composition(a, b)
        except LayoutError:
            continue
        accepted += 1
        expected = as_map(b).apply_range(as_map(a)).intersect_domain(domain(b))
        assert as_map(found).intersect_domain(domain(b)).is_equal(expected)
    assert accepted > 80


def test_right_inverses_of_huge_layouts() -> None:
    for seed in range(60):
        a = huge(Dice(seed))
        found = tw.right_inverse(a)
        through = as_map(found).apply_range(as_map(a)).intersect_domain(domain(found))
        assert through.is_equal(isl.Map(f"{{ [i] -> [i] : 0 <= i < {found.size} }}"))
        assert found.size == a.size


def test_complements_of_huge_layouts_are_disjoint() -> None:
    dice = random.Random(7)
    for seed in range(40):
        a = huge(Dice(seed))
        if a.size < 4:
            continue
        part = tw.coalesce(a)[dice.randrange(tw.coalesce(a).rank)]
        rest = tw.complement(part, a.size)
        both = tw.make_layout(part, rest)
        values = as_map(Layout(tw.flatten(both).shape, tw.flatten(both).stride)).intersect_domain(domain(both))
        assert values.is_injective()
        assert values.range().is_equal(isl.Set(f"{{ [v] : 0 <= v < {both.size} }}"))
