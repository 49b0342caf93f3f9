"""The swizzle under which all accesses of a FlyDSL buffer together take the fewest wavefronts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilewright.analysis.swizzle.joint import Asked, serve
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding, Use
from tilewright.dumps.repairs import Mend, Mended
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class FlyUse(Use):
    """What the threads ask of a buffer of elements of so many bits that is not swizzled."""

    bits: int
    asked: Asked

    def in_unit(self, bits: int) -> Asked:
        """The same in smaller elements."""
        ratio = self.bits // bits
        rows = tuple(tuple(offset * ratio if offset >= 0 else -1 for offset in row) for row in self.asked.rows)
        return replace(self.asked, rows=rows, length=self.asked.length * ratio)


def mend_for(spec: ArchSpec) -> Mend:
    """The search for a machine."""

    def mend(accesses: Sequence[Finding]) -> Mended | str:
        uses = [one.use for one in accesses if isinstance(one.use, FlyUse)]
        if len(uses) < len(accesses):
            return "how one of its accesses goes under a swizzle is not known"
        bits = min(use.bits for use in uses)
        served = serve([use.in_unit(bits) for use in uses], bits, spec)
        before = sum(one.wavefronts or 0 for one in accesses)
        if served is None:
            return "no swizzle moves its vectors whole, or they are too many to search for one"
        if sum(served.wavefronts) >= before:
            return "no swizzle is better"
        room = f" (a buffer of whole blocks of {block(served.swizzle)} elements holds what it moves)"
        words = f"{_words(served.swizzle, bits)}{room if served.grows else ''}"
        return Mended(words, served.wavefronts, tuple(one.instruction for one in accesses))

    return mend


def block(swizzle: Swizzle) -> int:
    """The elements of the smallest aligned block that a swizzle permutes within itself.

    >>> block(Swizzle(5, 0, 6)), block(Swizzle(2, 4, -2))
    (32, 256)
    """
    return 1 << (swizzle.b + swizzle.m + max(0, -swizzle.s))


def _words(swizzle: Swizzle, bits: int) -> str:
    """The swizzle as FlyDSL spells it."""
    b, m, s = swizzle.b, swizzle.m, swizzle.s
    if not b:
        return "no swizzle"
    made = f"fx.SwizzleType.get({b}, {m}, {s}) " if s >= 0 else ""
    return f"{made}S<{b},{m},{s}> in elements of {bits} bits around the plain layout"
