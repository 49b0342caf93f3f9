"""`owners` counts what an enumeration counts, and refuses what an enumeration finds uneven or outside."""

import itertools
from collections import Counter

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
