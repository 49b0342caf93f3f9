"""`owners` counts what an enumeration counts, and refuses what an enumeration finds uneven or outside."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from tilewright.atoms import catalog
from tilewright.atoms.coverage import owners
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout


def counted(layout, elements):
    seen = Counter(layout(i) for i in range(layout.size))
    times = set(seen.values())
    return times.pop() if set(seen) == set(range(elements)) and len(times) == 1 else None


def test_owners_are_what_an_enumeration_counts():
    found = set()
    for shape in itertools.product((1, 2, 3, 4), repeat=2):
        for stride in itertools.product((-1, 0, 1, 2, 3, 4), repeat=2):
            layout = Layout(shape, stride)
            for elements in (1, 2, 4, 6, 8, 12):
                try:
                    times = owners(layout, elements)
                except LayoutError:
                    times = None
                assert times == counted(layout, elements), (layout, elements)
                found.add(times)
    assert {None, 1, 2, 4} <= found


@pytest.mark.parametrize("name", ["SM80_16x8x16_F32F16F16F32_TN", "SM90_64x16x16_F16F16F16_SS"])
def test_an_atom_declares_its_replicas_exactly(name):
    atom = catalog.mma(name)
    for place, change in itertools.product(range(3), (-1, 1)):
        wrong = tuple(times + change * (i == place) for i, times in enumerate(atom.replicas))
        with pytest.raises(LayoutError, match=rf"has {atom.replicas[place]} owners, {wrong[place]} were declared"):
            replace(atom, replicas=wrong)
