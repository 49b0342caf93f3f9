"""`serve`: what it says of the swizzle that it finds for accesses of several lengths is counted element by element."""

from __future__ import annotations

import itertools

from tilewright.analysis.swizzle.joint import Asked, serve
from tilewright.arch import get

SPEC = get("sm_90")


def column(length: int, step: int, count: int, start: int) -> Asked:
    """A load of the first lanes, `step` elements apart."""
    return Asked((tuple(start + step * i if i < count else -1 for i in range(32)),), length, "load", "auto")


def test_what_accesses_of_mixed_lengths_reach_further() -> None:
    """The last of the elements that are asked for, once they are swizzled, less the last one before."""
    grown = set()
    for length, step, count, first in itertools.product((2, 4, 8), (8, 32, 64), (5, 16, 32), (0, 3, 7, 11)):
        asked = (column(length, step, count, 0), column(1, step, count, first))
        touched = {at + i for one in asked for at in one.rows[0] if at >= 0 for i in range(one.length)}
        served = serve(asked, 16, SPEC)
        assert served is not None
        further = max(map(served.swizzle, touched)) - max(touched)
        assert served.grows == max(0, further), asked
        grown.add(further > 0)
    assert grown == {True, False}
